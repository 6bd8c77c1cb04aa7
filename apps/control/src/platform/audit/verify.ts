import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import { type AuditChain, chainStart, type HashedRow, sameHash } from '../../frame/audit.ts';
import type { Anchor, Anchors } from './anchors.ts';

/** The result of verifying one organization's trail. */
export interface TrailReport {
  readonly organizationId: string;
  readonly verified: boolean;
  /** Number of genuine entries. */
  readonly checked: number;
  /** The first entry that is not; its id is null if it is missing. */
  readonly firstBadEntry: { readonly sequence: number; readonly id: string | null } | null;
  readonly problem: string | null;
}

const batchSize = 2_000;

/**
 * Verifies the trail of one organization, or of all, from its first entry to its end: each entry's MAC over its content
 * and the one before, the sequence without a gap, the sealed end, and the anchors.
 *
 * @param transaction sees a snapshot of all of it: `repeatable read`
 * @param anchors read before the transaction began
 */
export async function verifyTrails(
  transaction: Kysely<Schema>,
  chain: AuditChain,
  anchors: Anchors,
  organizationId: string | null,
): Promise<readonly TrailReport[]> {
  const heads = new Map<string, Head>();
  let query = transaction.selectFrom('audit_heads').selectAll();
  if (organizationId !== null) query = query.where('organization_id', '=', organizationId);
  for (const { organization_id, sequence, hash, seal } of await query.execute()) {
    heads.set(organization_id, { sequence: Number(sequence), hash, seal });
  }
  const trails = new Map<string, Trail>();
  const trailOf = (id: string): Trail => {
    const trail = trails.get(id) ?? new Trail(id, chain, heads.get(id) ?? null, anchors.byOrganization.get(id) ?? []);
    trails.set(id, trail);
    return trail;
  };
  for await (const entries of readEntries(transaction, organizationId)) {
    for (const entry of entries) trailOf(entry.organization_id).take(entry);
  }
  const all = new Set([...heads.keys(), ...anchors.byOrganization.keys(), ...trails.keys()]);
  if (organizationId !== null) all.add(organizationId);
  return [...all].sort().map((id) => withForgedAnchor(trailOf(id).end(), anchors.forgedLine));
}

function withForgedAnchor(report: TrailReport, forgedLine: number | null): TrailReport {
  if (forgedLine === null || !report.verified) return report;
  return { ...report, verified: false, problem: `Line ${forgedLine} of the anchor file was changed.` };
}

interface Head {
  readonly sequence: number;
  readonly hash: Buffer;
  readonly seal: Buffer;
}

/** A row as stored; its time has microseconds, an entry's has milliseconds. */
interface Entry {
  readonly organization_id: string;
  readonly sequence: string;
  readonly id: string;
  readonly moment: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string;
  readonly operation: string;
  readonly entity_type: string;
  readonly entity_id: string | null;
  readonly category: string;
  readonly severity: string;
  readonly outcome: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly request_id: string;
  readonly note: string;
  readonly changes_text: string;
  readonly hash: Buffer;
}

/** Reads the trail through a cursor, fetching the next batch while processing one. */
async function* readEntries(
  transaction: Kysely<Schema>,
  organizationId: string | null,
): AsyncGenerator<readonly Entry[]> {
  const ofOrganization = organizationId === null ? sql`` : sql`where organization_id = ${sql.lit(organizationId)}`;
  await sql`
    declare trail no scroll cursor for
    select organization_id, sequence, id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as moment,
           actor_kind, actor_id, actor_name, operation, entity_type, entity_id, category, severity, outcome, ip,
           user_agent, request_id, note, changes::text as changes_text, hash
    from audit_entries ${ofOrganization} order by organization_id, sequence`.execute(transaction);
  const fetchBatch = async () => (await sql<Entry>`fetch ${sql.lit(batchSize)} from trail`.execute(transaction)).rows;
  let next = fetchBatch();
  for (;;) {
    const entries = await next;
    if (entries.length === 0) break;
    next = fetchBatch();
    // Handled where it is awaited; until then a failure must not count as unhandled.
    next.catch(() => undefined);
    yield entries;
  }
  await sql`close trail`.execute(transaction);
}

/** Takes the entries of one organization in order, and remembers the first bad one. */
class Trail {
  readonly #organizationId: string;
  readonly #chain: AuditChain;
  readonly #head: Head | null;
  readonly #anchors: readonly Anchor[];
  #nextAnchor = 0;
  #previous: Buffer = chainStart;
  #last: { readonly sequence: number; readonly id: string | null } = { sequence: 0, id: null };
  #checked = 0;
  #bad: Pick<TrailReport, 'firstBadEntry' | 'problem'> | null = null;

  constructor(organizationId: string, chain: AuditChain, head: Head | null, anchors: readonly Anchor[]) {
    this.#organizationId = organizationId;
    this.#chain = chain;
    this.#head = head;
    this.#anchors = anchors;
  }

  take(entry: Entry): void {
    if (this.#bad !== null) return;
    const sequence = Number(entry.sequence);
    const expected = this.#last.sequence + 1;
    const missing = sequence > expected;
    const problem = missing ? `Entry ${expected} is missing.` : this.#problemOf(entry, sequence, expected);
    if (problem !== null) {
      this.#bad = { firstBadEntry: missing ? { sequence: expected, id: null } : { sequence, id: entry.id }, problem };
      return;
    }
    this.#previous = entry.hash;
    this.#last = { sequence, id: entry.id };
    this.#checked++;
  }

  #problemOf(entry: Entry, sequence: number, expected: number): string | null {
    if (sequence < expected) return `Entry ${sequence} was not written by the service.`;
    if (this.#head !== null && sequence > this.#head.sequence) {
      return `Entry ${sequence} comes after the sealed end, ${this.#head.sequence}.`;
    }
    const hash = this.#chain.rowHash(this.#previous, hashedRow(entry));
    if (!entry.moment.endsWith('000') || !sameHash(hash, entry.hash)) {
      return `Entry ${sequence} was changed, or replaced by another.`;
    }
    for (; this.#anchors[this.#nextAnchor]?.sequence === sequence; this.#nextAnchor++) {
      if (!sameHash(this.#anchors[this.#nextAnchor]!.hash, entry.hash)) {
        return `Entry ${sequence} differs from the anchored one: the trail was rolled back and continued from there.`;
      }
    }
    return null;
  }

  end(): TrailReport {
    if (this.#bad === null) this.#checkEnd();
    return {
      organizationId: this.#organizationId,
      verified: this.#bad === null,
      checked: this.#checked,
      firstBadEntry: this.#bad?.firstBadEntry ?? null,
      problem: this.#bad?.problem ?? null,
    };
  }

  #checkEnd(): void {
    const { sequence: last, id } = this.#last;
    const head = this.#head;
    const end = Math.max(head?.sequence ?? 0, this.#anchors.at(-1)?.sequence ?? 0);
    if (end > last) {
      const problem = `Entries ${last + 1} to ${end} are missing: the end of the trail was cut off.`;
      this.#bad = { firstBadEntry: { sequence: last + 1, id: null }, problem };
    } else if (head === null ? last > 0 : !this.#sealed(head)) {
      const problem = `The seal of the trail’s end ${head === null ? 'is missing' : 'was changed'}.`;
      this.#bad = { firstBadEntry: last > 0 ? { sequence: last, id } : null, problem };
    }
  }

  #sealed({ sequence, hash, seal }: Head): boolean {
    return (
      sameHash(hash, this.#previous) &&
      sameHash(seal, this.#chain.headSeal(this.#organizationId, String(sequence), hash))
    );
  }
}

function hashedRow(entry: Entry): HashedRow {
  return [
    entry.organization_id,
    entry.sequence,
    entry.id,
    `${entry.moment.slice(0, -3)}Z`,
    entry.actor_kind,
    entry.actor_id,
    entry.actor_name,
    entry.operation,
    entry.entity_type,
    entry.entity_id,
    entry.category,
    entry.severity,
    entry.outcome,
    entry.ip,
    entry.user_agent,
    entry.request_id,
    entry.note,
    entry.changes_text,
  ];
}

import { createReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { Schema } from '../../database/schema.ts';
import { type AuditChain, sameHash } from '../../frame/audit.ts';
import type { ChainEnd } from '../../frame/chain-ends.ts';

/** The end of a trail, as it was once. */
export interface Anchor {
  readonly sequence: number;
  readonly hash: Buffer;
}

/** Anchors by organization, in the order of their sequence numbers. */
export interface Anchors {
  readonly byOrganization: ReadonlyMap<string, readonly Anchor[]>;
  /** Number of the first line that is not as the service wrote it; null where all are. */
  readonly forgedLine: number | null;
}

const Line = z.object({
  organizationId: z.string(),
  sequence: z.int().min(1),
  hash: z.hex(),
  seal: z.hex(),
});

/** The file of the anchors: one JSON object a line, only ever added to. */
export function anchorFile(dataDirectory: string): string {
  return join(dataDirectory, 'audit-anchors.jsonl');
}

/**
 * Writes the ends of the trails that have grown to the anchor file. The chain alone cannot tell a trail that was set back
 * to an earlier state of the database, its sealed end included; an end that was written outside the database can.
 *
 * @param anchored sequence by organization of what was written before; kept up to date
 */
export async function anchorTrails(
  database: Kysely<Schema>,
  chain: AuditChain,
  file: string,
  anchored: Map<string, string>,
): Promise<void> {
  const heads = await database.selectFrom('audit_heads').selectAll().orderBy('organization_id').execute();
  const grown = heads.filter(
    ({ organization_id, sequence, hash, seal }) =>
      anchored.get(organization_id) !== sequence && sameHash(chain.headSeal(organization_id, sequence, hash), seal),
  );
  await appendEnds(
    chain,
    file,
    grown.map(({ organization_id, sequence, hash }) => [organization_id, { sequence: BigInt(sequence), hash }]),
  );
  for (const { organization_id, sequence } of grown) anchored.set(organization_id, sequence);
}

/** Appends ends to the anchor file; they are on the disk then. */
async function appendEnds(
  chain: AuditChain,
  file: string,
  ends: readonly (readonly [organizationId: string, end: ChainEnd])[],
): Promise<void> {
  if (ends.length === 0) return;
  const at = new Date().toISOString();
  const lines = ends.map(([organizationId, { sequence, hash }]) =>
    JSON.stringify({
      organizationId,
      sequence: Number(sequence),
      at,
      hash: hash.toString('hex'),
      seal: chain.headSeal(organizationId, sequence, hash).toString('hex'),
    }),
  );
  // The first line break ends what a process that died left unfinished; empty lines mean nothing.
  await appendFile(file, `\n${lines.join('\n')}\n`, { mode: 0o600, flush: true });
}

/** Anchors of one organization, or of all. A line that was left unfinished, and a file that is missing, tell nothing. */
export async function readAnchors(chain: AuditChain, file: string, organizationId: string | null): Promise<Anchors> {
  const byOrganization = new Map<string, Anchor[]>();
  let forgedLine: number | null = null;
  let number = 0;
  for await (const text of linesOf(file)) {
    number++;
    const line = parseLine(text);
    if (line === null || (organizationId !== null && line.organizationId !== organizationId)) continue;
    const hash = Buffer.from(line.hash, 'hex');
    const seal = chain.headSeal(line.organizationId, String(line.sequence), hash);
    if (!sameHash(seal, Buffer.from(line.seal, 'hex'))) {
      forgedLine ??= number;
      continue;
    }
    const anchors = byOrganization.get(line.organizationId) ?? [];
    byOrganization.set(line.organizationId, anchors);
    anchors.push({ sequence: line.sequence, hash });
  }
  for (const anchors of byOrganization.values()) anchors.sort((first, second) => first.sequence - second.sequence);
  return { byOrganization, forgedLine };
}

async function* linesOf(file: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

function parseLine(text: string): z.infer<typeof Line> | null {
  if (!text.startsWith('{')) return null;
  try {
    return Line.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

export interface AuditAnchoring {
  /** Writes the last ends, and no more from then on. */
  stop(): Promise<void>;
}

/** At most so often, so that a burst of writes costs few lines. */
const leastGapMs = 1_000;

/**
 * Anchors what this process commits at once, within a second in a burst, as its memory has it: not as the database has it
 * by then, which may have been set back. The database is asked at the start, at intervals and at the stop, for what other
 * processes wrote and what one that died left out.
 */
export function startAuditAnchoring(parts: {
  readonly database: { readonly system: Kysely<Schema> };
  readonly chain: AuditChain;
  readonly dataDirectory: string;
  readonly intervalMs?: number;
  readonly onError: (error: unknown) => void;
}): AuditAnchoring {
  const { database, chain, dataDirectory, intervalMs = 60_000, onError } = parts;
  const anchored = new Map<string, string>();
  const file = anchorFile(dataDirectory);
  let running = Promise.resolve();
  let waiting: NodeJS.Timeout | null = null;
  let lastMs = Number.NEGATIVE_INFINITY;
  let unwritten = new Map<string, ChainEnd>();
  const writeCommitted = async () => {
    for (const [organizationId, end] of chain.ends.takeCommitted()) unwritten.set(organizationId, end);
    const ends = unwritten;
    unwritten = new Map();
    try {
      await appendEnds(chain, file, [...ends]);
    } catch (error) {
      // A later end, committed meanwhile, stands for this one.
      unwritten = new Map([...ends, ...unwritten]);
      throw error;
    }
    for (const [organizationId, { sequence }] of ends) anchored.set(organizationId, sequence.toString());
  };
  const anchorCommitted = () => {
    waiting = null;
    lastMs = performance.now();
    running = running.then(writeCommitted).catch(onError);
  };
  chain.ends.onCommit(() => {
    waiting ??= setTimeout(anchorCommitted, Math.max(0, lastMs + leastGapMs - performance.now()));
  });
  const anchor = () => {
    running = running
      .then(writeCommitted)
      .then(() => anchorTrails(database.system, chain, file, anchored))
      .catch(onError);
  };
  anchor();
  const timer = setInterval(anchor, intervalMs);
  timer.unref();
  return {
    stop: async () => {
      chain.ends.onCommit(() => undefined);
      if (waiting !== null) clearTimeout(waiting);
      clearInterval(timer);
      anchor();
      await running;
    },
  };
}

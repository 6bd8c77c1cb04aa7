import { createReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { Schema } from '../../database/schema.ts';
import { type AuditChain, sameHash } from '../../frame/audit.ts';

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
  if (grown.length === 0) return;
  const at = new Date().toISOString();
  const lines = grown.map(({ organization_id, sequence, hash, seal }) =>
    JSON.stringify({
      organizationId: organization_id,
      sequence: Number(sequence),
      at,
      hash: hash.toString('hex'),
      seal: seal.toString('hex'),
    }),
  );
  // The first line break ends what a process that died left unfinished; empty lines mean nothing.
  await appendFile(file, `\n${lines.join('\n')}\n`, { mode: 0o600, flush: true });
  for (const { organization_id, sequence } of grown) anchored.set(organization_id, sequence);
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

/** Anchors the trails at the start, at intervals, and at the stop. */
export function startAuditAnchoring(parts: {
  readonly database: { readonly system: Kysely<Schema> };
  readonly chain: AuditChain;
  readonly dataDirectory: string;
  readonly intervalMs?: number;
  readonly onError: (error: unknown) => void;
}): AuditAnchoring {
  const { database, chain, dataDirectory, intervalMs = 60_000, onError } = parts;
  const anchored = new Map<string, string>();
  let running = Promise.resolve();
  const anchor = () => {
    running = running
      .then(() => anchorTrails(database.system, chain, anchorFile(dataDirectory), anchored))
      .catch(onError);
  };
  anchor();
  const timer = setInterval(anchor, intervalMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      anchor();
      await running;
    },
  };
}

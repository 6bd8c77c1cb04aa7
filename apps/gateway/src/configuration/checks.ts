/** Checks everything that is received or read back; runs in any thread. */
import { createHash, verify } from 'node:crypto';
import { ConsumersPage } from '@millrace/gateway-configuration/consumers';
import { Manifest, maxContentsPerCall, SealedSecrets, Signed } from '@millrace/gateway-configuration/manifest';
import { RevisionContent } from '@millrace/revision/content';
import { canonicalJson } from '@millrace/revision/hash';
import * as z from 'zod';
import { type Piece, split } from './pieces.ts';

/** The expected signer, organization and environment. */
export interface Trust {
  readonly verificationKey: string;
  readonly organizationId: string;
  readonly environmentId: string;
}

/** A configuration as it was sent: stored on disk in this form, and checked again when it is read. */
const SentConfiguration = z.object({ manifest: Signed, secrets: SealedSecrets.nullable() });
type SentConfiguration = z.infer<typeof SentConfiguration>;

/** Why a part is rejected, as a sentence; with its `sequence` if known. */
export interface Refused {
  readonly refused: string;
  readonly sequence: number;
  readonly hash: string;
}

export interface CheckedManifest {
  /** As it was sent, for the disk. */
  readonly file: Uint8Array;
  readonly secrets: SealedSecrets | null;
  readonly sequence: number;
  /** SHA-256 of its text, as hex digits. */
  readonly hash: string;
  readonly pieces: readonly Piece[];
}

export interface CheckedPage {
  /** As it was sent, for the disk. */
  readonly file: Uint8Array;
  readonly pieces: readonly Piece[];
}

export type Drain = 'none' | 'draining';

const Answer = z.object({
  data: z.object({
    configuration: SentConfiguration.nullable(),
    consumers: Signed.nullable(),
    drain: z.enum(['none', 'draining']),
  }),
});
/** What a manifest of any format has. */
const Numbered = z.object({ sequence: z.int().min(1) });
const ContentsAnswer = z.object({
  data: z.object({ contents: z.array(z.object({ hash: z.string(), content: z.unknown() })).max(maxContentsPerCall) }),
});

/** Checks a response of `GET /gateway/configuration` part by part: a problem with one doesn't hold back the other. */
export function checkAnswer(bytes: Uint8Array, trust: Trust) {
  const { data } = Answer.parse(parse(bytes));
  return {
    drain: data.drain as Drain,
    configuration: data.configuration === null ? null : checkManifest(data.configuration, trust),
    consumers: data.consumers === null ? null : checkPage(data.consumers, trust),
  };
}

/** Checks a configuration from disk. */
export function checkStoredConfiguration(bytes: Uint8Array, trust: Trust): CheckedManifest | Refused {
  const sent = SentConfiguration.safeParse(parseOrNull(bytes));
  return sent.success ? checkManifest(sent.data, trust, bytes) : refusedText('The file is damaged.');
}

/** Checks a page of consumers from disk. */
export function checkStoredPage(bytes: Uint8Array, trust: Trust): CheckedPage | Refused {
  const sent = Signed.safeParse(parseOrNull(bytes));
  return sent.success ? checkPage(sent.data, trust, bytes) : refusedText('The file is damaged.');
}

/**
 * Checks an answer of `GET /gateway/contents`: the canonical JSON of each content that has one of the hashes.
 *
 * @throws Error if a content doesn't match its hash, or has an unknown format
 */
export function checkContents(bytes: Uint8Array, hashes: readonly string[]) {
  const { data } = ContentsAnswer.parse(parse(bytes));
  return data.contents.map(({ hash, content }) => {
    const text = canonicalJson(content);
    if (!hashes.includes(hash) || sha256(text) !== hash) {
      throw new Error('The control plane sent a different content than requested.');
    }
    checkForm(content);
    return { hash, text };
  });
}

/** Whether the bytes are the content of this hash, in a format that this node knows. */
export function checkStoredContent(bytes: Uint8Array, hash: string): boolean {
  if (sha256(bytes) !== hash) return false;
  checkForm(parse(bytes));
  return true;
}

/** SHA-256, as hex digits. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function checkManifest(
  sent: SentConfiguration,
  trust: Trust,
  file: Uint8Array = fileOf(sent),
): CheckedManifest | Refused {
  const { text, signature } = sent.manifest;
  const hash = sha256(text);
  const refused = (reason: string, sequence = 0) => ({ refused: reason, sequence, hash });
  if (!isSigned(text, signature, trust)) return refused('The signature of the configuration is invalid.');
  const json = parseOrNull(Buffer.from(text));
  const parsed = Manifest.safeParse(json);
  // Its number is known all the same: it isn't requested again, and deployments waiting for it learn of its rejection.
  if (!parsed.success)
    return refused(unknown('The configuration', parsed.error), Numbered.safeParse(json).data?.sequence);
  const { organizationId, environment, sequence } = parsed.data;
  if (organizationId !== trust.organizationId || environment.id !== trust.environmentId) {
    return refused('The configuration is for another organization or environment.', sequence);
  }
  return { file, secrets: sent.secrets, sequence, hash, pieces: split(parsed.data) };
}

function checkPage(sent: Signed, trust: Trust, file: Uint8Array = fileOf(sent)): CheckedPage | Refused {
  if (!isSigned(sent.text, sent.signature, trust)) {
    return refusedText('The signature of the consumers is invalid.');
  }
  const parsed = ConsumersPage.safeParse(parseOrNull(Buffer.from(sent.text)));
  if (!parsed.success) {
    return refusedText(unknown('The organization’s list of consumers', parsed.error));
  }
  if (parsed.data.organizationId !== trust.organizationId) {
    return refusedText('The consumers belong to another organization.');
  }
  return { file, pieces: split(parsed.data) };
}

function fileOf(sent: SentConfiguration | Signed): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(sent));
}

function checkForm(content: unknown): void {
  const { error } = RevisionContent.safeParse(content);
  if (error) throw new Error(unknown('A revision', error));
}

/** @param what the beginning of the sentence */
function unknown(what: string, error: z.ZodError): string {
  return `${what} has a format that this node doesn’t know (${where(error)}). Update the node to the version of the API management.`;
}

function isSigned(text: string, signature: string, { verificationKey }: Trust): boolean {
  const bytes = Buffer.from(signature, 'base64');
  // Only one text per signature: Base64 has several for some bytes.
  return bytes.toString('base64') === signature && verify(null, Buffer.from(text), verificationKey, bytes);
}

/** The first invalid field, without its value. */
function where({ issues }: z.ZodError): string {
  const [issue] = issues;
  return `${issue?.path.join('.') || 'the whole'}: ${issue?.code ?? 'invalid'}`;
}

function refusedText(refused: string): Refused {
  return { refused, sequence: 0, hash: '' };
}

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
}

function parseOrNull(bytes: Uint8Array): unknown {
  try {
    return parse(bytes);
  } catch {
    return null;
  }
}

import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { RevisionContent } from './content.ts';

export { canonicalJson };

/** SHA-256, as 64 hex digits, of the canonical JSON. The identifiers of routes and policies are part of it. */
export function contentHash(content: RevisionContent): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}

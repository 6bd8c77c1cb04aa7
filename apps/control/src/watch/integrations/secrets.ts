import type { Sealer } from '@millrace/encryption';
import { type SealedSecrets, secretContext } from './store.ts';

/** The secrets of an integration that are valid now, newest first. */
export function openSecrets(
  sealer: Sealer,
  integrationId: string,
  { current, previous, previousValidUntil }: SealedSecrets,
): readonly string[] {
  const isGrace = previousValidUntil !== null && previousValidUntil.getTime() > Date.now();
  return [current, isGrace ? previous : null].flatMap((sealed) =>
    sealed === null ? [] : [sealer.open(sealed, secretContext(integrationId)).toString()],
  );
}

import * as secrets from '@millrace/policies/secrets';
import type { Configuration } from '../../design/policies/rules.ts';
import { fieldError } from '../../frame/errors.ts';

/**
 * A configuration of a document with the secrets of the present one where it says `[secret]`.
 *
 * @param present null if there is none yet
 * @throws ApiError at `configuration.FIELD` if there is no secret to keep
 */
export function keepSecrets(configuration: Configuration, present: Configuration | null): Configuration {
  const { configuration: filled, missing } = secrets.keepSecrets(configuration, present);
  if (missing === null) return filled;
  // A document is long: what is missing is found by its header's name.
  throw fieldError(
    `configuration.${missing.place}`,
    'A document holds no secrets. Write the value, preferably as {{variables.NAME}} of a secret variable.',
  );
}

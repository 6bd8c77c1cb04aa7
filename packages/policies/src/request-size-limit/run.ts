import type { PolicyToCompile, Refusal, RequestPolicy } from '../run.ts';
import { requestSizeLimit } from './config.ts';

const headersTooLarge: Refusal = { kind: 'refusal', error: 'headers_too_large' };
const urlTooLong: Refusal = { kind: 'refusal', error: 'url_too_long' };

/** Rejects larger requests: by their head immediately, by their body once its length is known or exceeded. */
export function compileRequestSizeLimit(policy: PolicyToCompile): RequestPolicy {
  const { maxBodyBytes, maxHeaderBytes, maxUrlBytes } = requestSizeLimit.configuration.parse(policy.configuration);
  return {
    maxBodyBytes,
    onHead({ request: { path, query, headerBytes } }) {
      if (path.length + (query === '' ? 0 : query.length + 1) > maxUrlBytes) return urlTooLong;
      return headerBytes > maxHeaderBytes ? headersTooLarge : null;
    },
  };
}

import * as z from 'zod';
import { compileCors } from './cors/run.ts';
import { compileDataMasking } from './data-masking/run.ts';
import { compileIpAllowList } from './ip-allow-list/run.ts';
import { compileMockResponse } from './mock-response/run.ts';
import { Quota } from './quota/run.ts';
import { compileRequestSizeLimit } from './request-size-limit/run.ts';
import { compileRequestValidation } from './request-validation/run.ts';
import { compileResponseCache } from './response-cache/run.ts';
import type { PolicyParts, PolicyToCompile, RequestPolicy, ResponsePolicy } from './run.ts';
import { SpikeArrest } from './spike-arrest/run.ts';
import { compileTransformHeaders } from './transform-headers/run.ts';
import { compileVerifyApiKey } from './verify-api-key/run.ts';
import { compileVerifyJwt } from './verify-jwt/run.ts';

/** A policy ready to run on each flow that its kind allows. */
export interface CompiledPolicy {
  readonly request?: RequestPolicy;
  readonly response?: ResponsePolicy;
}

type Compile = (policy: PolicyToCompile, parts: PolicyParts) => CompiledPolicy;

const compilers: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ['ip-allow-list', (policy) => ({ request: compileIpAllowList(policy) })],
  ['cors', (policy) => ({ request: compileCors(policy) })],
  ['verify-api-key', (policy, parts) => ({ request: compileVerifyApiKey(policy, parts) })],
  ['quota', (policy, parts) => ({ request: new Quota(policy, parts) })],
  ['spike-arrest', (policy, parts) => ({ request: new SpikeArrest(policy, parts) })],
  ['verify-jwt', (policy, parts) => ({ request: compileVerifyJwt(policy, parts) })],
  ['request-size-limit', (policy) => ({ request: compileRequestSizeLimit(policy) })],
  ['request-validation', (policy, parts) => ({ request: compileRequestValidation(policy, parts) })],
  ['transform-headers', compileTransformHeaders],
  ['response-cache', compileResponseCache],
  ['mock-response', (policy) => ({ request: compileMockResponse(policy) })],
  ['data-masking', (policy, parts) => ({ response: compileDataMasking(policy, parts) })],
]);

/**
 * Compiles a policy once, when a configuration is loaded.
 *
 * @throws Error with a sentence for the operator, if the kind is unknown, its configuration is invalid, or something it
 * relies on is missing. Then nothing of the revision may serve.
 */
export function compilePolicy(kind: string, policy: PolicyToCompile, parts: PolicyParts): CompiledPolicy {
  const compile = compilers.get(kind);
  if (!compile) throw new Error(`Unknown policy kind "${kind}".`);
  try {
    return compile(policy, parts);
  } catch (error) {
    const reason =
      error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : String(error);
    throw new Error(`The policy ${policy.id} (${kind}) can’t be loaded: ${reason}`, { cause: error });
  }
}

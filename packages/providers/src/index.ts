export { baseUrlOf, needsKey, type ProviderConfiguration, type ProviderKind, providerKinds } from './configuration.ts';
export { type FailureReason, failureReasons, ProviderFailure } from './failure.ts';
export type { PagePicture } from './prompt.ts';
export { type Answered, type FailedAttempt, openProvider, type Provider, type ProviderOptions } from './provider.ts';

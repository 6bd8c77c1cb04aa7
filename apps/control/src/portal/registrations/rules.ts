import { ApiError, fieldError } from '../../frame/errors.ts';

/** Who may register: anybody, those whom the organization approves, or nobody. */
export type RegistrationMode = 'open' | 'approval' | 'closed';

/** How long the link that confirms an e-mail address works. */
export const confirmationHours = 24;

/**
 * What an e-mail address is to a portal before it registers: unknown, of a portal user, of a registration that awaits
 * approval, or of a developer account that others sign in to.
 */
export type AddressStanding = 'new' | 'user' | 'pending' | 'account';

/** @throws ApiError `forbidden` if nobody may register */
export function refuseClosed(mode: RegistrationMode): void {
  if (mode !== 'closed') return;
  throw new ApiError('forbidden', {
    message: 'This developer portal doesn’t accept registrations. Ask its organization for an invitation.',
  });
}

/** The one response to a token that is wrong, used or expired. */
export function uselessLink(): ApiError {
  return fieldError(
    'token',
    `This link was already used or is older than ${confirmationHours} hours. Sign in, or register again.`,
  );
}

/**
 * Whether an account that an operator made can become the registrant’s, who is the owner of its e-mail address.
 *
 * @throws ApiError `conflict` if others sign in to it, or it is suspended
 */
export function refuseOwnedAccount(account: {
  readonly state: 'active' | 'suspended';
  readonly hasUsers: boolean;
}): void {
  if (account.hasUsers) {
    throw new ApiError('conflict', {
      message:
        'This e-mail address belongs to a developer account that other people sign in to. Ask an owner for an invitation.',
    });
  }
  if (account.state === 'suspended') {
    throw new ApiError('conflict', {
      message: 'The developer account with this e-mail address is suspended. Ask the organization to activate it.',
    });
  }
}

/** @throws ApiError `conflict` if the registration was decided before */
export function refuseDecided({ state }: { readonly state: 'pending' | 'approved' | 'rejected' }): void {
  if (state === 'pending') return;
  throw new ApiError('conflict', { message: `The registration is already ${state}.` });
}

import { ApiError } from '../../frame/errors.ts';

export function noAccount(): ApiError {
  return new ApiError('conflict', {
    message: 'The subscription has no prepaid plan, so it has no balance. Set a prepaid rate plan first.',
  });
}

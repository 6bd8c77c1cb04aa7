import { ResetPasswordPage } from '@millrace/ui/reset-password-page';
import { call } from '../../frame/api.ts';

export function ResetPassword() {
  return <ResetPasswordPage send={(body) => call('confirmPortalPasswordReset', { body })} />;
}

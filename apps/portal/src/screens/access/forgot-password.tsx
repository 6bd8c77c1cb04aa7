import { ForgotPasswordPage } from '@millrace/ui/forgot-password-page';
import { call } from '../../frame/api.ts';

export function ForgotPassword() {
  return <ForgotPasswordPage send={(body) => call('requestPortalPasswordReset', { body })} />;
}

import { ForgotPasswordPage } from '@millrace/interface/forgot-password-page';
import { call } from '../../frame/api.ts';

export function ForgotPassword() {
  return <ForgotPasswordPage send={(body) => call('requestPasswordReset', { body })} />;
}

import { ProviderCallbackPage } from '@millrace/ui/provider-callback-page';
import { call } from '../../frame/api.ts';

const finish = async (parameters: string) => (await call('finishPortalProviderSignIn', { body: { parameters } })).next;

export function ProviderCallback() {
  return <ProviderCallbackPage finish={finish} />;
}

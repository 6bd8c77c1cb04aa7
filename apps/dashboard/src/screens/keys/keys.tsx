import { Page } from '@millrace/interface/page';

export function KeysScreen() {
  return <Page title="API keys">{null}</Page>;
}

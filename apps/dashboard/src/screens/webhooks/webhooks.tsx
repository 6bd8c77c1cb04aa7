import { Page } from '@millrace/interface/page';

export function WebhooksScreen() {
  return <Page title="Webhooks">{null}</Page>;
}

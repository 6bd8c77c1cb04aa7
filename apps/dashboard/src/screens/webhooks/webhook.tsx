import { Page } from '@millrace/interface/page';

export function WebhookScreen() {
  return <Page title="Webhook">{null}</Page>;
}

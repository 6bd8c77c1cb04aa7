import { Page } from '@millrace/interface/page';

export function DeliveryScreen() {
  return <Page title="Delivery">{null}</Page>;
}

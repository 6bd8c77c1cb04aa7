import { Page } from '@millrace/interface/page';

export function DocumentScreen() {
  return <Page title="Document">{null}</Page>;
}

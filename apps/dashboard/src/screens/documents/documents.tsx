import { Page } from '@millrace/interface/page';

export function DocumentsScreen() {
  return <Page title="Documents">{null}</Page>;
}

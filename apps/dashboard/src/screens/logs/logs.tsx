import { Page } from '@millrace/interface/page';

export function LogsScreen() {
  return <Page title="Logs">{null}</Page>;
}

import { Page } from '@millrace/interface/page';

export function HomeScreen() {
  return <Page title="Home">{null}</Page>;
}

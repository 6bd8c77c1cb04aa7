import { Page } from '@millrace/interface/page';

export function SettingsScreen() {
  return <Page title="Settings">{null}</Page>;
}

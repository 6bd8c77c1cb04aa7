import { Page } from '@millrace/interface/page';

export function ReviewScreen() {
  return <Page title="Review">{null}</Page>;
}

export function ReviewDocumentScreen() {
  return <Page title="Review">{null}</Page>;
}

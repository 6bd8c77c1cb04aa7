import type { Layout } from '@millrace/document-model';

/** No card has more lines. */
const cardLines = 40;

/** Whether a document has so few lines that it may be a card. */
export function isCardSized({ lines }: Layout): boolean {
  return lines.length <= cardLines;
}

import type { InvoiceDocument } from '../document.ts';
import type { Texts } from '../texts/texts.ts';
import type { Flow } from './flow.ts';
import { page, type Sheet, styles } from './sheet.ts';

const footerTop = 776;
const footerColumns = [page.left, 206, 344] as const;

/** What every page but the first begins with: whose document it is and which. */
export function beginPage(sheet: Sheet, flow: Flow, document: InvoiceDocument, texts: Texts): void {
  const kind = document.kind === 'invoice' ? texts.invoice : texts.creditNote;
  const baseline = 46;
  const title = sheet.clean(`${kind.title} ${document.number}`);
  const room = page.right - page.left - sheet.width(title, styles.small) - 20;
  sheet.text(
    sheet.wrap(document.seller.name, styles.small, Math.max(room, 60))[0] ?? '',
    page.left,
    baseline,
    styles.small,
  );
  sheet.textRight(title, page.right, baseline, styles.small);
  flow.y = page.top - 8;
}

/** The seller's particulars and the page's number at the bottom of every page. */
export function drawFooters(sheet: Sheet, { seller }: InvoiceDocument, texts: Texts): void {
  const labelled = (label: string, value: string | undefined) => (value ? `${label} ${value}` : '');
  const columns = [
    [seller.name, ...seller.address.lines, `${seller.address.postalCode} ${seller.address.city}`],
    [seller.contactName, seller.email, labelled(texts.phone, seller.phone)],
    [
      labelled(texts.registration, seller.registration),
      labelled(texts.vatId, seller.vatId),
      labelled(texts.taxNumber, seller.taxNumber),
    ],
  ];
  const { count } = sheet.pdf.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    sheet.pdf.switchToPage(index);
    sheet.rule(footerTop - 12);
    columns.forEach((lines, column) => {
      const width = (footerColumns[column + 1] ?? page.right - 44) - footerColumns[column]! - 12;
      const wrapped = lines.flatMap((line) => sheet.wrap(line, styles.tiny, width).slice(0, 2));
      sheet.lines(wrapped.slice(0, 5), footerColumns[column]!, footerTop, styles.tiny);
    });
    sheet.textRight(texts.page(index + 1, count), page.right, footerTop, styles.tiny);
  }
}

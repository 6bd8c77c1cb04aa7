import type { InvoiceDocument } from '../document.ts';
import type { Formats } from '../texts/formats.ts';
import type { Texts } from '../texts/texts.ts';
import { heightOf, page, type Sheet, styles } from './sheet.ts';

const logoBox = { top: 40, width: 190, height: 46 };

/** Of an envelope with a window by DIN 5008, form B: 25 mm from the left, 45 mm from the top, 85 mm wide. */
const addressWindow = { returnLine: 136, caption: 151, top: 165, width: 235, bottom: 255 };

const rightColumn = 345;
const columnWidth = page.right - rightColumn;

/**
 * The top of the first page: logo, seller, the buyer's address where a window shows it, facts, title and notes.
 *
 * @returns where the table may begin
 */
export function drawLetterhead(
  sheet: Sheet,
  document: InvoiceDocument,
  texts: Texts,
  formats: Formats,
  logo: Buffer | null,
): number {
  drawSender(sheet, document, texts, logo);
  const bottom = Math.max(drawBuyer(sheet, document, texts, formats), drawFacts(sheet, document, texts, formats));
  return drawTitle(sheet, document, texts, formats, Math.max(bottom, addressWindow.bottom) + 38);
}

function drawSender(sheet: Sheet, { seller }: InvoiceDocument, texts: Texts, logo: Buffer | null): void {
  let y = logoBox.top + 10;
  if (logo) {
    sheet.pdf.image(logo, page.left, logoBox.top, { fit: [logoBox.width, logoBox.height] });
    y = sheet.lines(sheet.wrap(seller.name, styles.strong, columnWidth).slice(0, 3), rightColumn, y, styles.strong);
  } else {
    const room = rightColumn - page.left - 24;
    const style = sheet.fitted(seller.name, styles.letterhead, room * 2, 11);
    sheet.lines(sheet.wrap(seller.name, style, room).slice(0, 5), page.left, logoBox.top + 14, style);
  }
  const lines = [
    ...seller.address.lines,
    `${seller.address.postalCode} ${seller.address.city}`,
    seller.email,
    seller.phone ?? '',
    seller.vatId ? `${texts.vatId} ${seller.vatId}` : '',
  ];
  const wrapped = lines.flatMap((line) => sheet.wrap(line, styles.small, columnWidth).slice(0, 2));
  sheet.lines(wrapped.slice(0, 9), rightColumn, y, styles.small);
}

function drawBuyer(sheet: Sheet, document: InvoiceDocument, texts: Texts, formats: Formats): number {
  const { seller, buyer } = document;
  const returnAddress = [seller.name, ...seller.address.lines, `${seller.address.postalCode} ${seller.address.city}`];
  const returnLine = sheet.wrap(returnAddress.join(', '), styles.tiny, addressWindow.width)[0] ?? '';
  sheet.text(returnLine, page.left, addressWindow.returnLine, styles.tiny);
  sheet.text(texts.billTo, page.left, addressWindow.caption, styles.tiny);
  const isAbroad = buyer.address.countryCode !== seller.address.countryCode;
  const lines = [
    buyer.name,
    buyer.contactName ?? '',
    ...buyer.address.lines,
    `${buyer.address.postalCode} ${buyer.address.city}`,
    isAbroad ? formats.country(buyer.address.countryCode) : '',
  ];
  const wrapped = lines.flatMap((line) => sheet.wrap(line, styles.address, addressWindow.width));
  return sheet.lines(wrapped, page.left, addressWindow.top, styles.address);
}

function drawFacts(sheet: Sheet, document: InvoiceDocument, texts: Texts, formats: Formats): number {
  const { buyer, precedingInvoice } = document;
  const kind = document.kind === 'invoice' ? texts.invoice : texts.creditNote;
  const facts: readonly (readonly [label: string, value: string | null | undefined])[] = [
    [kind.number, document.number],
    [kind.issueDate, formats.date(document.issueDate)],
    [texts.dueDate, document.dueDate && formats.date(document.dueDate)],
    [texts.period, document.period && formats.range(document.period)],
    [texts.precedingInvoice, precedingInvoice?.number],
    [texts.precedingInvoiceDate, precedingInvoice && formats.date(precedingInvoice.issueDate)],
    [texts.buyerReference, buyer.reference],
    [texts.buyerVatId, buyer.vatId],
  ];
  let y = addressWindow.top;
  for (const [label, value] of facts) {
    if (!value) continue;
    sheet.text(label, rightColumn, y, styles.label);
    const room = columnWidth - sheet.width(label, styles.label) - 8;
    for (const line of sheet.wrap(value, sheet.fitted(value, styles.value, room, 6.5), room)) {
      sheet.textRight(line, page.right, y, sheet.fitted(value, styles.value, room, 6.5));
      y += heightOf(styles.value) + 2.6;
    }
  }
  return y;
}

function drawTitle(sheet: Sheet, document: InvoiceDocument, texts: Texts, formats: Formats, top: number): number {
  const kind = document.kind === 'invoice' ? texts.invoice : texts.creditNote;
  const width = page.right - page.left;
  sheet.text(kind.title, page.left, top, styles.title);
  let y = sheet.lines(
    sheet.wrap(summaryOf(document, texts, formats), styles.summary, width),
    page.left,
    top + 22,
    styles.summary,
  );
  for (const note of document.notes) {
    y = sheet.lines(sheet.wrap(note, styles.body, width), page.left, y + 4, styles.body);
  }
  return y + 4;
}

/** What the reader has to do, in a line. */
function summaryOf(document: InvoiceDocument, { summary }: Texts, formats: Formats): string {
  const { precedingInvoice, dueMinor, paidMinor, totalMinor, dueDate } = document;
  if (document.kind === 'credit_note') {
    const amount = formats.money(totalMinor);
    return precedingInvoice
      ? summary.credit(amount, precedingInvoice.number, formats.date(precedingInvoice.issueDate))
      : amount;
  }
  if (dueMinor <= 0 && paidMinor > 0) return summary.paid(formats.money(paidMinor));
  return dueDate === null || dueMinor <= 0
    ? summary.due(formats.money(dueMinor))
    : summary.dueOn(formats.money(dueMinor), formats.date(dueDate));
}

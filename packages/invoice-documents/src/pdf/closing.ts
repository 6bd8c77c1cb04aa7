import type { InvoiceDocument } from '../document.ts';
import type { Formats } from '../texts/formats.ts';
import type { Texts } from '../texts/texts.ts';
import type { Flow } from './flow.ts';
import { heightOf, page, type Sheet, type Style, styles } from './sheet.ts';

const totalsLeft = 300;
const totalsRowHeight = 17;

interface TotalsRow {
  readonly label: string;
  readonly value: string;
  readonly style: Style;
  readonly ruled: boolean;
}

/** The totals with the taxes of each rate, kept together. */
export function drawTotals(sheet: Sheet, flow: Flow, document: InvoiceDocument, texts: Texts, formats: Formats): void {
  const rows = totalsOf(document, texts, formats);
  flow.reserve(rows.length * totalsRowHeight + 34);
  flow.y += 10;
  for (const { label, value, style, ruled } of rows) {
    if (ruled) {
      sheet.rule(flow.y + 4, { from: totalsLeft });
      flow.y += 7;
    }
    flow.y += totalsRowHeight;
    const baseline = flow.y - 4;
    const room = page.right - totalsLeft - sheet.width(value, style) - 10;
    const labelStyle = sheet.fitted(label, style, room);
    sheet.text(sheet.wrap(label, labelStyle, room)[0] ?? '', totalsLeft, baseline, labelStyle);
    sheet.textRight(value, page.right, baseline, style);
  }
  flow.y += 8;
}

function totalsOf(document: InvoiceDocument, texts: Texts, formats: Formats): readonly TotalsRow[] {
  const kind = document.kind === 'invoice' ? texts.invoice : texts.creditNote;
  const row = (label: string, amountMinor: number, style: Style = styles.body, ruled = false): TotalsRow => ({
    label,
    value: formats.money(amountMinor),
    style,
    ruled,
  });
  const hasSeveral = document.taxes.length > 1;
  const taxes = document.taxes.map((tax) => {
    const basis = hasSeveral ? formats.money(tax.basisMinor) : null;
    return row(tax.category === 'O' ? texts.noTax : texts.tax(formats.number(tax.rate), basis), tax.taxMinor);
  });
  const isPartlyPaid = document.paidMinor !== 0;
  return [
    row(texts.subtotal, document.linesMinor),
    ...taxes,
    ...(hasSeveral ? [row(texts.taxTotal, document.taxMinor)] : []),
    row(kind.total, document.totalMinor, isPartlyPaid ? styles.strong : styles.due, true),
    ...(isPartlyPaid ? [row(texts.paid, document.paidMinor), row(kind.due, document.dueMinor, styles.due, true)] : []),
  ];
}

/** Why no tax is charged, the terms of payment, and where to pay. */
export function drawClosing(sheet: Sheet, flow: Flow, document: InvoiceDocument, texts: Texts): void {
  const reasons = document.taxes.map((tax) =>
    tax.category === 'S' || tax.category === 'Z'
      ? ''
      : (tax.exemptionReason ?? texts.exemptionReasons[tax.category] ?? ''),
  );
  for (const reason of new Set(reasons)) {
    const lines = sheet.wrap(reason, styles.body, page.right - page.left);
    flow.reserve(lines.length * heightOf(styles.body) + 6);
    flow.y = sheet.lines(lines, page.left, flow.y + 6, styles.body) - 2;
  }
  drawPayment(sheet, flow, document, texts);
}

const labelWidth = 116;

function drawPayment(sheet: Sheet, flow: Flow, document: InvoiceDocument, texts: Texts): void {
  const { seller, paymentTerms, number } = document;
  const isDue = document.kind === 'invoice' && document.dueMinor > 0;
  const bank = isDue ? seller.bank : null;
  const { payment } = texts;
  const rows: readonly (readonly [label: string, value: string])[] = [
    [payment.accountName, bank?.accountName ?? ''],
    ['IBAN', bank?.iban.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ') ?? ''],
    ['BIC', bank?.bic ?? ''],
    [payment.reference, bank ? number : ''],
  ];
  const shown = rows
    .map(([label, value]) => ({ label, lines: sheet.wrap(value, styles.value, page.right - page.left - labelWidth) }))
    .filter(({ lines }) => lines.length > 0);
  const terms = sheet.wrap(paymentTerms, styles.value, page.right - page.left);
  if (shown.length === 0 && terms.length === 0) return;
  const rowHeight = heightOf(styles.value) + 2.6;
  const lineCount = shown.reduce((sum, { lines }) => sum + lines.length, terms.length);
  flow.reserve(lineCount * rowHeight + 48);
  flow.y += 24;
  sheet.text(terms.length > 0 ? payment.terms : payment.heading, page.left, flow.y, styles.strong);
  flow.y = sheet.lines(terms, page.left, flow.y + 16, styles.value) + 4;
  for (const { label, lines } of shown) {
    sheet.text(label, page.left, flow.y, styles.label);
    for (const line of lines) {
      sheet.text(line, page.left + labelWidth, flow.y, styles.value);
      flow.y += rowHeight;
    }
  }
}

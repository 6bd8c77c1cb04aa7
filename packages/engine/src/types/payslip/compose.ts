import type { ExtractedValue, TextLine } from '@millrace/document-model';
import type { PlacedCandidate } from '../../candidates/placed.ts';
import { unmarked } from '../../candidates/unmarked.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { type LabelledRow, labelledRows, labelOf } from '../../compose/labelled-rows.ts';
import { composeDaysOrMonth, datesOn } from '../../compose/period.ts';
import { candidateValue, composedValue, onlyValue } from '../../compose/value.ts';
import { neighboursOf, rowOf } from '../../layout/neighbours.ts';
import {
  isInEmployersColumn,
  isInUnitColumn,
  isInYearColumn,
  isInYearRow,
  isOfYearLine,
  isUnder,
  isUnderYear,
  paidOut,
  partOfDeductions,
  taxable,
  thisPeriod,
} from './year-to-date.ts';

const fields = ['gross_pay', 'net_pay', 'total_deductions', 'tax_amount'] as const;

const allTogether = /^(?:total(?:s|es|i)?|totais|summen?|suma|somme)$/u;
const earnings =
  /^(?:earnings|payments|pay(?: and allowances)?|income|gross pay|gains|bezuge|ingresos|devengos|haberes|remuneracoes|vencimentos|proventos|abonos|competenze)$/u;
const deductions =
  /^(?:deductions|withholdings|taxes(?: and deductions)?|statutory deductions|deductions and taxes|abzuge|deducciones|descuentos|descontos|trattenute|ritenute|retenues)$/u;

/** What calls the number behind it a rate, within a sentence about a tax. */
const rated =
  /^(?:taux|rate|satz|tarif|tasso|aliquota|tipo|percentage|tarief|personnalise|taux personnalise)(?!\p{L})/u;

/** What stands before the day on which the pay is paid. */
const payment = unmarked(
  /(?<!\p{L})(?:(?:paid|payable|credited|transferred)(?: [^.:;]{2,60})? (?:on|by)|pay(?:ment)? (?:date|day)|(?:zahlbar|auszahlung|überweisung|zahlung) (?:am|zum)|uit(?:te)? ?(?:te )?betalen op|(?:uit)?betaa?l(?:d|ing|baar)? op|(?:pay[ée]e?|paiement|versement|virement)(?: effectué)? (?:le|au)|(?:abono|pago) (?:el|en fecha)|(?:(?:data|con) )?valuta|pagat[oa] il|pagamento (?:em|a)|pago em)[\s:]*$/iu,
);

/** The headings of a period and a year are surer than what stands near an amount. */
const columnConfidence = 96;

/**
 * A payslip's sums of its own period: where a row has the year to date beside them, or the columns of a summary are sums
 * and its rows are periods.
 */
export function composePayslip(findings: Findings): ComposedFields {
  const { type, layout, candidates } = findings;
  const rows = labelledRows(layout, candidates);
  const headings = layout.lines.map((line) => ({ line, label: plainLabel(labelOf(line.text)) }));
  const composed: Record<string, ExtractedValue | null> = {};
  const captionsByField = new Map(
    fields.map((name) => [
      name,
      // OCR loses the blank of small print: `TOTALECOMPETENZE`.
      new Set(
        type.fields
          .find((field) => field.name === name)
          ?.captions.map((each) => plainLabel(labelOf(each)))
          .flatMap((label) => (label.length > 10 ? [label, label.replaceAll(' ', '')] : [label])),
      ),
    ]),
  );
  const captionsOf = (name: (typeof fields)[number]): ReadonlySet<string> => captionsByField.get(name)!;
  for (const name of fields) {
    const captions = captionsOf(name);
    const own = rows
      .filter((row) => row.values.length > 1 && labelsOf(row).some((label) => isCaption(captions, label)))
      .map(({ values }) => values.filter((value) => !isBoxed(value, name) && !isInEmployersColumn(value, layout)));
    for (const all of own) {
      const values = all.filter((value) => !isInUnitColumn(value, layout));
      const current = values.filter((value) => !isInYearColumn(value, layout));
      const [only] = values;
      const chosen =
        productOf(all) ??
        (values.length === 1 && current.length === 1 ? only : null) ??
        (current.length > 0 && current.length < values.length ? current.at(-1) : firstOfTwo(values));
      if (!chosen) continue;
      composed[name] = candidateValue(chosen, current.length < all.length ? columnConfidence : 80);
      break;
    }
    if (name === 'tax_amount') composed[name] = ofBase(captions) ?? composed[name] ?? null;
    composed[name] ??=
      inSummary(captions) ??
      totalOfTable(name) ??
      totalOfColumn(name) ??
      belowHeadings(captions) ??
      alone(captions, name === 'tax_amount') ??
      below(captions);
  }
  const out = rows
    .filter((row) => row.values.length === 1 && labelsOf(row).some((label) => paidOut.test(label)))
    .map(({ values }) => values[0]!);
  const isPaidOut = out.length > 0 && out.every(({ value }) => value === out[0]!.value);
  if (isPaidOut) composed.net_pay = candidateValue(out[0]!, columnConfidence);
  composed.gross_pay = grossOfNet(composed.gross_pay, composed.total_deductions) ?? composed.gross_pay ?? null;
  const remaining = remainder(composed.gross_pay, composed.total_deductions);
  if (remaining) composed.net_pay = remaining;
  // What both leave is called net as well where more is held back of it, which is not what is paid out.
  composed.total_deductions = heldBackInParts(composed.gross_pay) ?? composed.total_deductions ?? null;
  return {
    ...composeDaysOrMonth(findings, 'period_start_date', 'period_end_date'),
    ...composed,
    pay_date: onlyValue(
      datesOn(findings).filter(({ lines, start }) => payment.test(lines[0]!.text.slice(0, start))),
      80,
    ),
  };

  /** A tax whose row has what it is reckoned by before it: with its rate, or once for each of the columns that it is in. */
  function ofBase(captions: ReadonlySet<string>): ExtractedValue | null {
    const own = rows.find((row) =>
      labelsOf(row).some((label) =>
        isCaption(captions, label.replace(/ (?:base|bemessung|grundlage|tabel|tabelle)$/u, '')),
      ),
    );
    if (!own) return null;
    const inRow = rowOf(layout, own.lines.at(-1)!);
    const next = rows.slice(rows.indexOf(own) + 1);
    const end = next.findIndex(
      ({ label, lines }) => !rated.test(label) || !lines.every((line) => inRow.includes(line)),
    );
    const rest = end < 0 ? next : next.slice(0, end);
    const values = [own, ...rest].flatMap((row) => row.values).filter((value) => !isInYearColumn(value, layout));
    const sums = values.filter((value) => !isInUnitColumn(value, layout));
    const tax = productOf(values) ?? repeatedOf(sums) ?? secondOfTwo(sums);
    return tax ? candidateValue(tax, columnConfidence) : null;
  }

  /** Whether an amount stands in a box of its own, right below the caption of another field: `Net pay`. */
  function isBoxed({ lines }: PlacedCandidate, name: string): boolean {
    const line = lines[0]!;
    const { above } = neighboursOf(layout, line);
    if (!above || line.box.y0 - above.box.y1 > line.box.y1 - line.box.y0) return false;
    const label = labelOf(above.text);
    return fields.some((other) => other !== name && captionsOf(other).has(label));
  }

  /**
   * What German payslips hold back in two boxes, for taxes and for social insurance, where an amount is printed that both
   * leave of the gross pay.
   */
  function heldBackInParts(gross?: ExtractedValue | null): ExtractedValue | null {
    const boxes = headings.filter(({ label }) => partOfDeductions.test(label));
    const [tax, insurance, ...more] = boxes.map(({ line }) => amountBeside(line) ?? amountInBox(line));
    if (!gross || !tax || !insurance || more.length > 0) return null;
    const sum = Math.round(100 * (Number(tax.value) + Number(insurance.value))) / 100;
    const isLeft = candidates.some(
      ({ kind, value }) => kind === 'amount' && Math.abs(Number(gross.value) - sum - Number(value)) < 0.005,
    );
    const stretches = [tax, insurance].map(({ lines, start, end }) => ({ line: lines[0]!, start, end }));
    return isLeft ? composedValue(sum, 84, stretches) : null;
  }

  /** The amount of money alone to the right of a caption. */
  function amountBeside(caption: TextLine): PlacedCandidate | undefined {
    const { right } = neighboursOf(layout, caption);
    return (candidates as readonly PlacedCandidate[]).find(
      ({ kind, lines: [line], text }) => kind === 'amount' && line === right && text === line?.text,
    );
  }

  /** The first amount of money below a caption, within its width. */
  function amountInBox({ page, box }: TextLine): PlacedCandidate | undefined {
    const height = box.y1 - box.y0;
    return (candidates as readonly PlacedCandidate[]).find(
      ({ kind, lines: [line], text }) =>
        kind === 'amount' &&
        /[.,]\d\d$/.test(text) &&
        line!.page === page &&
        line!.box.x0 > box.x0 - height &&
        line!.box.x1 < box.x1 + height &&
        line!.box.y0 > box.y1 - 0.5 * height &&
        line!.box.y0 < box.y1 + 3.5 * height,
    );
  }

  /**
   * Of a row of gross pay the one amount that leaves what is called net without the deductions, where another one was
   * chosen: beside the contract's full pay stands what was earned.
   */
  function grossOfNet(gross?: ExtractedValue | null, deductions?: ExtractedValue | null): ExtractedValue | null {
    if (!deductions || remainder(gross, deductions)) return null;
    const captions = captionsOf('gross_pay');
    const own = rows
      .filter((row) => row.values.length > 1 && labelsOf(row).some((label) => isCaption(captions, label)))
      .flatMap(({ values }) => values)
      .filter((value) => remainder(candidateValue(value, columnConfidence), deductions));
    return onlyValue(own, columnConfidence);
  }

  /** What is called net and is left of the gross pay without its deductions. */
  function remainder(gross?: ExtractedValue | null, deductions?: ExtractedValue | null): ExtractedValue | null {
    if (!gross || !deductions) return null;
    const left = Number(gross.value) - Math.abs(Number(deductions.value));
    const net = rows
      .filter(({ label }) => /^net(?:to)?(?!\p{L})/u.test(label) && !taxable.test(label))
      .flatMap(({ values }) => values)
      .find(({ value }) => Math.abs(Number(value) - left) < 0.005);
    return net ? candidateValue(net, columnConfidence, ['arithmetic_holds']) : null;
  }

  /** The period's amount below its heading, where the row of a caption has the headings and the next one the amounts. */
  function belowHeadings(captions: ReadonlySet<string>): ExtractedValue | null {
    const caption = headings.find(({ label }) => captions.has(label))?.line;
    const current = caption && rowOf(layout, caption).find(({ text }) => thisPeriod.test(labelOf(text)));
    const below = current && neighboursOf(layout, current).below;
    // In a table of earnings or deductions the first row has only one of them.
    if (below && rowOf(layout, below).some(({ text }) => /\p{L}{2}/u.test(text))) return null;
    if (!below || below.box.y0 - current.box.y1 > 2 * (current.box.y1 - current.box.y0)) return null;
    const amounts = (candidates as readonly PlacedCandidate[]).filter(
      ({ kind, lines }) => kind === 'amount' && lines.length === 1 && lines[0] === below,
    );
    const [amount] = amounts;
    return amount && amounts.length === 1 && isUnder(amount, current) ? candidateValue(amount, 84) : null;
  }

  /** The total of the table of earnings, or of that of deductions beside it: `Total` says by its column which. */
  function totalOfTable(name: (typeof fields)[number]): ExtractedValue | null {
    const kind = kindOf(name);
    if (!kind) return null;
    for (const { label, lines, values } of rows) {
      const line = lines[0]!;
      if (!/^totals?$/.test(label) || values.length === 0) continue;
      const unit = line.box.y1 - line.box.y0;
      const head = headings.findLast(
        ({ line: { page, box }, label: text }) =>
          page === line.page &&
          box.y1 <= line.box.y0 &&
          Math.abs(box.x0 - line.box.x0) < unit &&
          (earnings.test(text) || deductions.test(text)),
      );
      if (!head || !kind.test(head.label)) continue;
      const current = values.filter((value) => !isInYearColumn(value, layout));
      const [only] = current;
      if (only && current.length === 1) return candidateValue(only, 84);
    }
    return null;
  }

  /** Of a row `Total` that has both, the sum below the column of earnings, or that below the one of deductions. */
  function totalOfColumn(name: (typeof fields)[number]): ExtractedValue | null {
    const kind = kindOf(name);
    if (!kind) return null;
    const found = rows.flatMap((row) => {
      const { values } = row;
      if (values.length !== 2 || !labelsOf(row).some((label) => allTogether.test(label))) return [];
      const heads = values.map((value) =>
        headings
          .filter(({ line, label: text }) => (earnings.test(text) || deductions.test(text)) && isUnder(value, line))
          .reduce<string | null>((_, head) => head.label, null),
      );
      const at = heads.findIndex((head) => head !== null && kind.test(head));
      return at >= 0 && heads[1 - at] !== null && !kind.test(heads[1 - at]!) ? [values[at]!] : [];
    });
    return onlyValue(found, 84);
  }

  /** The one amount right below a caption in a box of its own. */
  function below(captions: ReadonlySet<string>): ExtractedValue | null {
    const found = headings.flatMap(({ line, label }) => {
      const isOfYear = isUnderYear(line, layout) || isInYearRow(line, layout);
      const under = captions.has(label) && !isOfYear ? (cornerOf(line) ?? neighboursOf(layout, line).below) : null;
      const unit = line.box.y1 - line.box.y0;
      if (!under || under.box.y0 - line.box.y1 > 1.8 * unit || under.box.x1 < line.box.x0 + unit) return [];
      return (candidates as readonly PlacedCandidate[])
        .filter(
          ({ kind, lines, text }) =>
            kind === 'amount' &&
            lines[0] === under &&
            lines.length === 1 &&
            text.length > 0.8 * under.text.replace(/ ?(?:euros?|eur|€)$/iu, '').length &&
            /[.,]\d{2}(?!\d)/.test(text),
        )
        .map((candidate) => ({ candidate, isTotal: /^total/u.test(label) }));
    });
    // Of a column's heading and a box for the total, the box has it: `Competenze` and `Totale competenze`.
    const totals = found.filter(({ isTotal }) => isTotal);
    return onlyValue(
      (totals.length > 0 ? totals : found).map(({ candidate }) => candidate),
      totals.length > 0 && totals.length < found.length ? 89.5 : 78,
    );
  }

  /** What stands in the lower right corner of a box whose caption is in the upper left, with nothing else in the box. */
  function cornerOf(caption: TextLine): TextLine | null {
    const { page, box } = caption;
    const next = neighboursOf(layout, caption).right?.box.x0 ?? Infinity;
    const height = box.y1 - box.y0;
    const reach = 2.5 * height;
    const [first, ...others] = layout.lines.filter(
      (line) =>
        line.page === page &&
        line.box.y0 >= box.y1 - 0.35 * height &&
        line.box.y0 - box.y1 < reach &&
        // The last digit of the box before may reach over the edge.
        line.box.x1 > box.x0 + height &&
        line.box.x0 < next - height,
    );
    return first && others.length === 0 && first.box.x1 < next + height ? first : null;
  }

  /** The one amount that rows of a caption have, where none has another. */
  function alone(captions: ReadonlySet<string>, isTax: boolean): ExtractedValue | null {
    const [first, ...others] = rows.filter(
      (row) =>
        row.values.length === 1 &&
        labelsOf(row).some((label) => captions.has(label)) &&
        !row.lines.some((line) => isUnderYear(line, layout) || isOfYearLine(line)) &&
        // Of a tax that a table has in both columns, the period's amount may be read as a row of its own.
        !(isTax && isInYearColumn(row.values[0]!, layout)),
    );
    const value = first?.values[0];
    const isOne = value && others.every(({ values }) => values[0]!.value === value.value);
    return isOne ? candidateValue(value, 80) : null;
  }

  /** The amount of the period's own row under a heading. */
  function inSummary(captions: ReadonlySet<string>): ExtractedValue | null {
    const period = rows.find(({ label, values }) => values.length > 1 && thisPeriod.test(label));
    if (!period) return null;
    // Above a summary another box may stand at the same place: `Net payé`, over the column `Net imposable`.
    const headOf = (value: PlacedCandidate) =>
      headings
        .filter(({ line, label }) => /\p{L}/u.test(label) && isUnder(value, line))
        .toSorted(byHeight)
        .at(-1);
    const found = period.values.find((value) => captions.has(headOf(value)?.label ?? ''));
    return found ? candidateValue(found, columnConfidence) : null;
  }
}

const byHeight = (a: { readonly line: TextLine }, b: { readonly line: TextLine }) => a.line.box.y1 - b.line.box.y1;

/** Words of a caption that is so long that what goes on behind it only says more of it. */
const longCaption = 5;

/** What the table of earnings or of deductions is called; null for a field that is the total of neither. */
function kindOf(name: (typeof fields)[number]): RegExp | null {
  return name === 'gross_pay' ? earnings : name === 'total_deductions' ? deductions : null;
}

/** A label in which the word for a total is not shortened: `T. devengado`, `Tot. competenze`. */
function plainLabel(label: string): string {
  return label.replace(/^(?:tot|t) (?=(?:a )?\p{L}{4})/u, 'total ');
}

function isCaption(captions: ReadonlySet<string>, label: string): boolean {
  if (captions.has(label)) return true;
  const words = label.split(' ');
  return words.some((_, length) => length >= longCaption && captions.has(words.slice(0, length).join(' ')));
}

/** The number of a row of an official form, or the code of an element of pay, with the day behind it. */
const rowNumber = /^\/?(?:[ab]|\d|\p{L}?\d{2,5}(?: \d{1,2} \d{1,2})?) (?=\p{L})/u;

const filingStatus = /^(?:single|married|head of household|hoh|mfj|mfs|s|m)(?:[ /-]?\d{1,2})?$/iu;

/** A row's label, and the part of it that stands nearest to its amounts where other columns stand left of that. */
function labelsOf({ label, lines }: LabelledRow): readonly string[] {
  // Between a tax and its amount may stand how one files: `Fed Income Tax`, `HOH`.
  const [first, status, ...more] = lines;
  const isFiled = status && more.length === 0 && filingStatus.test(status.text.trim());
  const labels = [
    label,
    ...(lines.length > 1 ? [labelOf(lines.at(-1)!.text)] : []),
    ...(isFiled ? [labelOf(first!.text)] : []),
  ];
  return labels.map((each) => plainLabel(withoutCurrency(withoutRate(each.replace(rowNumber, '')))));
}

/** A label without the rate behind it, and without what joins that to its base: `IRS (9,80 % s/ 1.263,36)`. */
function withoutRate(label: string): string {
  return label
    .replace(/ (?:taux|satz|aliquota|tipo|rate) \d.*$/u, '')
    .replace(/ \d{1,2}(?: \d{1,2})?(?: (?:s\/|of|on|von|auf|de|sobre|di|su))?$/u, '');
}

/** A label without the currency behind it: `Total earnings (INR)`. */
function withoutCurrency(label: string): string {
  return label.replace(/ (?:in )?(?:inr|rs|usd|gbp|eur|aud|cad|chf)$/u, '');
}

/** Of a base, a rate in percent and what comes of them, the last. */
function productOf(values: readonly PlacedCandidate[]): PlacedCandidate | null {
  const [base, rate, product, ...more] = values;
  if (!base || !rate || !product || more.length > 0) return null;
  const reckoned = (Number(base.value) * Number(rate.value)) / 100;
  return Math.abs(Math.abs(reckoned) - Math.abs(Number(product.value))) < 0.02 ? product : null;
}

/** Of a base and two columns that have the same of it, that. */
function repeatedOf(values: readonly PlacedCandidate[]): PlacedCandidate | null {
  const [base, first, second, ...more] = values;
  if (!base || !first || !second || more.length > 0) return null;
  const isSame = first.value === second.value && Math.abs(Number(first.value)) < Math.abs(Number(base.value));
  return isSame ? first : null;
}

/** The least share of what it is reckoned by that a tax is, and no rate. */
const leastTax = 0.02;

/** Of a base and its tax the second, which the year to date never is where it is less. */
function secondOfTwo(values: readonly PlacedCandidate[]): PlacedCandidate | null {
  const [base, tax, ...more] = values;
  if (!base || !tax || more.length > 0) return null;
  const share = Math.abs(Number(tax.value) / Number(base.value));
  return share >= leastTax && share < 1 ? tax : null;
}

/** Of two amounts without headings the year to date is the second, and the larger. */
function firstOfTwo(values: readonly PlacedCandidate[]): PlacedCandidate | null {
  const [first, second, ...more] = values;
  if (!first || !second || more.length > 0) return null;
  return Math.abs(Number(first.value)) <= Math.abs(Number(second.value)) ? first : null;
}

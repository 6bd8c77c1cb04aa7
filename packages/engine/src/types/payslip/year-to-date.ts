import type { Layout, TextLine } from '@millrace/document-model';
import type { PlacedCandidate } from '../../candidates/placed.ts';
import { labelBefore, labelOf } from '../../compose/labelled-rows.ts';
import { boxAround } from '../../layout/geometry.ts';
import { neighboursOf, rowOf } from '../../layout/neighbours.ts';
import { onceFor } from '../../layout/once-for.ts';
import type { ScoredField } from '../../score/score.ts';

/** What calls an amount that of the year so far, as labels are compared. */
const toDate =
  /(?<!\p{L})(?:y ?t ?d|year to date|(?:totals? )?this year|year totals?|totals? for (?:the )?year|yr to date|to date|td|cumul\p{L}*|kumuliert|jahres\p{L}*|verdienstbescheinigung|aufgelaufen|acumulado|progressiv\p{L}*|cumulatief)(?!\p{L})/u;

/** What heads the column of the period's own amounts. */
export const thisPeriod =
  /^(?:current|this period|this pay|this pay period|current period|amount this period|aktuell|monat|mensuel|mensile|du mois|mois en cours)(?!\p{L})/u;

interface ColumnHeading {
  readonly line: TextLine;
  readonly isOfYear: boolean;
}

/** The headings of columns of a period's and of a year's amounts, from top to bottom. */
const columnHeadings = onceFor((layout): readonly ColumnHeading[] =>
  layout.lines
    .flatMap((line) => {
      const [sums, year] = sumsBesideYear(line);
      if (sums && year)
        return [
          { line: sums, isOfYear: false },
          { line: year, isOfYear: true },
        ];
      const label = labelOf(line.text);
      const isOfYear = toDate.test(label);
      return label.length < 30 && (isOfYear || thisPeriod.test(label)) ? [{ line, isOfYear }] : [];
    })
    .toSorted((a, b) => a.line.box.y0 - b.line.box.y0),
);

/** Of narrow columns the headings of the period's sums and of the year, which were read as one line: `Amount Totals This Year`. */
function sumsBesideYear(line: TextLine): readonly TextLine[] {
  if (line.text.length > 40 || !toDate.test(labelOf(line.text))) return [];
  for (let at = 1; at < line.words.length; at += 1) {
    const [sums, year] = [line.words.slice(0, at), line.words.slice(at)].map((words) => ({
      ...line,
      words,
      text: words.map(({ text }) => text).join(' '),
      box: boxAround(words),
    }));
    if (sumHeading.test(labelOf(sums!.text)) && toDate.test(labelOf(year!.text))) return [sums!, year!];
  }
  return [];
}

/** Whether the nearest heading above an amount, of all tables on its page, is that of a year's column. */
export function isInYearColumn(value: Pick<TextLine, 'page' | 'box'>, layout: Layout): boolean {
  const above = columnHeadings(layout).filter(({ line }) => isUnder(value, line));
  const last = above.at(-1);
  if (!last) return false;
  // A narrow column's amounts may reach below the heading beside its own.
  const { y0, y1 } = last.line.box;
  const [nearest] = above
    .filter(({ line }) => line.box.y1 > y0 && line.box.y0 < y1)
    .toSorted((a, b) => distanceTo(value, a.line) - distanceTo(value, b.line));
  return (nearest ?? last).isOfYear;
}

/** How far a value stands from a heading's column, by their edges or their middle. */
function distanceTo({ box }: Pick<TextLine, 'box'>, heading: TextLine): number {
  return Math.min(
    Math.abs(box.x1 - heading.box.x1),
    Math.abs(box.x0 - heading.box.x0),
    Math.abs(box.x0 + box.x1 - heading.box.x0 - heading.box.x1) / 2,
  );
}

/** What heads a column of quantities, rates and days. */
const unitHeading =
  /^(?:ref(?:er[eê]ncia)?|quant(?:idade)?|qtd|riferimento|menge|anzahl|faktor|satz|taux|nombre|hours|units|rate|aantal|uren|horas|unidades)$/u;
/** What heads columns of sums beside them. */
const sumHeading =
  /^(?:vencimentos|proventos|descontos|remuneracoes|abonos|competenze|trattenute|betrag|montant|amount|importe|bedrag|devengos|deducciones|a payer|a deduire|gains|retenues)$/u;

const unitAndSumHeadings = onceFor((layout) =>
  layout.lines.flatMap((line) => {
    const label = line.text.length < 20 ? labelOf(line.text) : '';
    const isOfUnits = unitHeading.test(label);
    return isOfUnits || sumHeading.test(label) ? [{ line, isOfUnits }] : [];
  }),
);

/** What heads the column of what the employer pays on top of the pay. */
const employersHeading =
  /^(?:(?:charges|part|cotisations?|contributions?) (?:patronales?|employeur|de l employeur)|(?:employer|er)(?: s)? (?:share|contributions?|cost)|(?:arbeitgeber|ag) ?anteil|(?:carico|quota) (?:ditta|azienda)|(?:aportacion|cuota) (?:de la )?empresa|werkgevers?(?:deel|lasten))$/u;

const employersHeadings = onceFor((layout) =>
  layout.lines.filter(({ text }) => text.length < 40 && employersHeading.test(labelOf(text))),
);

/** Whether an amount stands below the heading of what the employer pays. */
export function isInEmployersColumn(value: Pick<TextLine, 'page' | 'box'>, layout: Layout): boolean {
  return employersHeadings(layout).some((heading) => isUnder(value, heading));
}

/** Whether a value stands below the heading of quantities and below none of sums, as those of a period or a year are. */
export function isInUnitColumn(value: PlacedCandidate, layout: Layout): boolean {
  const above = unitAndSumHeadings(layout).filter(({ line }) => isUnder(value, line));
  return (
    above.length > 0 &&
    above.every(({ isOfUnits }) => isOfUnits) &&
    !columnHeadings(layout).some(({ line }) => isUnder(value, line))
  );
}

/** Whether a value stands in the column of a heading on its page, by its edges or its middle. */
export function isUnder({ page, box }: Pick<TextLine, 'page' | 'box'>, heading: TextLine): boolean {
  if (page !== heading.page || heading.box.y1 > box.y0 + 1) return false;
  const height = box.y1 - box.y0;
  const away = distanceTo({ box }, heading);
  return (
    away < 1.2 * height ||
    (box.x0 < heading.box.x1 && heading.box.x0 < box.x1 && heading.box.x1 - heading.box.x0 < 3 * (box.x1 - box.x0))
  );
}

/** The scored fields of a payslip without the amounts that their own label calls those of the year so far. */
export function withoutYearToDate(scored: readonly ScoredField[]): readonly ScoredField[] {
  return scored.map((entry) => {
    if (entry.field.kind !== 'amount') return entry;
    const isOther = entry.field.name === 'net_pay' ? isTaxable : isNet;
    const isTax = entry.field.name === 'tax_amount';
    return {
      ...entry,
      ranked: entry.ranked.filter(
        ({ candidate, candidates }) =>
          !(isTax && (isBase(candidate) || isContribution(candidate) || isInYearColumn(candidate, candidate.layout))) &&
          !isInEmployersColumn(candidate, candidate.layout) &&
          // What is paid out is no tax, wherever else it stands.
          !(isTax && candidates.some(isNet)) &&
          !(entry.field.name === 'total_deductions' && isOfSomeDeductions(candidate)) &&
          !candidates.every((each) => isOfYear(each) || isOther(each)),
      ),
    };
  });
}

/** What taxes are reckoned by is called net as well, and nobody is paid it. */
export const taxable = /(?<!\p{L})(?:net (?:imposable|fiscal|taxable)|taxable net|avant impot)(?!\p{L})/u;

/** What calls an amount the one that is paid out in the end, which what is net of taxes alone may not be. */
export const paidOut =
  /^(?:auszahlungsbetrag|auszahlung|uberweisungsbetrag|net (?:a payer(?! avant)|paye)|netto (?:in busta|da pagare)|liquido (?:a|total)(?: \p{L}+)?|total (?:liquido|pago)|uit te betalen|amount paid|net pay(?:ment)? to bank|net (?:pay|salary|amount)(?: payable)? for (?:the|this) (?:month|period))(?!\p{L})/u;

/** What is left when all was held back, or is net by another reckoning, is none of what was. */
function isNet({ layout, lines: [line, ...more], start }: PlacedCandidate): boolean {
  if (!line || more.length > 0) return false;
  const own = line.text.slice(0, start);
  const { left } = neighboursOf(layout, line);
  const label = labelOf(/\p{L}{2}/u.test(own) || !left ? own : left.text);
  return (
    /^(?:montant )?net(?:to)? (?:a payer|pay|payable|salary|verdienst|da pagare|social|imposable|fiscal)/u.test(
      label,
    ) || paidOut.test(label)
  );
}

/** The boxes in which German payslips sum up taxes and contributions: `Steuerrechtl. Abzüge`, `SV-rechtl. Abzüge`. */
export const partOfDeductions = /^(?:steuerr?|(?:sv|sozialversicherungs) ?r)echtl(?:iche)? abzuge$/u;

/** Deductions before taxes or after them are only some of all. */
const someDeductions = /^(?:total )?(?:pre|post|before|after) ?tax (?:deductions?|benefits?)$/u;

/** Whether an amount's label says that it is of some deductions alone, or in a summary's row the heading above it. */
function isOfSomeDeductions(candidate: PlacedCandidate): boolean {
  const { layout, lines } = candidate;
  const [first] = rowOf(layout, lines[0]!);
  const isSummary = first !== undefined && thisPeriod.test(labelOf(first.text));
  return (
    someDeductions.test(labelBefore(candidate)) ||
    partOfDeductions.test(labelBefore(candidate)) ||
    (isSummary && layout.lines.some((line) => someDeductions.test(labelOf(line.text)) && isUnder(candidate, line)))
  );
}

/** What a tax is reckoned by is not the tax. */
function isBase(candidate: PlacedCandidate): boolean {
  const { lines } = candidate;
  return (
    lines.length === 1 &&
    /^(?:gross|pay|earnings|income|wages) for (?:tax|paye|ni)(?!\p{L})|^(?:\d )?(?:base|bemessungsgrundlage|imponibile)(?!\p{L})/u.test(
      labelBefore(candidate),
    )
  );
}

/** Whether an amount stands in the row of a contribution that names the tax which it lessens: `CSG déductible de l'impôt`. */
function isContribution({ layout, lines: [line] }: PlacedCandidate): boolean {
  const [first] = line ? rowOf(layout, line) : [];
  return first !== undefined && /^(?:csg|crds)(?!\p{L})/u.test(labelOf(first.text));
}

function isTaxable({ layout, lines: [line, ...more], start }: PlacedCandidate): boolean {
  if (!line || more.length > 0) return false;
  const own = line.text.slice(0, start);
  const { left } = neighboursOf(layout, line);
  return taxable.test(labelOf(/\p{L}{2}/u.test(own) || !left ? own : left.text));
}

/** Whether a line that has a label begins by saying that all on it is of the year: `Jahreswerte: Brutto …, Lohnsteuer …`. */
export function isOfYearLine({ text }: TextLine): boolean {
  return /^(?:jahreswerte|jahressummen|kumuliert|ytd|year to date|cumuls?)(?= ?[:–-])/iu.test(text);
}

/** A heading that says at once that what is below it is of the year, whatever it says of it: `YEAR TO DATE BALANCES (THIS EMPLOYMENT)`. */
const begunByYear = /^(?:year to date|ytd|cumuls? annuels?|jahressummen)(?!\p{L})/iu;

/**
 * Whether a label stands in a column of labels below a heading that says so, or beside such a column where the heading
 * has its row for itself.
 */
export function isUnderYear(label: TextLine, layout: Layout): boolean {
  const [first] = rowOf(layout, label);
  return (
    isHeadedByYear(label, layout, () => true) ||
    (first !== undefined &&
      first !== label &&
      isHeadedByYear(first, layout, (heading) => rowOf(layout, heading).length === 1))
  );
}

function isHeadedByYear(label: TextLine, layout: Layout, mayHead: (heading: TextLine) => boolean): boolean {
  const unit = label.box.y1 - label.box.y0;
  const hasAmount = (line: TextLine | null) => line !== null && /\d/.test(neighboursOf(layout, line).right?.text ?? '');
  return layout.lines.some((heading) => {
    const [, year] = sumsBesideYear(heading);
    const { page, box, text } = year ?? heading;
    // Where words begin within a line that was read as one is less sure.
    const offset = (year ? 1 : 0.6) * unit;
    return (
      page === label.page &&
      box.y1 <= label.box.y0 + 1 &&
      label.box.y0 - box.y1 < 40 * unit &&
      Math.abs(box.x0 - label.box.x0) < offset &&
      (text.length < 30 || (text.length < 60 && begunByYear.test(text))) &&
      toDate.test(labelOf(text)) &&
      mayHead(heading) &&
      // A label with an amount of its own heads no column.
      !hasAmount(heading) &&
      // A box of its own below a list of labels and amounts is none of them.
      (hasAmount(label) || !hasAmount(neighboursOf(layout, heading).below))
    );
  });
}

/** Whether a label says that a row is the year's and nothing else, as `YTD gross` does, which is a heading beside others. */
function isYearAlone(label: string): boolean {
  return (
    toDate.test(label) && /^\W*(?:totals?|amounts?|balances?|figures|details)?\W*$/u.test(label.replace(toDate, ''))
  );
}

/**
 * Whether a heading stands in a row that begins with the word for the year so far, `Cumulatieven | Loonheffing`, or in
 * one right below a title that says so, which has a line of its own: `Verdienstbescheinigung`.
 */
export function isInYearRow(heading: TextLine, layout: Layout): boolean {
  const [first] = rowOf(layout, heading).toSorted((a, b) => a.box.x0 - b.box.x0);
  if (!first) return false;
  if (first !== heading && isYearAlone(labelOf(first.text))) return true;
  const { above } = neighboursOf(layout, first);
  if (!above || first.box.y0 - above.box.y1 >= 2 * (first.box.y1 - first.box.y0)) return false;
  const titles = rowOf(layout, above);
  // Titles side by side are each of the boxes from their left edge on.
  const unit = heading.box.y1 - heading.box.y0;
  const title = titles.length === 1 ? above : titles.findLast(({ box }) => box.x0 <= heading.box.x0 + unit);
  return title !== undefined && titles.every(isLabel) && toDate.test(labelOf(title.text));
}

function isLabel({ text }: TextLine): boolean {
  return /\p{L}{2}/u.test(text) && !/\d/.test(text);
}

const amountAlone = /^[-(\p{Sc} ]*\d[\d.,' ]*[.,]\d{2}[-)]?$/u;

/** Whether an amount stands in a year's column, right of the period's own. */
export function isBesidePeriod({ layout, lines: [line] }: PlacedCandidate): boolean {
  const { left } = neighboursOf(layout, line!);
  return left !== null && amountAlone.test(left.text) && isInYearColumn(line!, layout) && !isInYearColumn(left, layout);
}

/** Whether the words before an amount on its line, the line left of it, or a heading above say so. */
function isOfYear(candidate: PlacedCandidate): boolean {
  const { layout, lines, start } = candidate;
  const [line, ...more] = lines;
  if (!line || more.length > 0) return false;
  if (amountAlone.test(line.text) && isBesidePeriod(candidate)) return true;
  const before = line.text.slice(0, start).split(/\d[.,]\d{2}(?!\d)/);
  const own = before.at(-1)!;
  if (/\p{L}{2}/u.test(own)) return toDate.test(labelOf(own));
  if (before.length > 1) return false;
  const { left, above } = neighboursOf(layout, line);
  if (
    above &&
    isLabel(above) &&
    (toDate.test(labelOf(above.text)) || isInYearRow(above, layout) || isUnderYear(above, layout))
  )
    return true;
  if (!left) return false;
  // An amount of the column before may have been joined with the label: `2,391.67 Tax paid TD`.
  const [label, ...joined] = left.text.split(/\d[.,]\d{2}(?!\d)/).toReversed();
  if (!/\p{L}{2}/u.test(label!)) return false;
  return toDate.test(labelOf(label!)) || (joined.length === 0 && isUnderYear(left, layout));
}

import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import type { Findings, TypeRules } from '../../compose/compose.ts';
import { isLabelOfSum } from '../../compose/labelled-rows.ts';
import { composeDaysOrMonth } from '../../compose/period.ts';
import { isOnLine } from '../../layout/geometry.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import type { ScoredValue } from '../../score/score.ts';
import { type OtherValues, withoutOthers } from '../../score/sift.ts';
import { composePayslip } from './compose.ts';
import { withoutYearToDate } from './year-to-date.ts';

/** What is held back from pay is an amount of its own, whether or not it is printed with a minus. */
const heldBack: ReadonlySet<string> = new Set(['tax_amount', 'total_deductions']);

function withoutSigns(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, each]) =>
      heldBack.has(name) && typeof each.value === 'number'
        ? [name, { ...each, value: Math.abs(each.value) }]
        : [name, each],
    ),
  );
}

/** A pay period is no longer than a quarter. */
const longestDays = 100;

/**
 * The fields with the printed period, where their days are of different ones or one of them is missing; without days of
 * different ones where none is printed.
 */
function withOnePeriod(
  fields: Readonly<Record<string, ExtractedValue>>,
  findings: Findings,
): Record<string, ExtractedValue> {
  const { period_start_date: start, period_end_date: end, ...others } = fields;
  if (!start && !end) return others;
  const days = start && end ? (Date.parse(String(end.value)) - Date.parse(String(start.value))) / 86_400_000 : -1;
  if (days > 0 && days <= longestDays) return { ...fields };
  const { period_start_date, period_end_date } = composeDaysOrMonth(findings, 'period_start_date', 'period_end_date');
  if (period_start_date && period_end_date) return { ...others, period_start_date, period_end_date };
  return start && end && days !== 0 ? others : { ...fields };
}

/** The fields without an employer that is the employee, as a head without the employer's name has it, and its address. */
function withoutTwin(fields: Readonly<Record<string, ExtractedValue>>): Record<string, ExtractedValue> {
  const { employer_name: employer, employer_address: _, ...others } = fields;
  const letters = (value: ExtractedValue | undefined) =>
    String(value?.value ?? '')
      .toLowerCase()
      .replace(/[^\p{L}]/gu, '');
  const isTwin = employer !== undefined && letters(employer) === letters(fields.employee_name);
  return isTwin ? others : { ...fields };
}

const otherNumber =
  /(?<!\p{L})(?:(?:social|national) (?:security|insurance)|s\.?s\.?n|n\.?i\.? (?:no|number)|seguridad social|afiliaci[oó]n|n\.?[ºo°]? ?(?:benef|contrib|seg)\p{L}*|s[ée]curit[ée] sociale|sozialversicherung\p{L}*|sv-n\p{L}*|[nc]\.?i\.?f|d\.?n\.?i|codice fiscale|(?:matricola|posizione|pos\.?) ?(?:inps|inail)|tax code|vchr|voucher|advice|che(?:ck|que)|cost cent(?:er|re)|dept|department|clock|batch|cbo)(?!\p{L})/iu;

function isOtherNumber({ candidate: { layout, lines, start, text } }: ScoredValue): boolean {
  const line = lines[0]!;
  const { above, left } = neighboursOf(layout, line);
  // A part of the caption may have been taken with the number: `INPS 5004418822`.
  const before = line.text.slice(0, start) + (/^\p{L}+ /u.exec(text)?.[0] ?? '');
  if (/\p{L}{2}/u.test(before)) return otherNumber.test(before);
  return [above, left].some((other) => other !== null && !/\d/.test(other.text) && otherNumber.test(other.text));
}

/** What an Indian state takes from those who work in it, which is no tax on income. */
const professional = /^p(?:rof(?:essional|ession)?)?\.? ?tax/iu;

function isProfessional({ candidate: { layout, lines, start } }: ScoredValue): boolean {
  const line = lines[0]!;
  const own = line.text.slice(0, start);
  const label = /\p{L}{2}/u.test(own) ? own : (neighboursOf(layout, line).left?.text ?? '');
  // The amount of the column before may be read as one with it.
  return professional.test(label.replace(/^.*\d +(?=\p{L})/u, ''));
}

/** What a payslip calls itself, which is nobody's name. */
const title =
  /(?<!\p{L})(?:pay ?(?:slip|stub|advice|statement)|(?:earnings|wage|salary) (?:statement|slip)|statement of earnings|bulletin de (?:paie|salaire)|(?:gehalts|lohn|entgelt|bezüge)?abrechnung|recibo de (?:salarios?|vencimentos?|pagamento)|nómina|busta paga|loonstrook|loonbrief|salarisspecificatie)(?!\p{L})/iu;

const addressLabel =
  /^(?:home |private |residential )?(?:address|adresse|anschrift|domicilio|direcci[oó]n|indirizzo|morada|adres)\s*:?$/iu;
const employeeLabel =
  /^(?:employee|name|salari[ée]|mitarbeiter|trabajador|empleado|dipendente|trabalhador|werknemer)(?!\p{L})/iu;

/** Whether an address stands behind its label among the employee's rows: `Employee:` above `Address:`. */
function isEmployees(line: TextLine, layout: Layout): boolean {
  const label = [line, neighboursOf(layout, line).left].find((each) => each && addressLabel.test(each.text.trim()));
  const over = label ? neighboursOf(layout, label).above : null;
  return over !== null && employeeLabel.test(over.text.trim());
}

/** The fields without an employer's address that is the employee's. */
function withoutEmployeesAddress(
  fields: Readonly<Record<string, ExtractedValue>>,
  layout: Layout,
): Record<string, ExtractedValue> {
  const { employer_address: address, ...others } = fields;
  const place = address?.provenance[0];
  const line = place && layout.lines.find((each) => isOnLine(place, each));
  if (!line) return { ...fields };
  const name = String(fields.employee_name?.value ?? '').toLowerCase();
  const isBehindName = name.length > 4 && line.text.toLowerCase().startsWith(`${name},`);
  return isBehindName || isEmployees(line, layout) ? others : { ...fields };
}

/** Numbers of vouchers and departments among the employee's, and a tax on professions among those on income. */
const isOther: OtherValues = {
  employee_id: isOtherNumber,
  tax_amount: isProfessional,
  employer_name: ({ candidate }) => title.test(candidate.text),
  // What stands behind a caption may be the rest of an amount's label: `Employee Pension TD  978.46`.
  employee_name: ({ candidate: { text, layout, lines, start } }) =>
    title.test(text) || (start > 0 && isLabelOfSum(lines[0]!, layout)),
};

export const payslipRules: TypeRules = {
  compose: composePayslip,
  sift: (scored) => withoutOthers(withoutYearToDate(scored), isOther),
  check: (fields, _rows, findings) =>
    withOnePeriod(withoutEmployeesAddress(withoutTwin(withoutSigns(fields)), findings.layout), findings),
};

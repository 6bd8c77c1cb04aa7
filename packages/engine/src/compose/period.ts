import type { ExtractedFields, ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { foldText, isoDate, monthOf } from '../candidates/date.ts';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import type { ComposedFields, Findings } from './compose.ts';
import { composedValue } from './value.ts';

/** Two days between which a document's account goes, both `YYYY-MM-DD`, and the text that says so. */
interface Range {
  readonly start: string;
  readonly end: string;
  readonly line: TextLine;
  readonly from: number;
  readonly to: number;
}

const between =
  /^[\s,]*(?:-|–|—|to|through|thru|until|till|and|bis(?: zum)?|au|jusqu'au|al|a|hasta(?: el)?|ao|até|tot(?: en met)?|t\/m)\s+(?:the )?$|^\s*[-–—·]\s*$/iu;
/** What calls a stretch of time the one that the document is for. */
const caption =
  /(?<!\p{L})(?:period\p{L}*|statement|services?|billing|billed|from|for|between|usage|covers?|covering|cycle|abrechnung\p{L}*|vom|periode|relev\p{L}*|du|periodo|del|período|van)(?!\p{L})|zeitraum(?!\p{L})/u;
const otherwise =
  /(?<!\p{L})(?:last year|previous|prior|next|promotion\p{L}*|offer|tax year|contract|term|abonnement|standing charge|prochain\p{L}*)(?!\p{L})/u;
const longestDays = 370;
const lineLimit = 2_000;

/**
 * The first and last day of the period that a document is for, where it prints them as a range (`Jul 8 - Aug 8`, `05 Jan to
 * 04 Feb 2023`); a year that is left out is that of the document's other dates. Nothing where ranges disagree.
 */
export function composePeriod(findings: Findings, startName: string, endName: string): ComposedFields {
  const { layout } = findings;
  const dates = datesOn(findings);
  const ranges = [
    ...fullRanges(dates),
    ...headedRanges(layout, dates),
    ...headedDays(findings, dates),
    ...partialRanges(layout, dates),
    ...numberedRanges(findings, dates),
    ...brokenRanges(findings, dates),
    ...monthRanges(layout),
  ].filter(({ start, end }) => {
    const days = (Date.parse(end) - Date.parse(start)) / 86_400_000;
    return days > 0 && days <= longestDays;
  });
  const captioned = ranges.filter((range) => isCaptioned(layout, range));
  const chosen = agreed(captioned) ?? (captioned.length === 0 ? agreed(ranges) : null);
  if (!chosen) return ranges.length === 0 ? endedPeriod(layout, dates, startName, endName) : {};
  const { line, from, to } = chosen;
  const value = (text: string): ExtractedValue =>
    composedValue(text, captioned.length > 0 ? 84 : 74, [{ line, start: from, end: to }]);
  return { [startName]: value(chosen.start), [endName]: value(chosen.end) };
}

/** The days of the printed period that are not known, where those that are known are its own. */
export function restOfPeriod(
  findings: Findings,
  fields: ExtractedFields,
  startName: string,
  endName: string,
): Readonly<Record<string, ExtractedValue>> {
  const [start, end] = [fields[startName], fields[endName]];
  const isOneDay = start !== undefined && start.value === end?.value;
  if (start && end && !isOneDay) return {};
  const days = composePeriod(findings, startName, endName);
  const isOpen = Object.keys(days).length === 0 && !start && !end;
  const composed = isOpen ? composeMonth(findings.layout, startName, endName, ofService) : days;
  // Where the first day has no year, the last one was taken for it; or the first one was taken for the last as well.
  const [first, last] = [composed[startName], composed[endName]];
  const isTaken = isOneDay || !start ? end !== undefined && end.value === first?.value : start.value === last?.value;
  if (first && last && isTaken)
    return {
      [startName]: { ...first, confidence: restConfidence },
      [endName]: { ...last, confidence: restConfidence },
    };
  const period = Object.entries(composed);
  const isOther = period.some(([name, day]) => fields[name] && fields[name].value !== day?.value);
  return isOther
    ? {}
    : Object.fromEntries(
        period.flatMap(([name, day]) => (day && !fields[name] ? [[name, { ...day, confidence: restConfidence }]] : [])),
      );
}

/** What calls a month behind it the one of an invoice's services. */
const ofService =
  /(?<!\p{L})(?:leistungs\p{L}*|liefer(?:zeitraum|datum|monat)|abrechnungs(?:zeitraum|monat)|(?:service|billing) (?:period|month)|période|periodo|periode|competenza|período)(?!\p{L})/iu;

/** An invoice may be for a period, and states other ones as well. */
const restConfidence = 66;

/** The dates of a layout that stand on one line each. */
export function datesOn({ layout, candidates }: Findings): readonly PlacedCandidate[] {
  return (candidates as readonly PlacedCandidate[]).filter(
    (candidate) => candidate.kind === 'date' && candidate.layout === layout && candidate.lines.length === 1,
  );
}

const ending =
  /(?<!\p{L})(?:period|cycle|service|usage|statement|month)(?: \p{L}+)? (?:end(?:ed|ing|s)|through|thru|to)(?: on)?[\s:]*$/iu;
/** Whether a text before a day calls it the last one of a period. */
export function isPeriodEnd(before: string): boolean {
  return ending.test(before);
}

const daysPrinted = /(?<![\p{L}\d.,-])(\d{1,3})(?: billing| service)? days?(?!\p{L})/giu;

/**
 * The period of which only the last day is printed (`for billing period ending Jul 13`), and its first day, where that is
 * printed elsewhere and as many days before as the document says.
 */
function endedPeriod(
  layout: Layout,
  dates: readonly PlacedCandidate[],
  startName: string,
  endName: string,
): ComposedFields {
  const ends = dates.filter(({ lines, start }) => isPeriodEnd(lines[0]!.text.slice(0, start)));
  const [end] = ends;
  if (!end || ends.some(({ value }) => value !== end.value)) return {};
  const lines = layout.lines.slice(0, lineLimit).filter(({ text }) => text.length <= 120);
  const counted = new Set(lines.flatMap(({ text }) => [...text.matchAll(daysPrinted)].map(([, days]) => Number(days))));
  const starts = [...counted].flatMap((days) =>
    days < 7 || days > longestDays
      ? []
      : [days, days - 1].flatMap((each) => {
          const day = new Date(Date.parse(String(end.value)) - each * 86_400_000);
          const place = placeOfDay(lines, dates, day);
          return place ? [{ value: day.toISOString().slice(0, 10), ...place }] : [];
        }),
  );
  const [first] = starts;
  const isOne = first && starts.every(({ value }) => value === first.value);
  return {
    [endName]: composedValue(String(end.value), 84, [{ line: end.lines[0]!, start: end.start, end: end.end }]),
    ...(isOne && { [startName]: composedValue(first.value, 80, [first]) }),
  };
}

/** Where a day is printed, with or without its year. */
function placeOfDay(lines: readonly TextLine[], dates: readonly PlacedCandidate[], day: Date) {
  const value = day.toISOString().slice(0, 10);
  const date = dates.find((each) => each.value === value);
  if (date) return { line: date.lines[0]!, start: date.start, end: date.end };
  for (const line of lines) {
    for (const match of line.text.matchAll(monthDay)) {
      if (Number(match[2]) !== day.getUTCDate() || monthOf(match[1]!) !== day.getUTCMonth() + 1) continue;
      return { line, start: match.index, end: match.index + match[0].length };
    }
  }
  return null;
}

const monthDay = /(?<!\p{L})(\p{L}{3,9})\.? (\d{1,2})(?![\d/])/gu;

const wholeMonth =
  /(?<![\p{L}\d./-]|\d )(?:(\p{L}{3,10})\.?(?:[ ,/'’-]{1,3}| del? )((?:19|20)\d{2})|(0[1-9]|1[0-2]) ?[/.-] ?((?:19|20)\d{2})|((?:19|20)\d{2}) ?[/.-] ?(0[1-9]|1[0-2]))(?![\d./-]*\d)/giu;
const monthCaption =
  /(?<!\p{L})(?:pay ?slips?|pay ?stubs?|pay period|salary slip|wage slip|month|period|abrechnung\p{L}*|\p{L}*abrechnung|(?:entgelt|verdienst|gehalts|lohn)nachweis|bezüge|\p{L}*monat|zeitraum|bulletin|paie|mois|période|nómina|m[eê]s|compet[eê]ncia|per[ií]odo|busta|cedolino|mese|vencimento|loonstrook|maand|periode)(?!\p{L})/iu;

/**
 * The month that a document is for, where a line that says so prints it: `Payslip for March 2023`. Nothing where lines differ.
 *
 * @param called what says that a month behind it is the document's
 */
export function composeMonth(
  layout: Layout,
  startName: string,
  endName: string,
  called: RegExp = monthCaption,
): ComposedFields {
  const ranges = layout.lines.slice(0, lineLimit).flatMap((line): Range[] => {
    if (line.text.length > 120) return [];
    const { left, above, right } = neighboursOf(layout, line);
    const parted = above && right && called.test(above.text) ? monthAndYear(line, right) : null;
    if (parted) return [parted];
    const lead = /^(?:f[üu]r|for|month of|de|du|del mes de|di|voor|per)? ?(?:den monat )?/iu.exec(line.text)![0].length;
    return [...line.text.matchAll(wholeMonth)].flatMap((match): Range[] => {
      const [text, name, namedYear, number, numberedYear, firstYear, secondNumber] = match;
      const month = name ? monthOf(name) : Number(number ?? secondNumber);
      const before = line.text.slice(0, match.index);
      const isAlone = match.index < lead + 3 && line.text.trim().length < lead + text.length + 3;
      const beside = [match.index < lead + 3 ? left : null, isAlone ? above : null].map((other) => other?.text ?? '');
      if (month === null || !(called.test(before) || beside.some((other) => called.test(other)))) return [];
      const year = Number(namedYear ?? numberedYear ?? firstYear);
      const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
      const [start, end] = [isoDate(year, month, 1), isoDate(year, month, last)];
      return start && end ? [{ start, end, line, from: match.index, to: match.index + text.length }] : [];
    });
  });
  const [first] = ranges;
  if (!first || ranges.some(({ start }) => start !== first.start)) return {};
  const value = (text: string) => composedValue(text, 76, [{ line: first.line, start: first.from, end: first.to }]);
  return { [startName]: value(first.start), [endName]: value(first.end) };
}

/** The days that a document prints as its period's, or those of the month that it says it is for. */
export function composeDaysOrMonth(findings: Findings, startName: string, endName: string): ComposedFields {
  const period = composePeriod(findings, startName, endName);
  return Object.keys(period).length > 0 ? period : composeMonth(findings.layout, startName, endName);
}

/** A month alone in its cell, with its year in the next one: `OTTOBRE`, `2023`. */
function monthAndYear(line: TextLine, right: TextLine): Range | null {
  const month = /^\p{L}{3,10}$/u.test(line.text) && /^20\d{2}$/.test(right.text) ? monthOf(line.text) : null;
  if (month === null || right.box.x0 - line.box.x1 > yearGap * (line.box.y1 - line.box.y0)) return null;
  const year = Number(right.text);
  const [start, end] = [isoDate(year, month, 1), isoDate(year, month, new Date(Date.UTC(year, month, 0)).getUTCDate())];
  return start && end ? { start, end, line, from: 0, to: line.text.length } : null;
}

/** How far from its month a year may stand, in heights of its line. */
const yearGap = 6;

/** The range of all, or the one that most lines print. */
function agreed(ranges: readonly Range[]): Range | null {
  const [first, second] = [...Map.groupBy(ranges, ({ start, end }) => `${start} ${end}`).values()].sort(
    (a, b) => b.length - a.length,
  );
  return first && (!second || second.length < first.length) ? first[0]! : null;
}

function fullRanges(dates: readonly PlacedCandidate[]): readonly Range[] {
  const byLine = Map.groupBy(dates, ({ lines }) => lines[0]!);
  return [...byLine].flatMap(([line, own]) => {
    const ordered = own.toSorted((a, b) => a.start - b.start);
    return ordered.flatMap((date, index): Range[] => {
      const next = ordered.slice(index + 1).find(({ start }) => start >= date.end);
      if (!next || !between.test(line.text.slice(date.end, next.start))) return [];
      return [{ start: String(date.value), end: String(next.value), line, from: date.start, to: next.end }];
    });
  });
}

const fromTo =
  /(?:^|\s)(?:from|von|vom|du|desde|dal|de|van)[\s/–-]+(?:to|thru|through|bis|au|hasta|al|a|tot)(?: \(?(?:dates?|period)\)?)?$/iu;

const from = /^(?:service )?(?:from|von|vom|du|desde|dal|van)$/iu;
const to = /^(?:to|thru|through|bis|au|hasta|al|tot)$/iu;

/** Two days side by side in cells below one heading, `Service From To`, or each below its own. */
function headedRanges(layout: Layout, dates: readonly PlacedCandidate[]): readonly Range[] {
  const alone = dates.filter(({ lines, text }) => text.length > 0.8 * lines[0]!.text.length);
  return alone.flatMap((first): Range[] => {
    const line = first.lines[0]!;
    const { above, right } = neighboursOf(layout, line);
    const last = right && alone.find(({ lines }) => lines[0] === right);
    if (!last) return [];
    const over = neighboursOf(layout, right).above;
    const isUnderOne = above !== null && fromTo.test(above.text) && above.box.x1 >= right.box.x0;
    const isUnderEach = above !== null && from.test(above.text) && to.test(over?.text ?? '');
    // A heading over both columns is set in their middle, so that the first day stands left of its own part.
    const before = over && to.test(over.text) ? neighboursOf(layout, over).left : null;
    const isUnderMiddle = before !== null && from.test(before.text) && before.box.x0 >= line.box.x0;
    if (!isUnderOne && !isUnderEach && !isUnderMiddle) return [];
    return [{ start: String(first.value), end: String(last.value), line, from: first.start, to: first.end }];
  });
}

const dayAlone = /^(\d{1,2})([/.-])(\d{1,2})(?=$| \d{1,3}$)/;

/** The same where the days have no year: `From 05/01`, `To 06/01`. */
function headedDays({ layout, locale }: Findings, dates: readonly PlacedCandidate[]): readonly Range[] {
  return layout.lines.slice(0, lineLimit).flatMap((line): Range[] => {
    const first = dayAlone.exec(line.text);
    const { above, right } = first ? neighboursOf(layout, line) : { above: null, right: null };
    // The number of days may stand close behind the last one.
    const last = dayAlone.exec(right?.text ?? '');
    if (!first || !right || !last || !from.test(above?.text ?? '')) return [];
    if (!to.test(neighboursOf(layout, right).above?.text ?? '')) return [];
    const range = numberedRange([first[1], first[3], last[1], last[3]].map(Number), locale, { dates });
    return range ? [{ ...range, line, from: 0, to: first[0].length }] : [];
  });
}

const dayMonth = String.raw`(\d{1,2})(?:st|nd|rd|th|er|\.)?\s+(?:de\s+)?(\p{L}{3,10})\.?|(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?`;
const partial = new RegExp(
  String.raw`(?<![\p{L}\d/])(?:${dayMonth})\s*(?:-|–|—|·|to|through|thru|bis|au|al|t\/m|tot(?: en met)?|até|hasta(?: el)?)\s*(?:${dayMonth})(?:\s?,?\s+(?:del?\s+)?((?:19|20)\d{2}))?(?![\p{L}\d])`,
  'giu',
);

const daysOfMonth =
  /(?<![\p{L}\d/.])(\d{1,2})(?:st|nd|rd|th|er|\.)?\s*(?:-|–|—|to|through|bis(?: zum)?|au|al|a|t\/m)\s*(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:de\s+)?(\p{L}{3,10})\.?,?\s+(?:del?\s+)?((?:19|20)\d{2})(?!\d)/giu;

/** The same with the month before its days: `March 1-31, 2023`. */
const monthBeforeDays =
  /(?<!\p{L})(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)? ?(?:-|–|—|to|through) ?(\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\d{2})(?!\d)/giu;

/** Few lines have one, and no other has such days. */
const hasYear = /(?:19|20)\d{2}/;

/** Days of one month: `1 - 31 March 2023`, `del 1 al 31 de marzo de 2023`, `March 1-31, 2023`. */
function monthRanges(layout: Layout): readonly Range[] {
  return layout.lines.slice(0, lineLimit).flatMap((line) => {
    if (line.text.length > 200 || !hasYear.test(line.text)) return [];
    const found = [
      ...[...line.text.matchAll(daysOfMonth)].map((match) => ({ match, parts: [match[3], match[1], match[2]] })),
      ...[...line.text.matchAll(monthBeforeDays)].map((match) => ({ match, parts: match.slice(1, 4) })),
    ];
    return found.flatMap(({ match, parts: [name, first, last] }): Range[] => {
      const [text, year] = [match[0], match[4]];
      const month = monthOf(name!);
      if (month === null) return [];
      const [start, end] = [isoDate(Number(year), month, Number(first)), isoDate(Number(year), month, Number(last))];
      return start && end ? [{ start, end, line, from: match.index, to: match.index + text.length }] : [];
    });
  });
}

const numbered =
  /(?<![\p{L}\d/.,-])(\d{1,2})([/.])(\d{1,2})\.?\s*(?:-|–|—|to|through|thru|bis(?: zum)?|au|al)\s*(\d{1,2})\2(\d{1,2})(?:\2((?:20)?\d{2})|\.?)(?![/.]?\d)/giu;

/**
 * Ranges of days and months in numbers, without a year or with one behind them: `Period 07/01 - 07/31`, `17.06. -
 * 21.06.2024`. Their caption stands before them.
 */
function numberedRanges({ layout, locale }: Findings, dates: readonly PlacedCandidate[]): readonly Range[] {
  return layout.lines.slice(0, lineLimit).flatMap((line) => {
    if (line.text.length > 200) return [];
    return [...line.text.matchAll(numbered)].flatMap((match): Range[] => {
      const parts = [match[1], match[3], match[4], match[5]].map(Number);
      const days = numberedRange(parts, locale, { dates, year: match[6] });
      const range = days && { ...days, line, from: match.index, to: match.index + match[0].length };
      return range && isCaptioned(layout, range) ? [range] : [];
    });
  });
}

/** A range that a narrow cell breaks behind its dash: `Leistungszeitraum: 03.06. –` above `14.06.2024`. */
function brokenRanges({ layout, locale }: Findings, dates: readonly PlacedCandidate[]): readonly Range[] {
  return layout.lines.slice(0, lineLimit).flatMap((line): Range[] => {
    if (line.text.length > 200 || !openRange.test(line.text)) return [];
    const { below } = neighboursOf(layout, line);
    const last = dates.find(({ lines, start }) => lines[0] === below && start === 0);
    if (!below || !last || below.box.y0 - line.box.y1 > line.box.y1 - line.box.y0) return [];
    const whole = dates.find(({ lines, end }) => lines[0] === line && /^\s*[-–—]$/.test(line.text.slice(end)));
    const [match] = [...`${line.text} ${below.text.slice(0, last.end)}`.matchAll(numbered)];
    const from = whole ? whole.start : (match?.index ?? -1);
    if (from < 0) return [];
    const days = whole
      ? { start: String(whole.value), end: String(last.value) }
      : numberedRange([match![1], match![3], match![4], match![5]].map(Number), locale, { dates, year: match![6] });
    const range = days && { ...days, line, from, to: line.text.length };
    return range && isCaptioned(layout, range) ? [range] : [];
  });
}

const openRange = /\d[/.]?\s*[-–—]$/;

/** The days of a range whose days and months are numbers, in the document's order of them; the year is the one printed or that of its other dates. */
function numberedRange(
  parts: readonly number[],
  { dateOrder }: Findings['locale'],
  { dates, year }: { readonly dates: readonly PlacedCandidate[]; readonly year?: string | undefined },
): Pick<Range, 'start' | 'end'> | null {
  const isMonthSecond = parts[1]! <= 12 && parts[3]! <= 12;
  const isDayFirst = isMonthSecond && (parts[0]! > 12 || parts[2]! > 12 || dateOrder === 'dmy');
  const [firstDay, firstMonth, lastDay, lastMonth] = isDayFirst ? parts : [parts[1], parts[0], parts[3], parts[2]];
  if (firstMonth! > 12 || lastMonth! > 12 || firstMonth! < 1 || lastMonth! < 1) return null;
  const endYear = year
    ? 2000 + (Number(year) % 100)
    : (yearBefore(dates, lastMonth!, lastDay!) ??
      yearAhead(dates, { month: firstMonth!, day: firstDay! }, { month: lastMonth!, day: lastDay! }));
  if (endYear === null) return null;
  const start = isoDate(firstMonth! > lastMonth! ? endYear - 1 : endYear, firstMonth!, firstDay!);
  const end = isoDate(endYear, lastMonth!, lastDay!);
  return start && end ? { start, end } : null;
}

/** Ranges whose first day, or both, are printed without a year. */
function partialRanges(layout: Layout, dates: readonly PlacedCandidate[]): readonly Range[] {
  const ranges: Range[] = [];
  for (const line of layout.lines.slice(0, lineLimit)) {
    if (line.text.length > 200) continue;
    for (const match of line.text.matchAll(partial)) {
      const [text, day, name, otherName, otherDay, lastDay, lastName, otherLastName, otherLastDay, year] = match;
      const first = { month: monthOf((name ?? otherName)!), day: Number(day ?? otherDay) };
      const last = { month: monthOf((lastName ?? otherLastName)!), day: Number(lastDay ?? otherLastDay) };
      if (first.month === null || last.month === null) continue;
      const begun = { month: first.month, day: first.day };
      const ended = { month: last.month, day: last.day };
      const endYear = year
        ? Number(year)
        : (yearBefore(dates, ended.month, ended.day) ?? yearAhead(dates, begun, ended));
      if (endYear === null) continue;
      const start = isoDate(first.month > last.month ? endYear - 1 : endYear, first.month, first.day);
      const end = isoDate(endYear, last.month, last.day);
      if (start && end) ranges.push({ start, end, line, from: match.index, to: match.index + text.length });
    }
  }
  return ranges;
}

/** The days after a period's end within which its document is made. */
const soonDays = 70;

/** The year of a day that some date of the document follows soon; null where none does, or two differ. */
export function yearBefore(dates: readonly PlacedCandidate[], month: number, day: number): number | null {
  const years = new Set(
    dates.flatMap(({ value }) => {
      const year = Number(String(value).slice(0, 4));
      return [year, year - 1].filter((each) => {
        const days = (Date.parse(String(value)) - Date.UTC(each, month - 1, day)) / 86_400_000;
        return days >= 0 && days <= soonDays;
      });
    }),
  );
  return years.size === 1 ? [...years][0]! : null;
}

interface MonthAndDay {
  readonly month: number;
  readonly day: number;
}

/** The last day's year of a period that is charged in advance, and begins within days of some date. */
function yearAhead(dates: readonly PlacedCandidate[], first: MonthAndDay, last: MonthAndDay): number | null {
  const years = new Set(
    dates.flatMap(({ value }) => {
      const year = Number(String(value).slice(0, 4));
      return [year, year + 1].filter((each) => {
        const days = (Date.UTC(each, first.month - 1, first.day) - Date.parse(String(value))) / 86_400_000;
        return days >= 0 && days <= aheadDays;
      });
    }),
  );
  const [year] = years;
  return years.size === 1 ? year! + (first.month > last.month ? 1 : 0) : null;
}

/** The days after its document's date within which a period that is charged in advance begins. */
const aheadDays = 21;

function isCaptioned(layout: Layout, { line, from }: Range): boolean {
  const { left, above } = neighboursOf(layout, line);
  const before = foldText(line.text.slice(Math.max(0, from - 60), from));
  const around = [before, from < 3 ? foldText(left?.text ?? '') : '', from < 3 ? foldText(above?.text ?? '') : ''];
  return around.some((text) => text.length <= 80 && caption.test(text)) && !around.some((text) => otherwise.test(text));
}

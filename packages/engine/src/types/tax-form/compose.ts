import type { Box, ExtractedValue, JsonValue, Layout, Locale, TextLine, Word } from '@millrace/document-model';
import { findNumbers, resolveNumber } from '../../candidates/amount.ts';
import { wordsWithin } from '../../candidates/placed.ts';
import { isStreet } from '../../compose/address.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { letterHeight } from '../../compose/names.ts';
import { composedValue, type Stretch } from '../../compose/value.ts';
import { boxAround, overlap } from '../../layout/geometry.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { composeTaxParties } from './parties.ts';

/** A tax form: which it is, its year, and what its boxes hold. */
export function composeTaxForm({ layout, locale }: Findings): ComposedFields {
  const form = formType(layout);
  return {
    ...composeTaxParties(layout),
    form_type: form,
    tax_year: taxYear(layout),
    boxes: boxesOf(layout, locale),
  };
}

const numberedForms =
  /(?:form\s*)?(?<![\d-])((?:SSA|RRB)\s?-\s?1099|1095\s?-\s?[ABC]|5498|1042\s?-\s?S|1099\s?-\s?(?:MISC|INT|DIV|NEC|CAP|OID|PATR|LTC|SA|G|R|B|K|S|A|C|H|Q)|1098(?:\s?-\s?[ETCF])?|W\s?-?\s?(?:2G?|4|7|8BEN(?:-E)?|9)|1040(?:\s?-\s?(?:SR|NR|EZ|X|ES|V))?|1120-?S?|1065|940|941|8949|4562|2441|8863)(?![\d])/iu;
const otherForms =
  /(?<![\p{L}\d])P(?:60|45|11D|800)(?![\p{L}\d])|^T4(?:A|RSP)?(?= \(|$)|payg payment summary(?: ?[-–—] ?individual non-business)?|form no\.? ?16a?(?!\d)|lohnsteuerbescheinigung|einkommensteuerbescheid|steuerbescheinigung|^notice of (?:re)?assessment|imprimé fiscal unique|avis d['’]imp(?:[oô]t|osition)|avis de taxes? (?:fonci[eè]res?|d['’]habitation)|certificado de retenciones|certificazione unica|declara[cç][aã]o anual de rendimentos|jaaropgaa?[fv]e?|demonstra[cç][aã]o de liquida[cç][aã]o|nota de liquida[cç][aã]o|^sa302(?!\d)|^lohnausweis|lohnzettel|d[ée]claration des revenus|(?:informe|comprovante) de rendimentos|^t(?:5|2202a?)(?= \(|$)|(?:voorlopige|definitieve) aanslag|modelo \d{1,3}(?!\d)|modello (?:\d\w*|f ?\d\d|cud?|redditi|iva|unico)(?!\p{L})|^mod\. f ?\d\d(?!\d)|cerfa/iu;
const schedule = /(?:^|\s)schedule\s+(EIC|SE|[A-F1-3R])(?=[\s(]|$)/i;

function formType(layout: Layout): ExtractedValue | null {
  let best: { value: string; stretch: Stretch; score: number } | null = null;
  const consider = (value: string, line: TextLine, match: RegExpExecArray, score: number) => {
    if (!best || score > best.score)
      best = { value, stretch: { line, start: match.index, end: match.index + match[0].length }, score };
  };
  const height = layout.document.pages[0]?.height ?? 1;
  const largest = Math.max(...layout.lines.map(letterHeight), 1);
  for (const line of layout.lines) {
    if (line.page > 1 || line.text.length > 300) continue;
    const place = letterHeight(line) / largest + (line.box.y0 < height * 0.25 || line.box.y0 > height * 0.85 ? 0.3 : 0);
    const numbered = numberedForms.exec(line.text);
    if (numbered) {
      const code = numbered[1]!
        .toUpperCase()
        .replace(/\s/g, '')
        .replace(/^W-?/, 'W-')
        .replace(/^(10\d\d)-?(?=[A-Z])/, '$1-');
      const named = /^\W*(?:(?:20\d{2} )?form|1099|1098|w-?[29])/i.test(line.text) ? 0.5 : 0;
      // A sentence says what to do with another form.
      const isSentence = line.words.length > 8 && named === 0 ? 0.6 : 0;
      consider(
        code,
        line,
        numbered,
        place + named - isSentence + (/instructions|attach|see /i.test(line.text) ? -0.6 : 0),
      );
    }
    const part = schedule.exec(line.text);
    if (part && line.box.y0 < height * 0.3 && line.text.length < 60)
      consider(`1040 Schedule ${part[1]!.toUpperCase()}`, line, part, place + 0.9);
    const share = /^\W*schedule k-1(?!\d)/iu.exec(line.text);
    const whole = share ? formOfShare(line, layout) : null;
    if (share && whole && line.box.y0 < height * 0.3) consider(`${whole} Schedule K-1`, line, share, place + 1.2);
    const other = otherForms.exec(line.text);
    const model = /^modelo$/iu.test(line.text.trim()) ? numberOfModel(line, layout) : null;
    if (model) consider(`Modelo ${model}`, line, /^.*$/u.exec(line.text)!, place + 0.6);
    if (other) consider(capitalised(other[0]), line, other, place + 0.4);
    const broken = other ? null : brokenTitle(line, layout);
    if (broken) consider(broken, line, /^.*$/u.exec(line.text)!, place + 0.4);
  }
  const found = best as { value: string; stretch: Stretch; score: number } | null;
  return found ? composedValue(found.value, Math.round(Math.min(88, 62 + 18 * found.score)), [found.stretch]) : null;
}

/** The return that a Schedule K-1 belongs to, which it names behind its title or below it: `(Form 1065)`. */
function formOfShare(line: TextLine, layout: Layout): string | null {
  const places = [line, neighboursOf(layout, line).below, neighboursOf(layout, line).right];
  const found = places.map((place) => /\(?form (1065|1120-?S|1041|8865)\)?/iu.exec(place?.text ?? ''));
  const form = found.find((match) => match !== null)?.[1];
  return form ? form.toUpperCase().replace(/0S$/, '0-S') : null;
}

/** The number that a Spanish form has in large figures below `Modelo` or beside it; null where none or several stand near. */
function numberOfModel({ page, box }: TextLine, layout: Layout): string | null {
  const height = box.y1 - box.y0;
  const [number, ...others] = layout.lines.filter(
    (line) =>
      line.page === page &&
      /^\d{3}$/.test(line.text) &&
      line.box.x0 > box.x0 - 2 * height &&
      line.box.x0 < box.x1 + 6 * height &&
      line.box.y0 > box.y0 - height &&
      line.box.y0 < box.y1 + 2 * height,
  );
  return number && others.length === 0 ? number.text : null;
}

/** Lines that a title takes at most. */
const titleLines = 3;
const assessment = /^bescheid (?:f\p{L}{1,3} (?:20\d{2} )?)?[üui]ber (?:die )?einkommensteuer/iu;

/** The form whose title is set in several lines: `Certificazione` above `Unica`, `Bescheid` above `für 2023 über`. */
function brokenTitle(line: TextLine, layout: Layout): string | null {
  if (!/^(?:certificazione|bescheid|avis|certificado|declara[cç][aã]o)(?!\p{L})/iu.test(line.text)) return null;
  const lines = [line];
  for (let { below } = neighboursOf(layout, line); below && lines.length < titleLines; ) {
    lines.push(below);
    ({ below } = neighboursOf(layout, below));
  }
  const text = lines.map((each) => each.text.trim()).join(' ');
  if (assessment.test(text)) return 'Einkommensteuerbescheid';
  const form = otherForms.exec(text);
  return form?.index === 0 ? capitalised(form[0]) : null;
}

/** A form's name with a capital and the marks that OCR leaves out. */
function capitalised(text: string): string {
  const lower = text === text.toUpperCase() ? text.toLowerCase() : text;
  const marked = lower
    .replace(/imp[oô]t$/u, 'impôt')
    .replace(/fonciere/u, 'foncière')
    .replace(/^d[eé]clara[cç][aã]o/u, 'declaração');
  return marked.charAt(0).toUpperCase() + marked.slice(1);
}

/** What makes a year that of a day: `January 21, `. */
const dayOfYear =
  /(?<!\p{L})(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\.? \d{1,2}(?:st|nd|rd|th)?,? ?$/iu;

/** What stands alone before the year of a form. */
const yearCaption = /^\W*(?:tax year|year|steuerjahr|jahr|ann[ée]e|ejercicio|anno|ano|jaar)\W*$/iu;

/** The year in large figures, or behind `tax year` and the like; never the date of the form's revision. */
function taxYear(layout: Layout): ExtractedValue | null {
  let best: { value: number; stretch: Stretch; score: number } | null = null;
  const largest = Math.max(...layout.lines.map(letterHeight), 1);
  for (const line of layout.lines) {
    if (line.page > 1) continue;
    const parted = /tax year to (?:5 april )?\D{0,3}(2 ?0 ?\d ?\d)$/iu.exec(line.text);
    if (parted) {
      const start = line.text.length - parted[1]!.length;
      return composedValue(Number(parted[1]!.replace(/ /g, '')), 86, [{ line, start, end: line.text.length }]);
    }
    const parts = /^(20) ?(\d{2})$/.exec(line.text.trim());
    const above = parts ? neighboursOf(layout, line).above : null;
    if (parts && above && /(?:calendar|tax) year\W*$/iu.test(above.text))
      return composedValue(Number(`${parts[1]}${parts[2]}`), 86, [{ line }]);
    const inCells = /^2 0 \d \d$/.test(line.text.trim()) ? neighboursOf(layout, line) : null;
    if (inCells && [inCells.left, inCells.above].some((caption) => caption && yearCaption.test(caption.text)))
      return composedValue(Number(line.text.replaceAll(' ', '')), 86, [{ line }]);
    const assessed = assessmentYear(line, layout);
    if (assessed) return assessed;
    for (const match of line.text.matchAll(/(?<![\d/.-])((?:19|20)\d{2})(?![\d/-])/g)) {
      const before = line.text.slice(0, match.index);
      if (dayOfYear.test(before) || /(?<!\d)\d\d ?\d\d $/.test(before)) continue;
      if (/rev\.?[^)]*$/i.test(before) || /\bOMB\b|©|p\.?l\.?/i.test(before)) continue;
      const announced =
        /(?:tax year|calendar year|year ending|beginning|steuerjahr|für (?:das )?(?:jahr|kalenderjahr)|année|ejercicio|anno|ano|belastingjaar|jaar|veranlagungszeitraum|periodo d.imposta|over)\W*$/i.test(
          before,
        )
          ? 1.2
          : 0;
      const word = wordsWithin(line, match.index, match.index + 4)[0]?.word;
      const size = word ? (word.box.y1 - word.box.y0) / largest : 0;
      const score = announced + size + (line.text.trim() === match[1] ? 0.4 : 0);
      if (!best || score > best.score)
        best = { value: Number(match[1]), stretch: { line, start: match.index, end: match.index + 4 }, score };
    }
  }
  const found = best as { value: number; stretch: Stretch; score: number } | null;
  return found && found.score > 0.45 ? composedValue(found.value, found.score > 1 ? 86 : 68, [found.stretch]) : null;
}

/** The year in which an income is assessed, behind or below its caption: `Assessment Year 2024-25`. */
function assessmentYear(line: TextLine, layout: Layout): ExtractedValue | null {
  if (!/^assessment(?: year)?(?!\p{L})/iu.test(line.text)) return null;
  const { below, right } = neighboursOf(layout, line);
  const second = below && /^year$/iu.test(below.text) ? neighboursOf(layout, below).below : null;
  for (const place of [line, right, below, second]) {
    const match = place && /(?<!\d)(20\d{2}) ?[-–] ?\d{2,4}(?!\d)/.exec(place.text);
    if (match) return composedValue(Number(match[1]), 84, [{ line: place, start: match.index, end: match.index + 4 }]);
  }
  return null;
}

/** `1 Rents`, `2a Qualified dividends`, `3. Bruttoarbeitslohn`, `2TR Intérêts`. */
const boxLabel = /^\W{0,2}([1-3]?\d[a-z]?[.)]?|\d[A-Z]{2})\s+(?=\p{L}{2})/u;

/** Labels of boxes without a number that matter on several forms. */
const plainLabel =
  /^(?:account number|control number|state|retribuciones|retenciones|gastos|ingresos|rendimentos|retenções|contribuições|quotizações|sobretaxa|loon|ingehouden|verrekende|werkgeversheffing)\b/iu;

interface Label {
  readonly text: string;
  readonly line: TextLine;
  readonly lines: readonly TextLine[];
}

/**
 * What the boxes hold: each value under the label it belongs to. Values are form fields where the file has them, and
 * otherwise amounts; a label stands above its value, or left of it on its row.
 */
function boxesOf(layout: Layout, locale: Locale): ExtractedValue | null {
  const labels = labelsOf(layout);
  if (labels.length === 0) return null;
  const boxes: Record<string, JsonValue> = {};
  const stretches: Stretch[] = [];
  const labelWords = new Set(labels.flatMap(({ lines }) => lines.flatMap(({ words }) => words)));
  for (const line of layout.lines) {
    if (line.page > 3) break;
    for (const { start, end, value } of valuesIn(line, labelWords, locale)) {
      const words = wordsWithin(line, start, end).map(({ word }) => word);
      if (words.length === 0) continue;
      const label = labelFor(line, words, labels, layout);
      const isText =
        label && /\b(?:account|number|code|state no|no\.)/i.test(label.text) && !/amount|wages/i.test(label.text);
      if (!label || label.text in boxes || Object.keys(boxes).length >= 120) continue;
      boxes[label.text] = isText ? line.text.slice(start, end) : value;
      stretches.push({ line, start, end });
    }
  }
  return Object.keys(boxes).length === 0 ? null : composedValue(boxes, 66, stretches);
}

function labelsOf(layout: Layout): Label[] {
  const labels: Label[] = [];
  for (const line of layout.lines) {
    if (line.page > 3) break;
    if (!(boxLabel.test(line.text) || plainLabel.test(line.text)) || line.text.length > 160) continue;
    // A house number begins a line as a box's number does.
    if (isStreet(line.text)) continue;
    const lines = [line];
    let { text } = line;
    // A label goes on below itself while its letters stay small and no other begins.
    for (
      let below = neighboursOf(layout, line).below;
      below && lines.length < 5;
      below = neighboursOf(layout, below).below
    ) {
      const gap = below.box.y0 - lines.at(-1)!.box.y1;
      const aligned = Math.abs(below.box.x0 - line.box.x0) < 3 * letterHeight(line);
      if (
        gap > 0.5 * letterHeight(line) ||
        !aligned ||
        !/^[\p{Ll}(]/u.test(below.text) ||
        below.words.some(isFormValue)
      )
        break;
      lines.push(below);
      text += ` ${below.text}`;
    }
    const bare = text
      .replace(/\s*\$\s*$/, '')
      .replace(/[\s.]{3,}$/, '')
      .replace(/\s+/g, ' ')
      .trim();
    labels.push({ text: withoutValue(bare), line, lines });
  }
  return labels;
}

/** A label's text without the amount that stands behind it on its line. */
function withoutValue(text: string): string {
  return text.replace(/\s*\$?\s*-?\d[\d.,' ]*[.,]\d{2}\s*(?:€|EUR)?$/, '').replace(/[\s.…]{2,}$/, '');
}

const isFormValue = (word: Word) => word.source === 'widget';

function valuesIn(
  line: TextLine,
  labelWords: ReadonlySet<Word>,
  locale: Locale,
): { start: number; end: number; value: JsonValue }[] {
  const found: { start: number; end: number; value: JsonValue }[] = [];
  const widget = line.words.filter(isFormValue);
  if (widget.length > 0) {
    let offset = 0;
    let start = -1;
    for (const word of [...line.words, null]) {
      if (word && isFormValue(word)) {
        if (start < 0) start = offset;
      } else if (start >= 0) {
        const end = Math.min(line.text.length, offset - 1);
        const text = line.text.slice(start, end);
        found.push({ start, end, value: numberIn(text, locale) ?? text });
        start = -1;
      }
      offset += (word?.text.length ?? 0) + 1;
    }
    return found.filter(({ value }) => !(typeof value === 'string' && value.length < 1));
  }
  for (const finding of findNumbers(line.text)) {
    const text = line.text.slice(finding.start, finding.end);
    // A number within a sentence is part of a label or an instruction.
    if (/^\W*\p{L}{2}/u.test(line.text.slice(finding.end)) || /^0*$/.test(text)) continue;
    const isAmount = /[.,]\d{2}$/.test(text) || /\d[.,' ]\d{3}/.test(text) || finding.currency !== null;
    // The form's year on its own as well.
    if (/^(?:19|20)\d{2}$/.test(text) && finding.currency === null) continue;
    const alone = line.text.replace(/[$\s]/g, '') === text.replace(/[$\s]/g, '');
    if (finding.percent || !(isAmount || (alone && text.length >= 2))) continue;
    const words = wordsWithin(line, finding.start, finding.end).map(({ word }) => word);
    // The number of a label is not its value.
    if (!isAmount && words.some((word) => labelWords.has(word))) continue;
    found.push({ start: finding.start, end: finding.end, value: resolveNumber(finding, locale) });
  }
  return found;
}

function numberIn(text: string, locale: Locale): number | null {
  const [finding] = findNumbers(text);
  if (
    !finding ||
    finding.percent ||
    /^0\d/.test(text) ||
    finding.start > 2 ||
    finding.end < text.trimEnd().length ||
    /^\d{8,}$/.test(text.trim())
  )
    return null;
  return resolveNumber(finding, locale);
}

function labelFor(line: TextLine, words: readonly Word[], labels: readonly Label[], layout: Layout): Label | null {
  const box = boxAround(words);
  const height = Math.max(1, box.y1 - box.y0);
  const cell = cellAround(box, line.page, layout);
  const inCell = cell && labels.filter((label) => label.line.page === line.page && within(label.line.box, cell));
  if (inCell && inCell.length === 1) return inCell[0]!;
  const { row } = neighboursOf(layout, line);
  const onRow = labels.filter(
    (label) =>
      label.line.page === line.page && (label.line === line || row.includes(label.line)) && label.line.box.x0 < box.x0,
  );
  const nearest = onRow.sort((a, b) => b.line.box.x0 - a.line.box.x0)[0];
  let best: { label: Label; distance: number } | null = nearest
    ? { label: nearest, distance: Math.max(0, box.x0 - nearest.line.box.x1) / height / 3 }
    : null;
  for (const label of labels) {
    if (label.line.page !== line.page || label.line === line) continue;
    const last = label.lines.at(-1)!;
    const gap = (box.y0 - last.box.y1) / height;
    if (gap < -0.6 || gap > 3.2) continue;
    const shared = overlap(
      label.line.box.x0,
      Math.max(label.line.box.x1, label.line.box.x0 + 10 * height),
      box.x0,
      box.x1,
    );
    const inside = box.x0 > label.line.box.x0 - height && box.x0 < label.line.box.x1 + 5 * height;
    if (shared <= 0 && !inside) continue;
    const distance =
      Math.max(0, gap) +
      Math.max(0, box.x0 - label.line.box.x1) / height / 4 +
      Math.max(0, label.line.box.x0 - box.x0) / height / 2;
    if (!best || distance < best.distance) best = { label, distance };
  }
  return best?.label ?? null;
}

/** The ruled cell around a box: the nearest ruling on each side that runs past its middle; null where a side has none. */
function cellAround(box: Box, pageNumber: number, layout: Layout): Box | null {
  const rulings = layout.document.pages.find(({ number }) => number === pageNumber)?.rulings ?? [];
  const x = (box.x0 + box.x1) / 2;
  const y = (box.y0 + box.y1) / 2;
  const cell = {
    x0: Number.NEGATIVE_INFINITY,
    y0: Number.NEGATIVE_INFINITY,
    x1: Number.POSITIVE_INFINITY,
    y1: Number.POSITIVE_INFINITY,
  };
  for (const { direction, box: ruling } of rulings) {
    if (direction === 'horizontal' && ruling.x0 <= x && ruling.x1 >= x) {
      if (ruling.y0 <= y) cell.y0 = Math.max(cell.y0, ruling.y0);
      else cell.y1 = Math.min(cell.y1, ruling.y0);
    } else if (direction === 'vertical' && ruling.y0 <= y && ruling.y1 >= y) {
      if (ruling.x0 <= x) cell.x0 = Math.max(cell.x0, ruling.x0);
      else cell.x1 = Math.min(cell.x1, ruling.x0);
    }
  }
  return Number.isFinite(cell.x0 + cell.y0 + cell.x1 + cell.y1) ? cell : null;
}

function within(inner: Box, outer: Box): boolean {
  const x = Math.min(inner.x0 + 4, (inner.x0 + inner.x1) / 2);
  const y = (inner.y0 + inner.y1) / 2;
  return x > outer.x0 && x < outer.x1 && y > outer.y0 && y < outer.y1;
}

import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { parseAmount } from '../../candidates/amount.ts';
import { wordsWithin } from '../../candidates/placed.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { dateInPieces } from '../../compose/date-in-pieces.ts';
import { composedValue, onlyValue, type Stretch } from '../../compose/value.ts';
import { neighboursOf, rowOf, visualRows } from '../../layout/neighbours.ts';
import { fieldsInBoxes, isAddressCaption, vesselFields } from './boxes.ts';

const containerPattern = /(?<![A-Z\d])([A-Z0]{3}[UJZ])\s?-?(\d{6})\s?[-/]?\s?(\d)(?!\d)/g;

const vesselAndVoyage =
  /^(?:\(?\d{1,2}[.)]?\s*)?(?:ocean |name of )?(?:vessel|ship)\b[^:\d]{0,20}\bvoy(?:age)?\b\.?(?:\s*(?:no|number|nr)\b\.?)?\s*[:#]?\s*/iu;

/** A vessel and its voyage that share a box: `NORTH STAR - 142W` below `Vessel and voyage no.`. */
function vesselOf(layout: Layout): ComposedFields {
  for (const line of layout.lines.slice(0, 500)) {
    const caption = vesselAndVoyage.exec(line.text);
    if (!caption) continue;
    const { below, right } = neighboursOf(layout, line);
    const behind = line.text.slice(caption[0].length);
    const places = [
      { line, text: behind, offset: caption[0].length },
      ...[below, right].flatMap((other) => (other ? [{ line: other, text: other.text, offset: 0 }] : [])),
    ];
    for (const place of places) {
      const fields = vesselFields(place.line, place.offset);
      if (fields.voyage) return fields;
    }
  }
  return {};
}

/** The containers that a bill of lading names, by ISO 6346, and its vessel and voyage where they share a box. */
export function composeBillOfLading(findings: Findings): ComposedFields {
  return {
    ...partiesInLines(findings.layout),
    ...fieldsInBoxes(findings.layout),
    ...vesselOf(findings.layout),
    ...straightParties(findings.layout),
    ...sameAsConsignee(findings.layout),
    ...onlyWeight(findings),
    ...weightInColumn(findings),
    ...weightInAll(findings),
    ...carriersNumber(findings.layout),
    ...dayOf(findings),
    container_numbers: containersOf(findings.layout),
  };
}

const captionedParty = {
  shipper: /^(?:SHIPPER|Shipper|CONSIGNOR|Consignor)(?: NAME| Name)?:? (?=\p{Lu}\p{Ll})/u,
  consignee: /^(?:CONSIGNEE|Consignee|CONSIGNED TO|Consigned to)(?: NAME| Name)?:? (?=\p{Lu}\p{Ll})/u,
};
/** What stands below a party's name on a form that captions every line: `STREET 8 Mill Lane`. */
const streetCaption = /^(?:street|address|add\.)(?!\p{L})/iu;

/** The parties of a bill that is filled in behind its captions, line by line: `SHIPPER Arroyo Ceramics`, `STREET 8 Mill Lane`. */
function partiesInLines(layout: Layout): ComposedFields {
  const partyOf = (caption: RegExp) => {
    const [only, ...more] = layout.lines.slice(0, 200).flatMap((line) => {
      const start = line.text.length > 80 ? undefined : caption.exec(line.text)?.[0].length;
      const isAbove = start !== undefined && streetCaption.test(neighboursOf(layout, line).below?.text ?? '');
      return isAbove ? [{ line, start, end: line.text.length }] : [];
    });
    if (!only || more.length > 0) return null;
    return composedValue(only.line.text.slice(only.start).trim(), 84, [only]);
  };
  const besides = partiesBesides(layout);
  const [shipper, consignee] = [partyOf(captionedParty.shipper), partyOf(captionedParty.consignee)];
  return { ...besides, ...(shipper && { shipper }), ...(consignee && { consignee }) };
}

const barePartyCaption = { shipper: /^(?:shipper|consignor):?$/iu, consignee: /^(?:consignee|consigned to):?$/iu };

/** The parties of a bill whose captions stand one below the other, with what is filled in on the right of each. */
function partiesBesides(layout: Layout): ComposedFields {
  const fields: Record<string, ExtractedValue> = {};
  for (const line of layout.lines.slice(0, 200)) {
    const name = (['shipper', 'consignee'] as const).find((each) => barePartyCaption[each].test(line.text.trim()));
    const { below, right } = name && !fields[name] ? neighboursOf(layout, line) : { below: null, right: null };
    const isCaptioned = below !== null && streetCaption.test(below.text) && isAddressCaption(below.text);
    if (!name || !isCaptioned || !right || isAddressCaption(right.text) || !/\p{L}{2}/u.test(right.text)) continue;
    fields[name] = composedValue(right.text, 89.5, [{ line: right }]);
  }
  return fields;
}

const straightHeadings = { shipper: /^ship(?:ped)? from:?$/iu, consignee: /^(?:ship(?:ped)? to|deliver to):?$/iu };
const nameLines = 3;

/** The parties of a straight bill, whose blocks have their names behind a caption: `SHIP FROM`, `Name: Arroyo Ceramics`. */
function straightParties(layout: Layout): ComposedFields {
  const partyOf = (heading: RegExp) => {
    const title = layout.lines.slice(0, 200).find(({ text }) => heading.test(text.trim()));
    const below = title
      ? layout.lines.filter(
          ({ page, box }) =>
            page === title.page &&
            box.y0 > title.box.y0 &&
            box.y0 - title.box.y1 < nameLines * 2 * (title.box.y1 - title.box.y0) &&
            box.x0 < title.box.x1 &&
            box.x1 > title.box.x0 - 12 * (title.box.y1 - title.box.y0),
        )
      : [];
    const cell = below.find(({ text }) => /^name:?$/iu.test(text.trim()));
    const apart = cell && neighboursOf(layout, cell).right;
    if (apart) return composedValue(apart.text.trim(), 89.5, [{ line: apart }]);
    const line = below.find(({ text }) => /^name:? ?\p{L}/iu.test(text));
    const name =
      line && /^name:? ?(.+?)(?: (?:location|loc|dc|store|cid|sid)\b ?(?:no\.?|#)? ?#?:.*)?$/iu.exec(line.text)?.[1];
    if (!line || !name) return null;
    const start = line.text.indexOf(name);
    return composedValue(name.trim(), 89.5, [{ line, start, end: start + name.length }]);
  };
  const [shipper, consignee] = [partyOf(straightHeadings.shipper), partyOf(straightHeadings.consignee)];
  return { ...(shipper && { shipper }), ...(consignee && { consignee }) };
}

const weighed = /(?<![\d.,])(\d[\d.,]*) ?(?:[lI]bs?|kgs?)\b\.?/giu;

const headLimit = 40;

/**
 * The one gross weight of a table's column that is headed so, or the sum below the others, as an air waybill has it beside
 * the chargeable weight and the charges.
 */
function weightInColumn({ layout, locale }: Findings): ComposedFields {
  const rows = visualRows(layout);
  for (const [at, heads] of rows.slice(0, lineLimit).entries()) {
    const column = heads.findIndex((line) => isGrossWeightHead(line, layout));
    const head = heads[column];
    if (!head || heads.length < leastHeads) continue;
    const start = heads[column - 1]?.box.x1 ?? 0;
    const end = heads[column + 1]?.box.x0 ?? Infinity;
    const cells = rows
      .slice(at + 1, at + headLimit)
      .flatMap((row) =>
        row.filter(
          ({ page, text, box }) =>
            page === head.page && weightAlone.test(text) && box.x0 >= start && (box.x0 + box.x1) / 2 <= end,
        ),
      );
    const found = withoutGap(head, cells).map((line) => ({
      line,
      value: parseAmount(line.text.replace(/ ?(?:kgs?|lbs?)\.?$/iu, ''), locale)?.value ?? 0,
    }));
    const last = found.at(-1);
    if (!last || last.value <= 0) continue;
    const others = found.slice(0, -1);
    const sum = others.reduce((all, { value }) => all + value, 0);
    const isSum = Math.abs(sum - last.value) < 0.01 * others.length;
    if (others.every(({ value }) => value === last.value) || isSum)
      return { gross_weight: composedValue(last.value, columnConfidence, [{ line: last.line }]) };
  }
  return {};
}

/** The cells of a column from its head down to where the page has nothing of it: another box has figures below. */
function withoutGap(head: TextLine, cells: readonly TextLine[]): readonly TextLine[] {
  const most = columnGap * (head.box.y1 - head.box.y0);
  const end = cells.findIndex(({ box }, at) => box.y0 - (cells[at - 1] ?? head).box.y1 > most);
  return end < 0 ? cells : cells.slice(0, end);
}

/** The widest gap between two cells of a column, in heights of its head. */
const columnGap = 20;

/** Whether a line heads a column of gross weights, be it in two lines as in the narrow box of an air waybill. */
function isGrossWeightHead(line: TextLine, layout: Layout): boolean {
  const text = line.text.trim();
  if (!/^gross$/iu.test(text)) return grossWeightHead.test(text);
  return grossWeightHead.test(`${text} ${neighboursOf(layout, line).below?.text.trim() ?? ''}`);
}

const lineLimit = 200;
/** A column has others beside it. */
const leastHeads = 3;
const columnConfidence = 89.5;
const grossWeightHead =
  /^(?:gross (?:weight|wt\.?|mass)|bruttogewicht|poids brut|peso (?:bruto|lordo)|brutogewicht)(?:,? ?\(?(?:in )?(?:kgs?|lbs?)\)?)?$/iu;
const weightAlone = /^\d[\d.,]*(?: ?(?:kgs?|lbs?)\.?)?$/iu;

/** The numbers of a row that stand below the head of a table's column of weights. */
function underWeightHead(row: readonly TextLine[], layout: Layout): readonly TextLine[] {
  const rows = visualRows(layout);
  const at = rows.indexOf(row);
  const heads = rows.slice(Math.max(0, at - headLimit), at).findLast((other) => other.some(isWeightHead));
  const head = heads?.find(isWeightHead);
  if (!heads || !head || head.page !== row[0]?.page) return [];
  // A head in the middle of its cell may share no width with a value at its side.
  const column = heads.indexOf(head);
  const start = heads[column - 1]?.box.x1 ?? 0;
  const end = heads[column + 1]?.box.x0 ?? Infinity;
  return row.filter(({ text, box }) => /^\d[\d.,]*$/.test(text) && box.x0 >= start && box.x1 <= end);
}

function isWeightHead({ text }: TextLine): boolean {
  return /^(?:gross )?weight(?: \((?:kgs?|lbs?)\))?$/iu.test(text.trim());
}

/** The one weight of the row that a table of goods calls its grand total. */
function weightInAll({ layout, locale }: Findings): ComposedFields {
  const total = layout.lines.find(({ text }) => /(?<!\p{L})grand total(?!\p{L})/iu.test(text));
  if (!total) return {};
  const row = rowOf(layout, total);
  const marked = row.flatMap((line) =>
    [...line.text.matchAll(weighed)].map((match) => ({ line, text: match[1]!, start: match.index })),
  );
  const weights =
    marked.length > 0 ? marked : underWeightHead(row, layout).map((line) => ({ line, text: line.text, start: 0 }));
  const [only, ...more] = weights;
  const value = only && more.length === 0 ? parseAmount(only.text, locale)?.value : undefined;
  if (!only || value === undefined || value <= 0) return {};
  const { line, start } = only;
  return { gross_weight: composedValue(value, 84, [{ line, start, end: start + only.text.length }]) };
}

const kilograms = /(?<![\d.,])(\d[\d.,]*) ?kgs?\b\.?/giu;
const netBefore = /(?<!\p{L})(?:net|netto|neto|tare|tara|each|of|à|de|von|di|x)(?!\p{L})[^\d]{0,20}$/iu;
const netBehind = /^ ?(?:net|netto|neto|each|per|\/)/iu;

/**
 * The one weight in kilograms that a bill states, be it under a head that it shares with the measurement, or the one that
 * is the sum of all others: those of its containers.
 */
function onlyWeight({ layout, locale }: Findings): ComposedFields {
  const found = layout.lines.slice(0, 500).flatMap((line) =>
    [...line.text.matchAll(kilograms)].flatMap(({ 0: all, 1: text, index }) => {
      const isNet = netBefore.test(line.text.slice(0, index)) || netBehind.test(line.text.slice(index + all.length));
      const value = isNet ? undefined : parseAmount(text!, locale)?.value;
      return value === undefined ? [] : [{ value, line, start: index, end: index + all.length }];
    }),
  );
  const [first] = found;
  const isOnly = first !== undefined && first.value > 0 && found.every(({ value }) => value === first.value);
  if (isOnly) return { gross_weight: composedValue(first.value, 66, [first]) };
  const all = found.reduce((sum, { value }) => sum + value, 0);
  const isSum = ({ value }: { readonly value: number }) => Math.abs(all - 2 * value) < 0.01;
  const [sum, another] = found.length > 2 ? found.filter(isSum) : [];
  return sum && !another ? { gross_weight: composedValue(sum.value, 89.5, [sum]) } : {};
}

const notify = /notify (?:party|address|applicant)?/iu;
const consigneeAgain = /(?:the )?same as (?:the )?(?:consignee|above)/iu;

/** What stands for a party to notify that is the consignee: `Notify Party (see clause 22) SAME AS CONSIGNEE`. */
function sameAsConsignee(layout: Layout): ComposedFields {
  for (const line of layout.lines.slice(0, 500)) {
    const caption = line.text.length > 160 ? null : notify.exec(line.text);
    if (!caption) continue;
    const { below, right } = neighboursOf(layout, line);
    for (const place of [line, right, below]) {
      const match = place && consigneeAgain.exec(place.text);
      if (match)
        return {
          notify_party: composedValue(match[0], 89.5, [
            { line: place, start: match.index, end: match.index + match[0].length },
          ]),
        };
    }
  }
  return {};
}

/** What an air waybill has below the day on which it was made out, above the line that the carrier signs. */
const executed = /^executed on/iu;

/** The day on which an air waybill was executed, or one of any bill whose words were read apart. */
function dayOf({ layout, candidates }: Findings): ComposedFields {
  const caption = layout.lines.slice(0, lineLimit).find(({ text }) => executed.test(text));
  const height = caption ? caption.box.y1 - caption.box.y0 : 0;
  const above = caption
    ? candidates.filter(
        ({ kind, page, box }) =>
          kind === 'date' &&
          page === caption.page &&
          box.y1 < caption.box.y1 &&
          caption.box.y0 - box.y1 < 2 * height &&
          box.x0 < caption.box.x1 + 8 * height,
      )
    : [];
  const date = (above.length > 0 ? onlyValue(above, 89.5) : null) ?? dateInPieces(layout);
  return date ? { date } : {};
}

const airWaybillNumber = /(?<![\d-])\d{3}[- ]\d{4} ?\d{4}(?![\d-])/gu;
/** Behind the caption a carrier's letters and a number: `B/L-No. HLCUGUA250318845`. */
const captionedBill =
  /^(?:b\/l|bill of lading|(?:sea )?waybill)[- .]*(?:no\b\.?|number)?\s*[:#]?\s*([A-Z]{4}[A-Z0-9]{0,6}\d{5,})(?![\p{L}\d])/iu;

/** The number of an air waybill by its form, or a liner's beside its caption, whatever other references the bill has. */
function carriersNumber(layout: Layout): ComposedFields {
  const lines = layout.lines.slice(0, 500);
  const isByAir = lines.some(({ text }) => /(?<!\p{L})air ?way ?bill(?!\p{L})/iu.test(text));
  const found = lines.flatMap((line) => {
    const matches = isByAir ? [...line.text.matchAll(airWaybillNumber)].map(([text]) => text) : [];
    const liners = captionedBill.exec(line.text)?.[1];
    return [...matches, ...(liners ? [liners] : [])].map((text) => ({
      text,
      stretches: [stretchOf(text, line)],
    }));
  });
  if (isByAir) found.push(...lines.flatMap((line) => apartByAir(line, layout)));
  const [first] = found;
  const digits = (text: string) => text.replace(/[ -]/g, '');
  if (!first || !found.every(({ text }) => digits(text) === digits(first.text))) return {};
  return { bl_number: composedValue(first.text, 89.5, first.stretches) };
}

function stretchOf(text: string, line: TextLine): Required<Stretch> {
  const start = line.text.indexOf(text);
  return { line, start, end: start + text.length };
}

/** The number of an air waybill whose last four digits stand a blank apart, where a typewriter's are wide. */
function apartByAir(line: TextLine, layout: Layout) {
  const { right } = /^\d{3}-\d{4}$/.test(line.text) ? neighboursOf(layout, line) : { right: null };
  const isNear = right !== null && right.box.x0 - line.box.x1 < 2 * (line.box.y1 - line.box.y0);
  return isNear && /^\d{4}$/.test(right.text)
    ? [{ text: `${line.text} ${right.text}`, stretches: [stretchOf(line.text, line), stretchOf(right.text, right)] }]
    : [];
}

const billNumber = /(?:b\/l|bill of lading|waybill|booking|document)[ -]?(?:no|number|nr)?\.?\s*[:#]?\s*$/iu;

function containersOf(layout: Layout): ExtractedValue | null {
  const found = new Map<string, { stretch: Stretch; valid: boolean }>();
  for (const line of layout.lines) {
    for (const match of line.text.toUpperCase().matchAll(containerPattern)) {
      const value = `${match[1]!.replaceAll('0', 'O')}${match[2]}${match[3]}`;
      // Its owner's letters may have an O that was read as a nought, of which the check digit is the proof.
      if (match[1]!.includes('0') && !isContainerNumber(value)) continue;
      // Carriers number their bills as containers are numbered.
      if (billNumber.test(line.text.slice(0, match.index))) continue;
      if (found.has(value) || wordsWithin(line, match.index, match.index + 1).length === 0) continue;
      found.set(value, {
        stretch: { line, start: match.index, end: match.index + match[0].length },
        valid: isContainerNumber(value),
      });
    }
  }
  if (found.size === 0) return null;
  const valid = [...found.values()].every((container) => container.valid);
  return composedValue(
    [...found.keys()],
    valid ? 97 : 70,
    [...found.values()].map(({ stretch }) => stretch),
    [valid ? 'check_digit_holds' : 'check_digit_fails'],
  );
}

/** Whether a container number's check digit holds (ISO 6346: letters count from 10 without multiples of 11, weights are powers of 2). */
export function isContainerNumber(text: string): boolean {
  let sum = 0;
  [...text.slice(0, 10)].forEach((character, index) => {
    const letter = character.charCodeAt(0) - 65;
    const value = letter < 0 ? Number(character) : letter + 10 + Math.floor((letter + 9) / 10);
    sum += value * 2 ** index;
  });
  return (sum % 11) % 10 === Number(text[10]);
}

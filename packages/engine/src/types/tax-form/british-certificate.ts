import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { hasPlace } from '../../candidates/address-lines.ts';
import type { ComposedFields } from '../../compose/compose.ts';
import { isPersonName, titleCased } from '../../compose/names.ts';
import { composedValue, type Stretch } from '../../compose/value.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { type Found, inCells } from './cells.ts';

const certificate = /(?<!\p{L})P(?:60|45|11D)(?![\d(])|end of year certificate/iu;

/** Whether a page is a P60, P45 or P11D, by which a British employer certifies a year's pay, an employee's leaving, or benefits. */
export function isBritishCertificate(lines: readonly TextLine[]): boolean {
  return lines.some(({ text }) => certificate.test(text));
}

const boxOfPerson =
  /^\W*(?:su(?:rn|m)ame|forenames?|first (?:or given )?name|initials?|national insurance|works|payroll)(?!\p{L})/iu;
const confidence = 89;
const lineLimit = 400;
/** Lines of a private address. */
const addressLines = 6;

/**
 * The employee of such a certificate, by surname, forenames, insurance number and private address, and the employer's
 * reference, each behind or below its caption.
 */
export function partiesOfBritishCertificate(layout: Layout): ComposedFields {
  const name = /^\p{Lu}[\p{L}’' -]{1,40}$/u;
  const surname = at(layout, /^\W*su(?:rn|m)ame(?: or family name)?:?/iu, name);
  const forenames = at(
    layout,
    /^\W*(?:forenames?|first (?:or given )?names?)(?: or initials?| or initial\(s\)|\(s\))?:?/iu,
    name,
  );
  const names = [forenames, surname].flatMap((part) => part ?? []);
  return {
    ...(surname && {
      recipient_name: composedValue(
        names.map(({ text }) => text).join(' '),
        confidence,
        names.flatMap(({ stretches }) => stretches),
      ),
    }),
    ...asField(
      'recipient_tax_id',
      at(layout, /national insurance (?:number|no\.?):?/iu, /^[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![A-Z\d])/u),
    ),
    ...asField(
      'payer_tax_id',
      at(layout, /paye ?ref(?:erence)?:?/iu, /^\d{3} ?\/ ?[A-Z]{0,2}\d{1,6}[A-Z]?(?![A-Z\d])/u),
    ),
    ...windowOf(layout, surname === null),
    ...privateAddress(layout),
  };
}

function asField(name: string, found: Found | null): Readonly<Record<string, ExtractedValue>> {
  return found ? { [name]: composedValue(found.text, confidence, found.stretches) } : {};
}

/** What has the form of a value behind, right of or below a caption. */
function at(layout: Layout, caption: RegExp, value: RegExp): Found | null {
  for (const line of layout.lines.slice(0, lineLimit)) {
    const match = caption.exec(line.text);
    if (!match) continue;
    const { right, below } = neighboursOf(layout, line);
    // Below the caption of a box may stand those of the value's parts: `Office number`, `Reference number`.
    const next = below && !/\d/.test(below.text) ? neighboursOf(layout, below).below : null;
    const places = right && headsBox(right, layout) ? [below, right] : [right, below];
    const found =
      matchIn(line, match.index + match[0].length, value) ??
      places
        .flatMap((each) => (each && !boxOfPerson.test(each.text) ? [each] : []))
        .map((each) => matchIn(each, 0, value))
        .find((each) => each !== null) ??
      [below, next].map((each) => each && inCells(each, layout, value)).find((each) => each);
    if (found) return found;
  }
  return null;
}

/** Whether a line is the caption of a box beside, of which the value stands right below: `Total pay to date`, `£ 21,408.50`. */
function headsBox(line: TextLine, layout: Layout): boolean {
  const { below } = neighboursOf(layout, line);
  const height = line.box.y1 - line.box.y0;
  return (
    below !== null &&
    !/\d/.test(line.text) &&
    /^\W*\d[\d.,]*$/.test(below.text) &&
    below.box.y0 - line.box.y1 < 1.5 * height &&
    Math.abs(below.box.x0 - line.box.x0) < 2 * height
  );
}

function matchIn(line: TextLine, from: number, value: RegExp): Found | null {
  const found = value.exec(line.text.slice(from).trimStart());
  if (!found) return null;
  const start = line.text.indexOf(found[0], from);
  return { text: found[0].trim(), stretches: [{ line, start, end: start + found[0].trim().length }] };
}

/** Whom a P60 is sent to: a name above its address, in the window of the envelope. */
function windowOf(layout: Layout, isUnnamed: boolean): Readonly<Record<string, ExtractedValue>> {
  const caption = layout.lines.slice(0, lineLimit).find(({ text }) => /^\W*to employee\W*$/iu.test(text));
  const name = caption && neighboursOf(layout, caption).below;
  if (!name || !isPersonName(titleCased(name.text))) return {};
  const lines: TextLine[] = [];
  for (
    let line = neighboursOf(layout, name).below;
    line && lines.length < addressLines && !hasPlace(lines.at(-1)?.text ?? '');
    line = neighboursOf(layout, line).below
  )
    lines.push(line);
  const address = lines.map(({ text }) => text.trim()).join(', ');
  return {
    ...(isUnnamed && { recipient_name: composedValue(name.text.trim(), confidence, [{ line: name }]) }),
    ...(hasPlace(address) && {
      recipient_address: composedValue(
        address,
        confidence,
        lines.map((line) => ({ line })),
      ),
    }),
  };
}

const postcodeCaption = /^post ?code:?/iu;

/** The lines below the caption of the employee's private address, and what stands at that of its postcode. */
function privateAddress(layout: Layout): Readonly<Record<string, ExtractedValue>> {
  const caption = layout.lines.slice(0, lineLimit).find(({ text }) => /employee\W{0,3}s private address/iu.test(text));
  const parts: Stretch[] = [];
  let line = caption && neighboursOf(layout, caption).below;
  while (line && parts.length < addressLines) {
    const asked = postcodeCaption.exec(line.text)?.[0];
    const isBehind = asked !== undefined && line.text.length > asked.length;
    const place: TextLine | null = asked === undefined || isBehind ? line : neighboursOf(layout, line).right;
    if (place) parts.push({ line: place, start: isBehind ? asked.length + 1 : 0 });
    if (asked !== undefined || hasPlace(line.text)) break;
    line = neighboursOf(layout, line).below;
  }
  const text = parts.map(({ line: { text: own }, start = 0 }) => own.slice(start).trim()).join(', ');
  return hasPlace(text) ? { recipient_address: composedValue(text, confidence, parts) } : {};
}

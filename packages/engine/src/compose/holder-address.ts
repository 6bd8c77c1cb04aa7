import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { endsWithPlace, hasPlace, isIndianState, isMalaysianState, isStreetLine } from '../candidates/address-lines.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import type { DocumentType } from '../types/definition.ts';
import { bestAddress } from './address.ts';
import { type CaptionedText, textsAtCaption } from './captioned.ts';
import type { Findings } from './compose.ts';
import { candidateValue, composedValue } from './value.ts';

/** The holder's address: the address nearest to its caption, or the only one on a card. */
export function addressOf(
  type: DocumentType,
  isLicense: boolean,
  layout: Layout,
  candidates: Findings['candidates'],
): ExtractedValue | null {
  if (!type.fields.some(({ name }) => name === 'address')) return null;
  const captioned = textsAtCaption(type, 'address', layout);
  const nearness = (candidate: Findings['candidates'][number]) => {
    let nearest = 4;
    for (const { stretch, score } of captioned) {
      if (stretch.line.page !== candidate.page) continue;
      const height = stretch.line.box.y1 - stretch.line.box.y0;
      const away =
        Math.abs(candidate.box.y0 - stretch.line.box.y0) + Math.abs(candidate.box.x0 - stretch.line.box.x0) / 4;
      nearest = Math.min(nearest, away / height + 1 - score);
    }
    return 1 - nearest / 2;
  };
  const best = bestAddress(candidates, 0.8, nearness);
  const whole = isLicense ? streetAndTown(layout) : null;
  const isWithoutTown = best && !String(best.candidate.value).split(', ').some(hasPlace);
  const hasNames = best && /(?:^|, )(?:LN|FN|SN|GN)\.? \p{Lu}/u.test(String(best.candidate.value));
  const isWithoutStreet = best && !String(best.candidate.value).replace(nextField, '').split(', ').some(isStreetLine);
  if (whole && (!best || isWithoutTown || isWithoutStreet || hasNames)) return whole;
  if (!best) return addressToTown(captioned, candidates);
  // A part of it whose begin looks like a street's: `ST PAUL, MN 55101`, `BOX 118, FARGO ND 58102`.
  if (whole && String(whole.value).endsWith(` ${best.candidate.value}`)) return whole;
  // A street alone, of which the house's number looks like the code of a town.
  const street = String(best.candidate.value).replace(captionOfAddress, '');
  if (whole && String(whole.value).startsWith(`${street}, `)) return whole;
  const value = withLinesOfLand(
    withFirstLine(candidateValue(best.candidate, best.score > 2 ? 78 : 62), captioned, layout),
    layout,
  );
  // Licences number their fields; 8 is the address, and no other is.
  if (isLicense && /^(?:[1-7]|9|1[0-4])[a-d]?[.:] /.test(String(value.value))) return null;
  const own = String(value.value).replace(captionOfAddress, '');
  const isNumbered = isLicense && layout.lines.some(({ text }) => /^[12](?:\.\s*|\s+)\p{Lu}{2}/u.test(text));
  if (!isNumbered) return { ...value, value: own.replace(/^8[.]?\s+(?=[\p{Lu}\d])/u, '') };
  const alone = own
    .replace(earlierFields, '')
    .replace(/^8[.]?\s*(?=[\p{Lu}\d])/u, '')
    .replace(nextField, '');
  return { ...value, value: alone };
}

/**
 * An address with the line between its caption and itself, where that looks like none: a county and town stand before
 * the street in Romania.
 */
function withFirstLine(value: ExtractedValue, captioned: readonly CaptionedText[], layout: Layout): ExtractedValue {
  const [place] = value.provenance;
  const first = captioned.find(({ place: side, score, stretch: { line } }) => {
    const below = side === 'below' && score > leastNear ? neighboursOf(layout, line).below : null;
    return (
      below !== null &&
      place !== undefined &&
      below.page === place.page &&
      below.box.y0 === place.box.y0 &&
      below.box.x0 === place.box.x0 &&
      !String(value.value).includes(line.text)
    );
  });
  if (!first) return value;
  const rest = composedValue(`${first.text}, ${value.value}`, value.confidence, [first.stretch], value.flags);
  return { ...rest, provenance: [...rest.provenance, ...value.provenance] };
}

/** A town of Mexico with the abbreviation of its state, which stands below the quarter and the postal code: `COYOACÁN, CDMX.` */
const mexicanTown =
  /^\p{Lu}[\p{L} .]{2,30}, ?(?:AGS|B\.? ?C\.?(?: ?S)?|CAMP|CHIS|CHIH|CDMX|D\.? ?F|COAH|COL|DGO|GTO|GRO|HGO|JAL|M[EÉ]X|MICH|MOR|NAY|N\.? ?L|OAX|PUE|QRO|Q\.? ?ROO|S\.? ?L\.? ?P|SIN|SON|TAB|TAMPS|TLAX|VER|YUC|ZAC)\.?$/u;

/**
 * An address with what its country writes around it: the town and state of Mexico right below the postal code, the state of
 * Malaysia or India below the town, and `NO` before the number of the house.
 */
function withLinesOfLand(value: ExtractedValue, layout: Layout): ExtractedValue {
  const [top, last] = [value.provenance[0], value.provenance.at(-1)];
  if (!top || !last) return value;
  const text = String(value.value);
  const below = layout.lines.find(({ page, box, text: printed }) => {
    const height = box.y1 - box.y0;
    return (
      page === last.page &&
      box.y0 >= last.box.y1 - 0.3 * height &&
      box.y0 - last.box.y1 < height &&
      Math.abs(box.x0 - last.box.x0) < 2.5 * height &&
      ((/ \d{5}$/.test(text) && mexicanTown.test(printed)) ||
        (/(?:^| )\d{5} \p{L}[\p{L} ]+$/u.test(text) && isMalaysianState(printed)) ||
        (/\d{3} ?\d{3}$/.test(text) && isIndianState(printed)))
    );
  });
  const house = layout.lines.find(
    ({ page, box }) =>
      page === top.page &&
      Math.abs(box.y0 - top.box.y0) < 0.5 * (box.y1 - box.y0) &&
      box.x0 <= top.box.x0 &&
      box.x1 > top.box.x0,
  );
  const [, word] = /^[: ]*(NO\.? ?)(?=\d)/.exec(house?.text ?? '') ?? [];
  const isHouse = word !== undefined && house!.text.replace(/^[: ]*/, '').startsWith(word + text.slice(0, 6));
  if (!below && !isHouse) return value;
  const whole = [isHouse ? word + text : text, ...(below ? [below.text] : [])].join(', ');
  const further = composedValue(whole, value.confidence, below ? [{ line: below }] : [], value.flags);
  return { ...further, provenance: [...value.provenance, ...further.provenance] };
}

/** What stands right at a caption of its own. */
const leastAtCaption = 0.8;

/** What stands at the caption of the address up to the first place, though nothing in it is worded as a street: India's have none. */
function addressToTown(captioned: readonly CaptionedText[], candidates: Findings['candidates']): ExtractedValue | null {
  for (const { text, score, stretch } of captioned) {
    const begin = text.replace(/^[^\p{L}\d]+/u, '');
    if (score < leastAtCaption || begin.length < 4) continue;
    const [shortest] = candidates
      .filter(
        ({ kind, value, page, box }) =>
          kind === 'address' &&
          page === stretch.line.page &&
          box.y0 === stretch.line.box.y0 &&
          String(value).startsWith(begin.slice(0, 4)) &&
          endsWithPlace(String(value)),
      )
      .toSorted((a, b) => String(a.value).length - String(b.value).length);
    if (shortest) return candidateValue(shortest, 74);
  }
  return null;
}

/** What stands right below a caption, and not one line further, scores more. */
const leastNear = 0.4;

/** The one street of a card with the town below it, perhaps behind a district or a town of its own line. */
function streetAndTown(layout: Layout): ExtractedValue | null {
  const found = layout.lines.slice(0, 80).flatMap((line) => {
    const start = /^(?:8(?:\. ?| +|(?=P\.? ?O\.? ?BOX))|: ?)/.exec(line.text)?.[0].length ?? 0;
    const street = line.text.slice(start);
    const below = isStreetLine(street) && !townWithCode.test(street) ? linesToTown(line, layout) : null;
    return below ? [{ line, start, below }] : [];
  });
  const [only] = found;
  if (!only || found.length > 1) return null;
  const parts = [only.line.text.slice(only.start), ...only.below.map(({ text }) => text)];
  const value = parts.map((part) => part.replace(/[\s,]+$/, '')).join(', ');
  return composedValue(value, 80, [only, ...only.below.map((line) => ({ line }))]);
}

/** Lines of an address between its street and its town. */
const mostBetween = 1;

/** The lines below a street up to that of its town, one right below the other; null where there is none. */
function linesToTown(street: TextLine, layout: Layout): readonly TextLine[] | null {
  const lines: TextLine[] = [];
  let line = street;
  while (lines.length <= mostBetween) {
    const { below } = neighboursOf(layout, line);
    const height = line.box.y1 - line.box.y0;
    if (!below || Math.abs(below.box.x0 - line.box.x0) > 3 * height || below.box.y0 - line.box.y1 > height) return null;
    // A town may look like a street: `ST PAUL, MN 55101`.
    if (isStreetLine(below.text) && !townWithCode.test(below.text)) return null;
    lines.push(below);
    if (hasPlace(below.text)) return lines;
    if (!/^\p{Lu}[\p{L} .'’-]+,?$/u.test(below.text)) return null;
    line = below;
  }
  return null;
}

const townWithCode = /^\p{L}[\p{L} .'’-]+,? [A-Z]{2} \d{5}(?:-\d{4})?$/u;

const captionOfAddress = /^(?:8[.]? ?)?address, /iu;

/** What stands above the address of a numbered licence: the names. */
const earlierFields = /^[1-7][a-d]?[.:]? .*?, (?=8[.:]? )/u;

/** What stands below the address of a numbered licence: its classes. */
const nextField = /, 9[.:]?\s+\p{L}.*$/u;

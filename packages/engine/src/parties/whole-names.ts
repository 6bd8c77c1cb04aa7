import type { ExtractedFields, ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { isStreetLine } from '../candidates/address-lines.ts';
import { isFormPhrase, isHeading } from '../candidates/headings.ts';
import { isOrganizationName } from '../compose/names.ts';
import { isOnLine } from '../layout/geometry.ts';
import { neighboursOf } from '../layout/neighbours.ts';

/** Bound on hostile pages. */
const lineLimit = 1500;
const longestName = 80;

/** How far apart the lines of a name stand at the most, in heights of them. */
const nearness = 1.8;

/** The fields with the names that are set in two lines whole, as another line of the page or a parenthesis shows. */
export function withWholeNames(
  fields: ExtractedFields,
  names: readonly string[],
  layout: Layout,
): Record<string, ExtractedValue> {
  const own = { ...fields };
  for (const name of names) {
    const value = own[name];
    const whole = value && typeof value.value === 'string' ? wholeName(value.value, value, layout) : null;
    if (value && whole) own[name] = { ...value, value: whole };
  }
  return own;
}

function wholeName(printed: string, { provenance }: ExtractedValue, layout: Layout): string | null {
  const name = withoutSigns(printed);
  const [place, ...others] = provenance;
  const line = place && others.length === 0 ? layout.lines.find((each) => isOnLine(place, each)) : undefined;
  if (name.length < 3 || !line || withoutSigns(line.text) !== name) return name === printed ? null : name;
  const { above, below } = neighboursOf(layout, line);
  const isClosedOnly = /^[^(]*\)/u.test(name);
  const isOpenOnly = /\([^)]*$/u.test(name);
  const candidates = [
    { other: above, text: above && `${withoutSigns(above.text)} ${name}`, isSplit: isClosedOnly },
    { other: below, text: below && `${name} ${withoutSigns(below.text)}`, isSplit: isOpenOnly },
  ];
  const found = candidates.find(({ other, text, isSplit }) => {
    if (!other || !text || text.length > longestName || !isNear(line, other) || !mayBePart(other)) return false;
    if (isSplit) return /^[^()]*\([^()]*\)[^()]*$/u.test(text);
    const isWhole = isOrganizationName(name) === 'legal_form' && other === below;
    return !isWhole && isPrinted(text, [line, other], layout);
  });
  return found?.text ?? (name === printed ? null : name);
}

/** A name without the signs that a logo sets beside it. */
function withoutSigns(text: string): string {
  return text.replace(/^[\p{So}\p{Co}\s]+|[\p{So}\p{Co}\s]+$/gu, '');
}

function isNear(line: TextLine, other: TextLine): boolean {
  const height = Math.max(line.box.y1 - line.box.y0, other.box.y1 - other.box.y0);
  return Math.max(line.box.y0 - other.box.y1, other.box.y0 - line.box.y1) < nearness * height;
}

function mayBePart({ text }: TextLine): boolean {
  return (
    !/[\d:@]/.test(text) && /\p{L}{2}/u.test(text) && !isHeading(text) && !isFormPhrase(text) && !isStreetLine(text)
  );
}

/** Whether a text stands in one line elsewhere, however its capitals and blanks were set. */
function isPrinted(text: string, besides: readonly TextLine[], layout: Layout): boolean {
  const wanted = compact(text);
  return layout.lines
    .slice(0, lineLimit)
    .some(
      (line) => line.text.length >= wanted.length && !besides.includes(line) && compact(line.text).includes(wanted),
    );
}

const compact = (text: string) => text.toLowerCase().replace(/\s/gu, '');

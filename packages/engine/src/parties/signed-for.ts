import type { ExtractedValue, TextLine } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import { isFormPhrase, isHeading } from '../candidates/headings.ts';
import { composedValue } from '../compose/value.ts';
import { onceFor } from '../layout/once-for.ts';

/** Whom somebody signs for, as bills of India and of its neighbours end: `For Example Traders`, above `Authorised Signatory`. */
const signedForPattern =
  /^(?:for(?:,? and on behalf of)?|on behalf of)[ :,-]+(?:m\/s\.? ?)?(\p{Lu}[\p{L}\d&.,'’() -]{2,60})$/u;
const beforeName = /^(?:for|on behalf)(?!\p{L})/iu;
const signature =
  /(?<!\p{L})(?:auth(?:ori[sz]ed|\.)?,? ?(?:sign(?:atory|ature|\.)?|person)|signatory|proprietor|prop\.|managing partner)(?!\p{L})/iu;
/** How far below the name the signature's caption stands at the most, in heights of a line: a stamp is between them. */
const reach = 9;
/** Bounds on hostile pages. */
const lineLimit = 600;

/** The one organization that a page is signed for; null where it is signed for none, or for several. */
export const signedFor = onceFor((layout): ExtractedValue | null => {
  const lines = layout.lines.slice(0, lineLimit);
  const signatures = lines.filter(({ text }) => text.length < 50 && signature.test(text));
  if (signatures.length === 0) return null;
  const found = lines.flatMap((line) => {
    if (line.text.length > 80 || !beforeName.test(line.text)) return [];
    const name = signedForPattern.exec(line.text.replace(/^\p{L}+/u, (word) => word.toLowerCase()))?.[1]?.trim();
    if (!name || isHeading(name) || isFormPhrase(name) || !signatures.some((other) => isUnder(other, line))) return [];
    return [{ line, name, start: line.text.lastIndexOf(name) }];
  });
  const [first] = found;
  return first && found.every(({ name }) => foldText(name) === foldText(first.name))
    ? composedValue(first.name, 76, [{ line: first.line, start: first.start, end: first.start + first.name.length }])
    : null;
});

function isUnder(caption: TextLine, name: TextLine): boolean {
  const height = name.box.y1 - name.box.y0;
  return (
    caption.page === name.page &&
    caption.box.y0 > name.box.y0 + 0.5 * height &&
    caption.box.y0 < name.box.y1 + reach * height &&
    caption.box.x0 < name.box.x1 + 4 * height &&
    caption.box.x1 > name.box.x0 - 4 * height
  );
}

import type { ExtractedValue, Layout } from '@millrace/document-model';
import { composedValue } from '../../compose/value.ts';

/** Figures with a dash before their hundredths, as they are written on checks by hand. */
const dashedFigures = /(?<![\d.,-])(\d[\d,. ]*)[-–=](\d{2})(?!\d)/gu;

/** An amount where figures with such a dash state it. */
export function dashedAmount(layout: Layout, amount: number): ExtractedValue | null {
  for (const line of layout.lines) {
    for (const match of line.text.matchAll(dashedFigures)) {
      if (Number(`${match[1]!.replaceAll(/\D/g, '')}.${match[2]}`) !== amount) continue;
      return composedValue(
        amount,
        95,
        [{ line, start: match.index, end: match.index + match[0].length }],
        ['readings_agree'],
      );
    }
  }
  return null;
}

/** Figures with the stroke and dash that stand for no hundredths in India, of which OCR takes the stroke for a figure. */
const strokedFigures = /(?<![\d.,])(\d{1,3}(?:,\d{2,3})*,\d{3}) ?[/1lI|] ?[-–—=~]+(?!\d)/gu;

/** An amount where figures with such a stroke state it. */
export function strokedAmount(layout: Layout, amount: number): ExtractedValue | null {
  const found = strokedAmounts(layout).find(({ value }) => value === amount);
  return found ? { ...found, confidence: 95, flags: ['readings_agree'] } : null;
}

/** The amounts that such figures state: `18,250/-`, which is read as `18,2501-`. */
function strokedAmounts(layout: Layout): readonly ExtractedValue[] {
  return layout.lines
    .slice(0, 200)
    .flatMap((line) =>
      [...line.text.matchAll(strokedFigures)].map((match) =>
        composedValue(Number(match[1]!.replaceAll(',', '')), 80, [
          { line, start: match.index, end: match.index + match[0].length },
        ]),
      ),
    );
}

/** The one amount that stands on a check in such figures. */
export function strokedFigure(layout: Layout): ExtractedValue | null {
  const [only, ...more] = strokedAmounts(layout);
  return only && more.length === 0 ? only : null;
}

/** Figures between stars with one for their point, as those of the Treasury are: `$****1400*00`. */
export function guardedFigures(layout: Layout): ExtractedValue | null {
  const found = layout.lines.flatMap((line) => {
    const match = /\$ ?\*+ ?(\d[\d,]*)\*(\d{2})(?!\d)/u.exec(line.text);
    return match ? [{ line, match }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return null;
  const { line, match } = only;
  const value = Number(`${match[1]!.replaceAll(',', '')}.${match[2]}`);
  return composedValue(value, 80, [{ line, start: match.index, end: match.index + match[0].length }]);
}

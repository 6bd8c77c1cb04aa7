import type { ExtractedValue } from '@millrace/document-model';
import { resolveDate } from '../../candidates/date.ts';
import { datesIn } from '../../candidates/line-findings.ts';
import { addedTaxes } from '../../compose/added-taxes.ts';
import type { Findings, TypeRules } from '../../compose/compose.ts';
import { composedValue } from '../../compose/value.ts';

/** What an offer does up to a day, in sentences: `An dieses Angebot halten wir uns bis zum 04.10.2025 gebunden`. */
const holds =
  /(?<!\p{L})(?:valid|good|open|firm|gültig|gebunden|bindend|freibleibend|valable|válid[oa]|valid[oa]|geldig|ważna)(?!\p{L})/iu;
const upTo =
  /(?<!\p{L})(?:until|till|through|to|bis(?: zum)?|jusqu['’]au|hasta(?: el)?|fino al|até|tot(?: en met)?)\s*$/iu;

/** The last day on which a sentence says that the offer holds; null where none or several do. */
function validUntil({ layout, locale }: Findings): ExtractedValue | null {
  const found = layout.lines.slice(0, 1000).flatMap((line) => {
    if (!holds.test(line.text)) return [];
    return datesIn(line)
      .filter(({ start }) => upTo.test(line.text.slice(0, start)))
      .map((finding) => ({ line, finding, value: resolveDate(finding, locale).value }));
  });
  const [first] = found;
  if (!first || found.some(({ value }) => value !== first.value)) return null;
  return composedValue(first.value, 85, [{ line: first.line, start: first.finding.start, end: first.finding.end }]);
}

export const quoteRules: TypeRules = {
  compose: (findings) => ({ valid_until: validUntil(findings), ...addedTaxes(findings.layout) }),
};

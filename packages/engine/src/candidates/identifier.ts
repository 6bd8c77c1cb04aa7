import type { TextFinding } from './contact.ts';
import { matchesOf } from './matches.ts';

const token = /[\p{L}\d][\p{L}\d/_.#*-]*[\p{L}\d]|[\p{L}\d]/gu;

/** A card's number with all but its last four digits hidden. */
const maskedCard = /(?<![Xx*•#·])[Xx*•#·]{2,}(?:[ -][Xx*•#·]{2,}){0,3}[ -]?\d{4}(?!\d)/gu;

/** A metering device by DIN 43863-5, printed in groups: medium, maker and ten figures. */
const meteringDevice = /(?<![\p{L}\d])\d [A-Z]{3} ?\d{2,4}(?: ?\d{2,4}){2,3}(?![\p{L}\d])/gu;

const day = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2})$/;

/**
 * Numbers of documents, orders, customers, meters and the like: words with a digit in them, and two to four such words in
 * a row where the number is printed in groups. Dates, times and amounts with decimals have their own recognisers and
 * are of low quality here.
 */
export function findIdentifiers(text: string): TextFinding[] {
  const findings: TextFinding[] = [];
  const words = matchesOf(/\S+/g, text).map((match) => {
    // `No:12345`, `INV#123`, `Bon-Nr.:7731`: what stands before the sign is a caption.
    const sign =
      /^(?:\p{L}[\p{L}.-]*[:#]|[\p{L}]+\.:?(?=\d)|[Nn](?:[°º]|[or]\.)\.?:?(?=[\p{Lu}\d])|[#№:]+)(?=.*\d)/u.exec(
        match[0],
      );
    const offset = match.index + (sign?.[0].length ?? 0);
    const core = matchesOf(token, match[0].slice(sign?.[0].length ?? 0));
    const first = core[0];
    const last = core.at(-1);
    if (!first || !last) return null;
    return { start: offset + first.index, end: offset + last.index + last[0].length };
  });
  words.forEach((word, index) => {
    if (!word) return;
    const value = text.slice(word.start, word.end);
    if (/\d/.test(value)) findings.push({ ...word, value, quality: qualityOf(value) });
    for (let count = 2; count <= 4; count += 1) {
      const last = words[index + count - 1];
      if (!last) break;
      const joined = text.slice(word.start, last.end);
      const parts = joined.split(/\s+/);
      if (joined.length > 34 || !parts.every((part) => /^[A-Z\d][A-Z\d/._-]*$/.test(part)) || !/\d/.test(joined)) break;
      // A day beside a number, as in the cells of one row, is no group of it.
      if (parts.some((part) => day.test(part))) break;
      // Groups of one number are short; two whole numbers beside each other are two identifiers.
      if (parts.some((part) => part.length > 12) || (!/\d/.test(parts.at(-1) ?? '') && parts.length > 2)) continue;
      findings.push({ start: word.start, end: last.end, value: joined, quality: 0.3 });
    }
  });
  for (const match of matchesOf(meteringDevice, text)) {
    findings.push({ start: match.index, end: match.index + match[0].length, value: match[0], quality: 0.95 });
  }
  for (const match of matchesOf(maskedCard, text)) {
    const start = match.index + match[0].length - 4;
    findings.push({ start, end: start + 4, value: text.slice(start, start + 4), quality: 1 });
  }
  return findings;
}

function qualityOf(value: string): number {
  if (/^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(value)) return 0.2;
  if (/^-?\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$/.test(value) || /^\d{1,2}:\d{2}/.test(value)) return 0.1;
  if (/^\d{1,2}$/.test(value)) return 0.25;
  if (/\p{L}/u.test(value) && value.length >= 4) return 0.9;
  return value.length >= 4 ? 0.8 : 0.5;
}

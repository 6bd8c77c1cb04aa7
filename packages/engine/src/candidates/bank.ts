import { countrySpecs, isValidBIC, isValidIBAN } from 'ibantools';
import type { TextFinding } from './contact.ts';
import { matchesOf } from './matches.ts';

const iban = /(?<![\p{L}\d])[A-Z]{2} ?[0-9OIl]{2}(?: ?[A-Z0-9]){10,30}/gu;

/**
 * IBANs in their electronic form (no blanks). The check digits and the country's length hold for those of quality 1;
 * one of the right length that fails them is kept at 0.2, so that it can be reported as doubtful.
 */
export function findIbans(text: string): TextFinding[] {
  const findings: TextFinding[] = [];
  for (const match of matchesOf(iban, text)) {
    const compact = match[0].replaceAll(' ', '');
    const country = compact.slice(0, 2);
    const length = countrySpecs[country]?.chars;
    if (!length || compact.length < length) continue;
    const literal = compact.slice(0, length);
    const value = isValidIBAN(literal) ? literal : repairIban(literal);
    findings.push({
      start: match.index,
      end: match.index + lengthWithBlanks(match[0], length),
      value: value ?? literal,
      quality: value === null ? 0.2 : value === literal ? 1 : 0.8,
    });
  }
  return findings;
}

/** The IBAN with letters that OCR takes for digits put right, if that alone makes the check digits hold. */
function repairIban(literal: string): string | null {
  const repaired =
    literal.slice(0, 2) +
    literal.slice(2).replaceAll('O', '0').replace(/[Il]/g, '1').replaceAll('S', '5').replaceAll('B', '8');
  return repaired !== literal && isValidIBAN(repaired) ? repaired : null;
}

function lengthWithBlanks(text: string, characters: number): number {
  let index = 0;
  for (let seen = 0; index < text.length && seen < characters; index += 1) if (text[index] !== ' ') seen += 1;
  return index;
}

const bic = /(?<![\p{L}\d])[A-Z][A-Z0]{3} ?[A-Z]{2} ?[A-Z0-9]{2}(?: ?[A-Z0-9]{3})?(?![\p{L}\d])/gu;

/** BICs (ISO 9362). Many words in capitals have their form; those without a digit or a caption before are of low quality. */
export function findBics(text: string): TextFinding[] {
  const findings: TextFinding[] = [];
  for (const match of matchesOf(bic, text)) {
    // A bank's code has letters alone, of which OCR takes the O for a nought.
    const [bank, rest] = [match[0].slice(0, 4), match[0].slice(4)];
    const value = (bank.replaceAll('0', 'O') + rest).replaceAll(' ', '');
    if (!isValidBIC(value)) continue;
    const captioned = /(?:bic|swift)[^a-z]{0,12}(?:code)?[^a-z]{0,4}$/i.test(text.slice(0, match.index));
    const quality = captioned ? 1 : /\d/.test(value.slice(4)) ? 0.6 : value.endsWith('XXX') ? 0.7 : 0.2;
    if (quality < 0.5 && match[0].includes(' ')) continue;
    findings.push({ start: match.index, end: match.index + match[0].length, value, quality });
  }
  return findings;
}

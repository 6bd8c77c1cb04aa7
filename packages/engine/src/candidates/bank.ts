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
    const isValid = isValidIBAN(literal);
    const value = isValid ? literal : repairIban(literal);
    findings.push({
      start: match.index,
      end: match.index + lengthWithBlanks(match[0], length),
      value,
      quality: isValid ? 1 : isValidIBAN(value) ? 0.8 : 0.2,
    });
  }
  return findings;
}

const digitOf: Readonly<Record<string, string>> = { O: '0', I: '1', l: '1', S: '5', B: '8', Z: '2' };
const letterOf: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 5: 'S', 8: 'B', 2: 'Z' };

/** The IBAN with a letter for each digit, and a digit for each letter, where its country has the other kind: `GB29 NW8K`. */
function repairIban(literal: string): string {
  const country = literal.slice(0, 2);
  const kinds = `nn${kindsOf(countrySpecs[country]?.bban_regexp ?? '')}`;
  const repaired = [...literal.slice(2)].map((sign, at) => {
    const kind = kinds[at];
    return (kind === 'n' ? digitOf[sign] : kind === 'a' ? letterOf[sign] : undefined) ?? sign;
  });
  return country + repaired.join('');
}

/** For each sign of an account's number whether it is a letter, a digit or either: `aann` of `[A-Z]{2}[0-9]{2}`. */
function kindsOf(form: string): string {
  return [...form.matchAll(/\[([^\]]+)\]\{(\d+)\}/g)]
    .map(([, signs, count]) => (signs === 'A-Z' ? 'a' : signs === '0-9' ? 'n' : 'c').repeat(Number(count)))
    .join('');
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

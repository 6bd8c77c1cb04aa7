import { checkVAT, countries } from 'jsvat';
import type { TextFinding } from './contact.ts';
import { matchesOf } from './matches.ts';
import { shapeOf } from './shape.ts';

const vat =
  /(?<![\p{L}\d])(?:AT ?U|BE|BG|CHE|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|NO|PL|PT|RO|SE|SI|SK|XI)[ -]?[0-9A-Z](?:[ .-]?[0-9A-Z]){6,13}(?![\p{L}\d])/gu;

/** Words that announce a tax or company registration number, right before it or anywhere earlier in its line. */
const announced =
  /(?:\bvat\b|\bgst\b|\bsst\b|\btax\b|\btin\b|\bein\b|\bssn\b|\babn\b|\bust(?:id)?\b|ust[.-]|ustid|steuer|\bst\.?-?nr|\btva\b|\biva\b|\bbtw\b|\bkvk\b|\bnif\b|\bcif\b|\bnipc\b|\bsiret\b|\bsiren\b|\brcs\b|codice fiscale|\bc\.?f\.?\b|\bcnpj\b|\bcpf\b|\bcontrib(?:uinte)?\b|\bpan\b|\bgstin\b|\bco\.? ?(?:reg|no)|\bcompany (?:reg|no)|\breg\.? ?(?:no|#)|\broc\b|\bssm\b|\bnip\b|\bcvr\b|\bmoms|\bmva\b|\buen\b|\bmwst|\buid\b|\borg\.? ?(?:nr|no)|\bpib\b|\bbrn\b|\bid no\b)/i;

/** An Indian taxpayer's number, whole. */
export const permanentAccountNumber = /^[A-Z]{5}\d{4}[A-Z]$/;

interface Form {
  readonly pattern: RegExp;
  /** Without a word before it that announces a tax number. */
  readonly quality: number;
  readonly check?: (value: string) => boolean;
}

const forms: readonly Form[] = [
  // Malaysia: company number with check letter, GST number of 12 digits
  { pattern: /(?<![\p{L}\d-])\d{4,7}-?[A-Z](?![\p{L}\d])/gu, quality: 0.4 },
  { pattern: /(?<![\p{L}\d])00\d(?: ?\d){9}(?!\d)/gu, quality: 0.6 },
  // United States: employer identification number, social security number (also masked)
  { pattern: /(?<![\p{L}\d-])\d{2}-\d{7}(?![\p{L}\d-])/gu, quality: 0.7 },
  { pattern: /(?<![\p{L}\d-])(?:\d{3}|XXX|\*{3})[- ](?:\d{2}|XX|\*{2})[- ]\d{4}(?![\p{L}\d-])/gu, quality: 0.7 },
  // Canada: business number with its account of GST or HST
  { pattern: /(?<![\p{L}\d])(?:\d{9}|\d{5} \d{4}|\d{3} \d{3} \d{3}) ?RT ?\d{4}(?![\p{L}\d])/gu, quality: 1 },
  // Germany: Steuernummer
  { pattern: /(?<![\p{L}\d/])\d{2,3} ?\/ ?\d{3} ?\/ ?\d{4,5}(?![\p{L}\d/])/gu, quality: 0.8 },
  // whose offices in Baden-Württemberg write it in two parts
  { pattern: /(?<![\p{L}\d/])\d{5} ?\/ ?\d{5}(?![\p{L}\d/])/gu, quality: 0 },
  // India: GSTIN, PAN
  { pattern: /(?<![\p{L}\d])\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d](?![\p{L}\d])/gu, quality: 1 },
  { pattern: /(?<![\p{L}\d])[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z](?![\p{L}\d])/gu, quality: 0.5 },
  // Brazil: CNPJ, CPF
  { pattern: /(?<![\p{L}\d])\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}(?![\p{L}\d])/gu, quality: 1 },
  { pattern: /(?<![\p{L}\d])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\p{L}\d])/gu, quality: 0.9 },
  // Switzerland: UID
  { pattern: /(?<![\p{L}\d])CHE-?\d{3}\.?\d{3}\.?\d{3}(?: ?(?:MWST|TVA|IVA))?(?![\p{L}\d])/gu, quality: 1 },
  // Spain: NIF, CIF, NIE
  {
    pattern:
      /(?<![\p{L}\d])(?:[ABCDEFGHJNPQRSUVW]-?\d{2}[.]?\d{3}[.]?\d{2}[\dA-J]|[XYZ]?-?\d{7,8}-?[A-Z])(?![\p{L}\d])/gu,
    quality: 0.6,
  },
  // France: SIRET, SIREN, both of which satisfy Luhn's check
  // of which none has digits in a group before it, as Australia's ABN does
  { pattern: /(?<![\p{L}\d])(?<!\d )\d{3} ?\d{3} ?\d{3} ?\d{5}(?!\d)/gu, quality: 0.4, check: luhn },
  { pattern: /(?<![\p{L}\d])(?<!\d )\d{3} ?\d{3} ?\d{3}(?!\p{L}| ?\d)/gu, quality: 0.1, check: luhn },
  // Singapore: UEN, GST number
  {
    pattern: /(?<![\p{L}\d])(?:\d{9}[A-Z]|[TS]\d{2}[A-Z]{2}\d{4}[A-Z]|M[R\d]-?\d{7}-?[\dA-Z])(?![\p{L}\d])/gu,
    quality: 0.6,
  },
  // Italy's 11 digits, Australia's ABN, and others' plain digits: only where announced
  // A British telephone number begins with five digits in a group: `01782 550 194`.
  { pattern: /(?<![\p{L}\d.,/-])(?!0\d{4} )\d{2} ?\d{3} ?\d{3} ?\d{3}(?![\p{L}\d.,/-])/gu, quality: 0.1 },
  { pattern: /(?<![\p{L}\d.,/-])\d{9,15}(?![\p{L}\d.,/-])/gu, quality: 0.1 },
  // United Kingdom's VAT number without its country
  // whose caption's full stop may have lost its blank: `VAT Reg No.396 3315 02`
  { pattern: /(?<![\p{L}\d,/-])(?<!\d\.)\d{3} \d{4} \d{2}(?: \d{3})?(?![\p{L}\d/-]|[.,]\d)/gu, quality: 0 },
  // Poland: NIP in groups
  { pattern: /(?<![\p{L}\d-])\d{3}-\d{2,3}-\d{2}-\d{2,3}(?![\p{L}\d-])/gu, quality: 0 },
  // Mexico: RFC
  { pattern: /(?<![\p{L}\d])[A-ZÑ&]{3,4}-?\d{6}-?[A-Z\d]{3}(?![\p{L}\d])/gu, quality: 0.8 },
  { pattern: /(?<![\p{L}\d])[A-Z]{0,4}[- ]?\d[\d./-]{5,16}[\dA-Z]{1,3}(?![\p{L}\d])/gu, quality: 0 },
];

/**
 * Tax and company registration numbers: European VAT numbers (check digits by jsvat) and usual national forms. Plain
 * digits count only where a word such as `VAT`, `GST` or `SIRET` stands before them.
 */
export function findTaxIds(text: string): TextFinding[] {
  const findings: TextFinding[] = [];
  if (shapeOf(text).digits < 4) return findings;
  const add = (start: number, value: string, quality: number) => {
    const end = start + value.length;
    if (findings.some((other) => start < other.end && end > other.start)) return;
    findings.push({ start, end, value: value.replace(/\s+/g, ' '), quality });
  };
  for (const match of matchesOf(vat, text)) {
    if (!/\d{4}/.test(match[0].replace(/[ .-]/g, ''))) continue;
    const found = longestValid(match[0]);
    // In `VAT NO 771 2094 33` the letters are a word, and not Norway.
    if (!found && /^NO/.test(match[0]) && announced.test(text.slice(0, match.index).slice(-8))) continue;
    if (found) add(match.index, found, 1);
    else if (announced.test(text.slice(0, match.index))) add(match.index, match[0], 0.6);
    else if (checkVAT(match[0].replace(/[\s.-]/g, ''), countries).isValidFormat) add(match.index, match[0], 0.5);
  }
  const ibans = matchesOf(ibanLike, text);
  for (const { pattern, quality, check } of forms) {
    for (const match of matchesOf(pattern, text)) {
      const before = announced.test(text.slice(0, match.index));
      const holds = check?.(match[0]) ?? false;
      const reached = (before ? Math.max(0.8, quality) : quality) + (holds ? 0.2 : 0);
      // Empty boxes of a form are read as zeros.
      const isBlank = !/[1-9]/.test(match[0]);
      const isNone = isBlank || southAfricanRegister.test(match[0].trim());
      if (reached >= 0.1 && !isNone && !isWithin(match.index, ibans)) add(match.index, match[0], Math.min(1, reached));
    }
  }
  return findings.sort((a, b) => a.start - b.start);
}

/** A company's number in the register of South Africa, which is none for tax: `1998/044718/23`. */
const southAfricanRegister = /^(?:19|20)\d{2}\/\d{6}\/\d{2}$/;

/** A bank account whose groups of digits are no numbers of their own. */
const ibanLike = /(?<![\p{L}\d])[A-Z]{2} ?\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?(?![\p{L}\d])/gu;

function isWithin(start: number, stretches: readonly RegExpExecArray[]): boolean {
  return stretches.some(({ index, 0: text }) => start > index && start < index + text.length);
}

/** Whether a text is a VAT number whose country's check digits hold. */
export function isValidVat(text: string): boolean {
  return checkVAT(text.replace(/[\s.-]/g, ''), countries).isValid;
}

/** The longest beginning of a text, cut at a blank, that is a valid VAT number. */
function longestValid(text: string): string | null {
  for (let end = text.length; end >= 8; end = text.lastIndexOf(' ', end - 1)) {
    if (isValidVat(text.slice(0, end))) return text.slice(0, end);
  }
  return null;
}

/** Luhn's check (ISO/IEC 7812-1, annex B) over the digits of a text. */
export function luhn(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 1 && sum % 10 === 0;
}

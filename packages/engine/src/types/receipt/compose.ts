import type { ExtractedValue, Layout } from '@millrace/document-model';
import { isFormPhrase, isHeading } from '../../candidates/headings.ts';
import type { PlacedCandidate } from '../../candidates/placed.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { letterHeight } from '../../compose/names.ts';
import { candidateValue, composedValue } from '../../compose/value.ts';

/** Below what a caption of the method itself says, which therefore stays. */
const confidence = 66;
/** Below what the scorer is sure of, such as the company's name at the foot. */
const welcomeConfidence = 62;
/** Above what the scorer says of a slogan. */
const logoConfidence = 74;
/** Below what a caption of a total says. */
const totalConfidence = 66;
/** Bounds on hostile pages. */
const lineLimit = 400;

/** Brands of cards, with what stands at them, and wallets. */
const brand =
  /(?<!\p{L})(?:visa(?: (?:debit|credit|electron|delta))?|master ?card|(?:debit|credit) master ?card|american express|amex|maestro|v ?pay|discover|diners(?: club)?|jcb|union ?pay|interac|eftpos|girocard|ec[- ]?karte|bancontact|carte bancaire|apple pay|google pay|paypal|alipay|wechat pay)(?!\p{L})/iu;
/** What shows that a line with a brand is a payment, and no list of what is accepted. */
const paid =
  /[*x•#.]{4,}|\d[.,]\d{2}(?!\d)|(?<!\p{L})(?:debit|credit|sale|approved|contactless|card|paid|payment|tender|auth\p{L}*|karte\p{L}*|zahlung|bezahlt|carte|paiement|tarjeta|carta|pagamento|pago)(?!\p{L})/iu;
const cash =
  /^(?:cash(?: (?:tendered|paid|received|payment))?|bar(?:zahlung)?|gegeben bar|espèces|efectivo|contanti|contant|dinheiro)(?=[\s:]*(?:[$€£]|[A-Z]{2,3})? ?\d+[.,]\d{2}(?!\d))/iu;

/** How a receipt was paid, where no caption says it: the card's brand at its masked number, or the cash that was given. */
export function composeReceipt(findings: Findings): ComposedFields {
  const { layout } = findings;
  return {
    payment_method: cardOf(layout) ?? cashOf(layout),
    card_last4: maskedCard(layout),
    merchant_name: welcomedTo(layout) ?? aboveSlogan(layout),
    total_amount: onlyAmount(findings),
  };
}

/** The total of a receipt of one amount, however often it prints it and whatever it calls it; null where it has several. */
function onlyAmount({ layout, candidates }: Findings): ExtractedValue | null {
  const amounts = (candidates as readonly PlacedCandidate[]).filter(
    (candidate) => candidate.kind === 'amount' && candidate.layout === layout && /[.,]\d{2}(?!\d)/.test(candidate.text),
  );
  const [first] = amounts;
  const isOne = amounts.length > 1 && amounts.every(({ value }) => value === first?.value);
  return first && isOne && Number(first.value) > 0 ? candidateValue(first, totalConfidence, ['readings_agree']) : null;
}

const masked = /(?:[*xX•#·.]{4,}[ -]?)+(\d{4})(?!\d)/gu;

/** The last four digits of the one card whose others are hidden: `************9015`. */
function maskedCard(layout: Layout): ExtractedValue | null {
  const found = layout.lines.slice(0, lineLimit).flatMap((line) =>
    [...line.text.matchAll(masked)].map((match) => {
      const end = match.index + match[0].length;
      return { digits: match[1]!, line, start: end - 4, end };
    }),
  );
  const [first] = found;
  return first && found.every(({ digits }) => digits === first.digits)
    ? composedValue(first.digits, confidence, [first])
    : null;
}

const welcome = /^welcome to:?(?: (?=\p{L}))?/iu;

/** Whom a receipt welcomes its customer to, on that line or the next. */
function welcomedTo(layout: Layout): ExtractedValue | null {
  const lines = layout.lines.slice(0, 8);
  const at = lines.findIndex(({ text }) => welcome.test(text));
  const line = lines[at];
  if (!line) return null;
  const start = welcome.exec(line.text)![0].length;
  const place = start < line.text.length ? { line, start } : { line: lines[at + 1], start: 0 };
  const name = place.line?.text.slice(place.start).replace(/[\s!.,]+$/, '') ?? '';
  // Chains number their branches.
  const own = name.replace(/\s*(?:#|no\.? ?|store ?#? ?|stn\.? ?|branch ?)\s*\d{1,6}$/iu, '');
  const isName = /\p{L}{2}/u.test(own) && !/\d|:/.test(own) && !isHeading(own) && !isFormPhrase(own);
  return place.line && isName
    ? composedValue(own, welcomeConfidence, [{ line: place.line, start: place.start, end: place.start + own.length }])
    : null;
}

/** Whose logo is at the head, far larger than what they do below it in small letters: `cafe & bakehouse`. */
function aboveSlogan(layout: Layout): ExtractedValue | null {
  const [logo, slogan] = layout.lines;
  if (!logo || !slogan || !/^\p{Ll}[^\d:@]*$/u.test(slogan.text) || /www\.|https?:/i.test(slogan.text)) return null;
  const isName = /^\p{Lu}/u.test(logo.text) && !/\d|:/.test(logo.text) && !isHeading(logo.text);
  return isName && letterHeight(logo) > 1.4 * letterHeight(slogan)
    ? composedValue(logo.text, logoConfidence, [{ line: logo }])
    : null;
}

function cardOf(layout: Layout): ExtractedValue | null {
  const found = layout.lines.slice(0, lineLimit).flatMap((line) => {
    const match = brand.exec(line.text);
    const rest = match ? line.text.replace(match[0], ' ') : '';
    return match && (rest.trim() === '' || paid.test(rest)) && !brand.test(rest) ? [{ line, match }] : [];
  });
  const [first] = found;
  if (!first) return null;
  const start = first.match.index;
  const name = first.match[0];
  return composedValue(name, confidence, [{ line: first.line, start, end: start + name.length }]);
}

function cashOf(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, lineLimit)) {
    const match = cash.exec(line.text.trim());
    if (match) return composedValue(match[0], confidence, [{ line, start: 0, end: match[0].length }]);
  }
  return null;
}

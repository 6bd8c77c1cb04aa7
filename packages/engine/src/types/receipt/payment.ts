import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { composedValue, type Stretch } from '../../compose/value.ts';
import { neighboursOf, rowOf } from '../../layout/neighbours.ts';

/** Below what a caption of the method itself says, which therefore stays. */
const confidence = 66;
/** Above what a caption says, where the amount at another method is nothing. */
const usedConfidence = 90;
/** Bounds on hostile pages. */
const lineLimit = 400;

/** Brands of cards, with what stands at them, and wallets. Hidden digits may run into them: `VisaXXXXXXXXXXXX1004`. */
const brand =
  /(?<!\p{L})(?:visa(?: (?:debit|credit|electron|delta|kredit|d[eé]bito|cr[eé]dito))?|master ?card|(?:debit|credit) master ?card|american express|amex|maestro|v ?pay|discover|diners(?: club)?|jcb|union ?pay|interac(?: flash)?|eftpos|girocard|ec[- ]?karte|bancontact|carte bancaire|apple pay|google pay|paypal|alipay|wechat pay|twint|mobilepay|bizum|mb ?way|multibanco|pago ?bancomat|blik)(?:(?!\p{L})|(?=x{4}))/iu;
/** What shows that a line with a brand is a payment, and no list of what is accepted. */
const paid =
  /[*x•#.]{4,}|(?:\*|[*x•#.]{2,}) ?\d{4}(?!\d)|\d[.,]\d{2}(?!\d)|(?<!\p{L})(?:debit|credit|sale|purchase|approved|contactless|card|paid|payment|tender|auth\p{L}*|geg(?:eben)?\.?|karte\p{L}*|zahlung|bezahlt|carte|paiement|tarjeta|carta|pagamento|pago|appr|chip|puce|achat|kontaktlos|sans contact)(?!\p{L})/iu;
/** What cards are called where no brand is named, and cash, at the beginning of a line. */
const cardWord =
  /^(?:cb(?: emv)?(?: sans contact)?|eft|carte(?: bleue)?|(?:debit|credit)(?: card)?(?: tnd)?|bank ?card|(?:kredit|bank)karte|karte|kartenzahlung|ec-?cash|pin(?:nen)?|tarjeta(?: (?:de )?(?:cr[eé]dito|d[eé]bito))?|carta(?: di (?:credito|debito))?|bancomat|elettronico|cart[aã]o(?: de (?:cr[eé]dito|d[eé]bito))?|karta(?: płatnicza)?|kort|postcard|ideal|swish|vipps|contactless|sans contact|chip (?:&|and) pin|nets(?: (?:contactless|flashpay|qr))?|paynow|upi|pix|grab ?pay|touch ['’]?n go(?: ewallet)?)(?=(?: payment)?[\s:]*(?:eur|chf|usd|gbp|cad|aud|pln|sek|dkk|nok|€)?[\s:]*$|[\s:]*[*xX•#]{4}|[\s:]+[A-Z]{0,3}[$€£₹.]? ?-?\d[\d,.']*[.,]\d{2}(?!\d))/iu;
const cashWord =
  /^(?:cash(?: (?:tendered|paid|received|payment))?|bar(?:zahlung| bezahlt)?|esp[eè]ces|efectivo|contant[ei]|contant|dinheiro|numer[aá]rio|got[oó]wka|kontant(?:er)?)(?=[\s:]*(?:eur|chf|usd|gbp|cad|aud|pln|sek|dkk|nok|€)?[\s:]*$|[\s:]*[A-Z]{0,3}[$€£₹.]? ?-?\d[\d,.']*[.,]\d{2}(?!\d))/iu;
/** What stands before a method on the line of its amount: `Pagamento contante 20,00`. */
const before =
  /^(?:forma (?:de )?pago|medio (?:de )?pago|mode de paiement|zahlungsart|pagamento|paiement|pago|zahlung|payment|betaling|betaald met|paid(?: (?:by|with|in|via))?|bezahlt mit|pagato con|pagado con|pay[ée] (?:par|en)|pago con|cobrado con|geg(?:eben)?\.?|p[łl]atno[śs][ćc]|zap[łl]acono)[\s:]+(?=\p{L})/iu;

/** The currency of the amount that stands behind a way to pay: `BAR EUR`. */
const currencyBehind = /\s+(?:eur|chf|usd|gbp|cad|aud|pln|sek|dkk|nok|€)$/iu;

/** A method of payment as it stands on a receipt, with the amount at it, where there is one. */
interface Payment {
  readonly stretch: Required<Stretch>;
  readonly amount: number | null;
  /** What stands before it says that it was paid so. */
  readonly isCaptioned?: boolean;
}

/** How a receipt was paid, where no caption says it: the card's brand at its masked number, or the cash that was given. */
export function paymentMethod(layout: Layout): ExtractedValue | null {
  const lines = layout.lines.slice(0, lineLimit);
  const atAmount = (word: RegExp) =>
    lines.flatMap((line) => {
      const payment = wordAt(layout, line, word);
      return payment && (payment.amount !== null || payment.isCaptioned) ? [payment] : [];
    });
  const payments = [...lines.flatMap((line) => brandAt(layout, line)), ...atAmount(cardWord), ...atAmount(cashWord)];
  // Tills that print every method have nothing at those that were not used.
  const [first] = payments.filter(({ amount }) => amount !== 0);
  if (!first) return null;
  const { line, start, end } = first.stretch;
  const isSure = payments.some(({ amount }) => amount === 0) && first.amount !== null;
  return composedValue(line.text.slice(start, end), isSure ? usedConfidence : confidence, [first.stretch]);
}

function brandAt(layout: Layout, line: TextLine): readonly Payment[] {
  const match = brand.exec(line.text);
  const rest = match ? line.text.replace(match[0], ' ') : '';
  const isAlone = /^(?:[$€£]|[A-Z]{3})?$/.test(rest.trim());
  if (!match || !(isAlone || paid.test(rest)) || brand.test(rest)) return [];
  const end = match.index + match[0].length;
  return [{ stretch: { line, start: match.index, end }, amount: amountBehind(layout, line, end) }];
}

function wordAt(layout: Layout, line: TextLine, word: RegExp): Payment | null {
  const indent = line.text.length - line.text.trimStart().length;
  const start = indent + (before.exec(line.text.slice(indent))?.[0].length ?? 0);
  const match = word.exec(line.text.slice(start));
  if (!match) return null;
  const end = start + match[0].length;
  const amount = amountBehind(layout, line, end);
  const isSaid = / bezahlt$/i.test(match[0]);
  const isMasked =
    hidden.test(line.text.slice(end)) ||
    (isAlone(line, end) && hidden.test(neighboursOf(layout, line).below?.text ?? ''));
  const isBesideCaption = before.test(`${neighboursOf(layout, line).left?.text ?? ''} x`);
  return amount !== null || (start === indent && !isSaid && !isMasked && !isBesideCaption)
    ? { stretch: { line, start, end }, amount }
    : { stretch: { line, start, end }, amount, isCaptioned: true };
}

/** The digits of a card that are hidden, which begin its number. */
const hidden = /^[\s:]*[*xX•#]{4}/;

function isAlone(line: TextLine, end: number): boolean {
  return line.text.slice(end).trim() === '';
}

const amountWord = /(?:^|[\s$€£₹]|(?<!\p{L})[A-Z]{1,3}\.?)-?(\d{1,3}(?:[,.'’]\d{3})+|\d+)[.,](\d{2})(?!\d)/iu;

/** The amount behind a place on a line, or at its right in a column of its own. */
function amountBehind(layout: Layout, line: TextLine, start: number): number | null {
  const rest =
    line.text
      .slice(start)
      .replace(/^ payment(?=[\s:]*$)/iu, '')
      .replace(/^[\s:.]+$/, '')
      .replace(currencyBehind, '')
      .trim() || textAtRight(layout, line);
  const [, whole, hundredths] = amountWord.exec(rest) ?? [];
  return whole === undefined ? null : Number(`${whole.replace(/\D/g, '')}.${hundredths}`);
}

/** What stands right of a line, behind a currency in a column of its own. */
function textAtRight(layout: Layout, line: TextLine): string {
  const { right } = neighboursOf(layout, line);
  const isCurrency = right !== null && /^(?:[$€£]|[A-Z]{3})$/.test(right.text.trim());
  return (isCurrency ? neighboursOf(layout, right).right : right)?.text ?? '';
}

/** Words of ways to pay, whatever brand a shop has for its own. */
const meansWord =
  /(?<!\p{L})(?:\p{L}*card|\p{L}*karte|carte|tarjeta|carta|cart[aã]o|kaart|karta|kort|\p{L}*pay|\p{L}*wallet|cash|credit|debit|cr[eé]dito|d[eé]bito|che(?:ck|que)|voucher|gift|account|transfer|[uü]berweisung|lastschrift|bonifico|efectivo|nets|pin|bancomat|elettronico|on us|tap|chip|contactless|touch|grab\p{L}*|tng|boost|account|invoice|rechnung)(?!\p{L})/iu;

const tick = /(?:[☒☑✓✔✗✘]|\[[xX]\])\s*/u;
const box = /\s*(?:[☐☒☑✓✔✗✘□]|\[[xX ]?\])/u;

/** Of ways to pay with a box each, the one whose box is ticked: `☒ Cheque ☐ Cash`; the text itself without boxes. */
export function tickedMethod(text: string): string {
  const [, behind = ''] = text.split(tick);
  const [ticked] = behind.split(box);
  return ticked?.trim() || text;
}

/** A way to pay without boxes of others and without the currency of its amount. */
export function methodAlone(text: string): string {
  return tickedMethod(text).replace(currencyBehind, '');
}

/** Whether a text is a brand of cards, or what cards and cash are called and nothing more: no heading, whatever else it may head. */
export function isNamedMethod(text: string): boolean {
  return [brand, cardWord, cashWord].some((pattern) => pattern.exec(text.trim())?.[0] === methodAlone(text.trim()));
}

/** Whether a text is a way to pay, and not whatever stands at a word for one: `Doom Bar`. */
export function isMethod(text: string): boolean {
  const bare = text.trim();
  return [brand, cardWord, cashWord, meansWord].some((pattern) => pattern.test(bare));
}

/** A card's number of which all digits but the last four are hidden: `************9015`, `XXXX-XXXXXX-X1008`. */
const masked = /(?<![*xX×•#·.][ -]?)(?:[*xX×•#·.](?:[ -]?[*xX×•#·.]){3,}[ -]?|(?<=^|\s)[*•]{2,})(\d{4})(?!\d)/gu;
/** The last four digits right behind a card's brand, as tills of tablets have them: `Amex 1004 (Chip)`. */
const behindBrand = new RegExp(
  `${brand.source}(?: (?:ending|ends|endend|endet)(?: (?:in|with|on|auf|mit))?)?[ -]+(\\d{4})(?= ?\\(| I \\d|$)`,
  'giu',
);
/** They may stand before the brand as well: `*6620 VISA CHARGE`. */
const beforeBrand = new RegExp(`(?<=^|\\s)[*•](\\d{4})(?= (?:${brand.source}|(?:debit|credit|ebt)(?!\\p{L})))`, 'giu');
/** Cards that are not what a bank pays with. */
const otherCard =
  /(?<!\p{L})(?:gift|poupa|loyalty|club|\p{L}*(?:rewards?|points?|puntos|punti|pontos|punkte|perks|bonus)|member(?:ship)?|customer|shopper|saver|advantage|miles|payback|kunden|fid[eé]lit[eéàa]|cadeau|gutschein|geschenk|regalo|socio|voucher)/iu;

/** What stands above the number of a shop's own card: the points that it collects. */
const pointsHead = /(?<!\p{L})(?:points?|punkte|puntos|punti|pontos|punten)(?!\p{L})/iu;

/** Whether a card's number stands right below the points that it collects. */
function isAmongPoints(line: TextLine, layout: Layout): boolean {
  const above = rowOf(layout, line)
    .map((each) => neighboursOf(layout, each).above)
    .find((each) => each !== null);
  return above !== undefined && rowOf(layout, above).some(({ text }) => pointsHead.test(text));
}

/** The last four digits of the one bank card whose others are hidden. */
export function maskedCard(layout: Layout): ExtractedValue | null {
  const found = layout.lines.slice(0, lineLimit).flatMap((line) =>
    [masked, behindBrand, beforeBrand].flatMap((pattern) =>
      [...line.text.matchAll(pattern)].map((match) => {
        const end = match.index + match[0].length;
        return { digits: match[1]!, line, start: end - 4, end };
      }),
    ),
  );
  const captionOf = ({ line, start }: (typeof found)[number]) =>
    line.text.slice(0, start).replace(/[*xX×•#·. -]+$/u, '') || (neighboursOf(layout, line).left?.text ?? '');
  const own = found.filter((each) => !otherCard.test(captionOf(each)) && !isAmongPoints(each.line, layout));
  const [first] = own;
  if (!first || !own.every(({ digits }) => digits === first.digits)) return null;
  return composedValue(first.digits, own.length < found.length ? usedConfidence : confidence, [first]);
}

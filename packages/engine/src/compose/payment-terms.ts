import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { repairedText } from '../candidates/repair.ts';
import { unmarked } from '../candidates/unmarked.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import type { ComposedFields, Findings } from './compose.ts';
import { datesOn } from './period.ts';
import { composedValue, onlyValue } from './value.ts';

const confidence = 66;
const lineLimit = 2000;
const longestLine = 240;

const daysWord = '(?:days|tagen?|jours|dagen|dagar|dage|giorni|gg|d[ií]as|dni)';

/** What is said of when to pay in few words, which a caption alone makes terms of payment: `30 Days`, `RB 60 GG F.M.`, `Net 15`. */
const shortTerm = new RegExp(
  String.raw`(?<![\d.,])\d{1,3} ?${daysWord}(?!\p{L})|(?<!\p{L})net(?:to)? ?\d{1,3}$|^(?:due |payable )?(?:up)?on receipt|(?<!\p{L})in advance$|^c\.?o\.?d\.?$|^cash$|^à réception`,
  'iu',
);
const longestTerm = 80;

/** Whether a text at the caption of terms of payment is such. */
export function isShortTerm(text: string): boolean {
  return text.length <= longestTerm && shortTerm.test(text.trim()) && !otherwise.test(text);
}

/** How a sentence about when to pay begins, in the languages of invoices. */
const terms = unmarked(
  new RegExp(
    String.raw`(?<!\p{L})(?:zahlbar (?:ohne|innerhalb|innert|binnen|bis|sofort|nach|rein)|zahlung (?:innerhalb|binnen|bis|sofort|ohne)|bitte (?:überweisen|zahlen) sie .{0,40}(?:bis|innerhalb|binnen)|payable (?:within|in|on|upon|by|before)|payment (?:is )?(?:due|required) (?:within|in|on|upon|by|before)|payment within|due (?:upon|on) receipt|net(?:to)? \d{1,3} (?:days|tage)|paiement (?:[àa]|sous|comptant|dès)|payable (?:[àa]|sous)|r[èe]glement (?:par .{3,40} )?(?:[àa]|sous) (?:r[ée]ception|\d)|pago (?:a|en|al|dentro)|pagamento (?:a|entro|em)|betaling binnen|te betalen binnen|\d{1,3} ${daysWord} (?:from|after|ab|nach|na|fin de mois|date de facture|dopo|data fattura|fecha))(?!\p{L})`,
    'iu',
  ),
);

/** A request to pay, of which the term is a part: `Bitte überweisen Sie den Betrag innerhalb von 14 Tagen auf unser Konto`. */
const request = unmarked(
  /(?<!\p{L})(?:bitte (?:überweisen|zahlen|begleichen) sie|please (?:pay|remit|transfer|settle)|(?:merci de|veuillez|nous vous prions de) (?:bien vouloir )?(?:régler|payer|virer)|(?:wij verzoeken|gelieve|u wordt verzocht)[^.]{0,40}? (?:bedrag|factuur))(?:[^.]|\.\d){0,60}? (?<term>(?:innerhalb|binnen|bis(?: zum)?|within|by|before|sous|avant le|v[oó]{2}r|uiterlijk(?: op)?) [^,;]*?\d.*?)(?= (?:auf|an|unter|mit|to|into|using|quoting|par|sur|te|over|op)(?: |$))/iu,
);

/** How long after its document a due date is, in parentheses behind it: `10/03/2024 (Net 30)`. */
const termBehindDate = new RegExp(
  String.raw`\d[^\d]? ?\((?<term>\d{1,3} ${daysWord}|net ?\d{1,3}|(?:due )?(?:up)?on receipt)\)`,
  'iu',
);

const otherwise = unmarked(/(?<!\p{L})(?:late|overdue|interest|verzug|mahn\p{L}*|retard|pénalité)(?!\p{L})/iu);
/** Where the account to pay to begins, behind the terms in one line. */
const account = /^\P{L}*(?:iban|bic|swift|bank\p{L}*|eft|konto|rib|sort)(?!\p{L})/iu;
/** Captions of the terms, which are none of them. */
const ofTerms =
  /^(?:(?:payment )?(?:terms|conditions)|forma de pago|condiciones de pago|(?:conditions?|mode|modalités) de (?:paiement|règlement)|(?:modalità|condizioni) di pagamento|condições de pagamento|betalings(?:voorwaarden|termijn|conditie)|zahlungs(?:bedingung(?:en)?|konditionen|ziel)|règlement)\s*:\s*/iu;
/** What else is said of paying: a day, a discount, or nothing off. */
const ofPaying = new RegExp(
  String.raw`\d ?(?:%|${daysWord})|(?<![\d.])\d{1,2}[./-]\d{1,2}(?:[./-]|$)|skonto|abzug|discount|escompte|sconto|(?<!\()netto|(?<!\p{L})net(?!\p{L})`,
  'iu',
);
const parting = /\. +(?=\p{Lu})|(?<=\p{L}{3})\.(?=\p{Lu}\p{Ll}|\p{Lu}{3})|\s+[-–|·]\s+|;\s+/gu;

/**
 * The terms of payment where a sentence states them without a caption.
 *
 * @param before how other sentences begin that go before those about when to pay
 */
export function composePaymentTerms({ layout }: Findings, before?: RegExp): ComposedFields {
  for (const line of layout.lines.slice(0, lineLimit)) {
    if (line.text.length > longestLine) continue;
    const part = partOf(request.exec(line.text)) ?? partOf(termBehindDate.exec(line.text));
    if (part) return { payment_terms: composedValue(part.text, confidence, [{ line, ...part }]) };
    const match = before?.exec(line.text) ?? terms.exec(line.text);
    const sentence = match && sentenceAt(line, match.index, layout);
    if (sentence) return { payment_terms: sentence };
  }
  return {};
}

/** Behind the day by which all is to be paid: `bis 07.11.2025 netto` where terms with a discount state two, `bis zum 17.09.2024 fällig`. */
const inFull = unmarked(
  /^,? ?(?:rein )?(?:netto|ohne (?:jeden )?abzug|ohne skonto|sans escompte|senza sconto|(?:zur zahlung )?fällig|zu (?:zahlen|begleichen|überweisen)|te (?:voldoen|betalen))(?!\p{L})/iu,
);
const lastDay = unmarked(/(?<!\p{L})(?:bis(?: zum)?|spätestens(?: am)?|jusqu['’]au|avant le|entro il|v[oó]{2}r)\s$/iu);

/** The day by which a sentence asks for the whole amount, or on which it is collected; nothing where none is stated, or several. */
export function composeDayInFull(findings: Findings): ComposedFields {
  const days = datesOn(findings).filter(({ lines, start, end }) => {
    const { text } = lines[0]!;
    return inFull.test(text.slice(end)) && lastDay.test(text.slice(0, start));
  });
  const due_date = onlyValue(days, dayConfidence) ?? composeDayOfCollection(findings);
  return due_date ? { due_date } : {};
}

const dayConfidence = 80;

/** What stands before the day on which a bill is collected, and what stands behind it. */
const collectedBefore = unmarked(
  /(?<!\p{L})(?:(?:direct debit|auto ?pay|automatic payment|will be (?:collected|debited|taken)(?: from [^.]{0,40})?)(?: (?!(?:was|were|received|enrolled|began|late)(?!\p{L}))\p{L}+){0,3} on(?: or (?:just )?(?:after|about|around))?|pr[ée]lev\p{L}*(?: (?:\p{L}+|à))*? (?:le|du)|(?:cargo|domiciliaci[óo]n)(?: en (?:su |tu )?cuenta(?: bancaria)?)?:? (?:a partir )?del?(?: d[ií]a)?|d[ée]bito direto(?: \p{L}+){0,3} (?:de|em)|(?:cargar\p{L}*|adeud\p{L}*|cobr\p{L}*|domicili\p{L}*)(?: \p{L}+){0,5} el(?: día)?|addebit\p{L}*(?: \p{L}+){0,5} il|debitad\p{L}*(?: \p{L}+){0,5} (?:a|em)|afgeschreven (?:op|rond)|(?:buchen|ziehen) wir(?: \p{L}+){0,4} (?:am|zum))\s*$/iu,
);
const debited = /^[\s,]*(?:\p{L}+ ){0,6}(?:abgebucht|eingezogen|abbuchen|einziehen|belastet|afgeschreven)(?!\p{L})/iu;

/** The one day on which a sentence says that the amount is collected: `Der Betrag wird am 16.02.2023 abgebucht`. */
export function composeDayOfCollection({ layout, candidates }: Findings): ExtractedValue | null {
  // In a narrow box the day may go on in the next line.
  const dates = (candidates as readonly PlacedCandidate[]).filter(
    (candidate) => candidate.kind === 'date' && candidate.layout === layout,
  );
  const found = dates.filter(({ lines, start, end }) => {
    const { text } = lines[0]!;
    const before = text.slice(0, start);
    return (
      collectedBefore.test(before) ||
      (/(?:am|zum|op|rond|omstreeks)\s*$/u.test(before) && debited.test(text.slice(end)))
    );
  });
  return onlyValue(found, 84);
}

function partOf(match: RegExpExecArray | null): { text: string; start: number; end: number } | null {
  const text = match?.groups?.term;
  if (!match || !text) return null;
  const start = match.index + match[0].indexOf(text);
  return { text, start, end: start + text.length };
}

/** Whether a text breaks off before the day that it speaks of, as the caption of a day to pay by does: `Zahlbar bis`. */
export function isDangling(text: string): boolean {
  return /(?<!\p{L})(?:bis|innert|innerhalb|binnen|by|within|before|avant le|antes del|entro il|vóór)$/iu.test(
    text.trim(),
  );
}

/** A day or an account behind the terms, at its caption or by its form. */
const otherDetail =
  /[:,;.]? (?:(?:auf (?:das|unser|mein|folgendes|nachstehendes|untenstehendes) (?:bank)?konto|(?:in|to|into) (?:the|our|my) (?:(?:following|below) )?(?:bank )?account|sur (?:le|notre|mon) compte|(?:en|a) (?:la|nuestra) cuenta|sul (?:conto|nostro conto)|op (?:onze |bovenstaande )?rekening)(?!\p{L})|(?:due(?: date)?|fällig(?:keit)?|échéance|vencimiento|vto\.?|scadenza|vervaldatum|vencimento): ?(?=\d)|(?:(?:auf|an|to|sur|su|op|naar|a|en) )?(?:iban:? ?)?(?=[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3}))/iu;

/** Where an account or a day stands behind the terms that a text states; null where none does. */
export function detailBehindTerms(text: string): number | null {
  const detail = otherDetail.exec(text);
  return detail && detail.index > leastTerms ? detail.index : null;
}

/** Terms are no shorter: `Net 7`. */
const leastTerms = 4;

/** Where the terms end of which one of a text's characters is a part: at the next sentence, an account or a day; null where nothing follows. */
function endOfTerms(text: string, at: number): number | null {
  const cut = [...text.matchAll(parting)].find(({ index, 0: mark }) => {
    const rest = text.slice(index + mark.length);
    const [next = ''] = rest.split('. ');
    return index > at && (account.test(rest) || otherwise.test(next) || (mark.startsWith('.') && !ofPaying.test(next)));
  });
  const detail = detailBehindTerms(text.slice(at));
  const end = Math.min(cut?.index ?? Infinity, detail === null ? Infinity : at + detail);
  return Number.isFinite(end) ? end : null;
}

/** The sentence that a line's stretch begins or stands in, without what is before or behind it on the line. */
function sentenceAt(line: TextLine, at: number, layout: Layout): ExtractedValue | null {
  const { text } = line;
  const full = text.lastIndexOf('. ', at);
  const caption = ofTerms.exec(text.slice(0, at))?.[0].length ?? 0;
  const start = Math.max(full < 0 ? 0 : full + 2, caption);
  const cut = endOfTerms(text, at);
  const end = cut ?? text.trimEnd().length;
  const own = text.slice(start, end);
  if (otherwise.test(own) || isDangling(own)) return null;
  const { below } = neighboursOf(layout, line);
  // A cell's end may part them: `60 days from invoice date by bank` above `transfer`.
  const isParted =
    cut === null &&
    below !== null &&
    !/[.!,;]$/.test(own) &&
    /^\p{Ll}[\p{L} ]{2,30}\.?$/u.test(below.text) &&
    below.box.y0 - line.box.y1 < 0.5 * (line.box.y1 - line.box.y0) &&
    Math.abs(below.box.x0 - line.box.x0) < line.box.y1 - line.box.y0;
  return isParted
    ? composedValue(`${own} ${below.text}`, confidence, [{ line, start, end }, { line: below }])
    : composedValue(repairedText({ ...line, text: own }), confidence, [{ line, start, end }]);
}

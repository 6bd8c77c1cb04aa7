import type { Layout, TextLine } from '@millrace/document-model';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { isPeriodEnd } from '../compose/period.ts';
import { neighboursOf, visualRows } from '../layout/neighbours.ts';
import type { FieldDefinition } from '../types/definition.ts';

const paymentPattern =
  /(?<!\p{L})(?:skonto|zahlbar|zahlung|überweis\p{L}*|netto bis|payable|payment|pay by|remit|escompte|paiement|règlement|pago|pagamento|betal\p{L}*)(?!\p{L})/iu;

/** Days on which documents are made. */
const issued: ReadonlySet<string> = new Set([
  'invoice_date',
  'credit_note_date',
  'transaction_date',
  'bill_date',
  'report_date',
  'quote_date',
]);
const duePattern =
  /(?<!\p{L})(?:(?:pay(?:able)?|paid|due|payment(?: is)? due) (?:by|before|on|no later than)|due(?: date)?|before|zahlbar bis(?: zum)?|zu zahlen bis(?: zum)?|fällig(?: am| bis)?|spätestens(?: am)?|avant le|au plus tard le|échéance|antes del|vencimiento|entro il|scadenza|vóór|uiterlijk)[\s:]*$/iu;

/** What stands before the day on which an earlier bill was paid. */
const paidOn =
  /(?<!\p{L})(?:payments?|paid|zahlung(?:en)?|paiements?|pagos?|pagament[io]s?|betaling(?:en)?)(?: (?:received|made|on|vom|du|del?|thank you|eingegangen))*[\s:,–-]*$/iu;

/** Captions of days in somebody's life, and the fields that are for them. */
const ofLife =
  /(?<!\p{L})(?:(?:date of )?birth(?: ?date)?|d\.?o\.?b|geburts\p{L}{3,6}|geb|geboren|eintritt(?:sdatum)?|hire date|(?:original )?hired?|date of (?:hire|joining|appointment)|joining date|d\.?o\.?j|date (?:joined|hired|engaged)|entrée|embauche|né\(?e?\)? le|fecha de (?:alta|nacimiento)|data (?:di )?(?:nascita|assunzione)|(?:datum )?in dienst(?: sinds)?|indiensttreding|geboortedatum|antig[üu]edad|ancienneté|(?:data de )?admiss[ãa]o|seniority date|start(?:ed| date)(?= *:?\s*$))\.?\s*:?\s*$/iu;
/** Days on which somebody came, or brought something in, before what a bill is for. */
const ofArrival =
  /(?<!\p{L})(?:arrival|arrived?|ingresso|check[- ]?in|date in|entry|entered|anreise|ankunft|einfahrt|arriv[ée]e|entrada|llegada|arrivo|chegada|aankomst|inrijden)(?: (?:date|time|datum))?\.?\s*:?\s*(?:(?:mon|tue|wed|thu|fri|sat|sun)\p{L}{0,6}\.?,? )?$/iu;
const ownOfLife: ReadonlySet<string> = new Set(['date_of_birth']);

/** What goes on until a day, or was counted by then: an offer, a card, a customer's points. */
const until =
  /(?<!\p{L})(?:up t[o0]|until|thru|points[^:]{0,20}|valid(?: thru| through| to)?|exp(?:ir(?:y|es|ed|ation))?(?: date)?|return(?:s|ed)? by|redeem by|gültig bis|umtausch bis|valable jusqu['’]au|válid[oa] hasta|valido fino al|geldig tot)[\s:]*$/iu;

/** A law is named by the day on which it was made: `loi du 6 juillet 1989`, `Ley 29/1994, de 24 de noviembre`. */
const ofLaw =
  /(?<!\p{L})(?:loi|d[ée]cret|ordonnance|arr[êe]t[ée]|ley(?: org[áa]nica)?|real decreto(?:[- ]ley)?|legge|decreto(?: legislativo)?|d\. ?lgs\.?|gesetz|verordnung|act|directive|regulation)(?: n[°ºo.]{0,2})?(?: ?[\d./-]+)?,?(?: (?:du|de|del|vom|of))? ?$/iu;

/** Days that are still to come when a document is made. */
const upcoming = /(?<!\p{L})next [^.:]{0,40}:?\s*$/iu;

/** The day on which what a document is about was agreed. */
const agreedOn =
  /(?<!\p{L})(?:accepté|signé|validé|accepted|approved|signed|bestätigt|unterzeichnet|aceptado|accettato)e?(?: (?:le|on|am|el|il))?[\s:]*$/iu;

/** The day on which goods that were bought left the seller. */
const shippedOn =
  /(?<!\p{L})(?:shipped|dispatched|versandt|verschickt|exp[ée]di[ée]e?s?|enviad[oa]s?|spedit[oaie]|verzonden)(?: (?:on|am|le|el|il|op))?[\s:]*$/iu;

/** What an examination is compared with is an earlier one. */
const compared =
  /(?<!\p{L})(?:comparison|compared (?:with|to)|prior (?:exam|study)|voruntersuchung|vergleich)[^.]{0,60}$/iu;

const endPattern =
  /(?<!\p{L})(?:expir\p{L}*|terminat\p{L}*|until|end(?:s|ing)?|through|ende[nt]?|endet|bis|befristet|jusqu|fin|échéance|expire|hasta|finaliza\p{L}*|vence|fino|termin\p{L}*|scad\p{L}*|até|término|tot|eindig\p{L}*|loopt af)(?!\p{L})/iu;

/**
 * The day by which to pay is not that of the document. A date in a sentence about payment, such as the last day of a
 * discount, is none of the delivery or service; one in a sentence about no end is no contract's end.
 */
export function isDateOfAnother(
  { name }: FieldDefinition,
  { kind, lines, start, end, layout }: PlacedCandidate,
): boolean {
  if (kind === 'time')
    return name === 'transaction_time' && lines.length === 1 && isOtherTime(layout, lines[0]!, start);
  if (kind !== 'date') return false;
  const [line, ...more] = lines;
  if (line && more.length === 0) {
    const before = line.text.slice(0, start);
    if (/^\d{8}$/.test(line.text.slice(start, end)) && isNumbered(layout, line, start)) return true;
    const isIssued = issued.has(name);
    const isMade = name === 'due_date' || isIssued;
    const isDayOfWork = isIssued || name.startsWith('service_');
    if ((isDayOfWork || name.startsWith('statement_')) && isDue(layout, line, start)) return true;
    if (isIssued && (until.test(before) || shippedOn.test(before))) return true;
    if ((isMade || name === 'service_start_date') && endsRange(layout, line, start)) return true;
    if (name === 'due_date' && isOfDiscount(line.text, start, end)) return true;
    if (upcoming.test(before) || compared.test(before) || ofLaw.test(before)) return true;
    if (isDayOfWork && agreedOn.test(before)) return true;
    if (isOfLife(layout, line, start)) return !ownOfLife.has(name);
    if (isIssued && (isOfReading(layout, line, start) || isOfArrival(layout, line, start))) return true;
    if ((name === 'transaction_date' || name === 'invoice_date') && isInList(layout, line, start)) return true;
    if (firstDays.has(name) && isPeriodEnd(before)) return true;
    if (name.startsWith('period_') && paidOn.test(before)) return true;
  }
  if (name === 'end_date') return !lines.some(({ text }) => endPattern.test(text));
  return name.startsWith('service_') && lines.some(({ text }) => paymentPattern.test(text));
}

/** Whether a day is the one by which to pay, by what stands before it, left of it or above it. */
function isDue(layout: Layout, line: TextLine, start: number): boolean {
  if (duePattern.test(line.text.slice(0, start))) return true;
  if (start >= 3) return false;
  const { above, left } = neighboursOf(layout, line);
  return [above, left].some((other) => other !== null && duePattern.test(other.text));
}

/** The caption of a number, which may be made of the day it was given on: `Rechnungs-Nr.: 20240417`. */
const numberCaption =
  /(?<!\p{L})(?:no|nr|num(?:ber|mer|éro|ero|\.)?|número|n[°º]|\p{L}+(?:-nr|nr|nummer))\.?[\s:#]*$|#\s*:?\s*$/iu;

function isNumbered(layout: Layout, line: TextLine, start: number): boolean {
  if (start > 2) return numberCaption.test(line.text.slice(0, start));
  const { above, left } = neighboursOf(layout, line);
  return numberCaption.test((left ?? above)?.text ?? '');
}

const discount =
  '(?<!\\p{L})(?:skonto|escompte|sconto|cash discount|prompt payment discount|betalingskorting)(?!\\p{L})';
const discountBefore = new RegExp(`${discount}[^.,;\\d]*$`, 'iu');
/** Behind the day the share stands that may be kept back, and no other day or caption between. */
const discountBehind = new RegExp(`^[^.,;\\d]{0,25}(?:\\d+(?:[.,]\\d+)? ?%)?[^.,;\\d]{0,15}${discount}(?! ?:)`, 'iu');

/** Whether a day is the last one on which less than all may be paid: `bis 18.10.2025 mit 3 % Skonto`. */
function isOfDiscount(text: string, start: number, end: number): boolean {
  return discountBefore.test(text.slice(0, start)) || discountBehind.test(text.slice(end));
}

/** What stands between the days of a period, behind the first one. */
const rangeMark =
  /(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|(?<!\p{L})(?:\p{L}{3,9}\.? \d{1,2}|\d{1,2}\.? \p{L}{3,9}\.?)(?:,? \d{4})?) ?(?:[-–—]|bis(?: zum)?|to|until|through|au|al|hasta|t\/m|tot) ?$/iu;

/** Whether a day is the last one of a period, whose first stands before it or at the end of the line above. */
function endsRange(layout: Layout, line: TextLine, start: number): boolean {
  if (rangeMark.test(line.text.slice(0, start))) return true;
  return start === 0 && rangeMark.test(neighboursOf(layout, line).above?.text ?? '');
}

/** First days of what a document is about. */
const firstDays: ReadonlySet<string> = new Set(['period_start_date', 'statement_start_date']);

/** Captions of days on which a meter was read. */
const ofReading =
  /^(?:previous|prior|last|current|present|next|start|end) (?:read(?:ing)?(?: date)?|date|meter read\p{L}*)$/iu;

/** Whether a day is one of a meter's readings, by the heading of its column. */
function isOfReading(layout: Layout, line: TextLine, start: number): boolean {
  const above = start < 3 ? neighboursOf(layout, line).above : null;
  return above !== null && ofReading.test(above.text.trim());
}

/** Whether a day is of somebody's life by the caption before it, or above it in a box. */
function isOfLife(layout: Layout, line: TextLine, start: number): boolean {
  if (ofLife.test(line.text.slice(0, start))) return true;
  if (start >= 3) return false;
  const { above, left } = neighboursOf(layout, line);
  return [above, left].some((other) => other !== null && ofLife.test(other.text));
}

/** Captions of how long something took. */
const ofDuration =
  /(?<!\p{L})(?:duration|length of stay|time parked|parking time|(?:park)?dauer|dur[ée]e|duraci[oó]n|tiempo|durata|sosta|duração|duur|parkeerduur|parkeertijd)\.?\s*:?\s*(?:\d+ ?\S{1,4} )?$/iu;

/** What stands before the times between which a ticket is good, or a shop is open. */
const ofValidity =
  /(?<!\p{L})(?:valid|g[uü]ltig|valable|v[aá]lid[oa]|geldig|ge[oö]ffnet|[oö]ffnungszeiten|open|opening|ouvert|abierto|aperto|horaires?|horario|orario)(?!\p{L})/iu;

/** Whether a time is how long something took, or when somebody came, perhaps behind that day. */
function isOtherTime(layout: Layout, line: TextLine, start: number): boolean {
  const day = /[\d./-]{6,10} ?$/;
  const before = line.text.slice(0, start).replace(day, '');
  const { row } = neighboursOf(layout, line);
  const left = row.slice(0, row.indexOf(line)).findLast(({ text }) => !day.test(text))?.text ?? '';
  const captions = [before, ...(before.trim().length < 5 ? [left] : [])];
  return captions.some((text) => ofDuration.test(text) || ofArrival.test(text) || ofValidity.test(text));
}

/** From how many rows on days stand in the column of a list, such as a hotel's of what it charges each night. */
const listLength = 3;

/** Whether a day begins one of several rows that end with an amount, and so is only the day of that charge. */
function isInList(layout: Layout, line: TextLine, start: number): boolean {
  if (start > 0) return false;
  const height = line.box.y1 - line.box.y0;
  const rows = visualRows(layout).filter(
    ([first, ...others]) =>
      first &&
      first.page === line.page &&
      Math.abs(first.box.x0 - line.box.x0) < height &&
      /^\d{1,4}[./-]\d{1,2}[./-]\d{2,4}(?!\d)|^\d{1,2}[./-]?(?:\d{1,2}|\p{L}{3})(?!\p{L})/u.test(first.text) &&
      others.some(({ text }) => /\d[.,]\d{2}(?!\d)/.test(text)),
  );
  return rows.length >= listLength && rows.some(([first]) => first === line);
}

/** Whether a day is one of an arrival, by what stands before, left of or above it. */
function isOfArrival(layout: Layout, line: TextLine, start: number): boolean {
  if (ofArrival.test(line.text.slice(0, start))) return true;
  if (start >= 3) return false;
  const { above, left } = neighboursOf(layout, line);
  return left ? ofArrival.test(left.text) : above !== null && ofArrival.test(above.text);
}

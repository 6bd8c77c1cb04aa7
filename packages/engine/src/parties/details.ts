import type { ExtractedValue, Layout, Provenance, TextLine } from '@millrace/document-model';
import { foldText } from '../candidates/date.ts';
import type { PlacedCandidate } from '../candidates/placed.ts';
import { isValidVat, permanentAccountNumber } from '../candidates/tax-id.ts';
import { candidateValue, onlyValue } from '../compose/value.ts';
import { neighboursOf, rowOf } from '../layout/neighbours.ts';
import type { DocumentType } from '../types/definition.ts';
import { type PartyBlock, partyBlocksOf } from './blocks.ts';
import { blockNamed, isRecipientCaption, partyRolesOf } from './parties.ts';

const details = ['tax_id', 'email', 'phone', 'website'] as const;
const detailConfidence = 78;

/** What stands before or above a number that is the addressee's. */
const addressees =
  /(?<!\p{L})(?:your|customer|client|buyer|recipient|ship\p{L}*|ihre?|kunden?\p{L}*|votre|cliente?|acheteur|su|comprador|vostr[ao]|committente|uw|klant|afnemer|vosso|vossa)(?!\p{L})|^[vs]\/ ?n/u;

const taxNumber =
  /(?<!\p{L})(?:vat|gst|tax|abn|ust|mwst|steuer\p{L}*|tva|iva|btw|nif|cif|nipc|contrib\p{L}*|contribuinte|p\.? ?iva|c\.?f)(?!\p{L})/u;

/**
 * The fields of parties' numbers, mail and telephone with what stands below each one's own address: what stands below the
 * other's is taken away, and a tax number that is the only one and nobody's by its place is that of who issues the document.
 */
export function withOwnDetails(
  type: DocumentType,
  layout: Layout,
  candidates: readonly PlacedCandidate[],
  fields: Readonly<Record<string, ExtractedValue>>,
): Record<string, ExtractedValue> {
  const own = { ...fields };
  const prefixOf = (side: 'sender' | 'recipient') => type.letter?.[side].name?.replace(/_name$/, '');
  const [sender, recipient] = [prefixOf('sender'), prefixOf('recipient')];
  if (!sender || !recipient) return own;
  const roles = partyRolesOf(type, layout);
  // Blocks side by side may not show whose they are, while the names that were chosen do.
  const blockOf = (side: 'sender' | 'recipient') =>
    roles.get(side) ?? blockNamed(String(own[type.letter?.[side].name ?? '']?.value ?? ''), layout) ?? undefined;
  const blocks = { sender: blockOf('sender'), recipient: blockOf('recipient') };
  const named = new Set(type.fields.map(({ name }) => name));
  for (const detail of details) {
    const ofDetail = candidates.filter((each) => each.kind === detail && !isTaxNumbers(each, candidates));
    const belowRecipient = ofDetail.filter(({ lines }) => isBelowRecipient(lines[0], layout));
    const of = (side: 'sender' | 'recipient') =>
      withoutTails(ofDetail.filter((candidate) => isIn(blocks[side], candidate)));
    const found = { sender: of('sender'), recipient: of('recipient') };
    for (const [side, prefix, other] of [
      ['sender', sender, 'recipient'],
      ['recipient', recipient, 'sender'],
    ] as const) {
      const name = `${prefix}_${detail}`;
      if (!named.has(name)) continue;
      const answered = own[name];
      const atOther = side === 'sender' && detail !== 'tax_id' && type.issuer === 'vendor' ? belowRecipient : [];
      const isOthers = answered && [...found[other], ...atOther].some((candidate) => isAt(answered, candidate));
      const rest = isOthers && atOther.length > 0 ? ofDetail.filter((each) => !atOther.includes(each)) : [];
      const value = onlyValue(found[side], detailConfidence) ?? onlyValue(rest, otherNumberConfidence);
      // A number that stands apart gives way to one of its kind in the block of who writes, and is rather the addressee's.
      const isApart = side === 'sender' && detail === 'tax_id' && isBesides(answered, value, found.sender);
      if (answered && !isOthers && !isApart) continue;
      if (answered && !isOthers && named.has(`${recipient}_tax_id`)) own[`${recipient}_tax_id`] ??= answered;
      if (value) own[name] = value;
      else if (isOthers) delete own[name];
    }
  }
  const [issuers, addressee] = [`${sender}_tax_id`, `${recipient}_tax_id`];
  if (named.has(issuers)) withSalesTaxNumber(own, { issuers, addressee }, candidates);
  const lone = own[addressee];
  const isOpen = !own[issuers] || (isRegistered(own[issuers]) && lone !== undefined && isSalesTax(lone.value));
  if (lone && isOpen && named.has(issuers) && isNobodys(lone, candidates, blocks.recipient, layout)) {
    own[issuers] = lone;
    delete own[addressee];
  }
  const stated =
    named.has(addressee) && !own[addressee] ? onlyValue(statedFor(candidates, layout), detailConfidence) : null;
  if (stated) {
    own[addressee] = stated;
    if (own[issuers]?.value === stated.value) delete own[issuers];
  }
  const issued = named.has(issuers) ? own[issuers] : undefined;
  if (issued && named.has(addressee) && !own[addressee] && blocks.recipient) {
    const likewise = likeIssuers(issued, candidates, blocks.sender, layout);
    const only = onlyValue(withoutTails(likewise), otherNumberConfidence);
    if (only) own[addressee] = only;
  }
  if (named.has(issuers) && !own[issuers]) {
    const others = announcedFor(candidates, blocks.recipient, layout).filter(
      ({ value }) => value !== own[addressee]?.value,
    );
    const salesTax = others.filter(({ value }) => isSalesTax(value));
    const only = onlyValue(others, detailConfidence) ?? onlyValue(salesTax, detailConfidence);
    if (only) own[issuers] = only;
  }
  const phones = `${sender}_phone`;
  if (named.has(phones) && !own[phones]) {
    const captioned = onlyValue(reachedAt(candidates, blocks.sender, layout), detailConfidence);
    if (captioned && captioned.value !== own[`${recipient}_phone`]?.value) own[phones] = captioned;
  }
  const [site, mail] = [`${sender}_website`, own[`${sender}_email`]];
  if (named.has(site) && !own[site] && mail) {
    const domain = String(mail.value).split('@')[1] ?? '';
    const isOwn = ({ kind, value }: PlacedCandidate) =>
      kind === 'website' &&
      String(value)
        .replace(/^(?:https?:\/\/)?(?:www\.)?/iu, '')
        .toLowerCase()
        .split('/')[0] === domain;
    const website = onlyValue(candidates.filter(isOwn), detailConfidence);
    if (website) own[site] = website;
  }
  const issuer = named.has(issuers) ? own[issuers] : undefined;
  if (named.has(issuers) && (stated || issuer) && !(issuer && isSalesTax(issuer.value))) {
    const others = candidates.filter(
      (candidate) =>
        candidate.kind === 'tax_id' &&
        isSalesTax(candidate.value) &&
        candidate.value !== own[addressee]?.value &&
        !isIn(blocks.recipient, candidate),
    );
    // Beside the number of a register or of an income tax, the one of sales tax is meant.
    const salesTax = onlyValue(others, detailConfidence);
    if (salesTax && (!issuer || isRegistered(issuer))) own[issuers] = salesTax;
  }
  return own;
}

/** Whether a telephone number is the digits of a tax number that is valid: `GB 123 4567 82`. */
function isTaxNumbers({ kind, words }: PlacedCandidate, candidates: readonly PlacedCandidate[]): boolean {
  const isValid = ({ kind: other, value }: PlacedCandidate) =>
    other === 'tax_id' && typeof value === 'string' && isValidVat(value);
  return (
    kind === 'phone' && candidates.some((each) => isValid(each) && each.words.some((word) => words.includes(word)))
  );
}

/** Lines of a column, from the caption of who is billed down to how to reach them. */
const columnLines = 7;

/** Whether a line stands in a column below the caption of whom the document is sent to: `Bill to`, a name, a mail address. */
function isBelowRecipient(line: TextLine | undefined, layout: Layout): boolean {
  let last = line;
  for (let step = 0; last && step < columnLines; step += 1) {
    const { above } = neighboursOf(layout, last);
    const height = last.box.y1 - last.box.y0;
    if (!above || last.box.y0 - above.box.y1 > 1.2 * height || Math.abs(above.box.x0 - last.box.x0) > height)
      return false;
    if (isRecipientCaption(above.text)) return true;
    last = above;
  }
  return false;
}

/** Whether a tax number stands in none of the places of a party's own one, which is no less one of sales tax. */
function isBesides(
  answered: ExtractedValue | undefined,
  own: ExtractedValue | null,
  places: readonly PlacedCandidate[],
): boolean {
  if (!answered || !own || places.some((place) => isAt(answered, place))) return false;
  return isSalesTax(own.value) || !isSalesTax(answered.value);
}

/** Numbers without those that stand again with the letters of their country before them: `01477120195`, `IT01477120195`. */
function withoutTails(numbers: readonly PlacedCandidate[]): readonly PlacedCandidate[] {
  const isTailOf = (number: string, other: string) => /^[A-Z]{2}$/.test(other.slice(0, -number.length));
  return numbers.filter(({ value }) => !numbers.some((other) => isTailOf(String(value), String(other.value))));
}

const phoneCaption =
  /(?<!\p{L})(?:tele?phone|phone|tel|tél|telefon|fon|teléfono|telefono|telefone|telefoon|tfno|tlf|port|portable|mobile?|móvil)(?: ?(?:no|nr|number|nummer))?[ .:#]*$/iu;

/** The telephone numbers at such a caption, before, left of or above them, that stand in no other party's block. */
function reachedAt(
  candidates: readonly PlacedCandidate[],
  block: PartyBlock | undefined,
  layout: Layout,
): readonly PlacedCandidate[] {
  const others = partyBlocksOf(layout).filter((other) => other !== block);
  const first = layout.document.pages[0]?.number;
  return candidates.filter((candidate) => {
    const [line] = candidate.lines;
    if (candidate.kind !== 'phone' || !line || line.page !== first) return false;
    const { above, left } = neighboursOf(layout, line);
    // Numbers side by side may be one line below several headings.
    const over =
      above && rowOf(layout, above).find(({ box }) => box.x0 < candidate.box.x1 && box.x1 > candidate.box.x0);
    const captions = [line.text.slice(0, candidate.start), candidate.start < 3 ? left?.text : '', over?.text];
    const isCaptioned = captions.some((text) => text && phoneCaption.test(text) && !addressees.test(foldText(text)));
    return isCaptioned && !others.some((other) => isIn(other, candidate));
  });
}

/** A number of sales tax by its form: one that names its country, or an Indian GSTIN. */
function isSalesTax(value: unknown): boolean {
  return /^[A-Z]{2} ?[A-Z]?\d[\dA-Z .]{6,13}$|^\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]$/.test(String(value));
}

/**
 * Gives who issues a document, known by an Indian PAN, the one sales tax number that has that PAN within: it is no number of
 * whom it is addressed to.
 */
function withSalesTaxNumber(
  own: Record<string, ExtractedValue>,
  { issuers, addressee }: { readonly issuers: string; readonly addressee: string },
  candidates: readonly PlacedCandidate[],
): void {
  const pan = String(own[issuers]?.value ?? '');
  if (!permanentAccountNumber.test(pan)) return;
  const found = candidates.filter(({ kind, value }) => kind === 'tax_id' && String(value).slice(2, -3) === pan);
  const only = onlyValue(found, detailConfidence);
  if (!only) return;
  if (own[addressee]?.value === only.value) delete own[addressee];
  own[issuers] = only;
}

/** Whether a number is of a register, or of an income tax as an Indian PAN is. */
function isRegistered({ value, provenance }: ExtractedValue): boolean {
  const text = String(value).replaceAll(' ', '');
  return permanentAccountNumber.test(text) || (/^\d{7,9}$|^\d{14}$/.test(text) && provenance.length > 0);
}

/** The tax numbers whose captions say that they are the addressee's: `V/ N.º Contrib.`. */
function statedFor(candidates: readonly PlacedCandidate[], layout: Layout): readonly PlacedCandidate[] {
  return candidates.filter(({ kind, lines, start }) => {
    const [line] = lines;
    if (kind !== 'tax_id' || !line) return false;
    const { above, left } = neighboursOf(layout, line);
    // A narrow column's heading may take two lines: `V/ N.º` above `Contrib.`.
    const over = above && neighboursOf(layout, above).above;
    const heading =
      over && above.box.y0 - over.box.y1 < above.box.y1 - above.box.y0 ? `${over.text} ${above.text}` : '';
    const captions = [line.text.slice(0, start), above?.text, left?.text, heading].map((text) => foldText(text ?? ''));
    return captions.some((text) => text.length < 40 && taxNumber.test(text) && addressees.test(text));
  });
}

/** A number that only its place distinguishes from the other side's. */
const otherNumberConfidence = 72;
/** Below this share of a page its foot begins, where numbers are those of who writes. */
const footShare = 0.6;

/**
 * The numbers of the issuer's own kind that stand among a document's particulars, apart from the issuer's: the addressee's
 * where a column of its own has it, as `N° TVA intracom.` beside `Code client`.
 */
function likeIssuers(
  issued: ExtractedValue,
  candidates: readonly PlacedCandidate[],
  sender: PartyBlock | undefined,
  layout: Layout,
): readonly PlacedCandidate[] {
  const page = layout.document.pages[0];
  const shape = shapeOf(issued.value);
  const lines = candidates
    .filter((each) => isAt(issued, each) || each.value === issued.value)
    .flatMap((each) => each.lines);
  return candidates.filter((candidate) => {
    const [line] = candidate.lines;
    if (candidate.kind !== 'tax_id' || !line || line.page !== page?.number) return false;
    const isApart = line.box.y0 < footShare * page.height && !lines.includes(line) && !isIn(sender, candidate);
    const isOther = !isWithin(candidate.value, issued.value) && shapeOf(candidate.value) === shape;
    return isApart && isOther && isHeaded(candidate, layout);
  });
}

/** Whether the caption of a tax number stands before a number, or in the cell above it. */
function isHeaded({ lines: [line], start }: PlacedCandidate, layout: Layout): boolean {
  if (!line) return false;
  const { above, left } = neighboursOf(layout, line);
  return [line.text.slice(0, start), above?.text, left?.text].some((text) => text && taxNumber.test(foldText(text)));
}

/** A number's signs by their kind, without the letters of its country: `IT02244180368` is as `04418871002`. */
function shapeOf(value: unknown): string {
  const bare = String(value)
    .replace(/[^A-Z\d]/g, '')
    .replace(/^[A-Z]{2}(?=\d{8,})/, '');
  // Spain's people have a letter behind eight digits, and its companies before them.
  return bare.replace(/^(?:[A-Z]\d{8}|\d{8}[A-Z]|[A-Z]\d{7}[A-Z])$/, 'ES').replace(/\d/g, '9');
}

function isWithin(value: unknown, other: unknown): boolean {
  const [own, digits] = [value, other].map((each) => String(each).replace(/\D/g, ''));
  return own!.includes(digits!) || digits!.includes(own!);
}

/** From this quality on a number is one of taxes by its form, or by a word before it. */
const announcedQuality = 0.8;

/** The tax numbers that are surely such, and not the addressee's by their place or caption. */
function announcedFor(
  candidates: readonly PlacedCandidate[],
  block: PartyBlock | undefined,
  layout: Layout,
): readonly PlacedCandidate[] {
  const stated = statedFor(candidates, layout);
  return candidates.filter(
    (candidate) =>
      candidate.kind === 'tax_id' &&
      candidate.quality >= announcedQuality &&
      !isIn(block, candidate) &&
      !stated.includes(candidate),
  );
}

/** Whether a number is the only one of its kind, and neither its place nor its caption makes it the addressee's. */
function isNobodys(
  value: ExtractedValue,
  candidates: readonly PlacedCandidate[],
  block: PartyBlock | undefined,
  layout: Layout,
): boolean {
  const numbers = candidates.filter(({ kind }) => kind === 'tax_id');
  const at = numbers.find((candidate) => isAt(value, candidate));
  const line = at?.lines[0];
  if (!block || !at || !line || numbers.some((other) => isVat(other) && other.value !== at.value) || isIn(block, at))
    return false;
  const { above, left } = neighboursOf(layout, line);
  return ![line, above, left].some((near) => near && addressees.test(foldText(near.text)));
}

/** A number that names its country, as those of sales tax do; registers' numbers have digits alone. */
function isVat({ value }: PlacedCandidate): boolean {
  return /^[A-Z]/.test(String(value));
}

function isIn(block: PartyBlock | undefined, { lines }: PlacedCandidate): boolean {
  const [first] = lines;
  if (!block || !first) return false;
  const members: readonly TextLine[] = [...block.nameLines, ...block.addressLines, ...block.detailLines];
  return members.includes(first) && !/(?<!\p{L})fax/iu.test(first.text);
}

function isAt({ provenance }: ExtractedValue, candidate: PlacedCandidate): boolean {
  const { box, page } = candidateValue(candidate, 0).provenance[0] as Provenance;
  return provenance.some(
    (place) =>
      place.page === page &&
      place.box.x0 < box.x1 &&
      place.box.x1 > box.x0 &&
      place.box.y0 < box.y1 &&
      place.box.y1 > box.y0,
  );
}

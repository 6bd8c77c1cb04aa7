import type { ExtractedValue, Layout } from '@millrace/document-model';
import { endsWithPlace, isStreetLine } from '../candidates/address-lines.ts';
import { repairedText } from '../candidates/repair.ts';
import { labelOf } from '../compose/labelled-rows.ts';
import { arePeople, isOrganizationName, isPersonName, titleCased } from '../compose/names.ts';
import { composedValue } from '../compose/value.ts';
import { neighboursOf } from '../layout/neighbours.ts';
import { onceFor } from '../layout/once-for.ts';
import type { DocumentType } from '../types/definition.ts';
import { buyerCaptions, sellerCaptions } from '../types/fields/parties.ts';
import { addressOfBlock, isAuthority, type PartyBlock, partyBlocksOf } from './blocks.ts';
import {
  addressAtFoot,
  addressUnderHead,
  isNamedByLogo,
  letterheadName,
  letterheadOf,
  logoOf,
  nameBehindLogo,
  onlyCompany,
  payableTo,
  type ReturnAddress,
  returnAddress,
  senderAtFoot,
  senderAtHead,
} from './letterhead.ts';
import { signedFor } from './signed-for.ts';

type Role = 'sender' | 'recipient' | 'other';

const opposite = { sender: 'recipient', recipient: 'sender', other: 'other' } as const;

/** A slip to be sent back is in a page's lower half. */
const returnedShare = 0.5;
const captionedConfidence = 86;
const placedConfidence = 78;

/** Captions as they are compared, those of several words without their blanks as well, which OCR loses. */
const captionSet = (captions: readonly string[]) =>
  new Set(captions.map(labelOf).flatMap((label) => [label, label.replaceAll(' ', '')]));

const recipientCaptions = captionSet([
  ...buyerCaptions,
  'for',
  'recipient',
  'mail to',
  'prepared for',
  'statement for',
  'employee',
  'importer',
  ...['dipendente', 'salarié', 'arbeitnehmer', 'werknemer', 'trabajador', 'trabalhador'],
  'your details',
  'service for',
  'service location',
  'service address',
  'account holder',
  'mailing address',
  ...['para', 'pour', 'für', 'voor', 'per', 'til', 'till', 'dla'],
]);
const senderCaptions = captionSet([
  ...sellerCaptions,
  ...['azienda', 'ditta', 'datore di lavoro', 'employeur', 'arbeitgeber', 'werkgever', 'entidade patronal'],
  'exporter',
  ...['branch details', 'employer', 'company', 'our details', 'from', 'de', 'von', 'van', 'da', 'fra', 'från', 'od'],
]);

/** Captions of addresses that are neither side's own: where goods, payments and services go. */
const otherParty =
  /(?<!\p{L})(?:ship\p{L}*|deliver\p{L}*|remit\p{L}*|pay(?:ment)?s? to|mail payments?|send payments?|consignee|notify|carrier|agent|site|property|liefer\p{L}*|leistungs\p{L}*|livraison|chantier|entrega|envio|consegna|spedizione|destinazione|aflever\p{L}*|doctor|physician)(?!\p{L})|^(?:bank|branch|provider|insurance)(?!\p{L})/u;

/** What stands before whom an order is sent to. */
const orderedFrom = /^(?:to|an|a|aan|attn|attention|ordered from|order to|firma|messrs|spett(?:le)?)$/u;

/** Titles of documents about deliveries, below which a party may stand without a caption. */
const deliveryTitle =
  /^(?:delivery (?:note|order|docket|slip|advice)|lieferschein|ship(?:ping|ment) (?:note|order)|packing (?:slip|list)|bon de livraison|albaran(?: de entrega)?|nota de entrega|bolla di consegna|documento di trasporto|leveringsbon|pakbon)(?: (?:no|nr|number))?$/u;

/** What a party's block says of a field. */
export interface PartyValue {
  /** Null where nothing is known of the field but what the other side has. */
  readonly value: ExtractedValue | null;
  /** Whether a caption says whose the block is. */
  readonly captioned: boolean;
  /** What the other side's block has as its name or address; null where it has none. */
  readonly other: string | null;
  /** Who is written to at the party, or in which department: not its name. */
  readonly besides?: readonly string[];
  /** The same of the other side. */
  readonly otherBesides?: readonly string[];
  /** The address below a name, of which no line is the name. */
  readonly address?: string;
  /** The names and addresses of blocks that are neither side's, where both sides' blocks are known. */
  readonly thirds?: readonly string[];
}

/** The names and addresses of a document's parties by their blocks; a side that no block is surely of is left out. */
export function partyValuesOf(type: DocumentType, layout: Layout): Readonly<Record<string, PartyValue>> {
  const { letter } = type;
  if (!letter) return headOf(type, layout);
  const blocks = blocksOfFirstPage(layout);
  const values: Record<string, PartyValue> = {};
  const roles = partyRolesOf(type, layout);
  const taken = [...roles.values()];
  const returned = roles.has('sender') ? null : senderInLine(layout);
  const thirds = (taken.length + (returned ? 1 : 0) < 2 ? [] : blocks).flatMap((block) =>
    taken.includes(block) || taken.some((own) => isSameParty(own, block)) ? [] : [block.name ?? '', block.address],
  );
  for (const [role, block] of roles) {
    const captioned = roleIn(type, block, { blocks, layout }) === role;
    const confidence = captioned ? captionedConfidence : placedConfidence;
    const { name, address } = letter[role];
    const other = roles.get(opposite[role]);
    if (name && block.name !== null) {
      values[name] = {
        captioned,
        other: other?.name ?? null,
        besides: block.besides,
        otherBesides: other?.besides ?? [],
        address: block.address,
        thirds,
        value: composedValue(
          block.name,
          confidence,
          block.nameLines.map((line) => ({ line })),
        ),
      };
    }
    if (address) {
      values[address] = {
        captioned,
        other: other?.address ?? null,
        thirds: thirds.length > 0 ? thirds : addressesOfOthers(block, blocks),
        value: addressOfBlock(block, confidence),
      };
    }
  }
  const addressee = letter.recipient.name && !roles.has('recipient') ? titledAddressee(layout) : null;
  if (addressee) values[letter.recipient.name!] = { captioned: false, other: null, value: addressee };
  for (const part of ['name', 'address'] as const) {
    const field = letter.sender[part];
    const other = roles.get('recipient')?.[part] ?? null;
    if (returned && field) values[field] = { value: returned[part], captioned: false, other, thirds };
    const recipient = values[letter.recipient[part] ?? ''];
    if (returned && recipient) values[letter.recipient[part]!] = { ...recipient, other: String(returned[part].value) };
  }
  const senderAddress = letter.sender.address;
  const beside = roles.has('sender') || returned ? null : addressBesideLogo(blocks, layout);
  if (senderAddress && beside)
    values[senderAddress] = {
      value: beside,
      captioned: false,
      other: roles.get('recipient')?.address ?? null,
    };
  const head = roles.has('sender') || returned ? null : (addressUnderHead(layout) ?? addressAtFoot(layout));
  if (senderAddress && head && !beside && head.value !== roles.get('recipient')?.address)
    values[senderAddress] = { value: head, captioned: false, other: roles.get('recipient')?.address ?? null };
  const recipientBlock = roles.get('recipient');
  if (senderAddress && recipientBlock && !values[senderAddress])
    values[senderAddress] = { value: null, captioned: false, other: recipientBlock.address };
  const senderName = letter.sender.name;
  if (senderName && !values[senderName]?.captioned) {
    const sender = roles.get('sender');
    const recipient = roles.get('recipient');
    const taken = new Set([...(recipient?.nameLines ?? []), ...blocks.flatMap(({ addressLines }) => addressLines)]);
    const only = type.issuer === 'employer' ? onlyCompany(layout) : null;
    const lettered = letterheadName(layout, taken);
    // Who reckons pay for others has its logo on their payslips.
    const isProcessors = only !== null && lettered !== null && isLogoBesideCompany(lettered, only, layout);
    const head =
      returned?.name ?? signedAtHead(layout) ?? (isProcessors ? only : lettered) ?? payableTo(layout) ?? only;
    // A department may stand above the address, and the organization in the letterhead.
    // The whole name stands in the block where a logo has a part of it.
    const isOwn = sender && (looksLikeSender(sender) || isNamedByLogo(sender.nameLines, layout));
    const other = recipient?.name ?? null;
    const besides = isProcessors ? [String(lettered.value)] : [];
    if (head && !isOwn) values[senderName] = { value: head, captioned: false, other, besides };
    const brand = values[senderName]?.value;
    const whole = brand && type.calibrationGroup === 'trade' ? nameBehindLogo(brand, layout, taken) : null;
    if (whole) values[senderName] = { value: whole, captioned: false, other, besides: [String(brand!.value)] };
    if (other !== null) values[senderName] ??= { value: null, captioned: false, other };
  }
  return values;
}

/** Whether a page is signed for the party of a block. */
function isSignedFor({ name }: PartyBlock, layout: Layout): boolean {
  const signed = signedFor(layout);
  return name !== null && signed !== null && comparable(String(signed.value)) === comparable(name);
}

/** The organization that a page is signed for and whose name heads it. */
function signedAtHead(layout: Layout): ExtractedValue | null {
  const signed = signedFor(layout);
  const page = layout.document.pages[0];
  if (!signed || !page) return null;
  const name = comparable(String(signed.value));
  const line = layout.lines.find(
    ({ page: own, box, text }) => own === page.number && box.y0 < headOfPage * page.height && comparable(text) === name,
  );
  return line ? composedValue(line.text.trim(), captionedConfidence, [{ line }]) : null;
}

/** How far down a page a company's name may stand to be in its head. */
const headOfPage = 0.25;

/** Whether a letterhead is one word of a logo's, and the company that a document names stands in the head as well. */
function isLogoBesideCompany(lettered: ExtractedValue, company: ExtractedValue, layout: Layout): boolean {
  const [place] = company.provenance;
  const page = layout.document.pages[0];
  const logo = String(lettered.value);
  return (
    place !== undefined &&
    page !== undefined &&
    place.page === page.number &&
    place.box.y0 < headOfPage * page.height &&
    /^\S+$/u.test(logo) &&
    isOrganizationName(logo) === null &&
    !String(company.value).toLowerCase().includes(logo.toLowerCase())
  );
}

/** The addresses of the blocks that name somebody else. */
function addressesOfOthers(own: PartyBlock, blocks: readonly PartyBlock[]): readonly string[] {
  return blocks.flatMap((block) =>
    block.name === null || block.name === own.name || block === own || isSameParty(block, own) ? [] : [block.address],
  );
}

/**
 * The fields of parties with the address of each side that has a name and none, where one block of the first page alone has
 * that name: side by side at its head, blocks do not show whose they are, and the name that was chosen does.
 */
export function withAddressesOfNames(
  type: DocumentType,
  layout: Layout,
  fields: Readonly<Record<string, ExtractedValue>>,
): Record<string, ExtractedValue> {
  const own = { ...fields };
  for (const side of ['sender', 'recipient'] as const) {
    const { name, address } = type.letter?.[side] ?? {};
    const chosen = name ? own[name] : undefined;
    if (!address || !chosen || own[address]) continue;
    const block = blockNamed(String(chosen.value), layout);
    const inLine = block ? null : addressBelow(String(chosen.value), layout);
    if (inLine) own[address] = inLine;
    if (!block) continue;
    const other = own[type.letter?.[side === 'sender' ? 'recipient' : 'sender'].address ?? ''];
    if (other && comparable(String(other.value)) === comparable(block.address)) continue;
    own[address] = addressOfBlock(block, placedConfidence);
  }
  return own;
}

/** The one block of the first page that has a name; null where none has it, or several with different addresses. */
export function blockNamed(name: string, layout: Layout): PartyBlock | null {
  const named = blocksOfFirstPage(layout).filter((block) => comparable(block.name ?? '') === comparable(name));
  const [block, ...others] = named;
  return block && others.every((other) => isSameParty(block, other)) ? block : null;
}

/** The address that stands in one line right below a name which the first page has once, as at a head that is centred. */
function addressBelow(name: string, layout: Layout): ExtractedValue | null {
  const first = layout.document.pages[0]?.number;
  const [line, another] = layout.lines.filter(
    ({ page, text }) => page === first && comparable(text) === comparable(name),
  );
  const { below } = line && !another ? neighboursOf(layout, line) : { below: null };
  if (!line || !below || below.box.y0 - line.box.y1 > 1.2 * (line.box.y1 - line.box.y0)) return null;
  const isWhole = below.text.split(',').length >= leastParts && endsWithPlace(below.text);
  return isWhole ? composedValue(repairedText(below), placedConfidence, [{ line: below }]) : null;
}

/** Parts of an address that is set in one line. */
const leastParts = 3;

function blocksOfFirstPage(layout: Layout): readonly PartyBlock[] {
  const first = layout.document.pages[0]?.number;
  return partyBlocksOf(layout).filter(({ page }) => page === first);
}

type PartyRoles = ReadonlyMap<'sender' | 'recipient', PartyBlock>;

const rolesOfLayouts = new WeakMap<Layout, Map<DocumentType, PartyRoles>>();

/** Which blocks of the first page are the parties', of a type whose parties stand in blocks; decided once per layout. */
export function partyRolesOf(type: DocumentType, layout: Layout): PartyRoles {
  const known = rolesOfLayouts.get(layout) ?? new Map<DocumentType, PartyRoles>();
  const roles = known.get(type) ?? decideRoles(type, layout);
  rolesOfLayouts.set(layout, known.set(type, roles));
  return roles;
}

function decideRoles(type: DocumentType, layout: Layout): PartyRoles {
  // People get letters of banks and providers, and do not write them.
  const isInstitution = type.fields.some(({ name }) => name === 'bank_name' || name === 'provider_name');
  const blocks = blocksOfFirstPage(layout);
  const roles = rolesOf(blocks, layout, {
    isInstitution,
    roleOf: (block) => roleIn(type, block, { blocks, layout }),
    mayWrite: ({ name, nameLines }) =>
      type.issuer === 'employer'
        ? isOrganizationName(name ?? '') !== null || !arePeople(name ?? '')
        : type.issuer !== 'bank' || ofBank.test(name ?? '') || isNamedByLogo(nameLines, layout),
  });
  if (isInstitution && !roles.has('recipient')) {
    const others = blocks.filter((block) => block !== roles.get('sender'));
    const payer = payerOf(others, layout, (block) => roleIn(type, block, { blocks, layout }));
    if (payer) return new Map([...roles, ['recipient', payer]]);
  }
  const foot =
    roles.has('sender') || isInstitution
      ? null
      : (companyAtFoot(blocks, layout) ?? remittedTo(blocks, layout) ?? headedAgain(layout));
  const recipient = roles.get('recipient');
  return foot && foot !== recipient && !(recipient && isSameParty(foot, recipient))
    ? new Map([...roles, ['sender', foot]])
    : roles;
}

const deliveredTo =
  /(?<!\p{L})(?:(?:ship(?:ped|ping)?|deliver(?:ed|y)?) ?(?:to|address)|liefer(?:adresse|anschrift)|lieferung an|warenempfanger|livre a|livrer a|(?:adresse|lieu) de livraison|entregar a|(?:direccion|lugar|domicilio|local|morada) de entrega|destinazione|(?:luogo|indirizzo) di (?:destinazione|consegna)|aflever ?adres|leveradres)(?!\p{L})/u;

/** Above what the scorer thinks of an address at such a caption. */
const deliveredConfidence = 89.5;

/** The address of the one block whose caption says that goods are delivered there; null where several blocks have one. */
export function deliveryAddressOf(layout: Layout): ExtractedValue | null {
  const found = blocksOfFirstPage(layout).filter(
    ({ caption }) => caption !== null && deliveredTo.test(labelOf(caption)),
  );
  const [only, ...more] = found;
  return only && more.length === 0 ? addressOfBlock(only, deliveredConfidence) : null;
}

/** Such an address in one line with its caption, without the name before it: `Lieferadresse: Example GmbH, Marktweg 3, 04109 Leipzig`. */
export function deliveryAddressInLine(layout: Layout): ExtractedValue | null {
  const [page] = layout.document.pages;
  const found = layout.lines.flatMap((line): ExtractedValue[] => {
    const [whole, caption] = /^([^:]{5,40}?) ?: +(?=\S)/u.exec(line.text) ?? [];
    if (line.page !== page?.number || line.text.length > 200 || !whole || !deliveredTo.test(labelOf(caption!)))
      return [];
    const text = line.text.slice(whole.length).trim();
    const parts = text.split(', ');
    const street = parts.findIndex((part) => isStreetLine(part));
    if (street < 0 || !endsWithPlace(text)) return [];
    const address = parts.slice(street).join(', ');
    return [composedValue(address, deliveredConfidence, [{ line, start: line.text.lastIndexOf(address) }])];
  });
  return found.length === 1 ? found[0]! : null;
}

/** Whose a block is by its caption; orders are sent by who buys, and goods to where they are delivered. */
function roleIn(
  type: DocumentType,
  block: PartyBlock,
  { blocks, layout }: { readonly blocks: readonly PartyBlock[]; readonly layout: Layout },
): Role | null {
  const height = layout.document.pages[0]?.height ?? 1;
  // The slip that goes with a payment is addressed to who wrote the bill.
  const isOnSlip = type.issuer !== 'buyer' && block.name !== null && block.box.y0 > returnedShare * height;
  const isReturned =
    isOnSlip &&
    (block.name === letterheadOf(layout)?.value ||
      (isWrittenTo(block) && blocks.some((head) => isSameParty(head, block) && isOpenHead(head, height))));
  const role = isReturned ? 'sender' : (roleOfCargo(block, blocks) ?? roleOfCaption(block));
  if (type.letter?.recipient.name === 'recipient_name') {
    const isDelivered = ({ caption }: PartyBlock) => caption !== null && deliveredTo.test(labelOf(caption));
    if (isDelivered(block)) return 'recipient';
    return role === 'recipient' && blocks.some(isDelivered) ? 'other' : role;
  }
  const isTurned = type.issuer === 'buyer' && !(block.caption !== null && orderedFrom.test(labelOf(block.caption)));
  return role !== null && isTurned ? opposite[role] : role;
}

/** To whom goods are exported, who is not always whom they are sold to. */
const consigned = /^(?:receiver ?\/ ?)?consignee(?!\p{L})|^receiver(?: details| information)?$/u;
const sold = (block: PartyBlock) => roleOfCaption(block) === 'recipient';

/** Whose a box of an invoice for the customs is: the consignee buys where nobody else does. */
function roleOfCargo(block: PartyBlock, blocks: readonly PartyBlock[]): Role | null {
  const isConsigned = ({ caption }: PartyBlock) => caption !== null && consigned.test(labelOf(caption));
  return isConsigned(block) && !blocks.some(sold) && blocks.some((other) => roleOfCaption(other) === 'sender')
    ? 'recipient'
    : null;
}

/** Whether a block stands below nothing but the `To` of a slip that is sent back. */
function isWrittenTo({ caption }: PartyBlock): boolean {
  return caption !== null && orderedFrom.test(labelOf(caption));
}

function isOpenHead(block: PartyBlock, height: number): boolean {
  return block.box.y0 < returnedShare * height && roleOfCaption(block) === null;
}

/** Whether two blocks have one address, of which either may have more above its street: the name of a house. */
function isSameParty(a: PartyBlock, b: PartyBlock): boolean {
  if (a === b) return false;
  if (comparable(a.address) === comparable(b.address)) return true;
  const [long, short] = a.addressLines.length > b.addressLines.length ? [a, b] : [b, a];
  const tail = long.addressLines.slice(long.addressLines.length - short.addressLines.length);
  return (
    short.addressLines.length > 1 &&
    tail.every(({ text }, at) => comparable(text) === comparable(short.addressLines[at]!.text))
  );
}

const comparable = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const bankWord = /(?<!\p{L})(?:bank|credit union|savings|trust|n\.a\.)(?!\p{L})/iu;
/** In the names of banks, in any language. */
const ofBank =
  /ban[ck]|banque|sparkasse|caixa|caja|cassa|caisse|cr[eé]dit|kredit|building society|savings|trust|union|financ|n\.a\./iu;

/** Who issues a card, by its letterhead, and who draws a check, by the block at its head. */
function headOf(type: DocumentType, layout: Layout): Readonly<Record<string, PartyValue>> {
  const headed = (name: string, value: ExtractedValue | null): Readonly<Record<string, PartyValue>> =>
    value ? { [name]: { value, captioned: false, other: null } } : {};
  if (type.letterheadField) return headed(type.letterheadField, letterheadOf(layout));
  if (!type.headBlockField) return {};
  const drawer = partyBlocksOf(layout).find(({ name }) => name !== null && !bankWord.test(name));
  const lines = drawer?.nameLines.map((line) => ({ line })) ?? [];
  return headed(type.headBlockField, drawer?.name ? composedValue(drawer.name, 76, lines) : null);
}

function roleOfCaption({ caption }: PartyBlock): Role | null {
  if (caption === null) return null;
  // Some captions say the same again in parentheses: `Buyer (Bill to)`, `Consignee (Ship to)`.
  const [, before, within] = /^([^()]{3,})\(([^()]{3,})\)\W*$/u.exec(caption) ?? [];
  const labels = [caption, ...(before && within ? [before, within] : [])].map(labelOf);
  // What names two parties, with a stroke between, is the one's that it says most surely: `Shipper/Exporter`.
  const roles = labels.flatMap((label) => [label, ...label.split('/')]).map((label) => roleOfLabel(label.trim()));
  return roles.find((role) => role === 'sender' || role === 'recipient') ?? roles.find((role) => role !== null) ?? null;
}

/** Whether a text is the caption of whom a document is sent to: `Bill to`. */
export function isRecipientCaption(text: string): boolean {
  return roleOfLabel(labelOf(text)) === 'recipient';
}

function roleOfLabel(text: string): Role | null {
  // Where payments go is often a bank's or a service's.
  if (text === 'remit to') return 'other';
  if (deliveryTitle.test(text)) return null;
  if (recipientCaptions.has(text)) return 'recipient';
  if (senderCaptions.has(text)) return 'sender';
  // What stands above a window by chance, such as `Pay date`, says nothing of whose it is.
  return otherParty.test(text) ? 'other' : null;
}

/** Whose the blocks are: by their captions, else by where letters have them. */
function rolesOf(
  blocks: readonly PartyBlock[],
  layout: Layout,
  {
    isInstitution,
    roleOf,
    mayWrite,
  }: {
    readonly isInstitution: boolean;
    readonly roleOf: (block: PartyBlock) => Role | null;
    readonly mayWrite: (block: PartyBlock) => boolean;
  },
): PartyRoles {
  const roles = new Map<'sender' | 'recipient', PartyBlock>();
  for (const block of blocks) {
    const role = roleOf(block);
    if (role === null || role === 'other') continue;
    // An address alone, as that of the service, says less than who is named at a caption of the same side.
    const known = roles.get(role);
    if (!known || (known.name === null && block.name !== null)) roles.set(role, block);
  }
  const height = layout.document.pages[0]?.height ?? 1;
  const isAbove = ({ box }: PartyBlock, share: number) => box.y0 < share * height;
  const open = blocks.filter((block) => block.name !== null && roleOf(block) === null && isAbove(block, 0.45));
  const returnedTo = roles.get('sender');
  const own = returnedTo && !roles.has('recipient') && open.find((block) => isSameParty(block, returnedTo));
  if (own) {
    const others = open.filter((block) => block !== own && !isSameParty(block, own));
    roles.set('sender', own);
    if (others.length === 1) roles.set('recipient', others[0]!);
    return roles;
  }
  const [head, second, ...more] = open;
  // A department's box that a caption makes the sender's says less than the letterhead.
  if (returnedTo?.name === null && head && isAbove(head, 0.2)) roles.set('sender', head);
  if (isInstitution && !head && !roles.get('recipient')?.name) {
    const payer = payerOf(blocks, layout, roleOf);
    if (payer) roles.set('recipient', payer);
  }
  if (!head) return roles;
  if (more.length > 0) {
    // Above all others at the head of the page stands who writes.
    const isTop = isAbove(head, 0.2) && open.every((block) => block === head || block.box.y0 > head.box.y1);
    return isTop && !roles.has('sender') && looksLikeSender(head) ? roles.set('sender', head) : roles;
  }
  if (roles.has('recipient')) {
    if (!roles.has('sender') && (looksLikeSender(head) || isAbove(head, 0.2))) roles.set('sender', head);
    return roles;
  }
  // Beside whom a caption makes the sender, the one block without a caption is whom it is written to.
  if (returnedTo?.name && !second)
    return isSameParty(head, returnedTo) || head.name === returnedTo.name ? roles : roles.set('recipient', head);
  if (second) {
    const isOwn = (block: PartyBlock) => isNamedByLogo(block.nameLines, layout) || isSignedFor(block, layout);
    const [isHeadOwn, isSecondOwn] = [head, second].map(isOwn);
    if (isHeadOwn !== isSecondOwn) {
      const [sender, recipient] = isHeadOwn ? [head, second] : [second, head];
      return roles.set('sender', sender).set('recipient', recipient);
    }
    // An employee gets what the employer writes, wherever both stand.
    if (!isInstitution && !mayWrite(head) && isOrganizationName(second.name!) !== null)
      return roles.set('sender', second).set('recipient', head);
    const isPerson = arePeople(second.name!) && !second.hasDetails;
    // Who writes stands above whom it is written to.
    const isOver = isAbove(head, 0.25) && second.box.y0 > head.box.y1 && !(second.hasDetails && !head.hasDetails);
    const isSender = looksLikeSender(head) && !looksLikeSender(second);
    if (looksLikeSender(second) && arePeople(head.name!) && !head.hasDetails && !isOver) {
      return roles.set('sender', second).set('recipient', head);
    }
    // Side by side at the head: who writes says how to be reached, or stands at the left.
    const isLevel = Math.abs(head.box.y0 - second.box.y0) < levelShare * height && isAbove(head, 0.2);
    const areFirms = [head, second].every(
      ({ name }) => isOrganizationName(name!) !== null || !isPersonName(titleCased(name!)),
    );
    const [left, right] = head.box.x0 < second.box.x0 ? [head, second] : [second, head];
    if (isLevel && areFirms && right.box.x0 > left.box.x1) {
      const [sender, recipient] = right.hasDetails && !left.hasDetails ? [right, left] : [left, right];
      return roles.set('sender', sender).set('recipient', recipient);
    }
    if (isSender || isPerson || isOver) roles.set('sender', head).set('recipient', second);
    return roles;
  }
  if (addressBesideLogo(blocks, layout)) return roles.set('recipient', head);
  // Above the window stands its sender in one line.
  const returned = senderInLine(layout);
  // A department may stand in that line, below the organization whose name is set above it.
  if (returned && isAddressOf(head, returned)) return roles.set('sender', head);
  if (returned && returned.name.value !== head.name) return roles.set('recipient', head);
  // Below another's logo.
  const logo = logoOf(layout);
  if (logo && logo.box.y1 < head.box.y0 && !comparable(head.name!).includes(comparable(logo.text)))
    return roles.set('recipient', head);
  if (!mayWrite(head)) return roles.set('recipient', head);
  if (!head.hasDetails && isBelowSender(head)) return roles.set('recipient', head);
  if (letterheadOf(layout)?.value === head.name) return roles.set('sender', head);
  if (!head.hasDetails && isUnderAnother(head, layout)) return roles.set('recipient', head);
  // Alone in the window of the envelope: who it is sent to.
  const isPerson = arePeople(head.name!) && isOrganizationName(head.name!) === null && !isAuthority(head.name!);
  if (isPerson && (isInstitution || !head.hasDetails)) roles.set('recipient', head);
  else if (looksLikeSender(head) && isAbove(head, 0.2)) roles.set('sender', head);
  return roles;
}

/** Who pays, on the slip that goes back with the payment: the only people there whom no caption makes another party. */
function payerOf(
  blocks: readonly PartyBlock[],
  layout: Layout,
  roleOf: (block: PartyBlock) => Role | null,
): PartyBlock | null {
  const issuer = labelOf(String(letterheadOf(layout)?.value ?? ''));
  const people = blocks.filter(
    (block) =>
      block.name !== null &&
      labelOf(block.name) !== issuer &&
      roleOf(block) === null &&
      arePeople(block.name) &&
      !isAuthority(block.name) &&
      // The slip has the issuer's address as well, whose name may be worded as a person's.
      !isNamedByLogo(block.nameLines, layout),
  );
  const [payer] = people;
  return payer && people.every(({ name }) => name === payer.name) ? payer : null;
}

/** A form of address, as it begins the line of whom a letter is sent to. */
const formOfAddress = /^(?:mr|mrs|ms|miss|dr|herrn?|frau|monsieur|madame|mme|mlle)\.? \p{Lu}/iu;

/** The one line of a page's head that names people by their form of address above a street, where the town below it is not known for one. */
function titledAddressee(layout: Layout): ExtractedValue | null {
  const [page] = layout.document.pages;
  const found = layout.lines.filter((line) => {
    if (line.page !== page?.number || line.box.y0 > 0.45 * page.height || line.text.length > 60) return false;
    const { below } = neighboursOf(layout, line);
    const isStreetBelow =
      below !== null && isStreetLine(below.text) && Math.abs(below.box.x0 - line.box.x0) < line.box.y1 - line.box.y0;
    return isStreetBelow && formOfAddress.test(line.text) && arePeople(line.text);
  });
  const [line, ...others] = found;
  return line && others.length === 0 ? composedValue(line.text.trim(), placedConfidence, [{ line }]) : null;
}

/** Whether the sender's line is a line of a block's own address. */
function isAddressOf({ addressLines }: PartyBlock, { name }: ReturnAddress): boolean {
  return addressLines.some(({ text }) => text.startsWith(String(name.value)));
}

/** How far apart the heads of two blocks on one level are at the most, of a page's height. */
const levelShare = 0.02;

/** Whether a company, or the line of who writes, stands right above a name in the window, however it was read. */
function isBelowSender({ name, besides }: PartyBlock): boolean {
  return besides.some(
    (text) =>
      (isOrganizationName(text) === 'legal_form' && !comparable(text).startsWith(comparable(name ?? ''))) ||
      (text.length > windowLine && /\p{L}{3}.*\d{4,5} ?\p{Lu}\p{L}{3,}$/u.test(text)),
  );
}

/** Signs of a sender's line above a window at the least. */
const windowLine = 25;

/** Whether an organization of another name heads the page above a block. */
function isUnderAnother({ name, box }: PartyBlock, layout: Layout): boolean {
  const letterhead = letterheadOf(layout);
  const over = letterhead?.provenance[0];
  if (!over || over.box.y1 > box.y0 || isOrganizationName(String(letterhead.value)) === null) return false;
  const [own, other] = [comparable(name ?? ''), comparable(String(letterhead.value))];
  return !own.includes(other) && !other.includes(own);
}

/** The sender with its address in one line: above the window, in the letterhead or at the foot. */
function senderInLine(layout: Layout): ReturnAddress | null {
  return returnAddress(layout) ?? senderAtHead(layout) ?? senderAtFoot(layout);
}

/** What rows about somebody call where that one lives. */
const addressLabel =
  /^(?:(?:home|private|residential|postal) )?(?:address|adresse|anschrift|domicilio|direcci[oó]n|indirizzo|morada|adres) ?: /iu;

/** What stands before the address that payments go to. */
const remittance = /^(?:please )?remit(?:tance)? to$/u;

/** The one address at the top of a page that has no name and no caption but of payments above it, as those beside a logo. */
function addressBesideLogo(blocks: readonly PartyBlock[], layout: Layout): ExtractedValue | null {
  const height = layout.document.pages[0]?.height ?? 1;
  const [only, ...more] = blocks.filter(
    ({ name, caption, box, addressLines }) =>
      name === null &&
      (caption === null || remittance.test(labelOf(caption))) &&
      box.y0 < 0.2 * height &&
      // Behind a label it is of whom the rows around it are.
      !addressLabel.test(addressLines[0]!.text) &&
      ![addressLines[0]!, neighboursOf(layout, addressLines[0]!).left].some((line) => /:\s*$/.test(line?.text ?? '')),
  );
  if (!only || more.length > 0) return null;
  return addressOfBlock(only, placedConfidence);
}

/**
 * The one company with its address at the foot of the page, where letters have it that head their pages with a logo;
 * null where none or several stand there.
 */
function companyAtFoot(blocks: readonly PartyBlock[], layout: Layout): PartyBlock | null {
  const page = layout.document.pages[0];
  if (!page) return null;
  const sums = layout.lines.filter((line) => line.page === page.number && /\d[.,]\d\d(?!\d)/.test(line.text));
  const end = Math.max(footShare * page.height, ...sums.map(({ box }) => box.y0));
  const [only, ...more] = blocks.filter(
    ({ name, box, caption }) =>
      name !== null &&
      box.y0 > end &&
      (isOrganizationName(name) === 'legal_form' || isBesideNumbers(box, layout)) &&
      (caption === null || addressCaption.test(labelOf(caption))),
  );
  const isElsewhere = ({ name }: PartyBlock) =>
    blocks.some((block) => block.name === name && block !== only && block.box.y0 < end);
  return only && more.length === 0 && !isElsewhere(only) ? only : null;
}

/** What the columns of a letter's foot have beside the address: the account, numbers of tax and of registers. */
const ofFoot =
  /(?<!\p{L})(?:iban|bic|swift|ust-?id\S*|st(?:euer)?\.?-?n(?:r|ummer)|hr[ab]|kvk|btw|siret|siren|p\.? ?iva|nif|cif|vat|company (?:no|number|reg\p{L}*))(?!\p{L})/iu;

/** Whether columns with the account or numbers of who writes stand beside a block, as in the foot of a letter. */
function isBesideNumbers(box: PartyBlock['box'], layout: Layout): boolean {
  return layout.lines.some(
    (line) =>
      line.page === layout.document.pages[0]?.number &&
      line.box.y0 < box.y1 &&
      line.box.y1 > box.y0 &&
      (line.box.x0 > box.x1 || line.box.x1 < box.x0) &&
      ofFoot.test(line.text),
  );
}

/** Where payments go, if it is whose logo heads the page; null where it is another's, as a bank's, or two are. */
function remittedTo(blocks: readonly PartyBlock[], layout: Layout): PartyBlock | null {
  const [only, ...more] = blocks.filter(
    ({ caption, nameLines }) =>
      caption !== null && remittance.test(labelOf(caption)) && isNamedByLogo(nameLines, layout),
  );
  return only && more.length === 0 ? only : null;
}

/** The one block that no caption gives to somebody whose name heads the page as well, as shops print it again on slips and receipts. */
export const headedAgain = onceFor((layout): PartyBlock | null => {
  const page = layout.document.pages[0]?.number;
  const heads = layout.lines.filter((line) => line.page === page).slice(0, headLines);
  const [only, ...more] = blocksOfFirstPage(layout).filter(
    (block) =>
      block.name !== null &&
      roleOfCaption(block) === null &&
      heads.some((line) => !block.nameLines.includes(line) && comparable(line.text) === comparable(block.name!)),
  );
  return only && more.length === 0 ? only : null;
});

/** How many lines of a page are its head. */
const headLines = 8;

/** Where a page's foot begins at the earliest, of its height; it is below all of its sums. */
const footShare = 0.6;
const addressCaption =
  /^(?:(?:our |postal |head |registered )?(?:address|office)|adress|adresse|anschrift|postadress)$/u;

function looksLikeSender({ name, hasDetails }: PartyBlock): boolean {
  return hasDetails || (name !== null && (isOrganizationName(name) !== null || isAuthority(name)));
}

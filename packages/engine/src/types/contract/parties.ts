import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { hasPlace, irishCounty, isAddressLike } from '../../candidates/address-lines.ts';
import { foldText } from '../../candidates/date.ts';
import { unmarked } from '../../candidates/unmarked.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { isOrganizationName, isPersonName } from '../../compose/names.ts';
import type { Prose } from '../../compose/prose.ts';
import { isValediction } from '../../compose/valediction.ts';
import { composedValue } from '../../compose/value.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { isCutTo } from './cut-names.ts';
import { roleBefore, roleCaptionOf } from './roles.ts';

/** A party's name and where it stands in the prose. */
interface Party {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The parties are named in the first clauses; later ones name affiliates, advisers and earlier agreements. */
const headLength = 6_000;
const definitionsLength = 3_500;

/**
 * The parties of a contract: those of its opening clause (`between X (“Seller”) and Y (“Buyer”)`), and where that names
 * fewer than two, those given a role (`X, a Delaware corporation (the “Company”)`), a letter's addressee, who declares
 * (`I, Jane Doe, …`) and who signs. Null if fewer than two are found, and no place is left blank for the other.
 */
export function partiesOf(layout: Layout, prose: Prose): ExtractedValue | null {
  const head = headOf(layout, prose);
  const opening = openingParties(head);
  const found = distinct(opening.parties);
  const isComplete = () => found.length >= 2;
  const add = (parties: readonly Party[], most = 2) => {
    for (const party of parties) {
      if (found.length < most && !found.some((other) => isSameParty(other, party))) found.push(party);
    }
  };
  // A form that leaves a party blank names no other one in its place but where it is signed.
  if (!isComplete() && !opening.hasBlank) {
    if (found.length === 0) add(partiesOfNote(head));
    if (found.length === 0) add(pairedParties(head.slice(0, definitionsLength)));
    if (found.length === 0) add(listedBelowHeading(layout, prose), mostParties);
    if (found.length === 0) add(calledParties(head.slice(0, definitionsLength)));
    const sides = captionedSides(layout, prose);
    const captioned = sides.flat();
    // Where captions name who the opening clause names as well, they name all.
    const isAll = found.every((party) => captioned.some((other) => isSameParty(other, party)));
    add(captioned, isAll ? mostParties : 2);
    // Several at one caption are one side, and the other one may have been read badly.
    if (sides.length === 1 && captioned.length > 1 && found.every((party) => captioned.includes(party))) return null;
    if (found.length === 1) add(counterparties(layout, prose));
    add(definedParties(head.slice(0, definitionsLength)));
    add(addressees(layout, prose));
    if (found.length === 1) add(senders(layout, prose));
    add(declarants(head));
  }
  const confidence = isComplete() ? confidenceOf(distinct(opening.parties), head) : null;
  if (!isComplete()) add(signingParties(layout, prose));
  if (!isComplete()) add(promisers(layout, prose));
  const promise = !isSigned(layout) && addressesPerson(head);
  // Whose contract a person signs, or is to sign.
  if (!isComplete() && !found.some(({ name }) => isCompany(name)) && (found.length > 0 || promise))
    add(companies(head));
  // One name alone is not who agreed, unless the form leaves the other one to be filled in, or was never signed.
  const [only] = found;
  const isForm = opening.hasBlank || (promise && only !== undefined && isCompany(only.name));
  if (!only || (!isComplete() && !isForm)) return null;
  // A company that makes a contract of pages is named again where it signs, if not before; of those named once, where no
  // clause names the two sides, every other is a third party or was read badly.
  const isLong = prose.text.length > longContract;
  const isSure = !isLong || !isComplete() || confidence === twoSidesConfidence;
  if (!isSure && found.some((party) => isNamedOnce(party, prose))) return null;
  found.sort((a, b) => a.start - b.start);
  return composedValue(
    found.map(({ name }) => withoutAddress(name)),
    confidence ?? (isComplete() ? 62 : opening.hasBlank ? 60 : formConfidence),
    found.flatMap(({ start, end }) => prose.stretchesOf(start, end)),
  );
}

/** The text of the first clauses, with a comma between a line of a name and the address set below it. */
function headOf(layout: Layout, prose: Prose): string {
  let head = prose.text.slice(0, headLength);
  layout.lines.some((line, index) => {
    const next = layout.lines[index + 1];
    const at = next ? (prose.startOf(next) ?? headLength) : headLength;
    const isOver = next && at < headLength && line.words.length <= 7 && next.box.y0 > line.box.y0;
    const isAddress = isOver && /\d/.test(next.text) && (isAddressLike(next.text) || isOverTown(layout, index + 1));
    if (isAddress && isNameAlone(line.text)) {
      head = `${head.slice(0, at - 1)},${head.slice(at)}`;
    }
    return at >= headLength;
  });
  return head;
}

/** Whether a short line of figures stands right above that of a town, as a campus or an estate does: `Campus E2 1`. */
function isOverTown({ lines }: Layout, at: number): boolean {
  const [line, town] = lines.slice(at, at + 2);
  return line !== undefined && town !== undefined && line.words.length <= 5 && hasPlace(town.text);
}

function isNameAlone(text: string): boolean {
  return /\p{L}\.?$/u.test(text) && (isPersonName(text) || isOrganizationName(text) !== null);
}

const partiesHeading =
  /^(?:the )?(?:parties|parteien|vertragsparteien|les parties|las partes|le parti|as partes|partijen)\s*:?$/iu;
const headingLines = 80;
const listedLines = 14;

/** The parties that stand one below the other under a heading, each with its role in brackets: `Example Pty Ltd ACN 118 447 220 of … (Client)`. */
function listedBelowHeading(layout: Layout, prose: Prose): readonly Party[] {
  const at = layout.lines.slice(0, headingLines).findIndex(({ text }) => partiesHeading.test(text));
  if (at < 0) return [];
  const lines = layout.lines.slice(at + 1, at + 1 + listedLines);
  const end = lines.findIndex(
    ({ text }) => clauseEnd.test(text) || /^(?:operative|agreed|recitals?|\d+\.? \p{Lu})/iu.test(text),
  );
  return lines.slice(0, end < 0 ? lines.length : end).flatMap((line) => {
    const start = prose.startOf(line);
    const party = start === undefined ? null : partyAt(prose.text, start);
    const isNamedOne = party && (isNamed(party.name) || isPersonName(party.name));
    return isNamedOne && roleMark.test(prose.text.slice(party.end, party.end + 160)) ? [party] : [];
  });
}

function isCompany(name: string): boolean {
  return isOrganizationName(name) !== null;
}

/** Whether what is promised is promised by whoever signs: `I agree`, `you agree`, `[name of employee]`. */
function addressesPerson(head: string): boolean {
  return /(?<!\p{L})(?:I|my|me|you|your|[Ee]mployees?|EMPLOYEE|[Ee]xecutive|[Aa]ssociate|[Pp]articipant|[Rr]ecipient)(?!\p{L})/u.test(
    head,
  );
}

const signatureMark = /\/s\//i;

function isSigned(layout: Layout): boolean {
  return layout.lines.slice(0, 5_000).some(({ text }) => signatureMark.test(text));
}

/** Of one company's form, which names no one else. */
const formConfidence = 76;

/** What gives a party its role or short name, in a bracket or, in German, between dashes: `– Vermieterin –`. */
const roleMark =
  /\([^()]*["“”„][^()]*\)|\((?:the )?\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?\)|«[^«»]{3,40}»|[–—-] ?(?:nachfolgend |im folgenden |als )?\p{Lu}\p{L}+ ?[–—-]/u;
/** What stands between two people on one side: `Herrn X, geb. 1.2.1990, und Frau Y`. */
const joinsPeople =
  /^(?:,? ?(?:geb\.?|geboren am|née?) [\p{L}\d. ]{2,20})?,? (?:and|und|et|y) (?:\p{Lu}\p{L}{0,4}\.? )?$|^[^()“”„]{0,80} \(?[2-9][.)] (?:\p{Lu}\p{L}{0,7}\.? )?$/u;
/** What is said of a person behind the name. */
const individual = /^,? an? (?:individual|natural person|resident)(?!\p{L})/iu;
/** How people are addressed before their names. */
const addresses =
  'D\\.?\\/D[ñÑnN][aA]|Frau|Herrn?|Mr|Mrs|Ms|Miss|MR|MRS|MS|MISS|Don|DON|Sig(?:\\.?ra|\\.?na)?|Dott(?:\\.?ssa)?|M(?=\\.)|Mme|Mlle|Monsieur|Madame|D(?=\\.)|Do[ñn]a|D[ñn]a|D[ªa](?=\\.? )|Sra?|SRA?|Lic|Ing|LIC|ING|[Mm]evrouw|[Mm]evr(?=\\.)|(?:[Dd]e )?[Hh]eer|[Dd]hr(?=\\.)|Sh?ri|SH?RI|Smt|SMT|Kum(?=\\.)';
const addressBefore = new RegExp(`^(?:${addresses})\\.? (?=\\p{Lu})`, 'u');

/** A person's name without a form of address before it. */
function withoutAddress(name: string): string {
  const bare = name.replace(addressBefore, '');
  return isPersonName(bare) ? bare : name;
}

const addressed = new RegExp(`(?<!\\p{L})(?:${addresses})\\.? $`, 'u');

/** Of the two parties that one clause names. */
const twoSidesConfidence = 84;

/** Characters of about a page. */
const longContract = 3_000;

function isNamedOnce({ name }: Party, { text }: Prose): boolean {
  if (!isCompany(name)) return false;
  const letters = lettersOf(name);
  const all = lettersOf(text);
  return all.indexOf(letters) === all.lastIndexOf(letters);
}

function lettersOf(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * A clause that names more than two often names one side's affiliates among them, unless each is given a name of its own:
 * `X Ltd (“Buyer”), Y plc (“Seller”) and Z Limited (“Agent”)`.
 */
function confidenceOf(opening: readonly Party[], head: string): number {
  if (opening.length < 2) return 70;
  if (opening.length === 2) return twoSidesConfidence;
  const isOneName = /^[^()]{0,80}\([^()]*(?:collectively|together|jointly)(?!\p{L})/iu.test(
    head.slice(opening.at(-1)!.end),
  );
  const isLastMarked = roleMark.test(head.slice(opening.at(-1)!.end, opening.at(-1)!.end + 160));
  const isEachDefined = opening.every(({ name, start, end }, at) => {
    const behind = head.slice(end, opening[at + 1]?.start ?? end + 320);
    // Several are one side under one name: `Jane Doe and Richard Roe (collectively, “Tenant”)`.
    const isOneSide =
      at + 1 < opening.length &&
      ((/^,? and $/.test(behind) && isOneName) || (joinsPeople.test(behind) && isLastMarked));
    const isAddressed = addressed.test(head.slice(0, start)) && isPersonName(name);
    const isPerson =
      isAddressed || ((isOneSide || isGivenRole(head, end) || individual.test(behind)) && isPersonName(name));
    return (isNamed(name) || isPerson || / & /.test(name)) && (isOneSide || isAddressed || roleMark.test(behind));
  });
  // Of three, two whose names begin alike are one side's.
  const beginnings = opening.map(({ name }) => foldText(name).split(/[^\p{L}\p{N}]+/u)[0]);
  const isAffiliated = opening.length === 3 && new Set(beginnings).size < 3;
  return isEachDefined && !isAffiliated ? 70 : affiliatesConfidence;
}

/** Of several names of which some may be one side's affiliates. */
const affiliatesConfidence = 56;

function distinct(parties: readonly Party[]): Party[] {
  return parties.filter((party, index) => !parties.slice(0, index).some((other) => isSameParty(other, party)));
}

function isSameParty(a: Party, b: Party): boolean {
  const [left, right] = [lettersOf(a.name), lettersOf(b.name)];
  return left.includes(right) || right.includes(left) || isCutTo(a.name, b.name) || isCutTo(b.name, a.name);
}

/** What introduces the parties of the opening clause. */
const openingWords =
  /(?<!\p{L})(?:by and between|by and among|between|among|zwischen|entre(?: les soussignée?s?)?|reunidos|(?:de|por) una parte|tra|fra|tussen|(?:de )?ondergetekenden|(?:parties|partijen|(?:vertrags)?parteien|les parties|las partes|le parti|as partes)(?::|(?= \(?1[).])))(?!\p{L})/giu;
const conjunction =
  /^[,;.]?\s*(?:and|und|et|y(?: (?:de|por)(?: la)? otra(?: parte)?)?|(?:de|por)(?: la)? otra(?: parte)?|e|en)(?:[,:]\s*|\s+)/iu;
/** The number before the next of several parties: `(2) Jane Doe`, `2. Jane Doe`. */
const numberedNext = /^\s+\(?[2-9][.)] ?(?=\p{Lu}|$)/u;
/** The same before a form of address, whatever stands before it. */
const numberedPerson =
  /^\s+\(?[2-9][.)] ?(?=(?:Herrn?|Frau|Mrs?|Ms|Miss|Dr|Mme|Monsieur|Madame|Sig(?:\.?ra)?|Sra?)\.? \p{Lu})/u;
/** What ends the opening clause, wherever it stands. */
const clauseEnd =
  /^(?:witnesseth|recitals|whereas|background|in consideration|table of contents|date\s*:|agreement\s*:|wird (?:folgend|nachstehend|nachfolgend|der |dieser )|il a été |il est convenu|art(?:icle|ikel|ículo)\.? 1(?!\d)|exponen|manifiestan|estipulaciones|präambel|vorbemerkung|préambule|considerando|premesso)/iu;
const longestClause = 2_500;
const mostParties = 8;

/** The parties of the first clause that names any, and whether it leaves another blank to be filled in. */
function openingParties(head: string): { readonly parties: readonly Party[]; readonly hasBlank: boolean } {
  let cover: { readonly parties: readonly Party[]; readonly hasBlank: boolean } | null = null;
  for (const match of head.matchAll(openingWords)) {
    const parties: Party[] = [];
    let hasBlank = false;
    let at: number | null = match.index + match[0].length;
    const end = at + longestClause;
    while (at !== null && at < end && parties.length < mostParties) {
      at = pastLead(head, at);
      const signer = partyAt(head, at);
      const party = signer && (representedBy(head, signer) ?? signer);
      if (party) parties.push(party);
      else if (isBlank(head, at)) hasBlank = true;
      else if (parties.length === 0) break;
      at = nextPartyStart(head, party?.end ?? at);
    }
    if (parties.length === 0) continue;
    const clause = { parties, hasBlank };
    const isSure = parties.length === 2 || confidenceOf(distinct(parties), head) > affiliatesConfidence;
    if (cover === null && (hasBlank || (parties.length > 1 && isSure))) return clause;
    // A cover page names several without their roles, which the clause behind it gives.
    if (cover !== null && parties.length > 1 && isSure && isSameParty(parties[0]!, cover.parties[0]!)) return clause;
    cover ??= clause;
  }
  return cover ?? { parties: [], hasBlank: false };
}

const representing = unmarked(
  /^[^()“”"]{0,110}?(?:en (?:nombre y )?representación|actuando en nombre|on behalf|au nom(?: et pour le compte)?|in rappresentanza|namens) (?:de|of|di|van)?(?: ?(?:la |el |the )?(?:mercantil|sociedad|entidad|empresa|société)(?: (?:mercantil|denominada))?)? ?/iu,
);

/** The company for which a person acts whom the clause names first: `D. Juan Ejemplo, en representación de Ejemplo, S.L.`. */
function representedBy(head: string, { name, end }: Party): Party | null {
  const lead = isPersonName(name) ? representing.exec(head.slice(end, end + 190))?.[0] : undefined;
  const party = lead === undefined ? null : partyAt(head, end + lead.length);
  return party && isOrganizationName(party.name) === 'legal_form' ? party : null;
}

function pastLead(text: string, at: number): number {
  const lead =
    /^(?:[\s,:;"“„«–—-]|\((?:\d|[ivx]{1,4}|[a-d])\)|\d\.(?=\s|\p{Lu}{2})|(?:the|die|der|das|den|la|le|el) (?:undersigned|unterzeichnete\p{L}*|soussignée?s?|firma|société|empresa|società)(?!\p{L})|(?:de|por) una parte(?!\p{L})|(?:como|en calidad de) (?:el |la )?\p{L}+(?=,)|d['’]une part(?!\p{L}))*/iu;
  const led = at + lead.exec(text.slice(at, at + 80))![0].length;
  // The clause may caption each of its parties: `between: Borrower: Jane Doe, of …`.
  const behind = text.slice(led, led + 60);
  const named = led + (roleCaptionOf(behind) ?? roleBefore(behind));
  return named + articleOrAddress.exec(text.slice(named, named + 20))![0].length;
}

const articleOrAddress = new RegExp(
  `^(?:(?:der|die|dem|den|la|le|el|il|lo|de|het) (?=\\p{Lu})|(?:EL|LA) (?=(?:LIC|ING|SRA?|DRA?)\\.? )|the (?=\\p{Lu}\\p{L}+ of \\p{Lu}))?(?:(?:${addresses}|M\\/[Ss])(?:\\. ?| )(?=\\p{Lu}))?`,
  'u',
);

/** A place that is left blank for a party's name, or that leaves it to the signature. */
function isBlank(text: string, at: number): boolean {
  return /^(?:\[|_{2,}|[Xx]{3,}(?!\p{L})|\((?:the )?["“”'‘]|the (?:person|employee|individual|executive|participant|director)s? )/iu.test(
    text.slice(at, at + 40),
  );
}

const abbreviation =
  /(?:^|[\s(,.])(?:inc|co|corp|ltd|l\.?p|l\.?l\.?[cp]|n\.?[av]|b\.?v|s\.?a|s\.?p\.?a|s\.?r\.?l|st|mr|mrs|ms|dr|prof|ing|dott|avv|geom|arch|lic|no|nr|jr|sr|ave|blvd|str|ste|\p{L})$/iu;

const registered =
  /^\((?:reg(?:istered|istration|\.)?|company|co\.|no\.?|number|nr|abn|acn|crn|hrb|siren|rcs)(?!\p{L})[^"“”„]*$/iu;

/** What says without a bracket how a party is called from here on. */
const shortNameWord =
  /^(?:hereinafter|hereafter|nachfolgend|nachstehend|im folgenden|ci-après|en adelante|di seguito|adiante|hierna|a quien en (?:lo sucesivo|adelante))(?!\p{L})/iu;

/** Where the next party's name begins: behind a conjunction, outside of brackets; null where the clause ends. */
function nextPartyStart(text: string, from: number): number | null {
  let depth = 0;
  let isDefined = false;
  let isNamedShort = false;
  let openedAt = from;
  for (let at = from; at < Math.min(text.length, from + 700); at += 1) {
    const letter = text[at]!;
    if (letter === '(') {
      depth += 1;
      openedAt = at;
    } else if (letter === ')') {
      depth = Math.max(0, depth - 1);
      // A number in brackets, such as a company's in its register, gives no name.
      isDefined ||= !registered.test(text.slice(openedAt, at));
    } else if (depth > 0) continue;
    const isWordStart = at === 0 || !/\p{L}/u.test(text[at - 1]!);
    if (isWordStart && clauseEnd.test(text.slice(at, at + 24))) return null;
    if (isWordStart && shortNameWord.test(text.slice(at, at + 16))) isNamedShort = true;
    if (
      letter === '.' &&
      /^\.\s+["“(]?(?!(?:[Yy] )?(?:[Dd][Ee]|[Pp][Oo][Rr])(?: [Ll][Aa])? [Oo][Tt][Rr][Aa][ ,])\p{Lu}/u.test(
        text.slice(at, at + 16),
      )
    ) {
      if (!abbreviation.test(text.slice(Math.max(from - 8, 0), at))) return null;
    }
    const rest = text.slice(at, at + 40);
    // Of a comma behind a bracket, OCR may have read a dot, and no blank.
    if (!/^(?:[\s,;]|\.(?:and|und|et|y|e|en) )/.test(rest)) continue;
    const joined =
      conjunction.exec(rest)?.[0] ??
      (isDefined ? numberedNext : numberedPerson).exec(rest)?.[0] ??
      (letter === ';' || isDefined ? /^[,;]\s+/.exec(rest)?.[0] : undefined);
    if (joined === undefined) continue;
    const start = pastLead(text, at + joined.length);
    if (isDefined || isNamedShort || letter === ';') {
      const next = partyAt(text, start);
      // Behind a comma alone a party's address goes on with its town, and behind a number a clause may begin.
      const isName =
        next !== null &&
        (isNamed(next.name) ||
          (numberedNext.test(joined) && isPersonName(next.name) && isDescribedParty(text, next.end)));
      const isTown = next !== null && letter !== ';' && /^[,;]\s+$|\d/.test(joined) && !isName;
      if (!isTown && (next || isBlank(text, start))) return start;
      continue;
    }
    // Before its role is given, a party may name its subsidiaries, its seat or its law.
    const isDescribed = /subsidiar|affiliat|includ|together with|successors|agents|divisions|offices? (?:at|in)/i.test(
      text.slice(from, at),
    );
    const next = partyAt(text, start);
    const isPerson =
      next !== null && isPersonName(next.name) && (isGivenRole(text, next.end) || addressed.test(text.slice(0, start)));
    const isNext = next !== null && (isNamed(next.name) || isPerson);
    if (isNext && !isDescribed) return start;
  }
  return null;
}

/** Whether a name goes on as a party does: with an address, or a bracket. */
function isDescribedParty(text: string, end: number): boolean {
  return /^(?:, ?(?:\d|of |residing)| of |,? ?\()/u.test(text.slice(end, end + 14));
}

/** Whether a bracket right behind a name says what it is called from here on. */
function isGivenRole(text: string, end: number): boolean {
  return /^,? ?\([^()]{0,80}["“”„«]/u.test(text.slice(end, end + 90));
}

function isNamed(name: string): boolean {
  return isOrganizationName(name) !== null || (isPersonName(name) && hasGivenName(name));
}

const legalForm =
  /^(?:inc|incorporated|llc|l\.l\.c|pllc|p\.l\.l\.c|l\.c|lp|l\.p|llp|l\.l\.p|ltd|limited|corp|corporation|co|company|plc|n\.a|pc|p\.c|p\.a|pty|gmbh|mbh|ag|kg|kgaa|ohg|ug|gbr|ggmbh|e\.k|e\.v|eg|se|sarl|s\.à\.?r\.l|s\.a\.r\.l|sas|s\.a\.s|sa|s\.a|s\.l|s\.l\.u|s\.r\.l|srl|s\.p\.a|spa|c\.v|b\.v|bv|n\.v|nv|lda|ltda|unipessoal|ab|oy|oyj|a\/s|aps|pte|sdn|bhd)\.?$/iu;
const county = new RegExp(`^${irishCounty}`, 'iu');
const generation = /^(?:jr|sr|ii|iii|iv)\.?$/i;
const joining = /^(?:of|the|and|for|&|de|du|des|von|van|der|den|la|le|und|et|y|e|di|da|do|del|della|en)$/iu;
const conjoining = /^(?:and|&|und|et|y|e|en)$/iu;
/** Words by which a clause or a role begins, and no name. */
const notParty =
  /^(?:(?:the )?(?:company|employee|employer|executive|recipient|discloser|client|customer|seller|buyer|purchaser|landlord|tenant|lessor|lessee|parties|party|board|each|any|this|that|these|such|all|both|you|us|it|whereas|section|article|exhibit|schedule|state|united|address|date|name|effective|capitalized|witness|agreement|contract))(?:$|[\s,.])/iu;

const clauseNumber = /^\d{1,2}\.$/;
/** What stands before a company's or a person's number behind the name. */
const registryName = /^(?:ABN|ACN|ARBN|NZBN|CRN|CIN|PAN|CIF|NIF|DNI|SIRET|SIREN|RCS|VAT|UEN|EIN|HRB|KvK)\.?$/u;

/** The name that begins at a place of a text; null if none does. */
function partyAt(text: string, at: number): Party | null {
  // The blank behind a comma or an initial is easily lost in reading.
  const tokens = text
    .slice(at, at + 140)
    .replace(/(?<=\p{L}\.?),(?=[\p{L}\d])/gu, ', ')
    .replace(/(?<=(?:^| )\p{Lu}\.)(?=\p{Lu}\p{Ll})/gu, ' ')
    .replace(/(?<= )&(?=\p{L})/gu, '& ')
    .split(' ');
  const name: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const bare = token.replace(/[,;:)\]”"»“]+$/u, '');
    if (name.length > 0 && (registryName.test(bare) || clauseNumber.test(token))) break;
    // The next party may stand at the caption of its role: `The Landlord: Jane Doe The Lodger: Richard Roe`.
    if (name.length > 0 && tokens.slice(index, index + 3).some((each) => each.endsWith(':'))) {
      const rest = tokens.slice(index, index + 4).join(' ');
      if (/: ?$/.test(rest.slice(0, roleCaptionOf(rest) ?? 0))) break;
    }
    // A company is incorporated somewhere; `Incorporated` is its form.
    const next = tokens[index + 1] ?? '';
    const following = next.replace(/[,;:)]+$/u, '');
    const isCounty = county.test(`${bare} ${following}`);
    const isForm = legalForm.test(bare) && bare !== 'incorporated' && !isCounty;
    const isCapitalised = /^(?:\p{Lu}|\d|\p{Ll}{1,4}\p{Lu})/u.test(bare);
    if (name.length > 0 && /^[–—-]$/.test(token) && goesOnToForm(tokens.slice(index + 1))) {
      name.push(token);
      continue;
    }
    if (joining.test(bare) && !(isCapitalised && name.length === 0)) {
      if (name.length === 0 || !/^(?:\p{Lu}|\p{Ll}{1,3} \p{Lu}|the$|la$|le$|der$)/u.test(following)) break;
      if (conjoining.test(bare) && bare !== '&' && !goesOn(name, tokens.slice(index + 1))) break;
    } else if (!isCapitalised && !(isForm && name.length > 0)) break;
    name.push(bare);
    const isOver = token !== bare && !/^,$/.test(token.slice(bare.length));
    if (isOver) break;
    if (token.endsWith(',')) {
      if (legalForm.test(following) || generation.test(following)) continue;
      if (isFirmOfNames(tokens.slice(index + 1))) {
        name[name.length - 1] = token;
        continue;
      }
      break;
    }
    // In French a form may stand before the name.
    const isLeading =
      name.length === 1 && /^(?:SARL|SAS|SASU|EURL|SCI|SNC|SA)$/.test(bare) && /^\p{Lu}/u.test(following);
    if (
      isForm &&
      !isLeading &&
      !legalForm.test(following) &&
      !generation.test(following) &&
      !/^(?:&|of)$/.test(following) &&
      !/^de c\.? ?v/i.test(tokens.slice(index + 1).join(' '))
    )
      break;
    // A sentence's end; `St.`, `Co.` and initials are none.
    if (bare.endsWith('.') && !isForm && !abbreviation.test(bare.slice(0, -1))) break;
  }
  while (name.length > 0 && joining.test(name.at(-1)!)) name.pop();
  return partyOf(text, at, name);
}

/** What says of one word that it is a party's name: a bracket, or what kind of company it is. */
const kindBehind =
  /^,? ?(?:\(|an? \p{L}+ |(?:une |una |eine |een )?(?:soci[ée]t[ée]|sociedad|societ[àa]|sociedade|entreprise|gesellschaft|vennootschap|stichting)(?!\p{L}))/iu;

/** Finds the name's words in the text again, for its end there, and rejects what is no name. */
function partyOf(text: string, at: number, words: readonly string[]): Party | null {
  if (words.length === 0 || words.length > 9) return null;
  let end = at;
  for (const word of words) end = text.indexOf(word, end) + word.length;
  const name = text.slice(at, end).replace(/[,.;:]$/u, (mark) => (mark === '.' ? mark : ''));
  if (!isPartyName(name)) return null;
  const isSingle = words.length === 1 && isOrganizationName(name) === null;
  if (isSingle && !kindBehind.test(text.slice(end, end + 24))) return null;
  return { name: withoutDegree(name), start: at, end };
}

const dated =
  /(?<!\p{L})(?:january|february|march|april|may|june|july|august|september|october|november|december) (?:\d{1,2}, ?)?(?:19|20)\d{2}(?!\d)/iu;

function isPartyName(name: string): boolean {
  return (
    name.length >= 2 &&
    name.length <= 90 &&
    /\p{L}{2}/u.test(name) &&
    !notParty.test(name) &&
    !isCut(name) &&
    !/^x+$/i.test(name) &&
    !/agreement|contract|vertrag|(?<!\p{L})(?:vice president|chief|officer|chairman)(?!\p{L})|\d{5}|letterhead|^\d{4} |^(?:directors?|officers|board|members?|shareholders|stockholders|employees) (?:of|and) /iu.test(
      name,
    ) &&
    !dated.test(name) &&
    // Two sentences whose blank was lost.
    !/\p{Ll}{4}\.\p{Lu}\p{Ll}{2}/u.test(name) &&
    !/^(?:in|on|at|as|for|with|to|if|upon|pursuant|hereby|mutual|an?)(?:\s|$)/iu.test(name)
  );
}

/** What is left of a company's name where its beginning was lost: a kind of company with its form alone. */
function isCut(name: string): boolean {
  const words = name.split(/[\s,]+/).filter((word) => word !== '' && !legalForm.test(word));
  return (
    words.length === 0 ||
    /^(?:above|below|dear|re|attn|attention|accepted|agreed|acknowledged|confirmed|sincerely|regards)$/iu.test(
      words[0]!,
    ) ||
    (words.length === 1 &&
      /^(?:partners|laboratories|holdings?|group|systems|technologies|international|securities|associates|industries|enterprises|services|solutions|capital|management)$/iu.test(
        words[0]!,
      ))
  );
}

function withoutDegree(name: string): string {
  return name.replace(/(?:['’]s|,? (?:m\.?d|ph\.?d|esq|cpa)\.?)$/i, '');
}

/** Whether `and` belongs to the name: the words before it are none of their own, and a legal form stands behind it. */
function goesOn(words: readonly string[], rest: readonly string[]): boolean {
  if (words.some((word) => legalForm.test(word))) return false;
  if (/^(?:Company|Co|Sons|Partners|COMPANY|CO|SONS|PARTNERS)(?!\p{L})/u.test(rest[0] ?? '')) return true;
  if (isNamed(words.join(' ')) || isPersonName(words.join(' '))) return false;
  const stretch = rest.slice(0, 5);
  const form = stretch.findIndex((word) => legalForm.test(word.replace(/[,;:]+$/, '')));
  return form > 0 && stretch.slice(0, form).every((word) => /^(?:\p{Lu}|of$|&$)/u.test(word) && !word.endsWith(','));
}

/** Whether what a company does stands behind a dash, up to its legal form: `Example – Sociedade Agrícola, Lda.`. */
function goesOnToForm(rest: readonly string[]): boolean {
  const stretch = rest.slice(0, 7);
  const form = stretch.findIndex((word) => legalForm.test(word.replace(/[,;:]+$/, '')));
  const words = stretch.slice(0, form);
  return (
    form > 0 &&
    words.every((word, at) => /^\p{Lu}/u.test(word) || joining.test(word.replace(/,$/, '')) || at + 1 === form) &&
    words.every((word, at) => !word.endsWith(',') || at + 1 === form)
  );
}

/** Whether a list of surnames goes on to a firm's last one: `Miller, Reed, Stone & Co.`. */
function isFirmOfNames(rest: readonly string[]): boolean {
  const last = rest.slice(0, 5).indexOf('&');
  return last > 0 && rest.slice(0, last).every((word) => /^\p{Lu}\p{Ll}+,?$/u.test(word));
}

/** What a party is in its contract, as its definition states it. */
const role =
  /^(?:the )?(?:company|employee|employer|executive|consultant|contractor|recipient|discloser|disclosing party|receiving party|purchaser|buyer|seller|landlord|tenant|lessor|lessee|licensor|licensee|client|customer|supplier|vendor|provider|service provider|bank|lender|borrower|director|participant|associate|stockholder|shareholder|investor|counterparty|guarantor|owner|agent|distributor|you|your|we|us|our|party [ab12])$/iu;
const personRole =
  /^(?:the )?(?:employee|executive|consultant|contractor|director|participant|associate|tenant|you)$/iu;
const statedCompany = /^,? an? [^.]*(?:corporation|company|partnership|association|university)/iu;
const definition = /\([^()]{0,160}?["“”„]([^"“”()]{1,40}?)[,.]?(?:["“”]|'')[^()]{0,160}\)/gu;

/** Names before the bracket that gives them a role or a short name. */
function definedParties(head: string): readonly Party[] {
  return [...head.matchAll(definition)].flatMap((match) => {
    const term = match[1]!.trim();
    const from = Math.max(0, match.index - 320);
    const before = head.slice(from, match.index);
    // The nearest name whose description leads up to the bracket.
    const starts = [...before.matchAll(/(?<![\p{L}\d.&’'-])(?=\p{Lu}|\d|\p{Ll}{1,4}\p{Lu})/gu)].map(
      ({ index }) => from + index,
    );
    for (const start of starts) {
      const party = partyAt(head, start);
      if (!party) continue;
      const gap = head.slice(party.end, match.index);
      if (
        !/^[.,]?(?: ?,? ?(?:an? |its |together |organized|including |having |whose |with |and(?:\/or)? (?:its|any|all) |or (?:its|any|one)|formerly)[^.“”"]*)?,? ?$/iu.test(
          gap,
        )
      )
        continue;
      const isNamedSo = isShortName(term, party.name);
      const isPerson = personRole.test(term) && isPersonName(party.name);
      const isCompany = isOrganizationName(party.name) === 'legal_form' || statedCompany.test(gap);
      const isIndividual = /^,? an individual(?!\p{L})/iu.test(head.slice(match.index + match[0].length));
      const isShortPerson = isNamedSo && isPersonName(party.name) && (isIndividual || hasGivenName(party.name));
      if (isPerson || isShortPerson || (role.test(term) && isNamed(party.name)) || (isNamedSo && isCompany))
        return [party];
    }
    return [];
  });
}

/** Two names that are each given a short name, joined: `Example LP (“Housing Provider”) and Jane Doe (“Tenant”)`. */
function pairedParties(head: string): readonly Party[] {
  const named = [...head.matchAll(/(?<=\p{L}\.?),? ?\([^()]{0,30}["“][^()"“”]{2,40}["”][^()]{0,10}\)/gu)];
  for (const [at, first] of named.entries()) {
    const second = named[at + 1];
    if (!second) return [];
    const end = first.index + first[0].length;
    const joined = /^,? (?:and|und|et|y) /iu.exec(head.slice(end, second.index))?.[0];
    const right = joined === undefined ? null : partyAt(head, pastLead(head, end + joined.length));
    if (!right || right.end !== second.index) continue;
    const from = Math.max(0, first.index - 90);
    const starts = [...head.slice(from, first.index).matchAll(/(?<![\p{L}\d.&’'-])(?=\p{Lu})/gu)];
    for (const { index } of starts) {
      // `a Delaware corporation` says what a party is.
      const left = isKind(head, from + index) ? null : partyAt(head, from + index);
      if (left?.end === first.index && (isNamed(left.name) || isPersonName(left.name))) return [left, right];
    }
  }
  return [];
}

/** What says how a party is called from here on. */
const called =
  /(?<!\p{L})(?:(?:di|in) seguito (?:denominat|indicat|chiamat)[oaie]|ci-après (?:dénommée?s?|désignée?s?)|en (?:adelante|lo sucesivo)|(?:adiante|doravante) (?:designad|denominad)[oa]s?|nachfolgend|hereinafter (?:referred to as|called))(?!\p{L})/giu;
/** What is said of a person or a company behind its name. */
const described =
  /^,? (?:nat[oa]|geb|née?|nacid[oa]|natural|residen|con sede|con domicilio|c\.? ?f|domicili|wohnhaft|demeurant|mayor|contribuinte|portador)/iu;
const longestDescription = 400;

/** Who is said to be called by a role from here on, where no clause names both: `il sig. Mario Esempio, di seguito denominato conduttore`. */
function calledParties(head: string): readonly Party[] {
  let from = 0;
  return [...head.matchAll(called)].flatMap(({ index, 0: words }) => {
    const begin = Math.max(from, index - longestDescription);
    from = index + words.length;
    for (const start of head.slice(begin, index).matchAll(/(?<![\p{L}\d.&’'-])(?=\p{Lu})/gu)) {
      const at = begin + start.index;
      const party = partyAt(head, at);
      if (!party || party.end > index) continue;
      const isSaidOf = addressed.test(head.slice(0, at)) || described.test(head.slice(party.end, party.end + 20));
      if (isSaidOf && (isPersonName(party.name) || isCompany(party.name))) return [party];
    }
    return [];
  });
}

/** Whether an article before a place makes what stands there a kind of company rather than one. */
function isKind(text: string, at: number): boolean {
  return /(?<!\p{L})an? $/iu.test(text.slice(Math.max(0, at - 4), at));
}

function isShortName(term: string, name: string): boolean {
  const short = foldText(term).replace(/[^\p{L}\p{N}]/gu, '');
  const words = foldText(name).split(/[^\p{L}\p{N}]+/u);
  const initials = words.map((word) => word[0] ?? '').join('');
  return short.length >= 2 && (words.join('').startsWith(short) || initials.startsWith(short) || words.includes(short));
}

/** Each side's names behind, beside or below a role's caption: `Landlord: Jane Doe`, `(2) The Tenant(s)` with a cell of two names. */
function captionedSides(layout: Layout, prose: Prose): readonly (readonly Party[])[] {
  // Where it is signed, a role stands a second time, over a signature.
  const roles = new Set<string>();
  return layout.lines.slice(0, captionedLines).flatMap((line) => {
    const found = partiesAtCaption(layout, line, prose);
    const role = foldText(line.text.slice(0, roleCaptionOf(line.text) ?? 0)).replace(besideRole, '');
    if (found.length === 0 || roles.has(role)) return [];
    if (role !== '') roles.add(role);
    // A table's row has both sides beside each other.
    return tabulatedParties(layout, line, prose).length > 0 ? found.map((party) => [party]) : [found];
  });
}

/** What a caption has beside the role itself. */
const besideRole = /^(?:the|der|die|le|la|el|de) |\(?(?:full |legal )*names?\)?|[^\p{L}\d]/gu;

function partiesAtCaption(layout: Layout, line: TextLine, prose: Prose): readonly Party[] {
  const tabulated = tabulatedParties(layout, line, prose);
  const caption = roleCaptionOf(line.text);
  if (caption === null || tabulated.length > 0) return tabulated;
  const at = prose.startOf(line);
  if (at !== undefined && caption < line.text.length) return partiesWithin(prose, at + caption, at + line.text.length);
  const boxed = boxedPerson(layout, line, prose);
  if (boxed) return [boxed];
  const cell = cellOf(layout, line);
  const people = cell.findIndex(({ text }) => !isPersonName(text) || !hasGivenName(text));
  return cell.flatMap((each, index) => {
    const start = prose.startOf(each);
    // Below the first name a cell has others where each is numbered or addressed, or people alone, and then an address.
    const isOther = listed.test(each.text) || index < (people < 0 ? cell.length : people);
    if (start === undefined || (index > 0 && !isOther)) return [];
    return partiesWithin(prose, start, start + each.text.length);
  });
}

/** The other side of a table of particulars, whose role is one by its word alone: `Photographer`, `Exhibitor`. */
function counterparties(layout: Layout, prose: Prose): readonly Party[] {
  return layout.lines.slice(0, captionedLines).flatMap((line) => {
    const { right } = neighboursOf(layout, line);
    const start = right ? prose.startOf(right) : undefined;
    if (!right || start === undefined || !agentNoun.test(line.text) || roleCaptionOf(line.text) !== null) return [];
    const party = partyAt(prose.text.slice(0, start + right.text.length), start);
    return party && party.end === start + right.text.length && / /.test(party.name) && !/\d/.test(party.name)
      ? [party]
      : [];
  });
}

const agentNoun =
  /^(?:the )?(?!agent|manager|lawyer|broker|guarantor|witness|number|order|partner|director|officer|engineer|insurer|carrier|other|under|whether)\p{L}{4,}(?:er|or|ist|ant)\s*:?$/iu;

/** The lines at a contract's head that may caption its parties. */
const captionedLines = 120;
const listed = /^(?:\(?(?:\d|[ivx]{1,3}|[a-d])[.)] ?|(?:mr|mrs|ms|miss|dr|herrn?|frau|mme|m\.|sra?\.?) )/iu;

/** The names that a stretch of prose is made of: `Jane Doe and Richard Roe`. */
function partiesWithin(prose: Prose, start: number, end: number): readonly Party[] {
  const text = prose.text.slice(0, end);
  const found: Party[] = [];
  let at: number | null = start;
  while (at !== null && found.length < mostParties) {
    const party: Party | null = partyAt(text, pastLead(text, at));
    if (!party || !(isNamed(party.name) || isPersonName(party.name))) break;
    // Behind a comma alone stands another person, or the address of the one before it.
    const isListed = at > start && /, $/.test(text.slice(0, at));
    const before = found.at(-1)?.name ?? '';
    const isRelated = party.name.split(' ').at(-1) === before.split(' ').at(-1);
    if (isListed && !((isRelated || hasGivenName(party.name)) && isPersonName(before))) break;
    found.push(party);
    const joined: string | undefined = /^(?:,? (?:and|und|et|y|&) |, (?=\p{Lu}))/iu.exec(text.slice(party.end))?.[0];
    at = joined === undefined ? null : party.end + joined.length;
  }
  return found;
}

const wholeName =
  /^(?:(?:nach|familien)?name|nom|apellidos|cognome|surname|last name) ?(?:,|\/|und|et|y|e|and) ?(?:vo\p{L}{3,6}|pr[ée]noms?|nombre|nome|(?:first|given) names?)\s*:?$/iu;

/** A person in a form's box below the heading of their side, the surname first: `Seller`, `Name, first name`, `Doe, Jane`. */
function boxedPerson(layout: Layout, heading: TextLine, prose: Prose): Party | null {
  const { below: caption } = neighboursOf(layout, heading);
  if (!caption || !wholeName.test(caption.text)) return null;
  const { below: first } = neighboursOf(layout, caption);
  const start = first ? prose.startOf(first) : undefined;
  if (!first || start === undefined) return null;
  const { right: next } = neighboursOf(layout, first);
  const height = first.box.y1 - first.box.y0;
  // What was typed in a wide type is read as two.
  const isWide = next && first.text.endsWith(',') && next.box.x0 - first.box.x1 < 3 * height;
  const text = isWide ? `${first.text} ${next.text}` : first.text;
  const [surname, given, ...more] = text.split(/, ?/);
  const name = given && more.length === 0 ? `${given} ${surname}` : text;
  return isPersonName(name) ? { name, start, end: start + first.text.length } : null;
}

const nameCaption = /^(?:full |legal |full legal |company )?names?\s*:?$/iu;

/** What stands at a caption: the cell right of it with all its lines, the name in its section, or what is right below. */
function cellOf(layout: Layout, caption: TextLine): readonly TextLine[] {
  const { right, below } = neighboursOf(layout, caption);
  // A cell of two lines has its caption between them.
  const beside = right ?? besideOf(layout, caption);
  // A block of particulars has its name's own caption between: `Party A`, `Name`, `Example Ltd`.
  const first = beside && nameCaption.test(beside.text) ? neighboursOf(layout, beside).right : beside;
  // Both sides' captions may stand side by side, over a table with the name in its first row.
  if (first && roleCaptionOf(first.text) === null) return columnFrom(layout, first);
  if (!below || roleCaptionOf(below.text) !== null) return [];
  const named = nameCaption.test(below.text) ? neighboursOf(layout, below).right : null;
  const isBoxed = isNamed(below.text) && Math.abs(below.box.x0 - caption.box.x0) < below.box.y1 - below.box.y0;
  return named ? [named] : first && !isBoxed ? [] : [below];
}

/** A line and those below it in its column, as long as no caption stands left of them and they are close together. */
function columnFrom(layout: Layout, first: TextLine): readonly TextLine[] {
  const lines = [first];
  for (let line = first; lines.length < cellLines; ) {
    const { below } = neighboursOf(layout, line);
    const height = line.box.y1 - line.box.y0;
    if (!below || below.box.y0 - line.box.y1 > 1.2 * height || neighboursOf(layout, below).left) break;
    lines.push(below);
    line = below;
  }
  return lines;
}

const cellLines = 6;

/** Both sides' names in a row of a table whose first cell captions them: `Company`, `Party`. */
function tabulatedParties(layout: Layout, line: TextLine, prose: Prose): readonly Party[] {
  if (!/^(?:(?:company|legal|business|entity|party)(?: name)?|entity|firma|société|empresa)\s*:?$/iu.test(line.text))
    return [];
  const cells = neighboursOf(layout, line).row.filter((cell) => cell.box.x0 > line.box.x1);
  if (cells.length < 2 || !cells.every(({ text }) => isNamed(text) || isPersonName(text))) return [];
  return cells.flatMap((cell) => partyOfLine(cell, prose));
}

/** The first of the lines right of a caption that share some of its height. */
function besideOf(layout: Layout, { page, box }: TextLine): TextLine | undefined {
  return layout.lines.find(
    (other) => other.page === page && other.box.x0 > box.x1 && other.box.y0 < box.y1 && other.box.y1 > box.y0,
  );
}

/** Who sends a letter: the organization in its head above whom it addresses, or the one below its closing words. */
function senders(layout: Layout, prose: Prose): readonly Party[] {
  const at = layout.lines.slice(0, 40).findIndex(({ text }) => salutation.test(text));
  if (at < 1) return [];
  const isFirm = ({ text }: TextLine) => isOrganizationName(text) !== null && !/[:@\d]/.test(text);
  const closing = layout.lines.findIndex(({ text }, index) => index > at && isValediction(text));
  const below = closing < 0 ? [] : layout.lines.slice(closing + 1, closing + 7);
  const head = layout.lines.slice(0, Math.min(at, letterheadLines));
  const firm = below.find(isFirm) ?? head.find(isFirm);
  return firm ? partyOfLine(firm, prose) : [];
}

const letterheadLines = 4;

const salutation = /^(?:ladies and gentlemen|gentlemen|dear\b|to whom)/i;

/** Whom a letter addresses: the company above the salutation, or else the person whom the salutation names. */
function addressees(layout: Layout, prose: Prose): readonly Party[] {
  const lines = layout.lines.slice(0, 40);
  const at = lines.findIndex(({ text }) => salutation.test(text));
  if (at < 1) return [];
  const above = lines.slice(Math.max(0, at - 14), at);
  const company = above.findLast(
    ({ text }) => isOrganizationName(text) === 'legal_form' && !/^(?:re|attn|attention|cc)\b/i.test(text),
  );
  const [, addressed] = /^dear (?:(?:mr|ms|mrs|dr)\.? )?(\p{Lu}[\p{L}’'-]+)[:,]?$/iu.exec(lines[at]!.text) ?? [];
  const person = above.find(
    ({ text }) => addressed !== undefined && isPersonName(text) && text.split(' ').some((word) => word === addressed),
  );
  return [company, person].flatMap((line) => (line ? partyOfLine(line, prose) : []));
}

function partyOfLine(line: TextLine, prose: Prose, from = 0): readonly Party[] {
  const at = prose.startOf(line);
  if (at === undefined) return [];
  if (/:/.test(line.text.slice(from))) return [];
  const name = withoutDegree(line.text.slice(from).replace(/[,:\s]+$/u, ''));
  return isPartyName(name) ? [{ name, start: at + from, end: at + from + name.length }] : [];
}

const promised = /(?<!\p{L})promises? to (?:re)?pay (?:to )?(?:the order of )?(?=\p{Lu})/u;
const valueReceived = /(?<!\p{L})for value received,? ?/iu;

/** Who owes and who is owed by a note: `For value received, Jane Doe promises to pay to the order of Example LLC`. */
function partiesOfNote(head: string): readonly Party[] {
  const received = valueReceived.exec(head);
  const promise = received ? promised.exec(head.slice(received.index)) : null;
  if (!received || !promise) return [];
  const maker = partyAt(head, pastLead(head, received.index + received[0].length));
  const holder = partyAt(head, pastLead(head, received.index + promise.index + promise[0].length));
  return maker && holder ? [maker, holder] : [];
}

/** Who speaks in a declaration: `I, Jane Doe, agree …`. */
function declarants(head: string): readonly Party[] {
  return [...head.matchAll(/(?<![\p{L}.])I, (?=\p{Lu}\p{L})/gu)].flatMap((match) => {
    const party = partyAt(head, match.index + match[0].length);
    return party && isPersonName(party.name) ? [party] : [];
  });
}

/** What one who promises something to a company writes, or reads of themselves. */
const personal =
  /(?<!\p{L})(?:condition of my|my (?:own )?(?:employment|relationship|engagement)|(?:granted|paid|made available) to me|I (?:hereby )?(?:agree|understand|acknowledge)|as an? (?:associate|employee) of [^.]{3,60}you|employment of the undersigned)(?!\p{L})/iu;
const signed = /^(?:by:? |date:? )?\/s\/ (?=\p{Lu})|^(?:printed |print )?name(?: of employee)?: (?=\p{Lu})/iu;

/** What stands over the signature of a witness, or of who signs for the company. */
const signsForOther = /^(?:witness(?:es|ed by)?|for the company)\s*:?$/iu;

/** The person who signs what is written in the first person, and holds no office for it. */
function promisers(layout: Layout, prose: Prose): readonly Party[] {
  if (!personal.test(prose.text.slice(0, definitionsLength))) return [];
  const lines = layout.lines.slice(-signatureLines);
  return lines.flatMap((line, index) => {
    const mark = signed.exec(line.text)?.[0];
    if (mark === undefined || lines.slice(index + 1, index + 3).some(({ text }) => heldOffice.test(text))) return [];
    if (lines.slice(Math.max(0, index - 2), index).some(({ text }) => signsForOther.test(text) || isCompany(text)))
      return [];
    const name = line.text.slice(mark.length);
    const isPrinted = lines.some(({ text }) => foldText(text) === foldText(name));
    return isPersonName(name) && (isPrinted || hasGivenName(name)) ? partyOfLine(line, prose, mark.length) : [];
  });
}

/** The first company by its legal form that a contract of one person names. */
function companies(head: string): readonly Party[] {
  for (const { index } of head.slice(0, definitionsLength).matchAll(/(?<![\p{L}.&’'-])(?=\p{Lu})/gu)) {
    const party = isKind(head, index) ? null : partyAt(head, index);
    if (party && isOrganizationName(party.name) === 'legal_form') return [party];
  }
  return [];
}

/** Lines of the last pages among which signatures stand. */
const signatureLines = 120;
const signingRole =
  /^(?:employee|executive|consultant|contractor|participant|associate|director|recipient|tenant|landlord|buyer|seller)(?:\s*:\s*|$)/i;
/** Who signs in this role signs for themselves, whatever office stands below. */
const ownSignature = /^(?:employee|executive|participant|associate)\s*:?$/i;
const heldOffice = /^(?:title|its)\b|president|officer|director|secretary|chair|manager|counsel|treasurer|witness/i;
const office = /president|officer|director|secretary|chair|manager|title|partner|counsel|treasurer|witness/i;

/** Who signs: the company above its signature line, the person below a role such as `Employee`. */
function signingParties(layout: Layout, prose: Prose): readonly Party[] {
  const lines = layout.lines.slice(-signatureLines);
  return lines.flatMap((line, index) => {
    const following = lines.slice(index + 1, index + 5).map(({ text }) => text);
    if (
      isOrganizationName(line.text) === 'legal_form' &&
      following.slice(0, 2).some((text) => /^by\b|^\/s\//i.test(text))
    ) {
      return partyOfLine(line, prose);
    }
    const caption = signingRole.exec(line.text);
    if (!caption) return [];
    const behind = line.text.slice(caption[0].length);
    if (isPersonName(behind)) return partyOfLine(line, prose, caption[0].length);
    const [name, ...under] = following;
    if (
      name !== undefined &&
      isPersonName(name) &&
      hasGivenName(name) &&
      !under.slice(0, 2).some((text) => office.test(text))
    )
      return partyOfLine(lines[index + 1]!, prose);
    const own = ownSignature.test(line.text) ? neighboursOf(layout, line).below : null;
    const ownMark = signed.exec(own?.text ?? '')?.[0].length;
    if (own && ownMark !== undefined && isPersonName(own.text.slice(ownMark))) return partyOfLine(own, prose, ownMark);
    const signedAt = lines.findIndex(
      ({ text }, other) => other > index && other <= index + 4 && /^(?:by:? )?\/s\/ ./i.test(text),
    );
    const signature = lines[signedAt];
    if (!signature || lines.slice(signedAt + 1, signedAt + 3).some(({ text }) => office.test(text))) return [];
    const [mark] = /^(?:by:? )?\/s\/ /i.exec(signature.text)!;
    return isPersonName(signature.text.slice(mark.length)) ? partyOfLine(signature, prose, mark.length) : [];
  });
}

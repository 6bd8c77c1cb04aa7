import { foldText } from '../../candidates/date.ts';
import { unmarked } from '../../candidates/unmarked.ts';
import { isOrganizationName, isPersonName } from '../../compose/names.ts';
import { addressed, addresses } from './forms-of-address.ts';
import { abbreviation, distinct, isNamed, isSameParty, type Party, partyAt } from './party-name.ts';
import { roleBefore, roleCaptionOf } from './roles.ts';

/** What gives a party its role or short name, in a bracket or, in German, between dashes: `– Vermieterin –`. */
export const roleMark =
  /\([^()]*["“”„][^()]*\)|\((?:the )?\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?\)|«[^«»]{3,40}»|[–—-] ?(?:nachfolgend |im folgenden |als )?\p{Lu}\p{L}+ ?[–—-]/u;

/** What stands between two people on one side: `Herrn X, geb. 1.2.1990, und Frau Y`. */
const joinsPeople =
  /^(?:,? ?(?:geb\.?|geboren am|née?) [\p{L}\d. ]{2,20})?,? (?:and|und|et|y) (?:\p{Lu}\p{L}{0,4}\.? )?$|^[^()“”„]{0,80} \(?[2-9][.)] (?:\p{Lu}\p{L}{0,7}\.? )?$/u;

/** What is said of a person behind the name. */
const individual = /^,? an? (?:individual|natural person|resident)(?!\p{L})/iu;

/** Of the two parties that one clause names. */
export const twoSidesConfidence = 84;

/**
 * A clause that names more than two often names one side's affiliates among them, unless each is given a name of its own:
 * `X Ltd (“Buyer”), Y plc (“Seller”) and Z Limited (“Agent”)`.
 */
export function confidenceOf(opening: readonly Party[], head: string): number {
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
export const clauseEnd =
  /^(?:witnesseth|recitals|whereas|background|in consideration|table of contents|date\s*:|agreement\s*:|wird (?:folgend|nachstehend|nachfolgend|der |dieser )|il a été |il est convenu|art(?:icle|ikel|ículo)\.? 1(?!\d)|exponen|manifiestan|estipulaciones|präambel|vorbemerkung|préambule|considerando|premesso)/iu;

const longestClause = 2_500;

/** Maximum parties of a contract. */
export const mostParties = 8;

/** The parties of the first clause that names any, and whether it leaves another blank to be filled in. */
export function openingParties(head: string): { readonly parties: readonly Party[]; readonly hasBlank: boolean } {
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

/** Where a name begins behind the marks, numbers, articles and forms of address that lead to it. */
export function pastLead(text: string, at: number): number {
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

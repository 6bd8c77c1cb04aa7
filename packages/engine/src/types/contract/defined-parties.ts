import { foldText } from '../../candidates/date.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { isOrganizationName, isPersonName } from '../../compose/names.ts';
import { addressed } from './forms-of-address.ts';
import { pastLead } from './opening-clause.ts';
import { isCompany, isKind, isNamed, type Party, partyAt } from './party-name.ts';

/** Characters of a contract within which its parties are given their roles. */
export const definitionsLength = 3_500;

/** What a party is in its contract, as its definition states it. */
const role =
  /^(?:the )?(?:company|employee|employer|executive|consultant|contractor|recipient|discloser|disclosing party|receiving party|purchaser|buyer|seller|landlord|tenant|lessor|lessee|licensor|licensee|client|customer|supplier|vendor|provider|service provider|bank|lender|borrower|director|participant|associate|stockholder|shareholder|investor|counterparty|guarantor|owner|agent|distributor|you|your|we|us|our|party [ab12])$/iu;

const personRole =
  /^(?:the )?(?:employee|executive|consultant|contractor|director|participant|associate|tenant|you)$/iu;

const statedCompany = /^,? an? [^.]*(?:corporation|company|partnership|association|university)/iu;

const definition = /\([^()]{0,160}?["“”„]([^"“”()]{1,40}?)[,.]?(?:["“”]|'')[^()]{0,160}\)/gu;

/** Names before the bracket that gives them a role or a short name. */
export function definedParties(head: string): readonly Party[] {
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
export function pairedParties(head: string): readonly Party[] {
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
export function calledParties(head: string): readonly Party[] {
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

function isShortName(term: string, name: string): boolean {
  const short = foldText(term).replace(/[^\p{L}\p{N}]/gu, '');
  const words = foldText(name).split(/[^\p{L}\p{N}]+/u);
  const initials = words.map((word) => word[0] ?? '').join('');
  return short.length >= 2 && (words.join('').startsWith(short) || initials.startsWith(short) || words.includes(short));
}

const promised = /(?<!\p{L})promises? to (?:re)?pay (?:to )?(?:the order of )?(?=\p{Lu})/u;

const valueReceived = /(?<!\p{L})for value received,? ?/iu;

/** Who owes and who is owed by a note: `For value received, Jane Doe promises to pay to the order of Example LLC`. */
export function partiesOfNote(head: string): readonly Party[] {
  const received = valueReceived.exec(head);
  const promise = received ? promised.exec(head.slice(received.index)) : null;
  if (!received || !promise) return [];
  const maker = partyAt(head, pastLead(head, received.index + received[0].length));
  const holder = partyAt(head, pastLead(head, received.index + promise.index + promise[0].length));
  return maker && holder ? [maker, holder] : [];
}

/** Who speaks in a declaration: `I, Jane Doe, agree …`. */
export function declarants(head: string): readonly Party[] {
  return [...head.matchAll(/(?<![\p{L}.])I, (?=\p{Lu}\p{L})/gu)].flatMap((match) => {
    const party = partyAt(head, match.index + match[0].length);
    return party && isPersonName(party.name) ? [party] : [];
  });
}

/** The first company by its legal form that a contract of one person names. */
export function companies(head: string): readonly Party[] {
  for (const { index } of head.slice(0, definitionsLength).matchAll(/(?<![\p{L}.&’'-])(?=\p{Lu})/gu)) {
    const party = isKind(head, index) ? null : partyAt(head, index);
    if (party && isOrganizationName(party.name) === 'legal_form') return [party];
  }
  return [];
}

import type { TextLine } from '@millrace/document-model';
import { irishCounty } from '../../candidates/address-lines.ts';
import { foldText } from '../../candidates/date.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { isOrganizationName, isPersonName } from '../../compose/names.ts';
import type { Prose } from '../../compose/prose.ts';
import { isCutTo } from './cut-names.ts';
import { roleCaptionOf } from './roles.ts';

/** A party's name and where it stands in the prose. */
export interface Party {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Whether a name is an organization's, by its legal form or its words. */
export function isCompany(name: string): boolean {
  return isOrganizationName(name) !== null;
}

/** Letters and digits alone, without case and marks, so that two readings of a name compare. */
export function lettersOf(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}]/gu, '');
}

/** Each party once, as it is named first. */
export function distinct(parties: readonly Party[]): Party[] {
  return parties.filter((party, index) => !parties.slice(0, index).some((other) => isSameParty(other, party)));
}

/** Whether two names are one party's: the same letters, a part of them, or cut to initials. */
export function isSameParty(a: Party, b: Party): boolean {
  const [left, right] = [lettersOf(a.name), lettersOf(b.name)];
  return left.includes(right) || right.includes(left) || isCutTo(a.name, b.name) || isCutTo(b.name, a.name);
}

/** What ends with a dot that ends no sentence. */
export const abbreviation =
  /(?:^|[\s(,.])(?:inc|co|corp|ltd|l\.?p|l\.?l\.?[cp]|n\.?[av]|b\.?v|s\.?a|s\.?p\.?a|s\.?r\.?l|st|mr|mrs|ms|dr|prof|ing|dott|avv|geom|arch|lic|no|nr|jr|sr|ave|blvd|str|ste|\p{L})$/iu;

/** Whether a name is an organization's, or a person's with a known given name. */
export function isNamed(name: string): boolean {
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
export function partyAt(text: string, at: number): Party | null {
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

/** Whether an article before a place makes what stands there a kind of company rather than one. */
export function isKind(text: string, at: number): boolean {
  return /(?<!\p{L})an? $/iu.test(text.slice(Math.max(0, at - 4), at));
}

/** The party whose name a line is, from a place in it on; none where the line captions something. */
export function partyOfLine(line: TextLine, prose: Prose, from = 0): readonly Party[] {
  const at = prose.startOf(line);
  if (at === undefined) return [];
  if (/:/.test(line.text.slice(from))) return [];
  const name = withoutDegree(line.text.slice(from).replace(/[,:\s]+$/u, ''));
  return isPartyName(name) ? [{ name, start: at + from, end: at + from + name.length }] : [];
}

import type { ExtractedValue, Layout } from '@millrace/document-model';
import { hasPlace, isAddressLike } from '../../candidates/address-lines.ts';
import { isOrganizationName, isPersonName } from '../../compose/names.ts';
import type { Prose } from '../../compose/prose.ts';
import { composedValue } from '../../compose/value.ts';
import { captionedSides, counterparties, listedBelowHeading } from './captioned-parties.ts';
import {
  calledParties,
  companies,
  declarants,
  definedParties,
  definitionsLength,
  pairedParties,
  partiesOfNote,
} from './defined-parties.ts';
import { withoutAddress } from './forms-of-address.ts';
import { addressees, senders } from './letter-parties.ts';
import { confidenceOf, mostParties, openingParties, twoSidesConfidence } from './opening-clause.ts';
import { distinct, isCompany, isSameParty, lettersOf, type Party } from './party-name.ts';
import { isSigned, promisers, signingParties } from './signing-parties.ts';

/** The parties are named in the first clauses; later ones name affiliates, advisers and earlier agreements. */
const headLength = 6_000;

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
  if (!isSure && hasCompanyNamedOnce(found, prose)) return null;
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

/** Whether what is promised is promised by whoever signs: `I agree`, `you agree`, `[name of employee]`. */
function addressesPerson(head: string): boolean {
  return /(?<!\p{L})(?:I|my|me|you|your|[Ee]mployees?|EMPLOYEE|[Ee]xecutive|[Aa]ssociate|[Pp]articipant|[Rr]ecipient)(?!\p{L})/u.test(
    head,
  );
}

/** Of one company's form, which names no one else. */
const formConfidence = 76;

/** Characters of about a page. */
const longContract = 3_000;

function hasCompanyNamedOnce(parties: readonly Party[], { text }: Prose): boolean {
  const all = lettersOf(text);
  return parties.some(({ name }) => {
    const letters = lettersOf(name);
    return isCompany(name) && all.indexOf(letters) === all.lastIndexOf(letters);
  });
}

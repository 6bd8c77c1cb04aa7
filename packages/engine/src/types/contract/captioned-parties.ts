import type { Layout, TextLine } from '@millrace/document-model';
import { foldText } from '../../candidates/date.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { isPersonName } from '../../compose/names.ts';
import type { Prose } from '../../compose/prose.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { clauseEnd, mostParties, pastLead, roleMark } from './opening-clause.ts';
import { isNamed, type Party, partyAt, partyOfLine } from './party-name.ts';
import { roleCaptionOf } from './roles.ts';

const partiesHeading =
  /^(?:the )?(?:parties|parteien|vertragsparteien|les parties|las partes|le parti|as partes|partijen)\s*:?$/iu;

const headingLines = 80;

const listedLines = 14;

/** The parties that stand one below the other under a heading, each with its role in brackets: `Example Pty Ltd ACN 118 447 220 of … (Client)`. */
export function listedBelowHeading(layout: Layout, prose: Prose): readonly Party[] {
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

/** Each side's names behind, beside or below a role's caption: `Landlord: Jane Doe`, `(2) The Tenant(s)` with a cell of two names. */
export function captionedSides(layout: Layout, prose: Prose): readonly (readonly Party[])[] {
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
export function counterparties(layout: Layout, prose: Prose): readonly Party[] {
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

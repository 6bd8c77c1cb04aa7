import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { hasGivenName } from '../../compose/given-names.ts';
import { isOrganizationName, isPersonName, titleCased, withoutTitles } from '../../compose/names.ts';
import { isValediction } from '../../compose/valediction.ts';
import { composedValue, type Stretch } from '../../compose/value.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import { partyBlocksOf } from '../../parties/blocks.ts';
import { isCutTo, partsOf } from './cut-names.ts';
import { roleCaptionOf } from './roles.ts';

/** A line that is signed on, perhaps with the day behind it. */
const signatureLine =
  /^(?:by|per|signed|signature)\s*:\s*$|^(?:by|per|signed|signature|x)?(?:[:\s]|\.(?!\.))*(?:_{6,}(?!_)|\.{12,}(?!\.)|…{4,}|_{3,}[^_]{2,30}_{3,})(?:\s*\(?(?:seal|l\.?s\.?)\)?)?(?:\s*(?:date|dated|on)?\s*:?\s*(?:[\d./-]{0,10}|[_.]{4,}))?$/iu;
/** What stands below a signature in place of a name. */
const roleWord =
  /(?<!\p{L})(?:\p{L}+(?:geber|nehmer|mieter|käufer)(?:in)?|landlord|tenant|buyer|seller|employee|employer|executive|witness|date|signature|for|on behalf|company|president|director|officer|manager|title|name)(?!\p{L})/iu;

/** `Signed by Jane Doe for and on behalf of Example Ltd`, `Executed as a deed by JANE DOE in the presence of`. */
const attestation =
  /^(?:signed|executed)(?: and delivered)?(?: as a deed)? \[?by (\p{Lu}[\p{L}.'’ -]{3,40}?)(?=$|,|\]| (?:for and on behalf|on behalf|for|in the presence|acting|as)(?!\p{L})|[ .…_]{4})/iu;

/** What a name stands behind where a contract is signed. */
const captionedName =
  /(?:^|\s)(?:print(?:ed)? name(?=\s+\p{Lu})|(?:printed |print |full )?name|printed|print(?=\s*:)|by|signed by|nom|nombre|nome|naam|namens|signed(?: \([^)]{1,30}\))?|fdo|firmado|unterzeichnet|name in druckbuchstaben)\s*(?:[:.]+|(?<=print(?:ed)? name)|(?<=^name)(?= ))[\s_]*(?:\/s\/ ?)?([^:_|]{3,40}?)(?=$|\s{2,}|, |\s+(?:(?:printed |print )?name|by|nom|nombre|nome|naam|title|date)\s*:)/giu;
const legalFormBehind = /^, ?(?:LLC|L\.L\.C|LLLP|LLP|L\.?P|Inc|Ltd|Limited|Corp|GmbH|S\.?[AL]|S\.?r\.?l)(?!\p{L})/iu;
/** A signature that was typed: `/s/ Jane Doe`. */
const signedMark = /^(?:x )?\/s\/ ?(?=\p{Lu})/iu;
/** The first cell of a row with each side's name in a column of its own. */
const nameCell =
  /^(?:(?:printed |print |full )?names?(?: \((?:printed|print|in full|please print)\))?|nom|nombre|nome|naam)\s*:?$/iu;
/** For whom the one signs who is named below. */
const forWhom =
  /^(?:signed )?(?:pour|for(?: and on behalf of)?|on behalf of|für|por|per|namens|voor) (?:the |le |la |l['’]|den |die |el |il )?\p{L}/iu;
const officeAlone =
  /^(?:\p{L}+ ){0,2}(?:director|secretary|officer|manager|president|executive|partner|trustee|signatory)$/iu;
/** Lines below a signature among which its name stands. */
const underSteps = 3;

/** Who signs: the names at captions, below lines for signatures and below whom they sign for, in the last part of the document. */
export function signatoriesOf(layout: Layout, parties: ExtractedValue | null): ExtractedValue | null {
  // A party who is a person signs above their name.
  const named = (Array.isArray(parties?.value) ? parties.value : [])
    .map(String)
    .filter((name) => !/ of /iu.test(name) && !isFirm(name));
  const firms = (Array.isArray(parties?.value) ? parties.value : []).map((name) => comparable(String(name)));
  const people = named.map((name) => comparable(withoutTitles(name)));
  const tail = layout.lines.slice(-Math.max(30, Math.ceil(layout.lines.length / 3)));
  const half = layout.lines.length / 2;
  const inBlocks = new Set(partyBlocksOf(layout).flatMap(({ nameLines }) => nameLines));
  const names: string[] = [];
  const stretches: Stretch[] = [];
  const add = (text: string, stretch: Stretch): boolean => {
    const name = signedName(text);
    if (name === null) return false;
    if (!names.some((other) => comparable(other) === comparable(name))) {
      names.push(name);
      stretches.push(stretch);
    }
    return true;
  };
  // Below a signature with initials stands the whole name.
  const addWhole = (short: string, below: TextLine | null): void => {
    const whole = below ? nameIn(below.text) : null;
    if (!below || !whole || !isCutTo(short, whole.name)) return;
    add(whole.name, { line: below, start: whole.start, end: whole.start + whole.name.length });
  };
  for (const line of tail) {
    for (const match of line.text.matchAll(captionedName)) {
      const start = match.index + match[0].length - match[1]!.length;
      // A partnership signs by its general partner: `By: Example GP, LLC, its general partner`.
      if (legalFormBehind.test(line.text.slice(start + match[1]!.length))) continue;
      add(match[1]!, { line, start, end: start + match[1]!.length });
      addWhole(match[1]!, neighboursOf(layout, line).below);
    }
    // Who signs in a role is one of the parties: `Lender: Jane Doe`.
    const role = roleCaptionOf(line.text) ?? 0;
    const bearer = line.text.slice(role);
    if (role > 0 && hasGivenName(bearer) && people.includes(comparable(bearer)))
      add(bearer, { line, start: role, end: line.text.length });
    const isBehindHead = layout.lines.indexOf(line) >= half;
    // In a block with an address at the head a party is named, and does not sign.
    if ((isBehindHead || !inBlocks.has(line)) && people.includes(comparable(line.text)))
      add(titleCased(line.text), { line });
    // Who signs for a party stands over its name, or over its role.
    const { below: under } = neighboursOf(layout, line);
    const isFor = under !== null && (firms.includes(comparable(under.text)) || isRoleInBrackets(under.text));
    const isSigning = isBehindHead && isFor;
    if (isSigning && isPersonName(line.text) && !/,/.test(line.text)) add(line.text, { line });
    // One side's names may stand before their role: `Jane Doe, Richard Roe (Tenant)`.
    if (isBehindHead) for (const stretch of beforeRole(line)) add(line.text.slice(stretch.start, stretch.end), stretch);
    // They may sign with initials: `J. Doe`.
    const whole = line.words.length > 3 ? undefined : named.find((name) => isCutTo(line.text, name));
    if (whole !== undefined) add(whole, { line });
    const mark = signedMark.exec(line.text)?.[0].length;
    if (mark !== undefined) add(line.text.slice(mark), { line, start: mark, end: line.text.length });
    const { row } = neighboursOf(layout, line);
    if (nameCell.test(line.text)) {
      const isBehind = row
        .filter(({ box }) => box.x0 > line.box.x1)
        .map((cell) => add(cell.text, { line: cell }))
        .includes(true);
      const over = isBehind ? null : nameOver(layout, line);
      if (over) add(over.text, { line: over });
    }
    const isSignature = signatureLine.test(line.text);
    const isRole = roleCaptionOf(line.text) === line.text.length;
    // A name in brackets stands below what is signed on, whatever was read of that.
    const bracketed = isRole ? neighboursOf(layout, line).below : null;
    if (bracketed && /^\([^()]+\)$/.test(bracketed.text)) {
      const { name, start } = nameIn(bracketed.text);
      add(name, { line: bracketed, start, end: start + name.length });
    }
    if (isSignature || isValediction(line.text) || (forWhom.test(line.text) && line.words.length <= 9)) {
      const under = linesUnder(layout, line);
      under.some((each, index) => {
        const { name, start } = nameIn(each.text);
        // A role or a firm may stand between the signature and the name.
        const isBetween =
          index + 1 < under.length &&
          (roleCaptionOf(each.text) !== null || isFirm(each.text) || officeAlone.test(each.text));
        const isCompany = isOrganizationName(each.text) === 'legal_form';
        const isNamed =
          !roleWord.test(name) && !isCompany && add(name, { line: each, start, end: start + name.length });
        if (isNamed) addWhole(name, under[index + 1] ?? null);
        return isNamed || (isSignature && !isBetween);
      });
    }
    const attested = attestation.exec(line.text);
    if (attested) {
      const start = attested.index + attested[0].length - attested[1]!.length;
      add(titleCased(attested[1]!), { line, start, end: start + attested[1]!.length });
    }
  }
  // In handwriting a name is read a second time, cut to initials.
  const own = names.filter((name) => !names.some((other) => other !== name && isCutTo(name, other)));
  return own.length === 0
    ? null
    : composedValue(
        own,
        78,
        own.map((name) => stretches[names.indexOf(name)]!),
      );
}

/** A name in small letters with blanks alone between its parts: OCR loses those behind initials. */
function comparable(name: string): string {
  return partsOf(name.toLowerCase()).join(' ');
}

/** The name that stands over its caption, on the rule that the caption stands below. */
function nameOver(layout: Layout, caption: TextLine): TextLine | null {
  const { above } = neighboursOf(layout, caption);
  const over = above && signatureLine.test(above.text) ? neighboursOf(layout, above).above : above;
  return over && isPersonName(over.text) ? over : null;
}

/** `(Landlord)`, as it stands below a name. */
function isRoleInBrackets(text: string): boolean {
  const role = /^\(([^()]{4,30})\)$/.exec(text)?.[1];
  return role !== undefined && roleCaptionOf(role) === role.length;
}

/** The names of a line that ends with the role of those who sign there. */
function beforeRole(line: TextLine): readonly Required<Stretch>[] {
  const role = / ?\([^()]{4,30}\)$/.exec(line.text);
  if (!role || line.text.length > 90 || !isRoleInBrackets(role[0].trim())) return [];
  const names = [...line.text.slice(0, role.index).matchAll(/[^,&/]+/gu)].map(({ index, 0: part }) => ({
    line,
    start: index + (part.length - part.trimStart().length),
    end: index + part.trimEnd().length,
  }));
  const isName = ({ start, end }: Required<Stretch>) => {
    const text = line.text.slice(start, end);
    return isPersonName(withoutTitles(text)) && !isFirm(text);
  };
  return names.every(isName) ? names : [];
}

function isFirm(text: string): boolean {
  return isOrganizationName(text) !== null;
}

/** The next lines below a line in its column. */
function linesUnder(layout: Layout, line: TextLine): readonly TextLine[] {
  const lines: TextLine[] = [];
  for (let { below } = neighboursOf(layout, line); below && lines.length < underSteps; ) {
    lines.push(below);
    ({ below } = neighboursOf(layout, below));
  }
  return lines;
}

/** The name of a line below a signature, without the office behind it and without brackets around it. */
function nameIn(text: string): { readonly name: string; readonly start: number } {
  const bracketed = /^\(([^()]+)\)$/.exec(text)?.[1];
  if (bracketed !== undefined) return { name: bracketed, start: 1 };
  const [name = '', ...office] = text.split(/,(?: |(?=\p{L}))| [–-] /u);
  return { name: office.length <= 2 ? name : '', start: 0 };
}

/** A name as its bearer signs it; null for what is none. */
function signedName(text: string): string | null {
  const name = withoutTitles(text.replace(/[_.\s]+$/, '').replace(/\s\p{Ll}$/u, ''));
  return isPersonName(name) ? name : null;
}

import type { Layout, TextLine } from '@millrace/document-model';
import { hasPlace, hasStreet, isStreetLine } from '../candidates/address-lines.ts';
import { labelOf } from '../compose/labelled-rows.ts';
import { neighboursOf, rowOf } from '../layout/neighbours.ts';
import { buyerCaptions, sellerCaptions } from '../types/fields/parties.ts';

/** A party whose name and parts of the address stand each behind a label: `Denominazione: …`, `Indirizzo: …`, `Cap: …`. */
export interface LabelledParty {
  readonly name: string | null;
  readonly nameLines: readonly TextLine[];
  readonly address: string;
  readonly addressLines: readonly TextLine[];
  /** Everything that belongs to it, from top to bottom. */
  readonly lines: readonly TextLine[];
  /** What stands before its name, where that says whose it is: `Cliente: …`. */
  readonly caption: string | null;
}

type Part = 'name' | 'street' | 'code' | 'town' | 'province' | 'country';

const wordsOf = (words: string) => words.split('|').map(labelOf);

const partLabels: Readonly<Record<Part, readonly string[]>> = {
  name: wordsOf(
    'name|company|company name|firma|firmenname|nom|raison sociale|société|denominazione|ragione sociale|cognome nome|nome|razón social|nombre|nombre o razón social|nombre/razón social|naam|bedrijf|bedrijfsnaam',
  ),
  street: wordsOf(
    'address|street|street address|adresse|anschrift|straße|rue|indirizzo|via|dirección|domicilio|morada|endereço|adres|straat',
  ),
  code: wordsOf(
    'zip|zip code|postcode|post code|postal code|plz|code postal|cp|cap|c.a.p.|c.p.|código postal|cód. postal',
  ),
  town: wordsOf(
    'city|town|ort|wohnort|plz/ort|plz ort|ville|cp/ville|code postal/ville|comune|città|localidad|población|municipio|ciudad|c.p. y población|localidade|cidade|concelho|plaats|woonplaats|postcode/plaats|postcode en plaats',
  ),
  province: wordsOf('state|province|provincia|prov.|provincia di'),
  country: wordsOf('country|land|pays|nazione|paese|país'),
};

const partOfLabel = new Map(
  Object.entries(partLabels).flatMap(([part, labels]) => labels.map((label) => [label, part as Part] as const)),
);
const roleLabels: ReadonlySet<string> = new Set([...buyerCaptions, ...sellerCaptions].map(labelOf));

/** Bounds on hostile pages. */
const lineLimit = 1500;
const partyLimit = 10;
const linesOfParty = 10;
const longestLine = 160;
const wordsOfLabel = 4;

interface Labelled {
  readonly label: string;
  readonly value: string;
  readonly lines: readonly TextLine[];
}

/** All parties of a layout of which each line begins with a label. */
export function labelledParties(layout: Layout): readonly LabelledParty[] {
  const parties: LabelledParty[] = [];
  const taken = new Set<TextLine>();
  for (const line of layout.lines.slice(0, lineLimit)) {
    if (parties.length >= partyLimit) break;
    if (taken.has(line) || !partsOn(line, layout).some(isStreetPart)) continue;
    const party = partyAround(line, layout);
    if (!party || party.lines.some((member) => taken.has(member))) continue;
    for (const member of party.lines) taken.add(member);
    parties.push(party);
  }
  return parties;
}

function partyAround(street: TextLine, layout: Layout): LabelledParty | null {
  const above = stretchFrom(street, 'above', layout).toReversed();
  const below = stretchFrom(street, 'below', layout);
  const own = [...above, street, ...below].flatMap((line) => partsOn(line, layout));
  const found = (part: Part) => own.find(({ label }) => partOfLabel.get(label) === part);
  const named = found('name') ?? own.find(({ label }) => roleLabels.has(label));
  const parts = (['street', 'code', 'town', 'province'] as const).map(found);
  const [road, code, town, province] = parts;
  const address = addressOf(road?.value ?? '', code, town?.value, province?.value);
  if (address === null) return null;
  const lines = [...new Set(own.flatMap((part) => part.lines))];
  return {
    name: named?.value ?? null,
    nameLines: named?.lines ?? [],
    address,
    addressLines: [...new Set(parts.flatMap((part) => part?.lines ?? []))],
    lines,
    caption: named && roleLabels.has(named.label) ? named.label : null,
  };
}

/** The labelled lines of a column from one on, up to another party's name or street. */
function stretchFrom(start: TextLine, side: 'above' | 'below', layout: Layout): readonly TextLine[] {
  const lines: TextLine[] = [];
  const seen = new Set(partsOn(start, layout).flatMap(({ label }) => partOfLabel.get(label) ?? []));
  for (let line = start; lines.length < linesOfParty; ) {
    const near = neighboursOf(layout, line)[side];
    const next = near && rowOf(layout, near).find((other) => isNextInColumn(line, other));
    if (!next) break;
    if (partsOn(line, layout).some((part) => part.lines.includes(next))) {
      line = next;
      continue;
    }
    const parts = partsOn(next, layout);
    const own = parts.flatMap(
      ({ label }) => partOfLabel.get(label) ?? (roleLabels.has(label) ? ['name' as const] : []),
    );
    if (parts.length === 0 || own.some((part) => seen.has(part) || (side === 'below' && part === 'name'))) break;
    lines.push(next);
    for (const part of own) seen.add(part);
    line = next;
  }
  return lines;
}

function isNextInColumn({ box }: TextLine, next: TextLine): boolean {
  const height = Math.max(box.y1 - box.y0, next.box.y1 - next.box.y0);
  const gap = Math.max(next.box.y0 - box.y1, box.y0 - next.box.y1);
  return gap <= 1.2 * height && Math.abs(next.box.x0 - box.x0) <= height;
}

const isStreetPart = ({ label, value }: Labelled) =>
  partOfLabel.get(label) === 'street' && (isStreetLine(value) || hasPlace(value) || /\p{L}{3}.*\d/u.test(value));

const colon = /\s*:\s*/gu;

/** How far apart labels of one row may stand, in heights of its line. */
const labelGap = 8;

/** The labels of a line, and of those right of it that go on with the address, with what stands behind each. */
function partsOn(line: TextLine, layout: Layout): readonly Labelled[] {
  const parts = [...labelsIn(line, layout)];
  for (let last = line; parts.length > 0 && parts.length < linesOfParty; ) {
    const { right } = neighboursOf(layout, last);
    const further = right && isBeside(last, right) ? labelsIn(right, layout) : [];
    const isValue = right !== null && parts.some(({ lines }) => lines.includes(right));
    const isRest = further.some(({ label }) => isOfTown(label) && !parts.some((part) => isSamePart(part.label, label)));
    if (!right || (!isValue && !isRest)) break;
    parts.push(...further);
    last = right;
  }
  return parts;
}

function isSamePart(a: string, b: string): boolean {
  return partOfLabel.get(a) === partOfLabel.get(b);
}

/** Whether a label is one of those that stand side by side, as no name's and no street's does. */
function isOfTown(label: string): boolean {
  const part = partOfLabel.get(label);
  return part !== undefined && part !== 'name' && part !== 'street';
}

function isBeside({ box }: TextLine, right: TextLine): boolean {
  return right.box.x0 - box.x1 < labelGap * (box.y1 - box.y0);
}

/** The labels in a line with what stands behind each, or right of a line that is a label alone. */
function labelsIn(line: TextLine, layout: Layout): readonly Labelled[] {
  const { text } = line;
  if (text.length > longestLine) return [];
  const marks = [...text.matchAll(colon)].flatMap(({ index, 0: mark }) => {
    const start = labelStart(text.slice(0, index));
    return start === null ? [] : [{ start, end: index + mark.length, label: labelOf(text.slice(start, index)) }];
  });
  const [first] = marks;
  if (!first || first.start > 0) return [];
  return marks.flatMap(({ label, end }, at): Labelled[] => {
    const value = text.slice(end, marks[at + 1]?.start).trim();
    const beside = value === '' && at === marks.length - 1 ? neighboursOf(layout, line).right : null;
    if (beside) return [{ label, value: beside.text.trim(), lines: [line, beside] }];
    if (value === '') return [];
    const rest = at === marks.length - 1 && partOfLabel.get(label) === 'street' ? restBelow(line, value, layout) : null;
    return [
      rest ? { label, value: `${value} ${rest.text.trim()}`, lines: [line, rest] } : { label, value, lines: [line] },
    ];
  });
}

/** The line in which an address goes on to its town, as in a narrow cell: `Address : 44 Kovai Road, Karur -` above `639008`. */
function restBelow(line: TextLine, value: string, layout: Layout): TextLine | null {
  const { below } = neighboursOf(layout, line);
  if (!below || hasPlace(value) || below.text.includes(':') || below.text.length > longestLine) return null;
  return below.box.x0 > line.box.x0 - 1 && hasPlace(`${value} ${below.text.trim()}`) && hasStreet(value) ? below : null;
}

/** Where the label before a colon begins: at the line's beginning, or within it where it is one of an address. */
function labelStart(before: string): number | null {
  if (!before.includes(':') && before.length <= 45) return 0;
  const words = [...before.matchAll(/\S+/gu)].slice(-wordsOfLabel);
  return words.find(({ index }) => partOfLabel.has(labelOf(before.slice(index))))?.index ?? null;
}

/** Labels of codes that stand behind their towns, and codes that never do. */
const codeBehind = /^(?:zip|post(?:al)? ?code)/u;
const dutchCode = /^\d{4} ?[A-Z]{2}$/;

/** A letter's order: the street, the town with its code on the side where its country has it, and the province. */
function addressOf(
  street: string,
  code: Labelled | undefined,
  town: string | undefined,
  province: string | undefined,
): string | null {
  if (hasPlace(street) && hasStreet(street)) return street;
  if (!town) return null;
  if (!code) return hasPlace(town) ? `${street}, ${town}` : null;
  const isBehind =
    !/^(?:[A-Z]{1,2}-)?\d/.test(code.value) || (codeBehind.test(code.label) && !dutchCode.test(code.value));
  if (isBehind) return [street, town, province ? `${province} ${code.value}` : code.value].join(', ');
  const behind = province && labelOf(province) !== labelOf(town) ? ` (${province})` : '';
  return `${street}, ${code.value} ${town}${behind}`;
}

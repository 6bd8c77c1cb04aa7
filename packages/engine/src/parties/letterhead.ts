import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { hasPlace, hasStreet, isStreetLine } from '../candidates/address-lines.ts';
import { countryOf } from '../candidates/country.ts';
import { foldText } from '../candidates/date.ts';
import { isFormPhrase, isHeading } from '../candidates/headings.ts';
import { isLegible } from '../candidates/legible.ts';
import { repairedText } from '../candidates/repair.ts';
import { companyEndOf, detailStart } from '../candidates/spans.ts';
import { hasGivenName } from '../compose/given-names.ts';
import { isOrganizationName, isPersonName, letterHeight } from '../compose/names.ts';
import { composedValue } from '../compose/value.ts';
import { neighboursOf, rowOf } from '../layout/neighbours.ts';
import { onceFor } from '../layout/once-for.ts';

/** A letterhead is in the first fifth of a page. */
const headShare = 0.2;
const footShare = 0.75;
const lineLimit = 60;
const leastScore = 2;
const companyLineLimit = 400;

/** {@link letterheadName} among all lines. */
export const letterheadOf = onceFor((layout) => letterheadName(layout, new Set()));

/**
 * The organization whose name heads the first page: set large, with a legal form or a word of organizations, or named
 * again further down. Null where none is clear.
 *
 * @param taken lines that are another party's
 */
export function letterheadName(layout: Layout, taken: ReadonlySet<TextLine>): ExtractedValue | null {
  const page = layout.document.pages[0];
  if (!page) return null;
  const own = layout.lines.filter((line) => line.page === page.number);
  const usual = median(own.map(letterHeight));
  const texts = layout.lines.map(({ text }) => foldText(text));
  const domains = texts.flatMap(domainsOf);
  const scored = own
    .filter(
      (line) =>
        line.box.y0 < headShare * page.height &&
        !taken.has(line) &&
        isLegible(line) &&
        mayBeName(line.text, letterHeight(line) > 1.5 * usual || hasDomain(line.text, domains)),
    )
    .slice(0, lineLimit)
    .map((line) => ({ line, score: scoreOf(line, usual, texts, domains) }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scored;
  const logo = loneLogo(
    scored.map(({ line }) => line),
    own,
    usual,
  );
  if (logo && (!best || best.score < leastScore)) return wholeLogo(logo, own, usual, 64);
  if (!best || best.score < leastScore) return null;
  if (
    second &&
    second.line !== restOfLogo(best.line, own, usual) &&
    restOfLogo(second.line, own, usual) !== best.line &&
    second.score > best.score - 0.3
  )
    return null;
  // Of a name in two lines the second may be the clearer one.
  const start = scored.find(({ line }) => restOfLogo(line, own, usual) === best.line)?.line;
  return wholeLogo(start ?? best.line, own, usual, 72);
}

/**
 * The name that says more than a logo: one in the head that begins with the logo's words, `Example Supplies Pty Ltd` below
 * `example`, or where the logo is a single word the company that the foot says is registered. Null where there is none.
 */
export function nameBehindLogo(
  logo: ExtractedValue,
  layout: Layout,
  taken: ReadonlySet<TextLine>,
): ExtractedValue | null {
  const brand = compact(String(logo.value));
  const page = layout.document.pages[0];
  if (!page || brand.length < 4 || isOrganizationName(String(logo.value)) === 'legal_form') return null;
  const own = layout.lines.filter((line) => line.page === page.number && !taken.has(line));
  const longer = own.filter(
    ({ text, box }) =>
      box.y0 < headShare * page.height &&
      compact(text).startsWith(brand) &&
      compact(text) !== brand &&
      mayBeName(text, true) &&
      (isOrganizationName(text) === 'legal_form' || text.split(' ').every((word) => /^[\p{Lu}&]/u.test(word))),
  );
  const [first] = longer;
  if (first && longer.every(({ text }) => compact(text) === compact(first.text)))
    return composedValue(first.text.trim(), 72, [{ line: first }]);
  return / \S/.test(String(logo.value)) ? null : registeredAtFoot(own, footShare * page.height);
}

const compact = (text: string) => foldText(text).replace(/[^\p{L}\p{N}]/gu, '');

/** What a company's foot says of it behind its name: `Example B.V. is ingeschreven bij …`. */
const registered =
  /^(\p{Lu}[\p{L}\d&'’.,() -]{2,60}?\.?),? ?(?:is|ist|est|è|es|está)? ?(?:registered (?:in|office|no|number)|incorporated in|a company registered|company (?:no|number|registration)|ingeschreven|eingetragen|immatriculée?|inscrita|iscritta|registada|au capital)(?!\p{L})/iu;

function registeredAtFoot(own: readonly TextLine[], top: number): ExtractedValue | null {
  const found = own.flatMap((line) => {
    const name = line.box.y0 < top ? undefined : registered.exec(line.text)?.[1]?.replace(/(?<!\.\p{L})\.$/u, '');
    return name && isOrganizationName(name) === 'legal_form' ? [{ line, name }] : [];
  });
  const [only, ...more] = found;
  return only && more.length === 0
    ? composedValue(only.name, 70, [{ line: only.line, start: 0, end: only.name.length }])
    : null;
}

function wholeLogo(line: TextLine, own: readonly TextLine[], usual: number, confidence: number): ExtractedValue {
  const rest = restOfLogo(line, own, usual);
  const name = line.text.replace(/[\s,;:*-]+$/, '');
  return rest
    ? composedValue(`${name} ${rest.text.trim()}`, confidence, [{ line }, { line: rest }])
    : composedValue(name, confidence, [{ line, start: 0, end: name.length }]);
}

/** The second line of a name set large, of the same size and right below the first; null where it has one line. */
function restOfLogo(first: TextLine, own: readonly TextLine[], usual: number): TextLine | null {
  const height = letterHeight(first);
  const rest = own.find(
    (line) =>
      Math.abs(letterHeight(line) - height) < 0.1 * height &&
      Math.abs(line.box.x0 - first.box.x0) < 0.3 * height &&
      line.box.y0 > first.box.y0 &&
      line.box.y0 - first.box.y1 < 0.9 * height,
  );
  const isName = rest && (mayBeName(rest.text, true) || isOrganizationName(rest.text) !== null);
  return height > 1.3 * usual && isName ? rest : null;
}

/** The line at the top of the first page that is set far larger than any other, as logos are; null without one. */
export const logoOf = onceFor(findLogo);

function findLogo(layout: Layout): TextLine | null {
  const page = layout.document.pages[0];
  if (!page) return null;
  const own = layout.lines.filter((line) => line.page === page.number);
  const usual = median(own.map(letterHeight));
  const heads = own.filter(({ box, text }) => box.y0 < headShare * page.height && mayBeName(text, true));
  return loneLogo(heads, own, usual);
}

/** Words of a name that is set as a logo. */
const logoWords = 4;

/**
 * The one line that is set far larger than any other at the top of a page but the document's title, as logos are; null
 * where two compete.
 */
function loneLogo(heads: readonly TextLine[], own: readonly TextLine[], usual: number): TextLine | null {
  const [tallest, next, ...rests] = own
    .filter(({ box, text }) => box.y0 < Math.max(...heads.map((line) => line.box.y1)) + 5 * usual && !isHeading(text))
    .toSorted((a, b) => letterHeight(b) - letterHeight(a));
  const isNextFirst = next !== undefined && restOfLogo(next, own, usual) === tallest;
  const [largest, ...others] = isNextFirst ? [next, tallest!, ...rests] : [tallest, ...(next ? [next] : []), ...rests];
  const rest = largest && restOfLogo(largest, own, usual);
  const second = others.find((line) => line !== rest);
  if (!largest || !heads.includes(largest) || (largest.text.match(/\p{L}{2,}/gu) ?? []).length > logoWords) return null;
  const isLarge =
    letterHeight(largest) > 1.5 * usual && (!second || letterHeight(second) < 0.8 * letterHeight(largest));
  return isLarge && !(isPersonName(largest.text) && hasGivenName(largest.text)) ? largest : null;
}

/** Whether a logo at the top of the page says the words with which a party's name begins, or the last of them. */
export function isNamedByLogo(nameLines: readonly TextLine[], layout: Layout): boolean {
  const page = layout.document.pages[0];
  if (!page) return false;
  const own = layout.lines.filter((line) => line.page === page.number);
  const usual = median(own.map(letterHeight));
  const compact = (text: string) => foldText(text).replace(/[^a-z\d]/g, '');
  const name = compact(nameLines.map(({ text }) => text).join(' '));
  return own.some((line) => {
    const isLogo = line.box.y0 < headShare * page.height && letterHeight(line) > 1.3 * usual;
    const words = compact(line.text);
    const isWithin = name.startsWith(words) || (words.length > 5 && name.endsWith(words));
    return isLogo && !nameLines.includes(line) && words.length > 3 && isWithin;
  });
}

/** @param isLogo logos are set large or name a domain, and some of them have no capitals. */
function mayBeName(text: string, isLogo: boolean): boolean {
  const words = text.trim().split(/\s+/);
  if (
    words.length > (isOrganizationName(text) === 'legal_form' ? 8 : 6) ||
    text.length > 60 ||
    text.length < 3 ||
    /[@:|%$€£]|www\.|\d{3}/.test(text)
  )
    return false;
  if (
    /^(?:the )?(?:bank|banco|banca|banque|insurance|group|company|university|hospital|clinic|school|society)$/i.test(
      text.trim(),
    )
  )
    return false;
  // The title of a card is not who issues it.
  if (
    /(?:(?:insurance|identification|id|health|member(?:ship)?) card|(?:versicherungs?|gesundheits)karte)$/iu.test(
      text.trim(),
    )
  )
    return false;
  if (
    !(isLogo || /^[\p{Lu}\d]/u.test(text.trim())) ||
    /^(?:name|employee|customer|patient|member|account|date)\s/i.test(text)
  )
    return false;
  const letters = text.replace(/[^\p{L}]/gu, '').length;
  return (
    letters >= 0.7 * text.replace(/\s/g, '').length &&
    !isHeading(text) &&
    !isFormPhrase(text) &&
    !isStreetLine(text) &&
    !/[.!?]$/.test(text.replace(/(?:(?<!\p{L})(?:inc|co|ltd|corp)|(?<!\p{L})(?:\p{L}\.)+\p{L}|[&e] c)\.$/iu, ''))
  );
}

function scoreOf(line: TextLine, usual: number, texts: readonly string[], domains: readonly string[]): number {
  const form = isOrganizationName(line.text);
  const folded = foldText(line.text).replace(/[\s.,;:*-]+$/, '');
  const named = texts.filter((text) => text.includes(folded)).length;
  const size = Math.min(2.5, letterHeight(line) / Math.max(1, usual));
  const isAtDomain = hasDomain(line.text, domains);
  return (
    (isAtDomain ? 1.6 : 0) +
    (form === 'legal_form' ? 2 : form === 'word' ? 1.6 : 0) +
    Math.min(1.5, (named - 1) * 0.8) +
    Math.max(0, size - 1.2) -
    (isPersonName(line.text) && !form && !isAtDomain ? 0.7 : 0)
  );
}

/** Whether pages or letters go to a name's own domain: `Con Edison`, which is at conedison.com. */
function hasDomain(name: string, domains: readonly string[]): boolean {
  const compact = foldText(name).replace(/[^a-z\d]/g, '');
  const isDomain = (domain: string) =>
    domain === compact ||
    (compact.length > 5 && domain.startsWith(compact) && domain.length <= compact.length + 4) ||
    (domain.length > 3 && compact.startsWith(domain) && compact.length <= domain.length + 4);
  return compact.length > 2 && domains.some(isDomain);
}

/** The names of domains in a text, without what stands before and behind them. */
function domainsOf(text: string): readonly string[] {
  if (!text.includes('.')) return [];
  return [
    ...text.matchAll(
      /(?:@|www\.|https?:\/\/|(?<![\w.@-]))(?:[a-z\d-]+\.)*([a-z\d-]{3,40})\.(?:com?|org|net|gov|edu|eu|io|de|fr|es|it|pt|nl|be|at|ch|uk|ie|pl|cz|in|au|ca|us|mx|br)(?![a-z\d])/g,
    ),
  ].map(([, name]) => name!.replaceAll('-', ''));
}

/** A sender's name, street and town in one line. */
export interface ReturnAddress {
  readonly name: ExtractedValue;
  readonly address: ExtractedValue;
}

/** Of letters that much smaller than the rest, such a line may have commas alone. */
const smallShare = 0.85;
const smallReturnMark = /\s*[·•*|∙]\s*|\s+[-–—]\s+|,\s+/u;

/** Such a line between whose parts recognition lost the marks: `Example GmbH Marktweg 3 04109 Leipzig`. */
const lostMarks =
  /^([^:,]{3,60}?(?<!\p{L})(?:GmbH(?: ?& ?Co\.? ?KG)?|AG|KG|OHG|GbR|UG(?: \(haftungsbeschränkt\))?|e\.? ?[KV]\.?|PartG(?: ?mbB)?|SARL|SAS|S\.?r\.?l\.?|B\.?V\.?))[ .·•|-]*(\p{Lu}[^\d]{3,40}\d[\d/-]{0,4}?(?: ?[a-z])?)[ .·•|-]+((?:[A-Z]{1,2}-)?\d{4,5} \p{Lu}[\p{L} .()-]{2,40})$/u;

/** Such a line whose marks recognition set close: `Example Studio-Marktweg 3-04109 Leipzig`. */
const glued =
  /^([^\d|·•]{3,60}?\p{L}\.?)[-–·•](\p{Lu}[^\d|·•–]{3,40} \d{1,4} ?[a-z]?)[-–·•] ?(\d{4,5} \p{Lu}[\p{L} .()-]{2,40})$/u;

/** Behind a legal form a hyphen parts the name from its street, though recognition set it close. */
const returnMark = /\s*[·•*|∙]\s*|\s+[-–—]\s+|(?<=GmbH|KG|OHG|AG|\p{L}\.\p{L}\.)[-–](?=\p{Lu}\p{Ll})/u;

/**
 * The sender in one small line above the window of an envelope: `Example GmbH · Marktweg 3 · 04109 Leipzig`. Null where no
 * line in the upper half of the first page is one, or two differ.
 */
export const returnAddress = onceFor(findReturnAddress);

function findReturnAddress(layout: Layout): ReturnAddress | null {
  const page = layout.document.pages[0];
  if (!page) return null;
  const usual = median(layout.lines.filter((line) => line.page === page.number).map(letterHeight));
  const found = layout.lines.flatMap((line): ReturnAddress[] => {
    if (line.page !== page.number || line.box.y0 > page.height / 2 || line.text.length > 140) return [];
    const isSmall = letterHeight(line) < smallShare * usual;
    const parts =
      (lostMarks.exec(line.text) ?? glued.exec(line.text))?.slice(1) ??
      line.text.split(isSmall ? smallReturnMark : returnMark).filter((part) => part.trim() !== '');
    const [name, ...rest] = parts;
    const town = rest.findIndex((part) => hasPlace(part));
    const behind = rest.slice(town + 1);
    const isLast = behind.length === 0 || (behind.length === 1 && countryOf(behind[0]!.trim()) !== null);
    // Between name and street may stand what somebody is: `Jana Beispiel · Grafikdesign · Marktweg 3 · 04109 Leipzig`.
    const first = rest.slice(0, town).findIndex(isStreetLine);
    const isAddress = town > 0 && isLast && first >= 0;
    if (!name || !isAddress || /\d/.test(name) || isStreetLine(name) || isHeading(name) || isFormPhrase(name))
      return [];
    const start = line.text.indexOf(name);
    const address = rest.slice(first);
    const street = line.text.indexOf(address[0]!, start + name.length);
    return [
      {
        name: composedValue(name.trim(), 80, [{ line, start, end: start + name.length }]),
        address: composedValue(address.map((part) => part.trim()).join(', '), 80, [{ line, start: street }]),
      },
    ];
  });
  const [first] = found;
  return first && found.every(({ name }) => name.value === first.name.value) ? first : null;
}

/**
 * The company whose name, with its address and numbers, heads the first page in one line: `Example, S.L. · CIF B12345674 ·
 * Calle Mayor, 3 · 28013 Madrid · Tel. …`. Null where no line is one, or several are.
 */
export const senderAtHead = onceFor((layout) => {
  const page = layout.document.pages[0];
  const found = layout.lines.flatMap((line) => {
    const isHead =
      page && line.page === page.number && line.box.y0 < headShare * page.height && line.text.length <= 200;
    const company = isHead ? companyWithAddress(line) : null;
    return company ? [company] : [];
  });
  return found.length === 1 ? withAddressAlone(found[0]!) : null;
});

/** A sender whose address has nothing of the sentence before it. */
function withAddressAlone({ name, address }: ReturnAddress): ReturnAddress {
  const value = String(address.value).replace(beforeAddress, '').replace(/\.$/, '');
  return { name, address: { ...address, value } };
}

/** How many of a page's last lines are its foot, however short the page is. */
const footLines = 5;

/**
 * The sender in one line at the foot of the first page, before its telephone and numbers: `Example Studio – Marktweg 3 –
 * 04109 Leipzig – 0341 555017`. Null where no line is one, or several are.
 */
export const senderAtFoot = onceFor(findSenderAtFoot);

function findSenderAtFoot(layout: Layout): ReturnAddress | null {
  const page = layout.document.pages[0];
  if (!page) return null;
  const own = layout.lines.filter((line) => line.page === page.number);
  const last = own.toSorted((a, b) => b.box.y0 - a.box.y0).slice(0, footLines);
  const found = last.flatMap((line): ReturnAddress[] => {
    if (line.text.length > 200) return [];
    const company = companyWithAddress(line) ?? logoWithAddress(line, layout);
    if (company) return [company];
    const parts = line.text.split(returnMark).filter((part) => part.trim() !== '');
    const [name, street = '', town = ''] = parts;
    const isApart = isStreetLine(street) && !hasPlace(street) && hasPlace(town);
    const isWhole = hasPlace(street) && hasStreet(street);
    if (!name || !(isApart || isWhole) || !mayBeName(name.trim(), true) || isStreetLine(name)) return [];
    const address = isWhole ? [street] : [street, town];
    const start = line.text.indexOf(street, line.text.indexOf(name) + name.length);
    const end = line.text.indexOf(address.at(-1)!, start) + address.at(-1)!.length;
    const nameStart = line.text.indexOf(name);
    return [
      {
        name: composedValue(name.trim(), 76, [{ line, start: nameStart, end: nameStart + name.length }]),
        address: composedValue(address.map((part) => part.trim()).join(', '), 76, [{ line, start, end }]),
      },
    ];
  });
  return found.length === 1 ? withAddressAlone(found[0]!) : null;
}

/** Whose logo heads the page, with the address behind its name: `Example Hotel, Mill Street, Bath BA2 3NT`. */
function logoWithAddress(line: TextLine, layout: Layout): ReturnAddress | null {
  const logo = compact(logoOf(layout)?.text ?? '');
  const [name = '', ...rest] = line.text.split(/,\s+/u);
  const isNamed = logo.length > 4 && compact(name).startsWith(logo) && mayBeName(name, true);
  if (!isNamed || rest.length < 2 || rest.length > addressPartLimit + 2 || !hasPlace(rest.join(', '))) return null;
  return {
    name: composedValue(name, 76, [{ line, start: 0, end: name.length }]),
    address: composedValue(rest.join(', '), 76, [{ line, start: line.text.indexOf(rest[0]!, name.length) }]),
  };
}

/** What stands between a company's name and its address at the foot: its capital, or numbers. */
const capital = /\s(?:(?:au|with a|mit einem|con|com o) (?:capital|stammkapital)\s|(?:capital|cap\. soc)\s).*$/iu;

/** A comma before a legal form or a house's number parts nothing; the blank behind one may be lost. */
const footMark =
  /\s*[·•*|∙]\s*|\s+[-–—]\s+|[,;](?: +|(?=\p{L}))(?!(?:Inc|LLC|Ltda?|LTDA?|L[Dd][Aa]|Unipessoal|S\.? ?[AL]|S\.?L\.?U|[Ss]\.?[Rr]\.?[Ll]|[Ss]\.?[Pp]\.?[Aa])(?![\p{L}\d])|\d{1,4}[a-z]?(?=$|[ ,;]))|(?<=[\dA-Z]{3})\. +/gu;

/** A street before its postal code and town, with nothing between: `Chemin de la Croix 84210 PERNES`. */
const streetToTown = /^(\p{L}[\p{L}\d '’.-]{4,60}?) (\d{5} \p{Lu}[\p{L} '’-]{2,40})$/u;

/**
 * A company by its legal form at the start of a line that goes on to its address, whatever stands between the two:
 * `Example SARL au capital de 8 000 € — 14 place Centrale, 14000 Caen — SIRET …`. Null where the line is none.
 */
function companyWithAddress(line: TextLine): ReturnAddress | null {
  const parts: PartOfLine[] = [];
  let start = 0;
  for (const mark of [...line.text.matchAll(footMark), null]) {
    const end = mark?.index ?? line.text.length;
    if (end > start) parts.push({ text: line.text.slice(start, end), start, end });
    start = end + (mark?.[0].length ?? 0);
  }
  const [head, ...rest] = partedAtCompany(parts);
  const name = head?.text.replace(capital, '').trim() ?? '';
  if (isOrganizationName(name) !== 'legal_form' || !mayBeName(name, true)) return null;
  const joined = rest.find(({ text }) => streetToTown.test(text));
  const [, road = '', place = ''] = streetToTown.exec(joined?.text ?? '') ?? [];
  if (joined && isStreetLine(road) && hasPlace(place))
    return {
      name: composedValue(name, 76, [{ line, start: head!.start, end: head!.start + name.length }]),
      address: composedValue(`${road}, ${place}`, 76, [{ line, start: joined.start, end: joined.end }]),
    };
  const numbered = rest.findIndex(({ text }) => isStreetLine(text) && !hasPlace(text));
  // Right behind the name a house with a name may stand for the street: `Station Yard, Hexham NE46 1EZ`.
  const isNamed = numbered < 0 && rest[0] !== undefined && /^\p{Lu}[\p{L}'’ -]{3,40}$/u.test(rest[0].text);
  const street = isNamed ? 0 : numbered;
  const town = rest.findIndex(({ text }, at) => at > street && hasPlace(text));
  if (street < 0 || town < 0 || town > street + addressPartLimit) return null;
  const from = rest[street]!.start;
  const to = rest[town]!.end;
  return {
    name: composedValue(name, 76, [{ line, start: head!.start, end: head!.start + name.length }]),
    address: composedValue(
      rest
        .slice(street, town + 1)
        .map(({ text }) => text.trim())
        .join(', '),
      76,
      [{ line, start: from, end: to }],
    ),
  };
}

interface PartOfLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The parts of a line, the first of them parted behind a company's legal form where a wide blank alone is between it and its street. */
function partedAtCompany(parts: readonly PartOfLine[]): readonly PartOfLine[] {
  const [head, ...rest] = parts;
  const behind = head ? companyEndOf(head.text) : -1;
  if (!head || behind <= 0 || !isStreetLine(head.text.slice(behind))) return parts;
  const name = head.text.slice(0, behind).replace(/[\s,;]+$/, '');
  return [
    { text: name, start: head.start, end: head.start + name.length },
    { text: head.text.slice(behind), start: head.start + behind, end: head.end },
    ...rest,
  ];
}

/** How many parts of an address may stand between its street and its town. */
const addressPartLimit = 3;

/**
 * The sender's address in one line of the letterhead, between marks and beside its telephone and mail:
 * `PO Box 77 | Hood River, OR 97031 | (541) 555-0172`. Null where none or several are.
 */
export function addressUnderHead(layout: Layout): ExtractedValue | null {
  return addressBetweenMarks(layout, (share) => share <= headShare);
}

/** As {@link addressUnderHead}, at the foot of the first page. */
export function addressAtFoot(layout: Layout): ExtractedValue | null {
  const own = layout.lines.filter((line) => line.page === layout.document.pages[0]?.number);
  // A short bill ends high up on its page.
  const end = own.toSorted((a, b) => b.box.y0 - a.box.y0)[lastLines]?.box.y1 ?? Infinity;
  return addressBetweenMarks(layout, (share, { box }) => share >= footShare || box.y0 > end);
}

/** How many lines at the end of a page's text are its foot, wherever they stand. */
const lastLines = 2;

/** Lines at the head of a page among which the name stands whose address its foot has: it is whose paper it is. */
const headLines = 3;

/** @param isWithin where such lines are, and where on the page, as a share of its height from above */
function addressBetweenMarks(
  layout: Layout,
  isWithin: (share: number, line: TextLine) => boolean,
): ExtractedValue | null {
  const page = layout.document.pages[0];
  if (!page) return null;
  const heads = new Set(layout.lines.slice(0, headLines).map(({ text }) => foldText(text.trim())));
  const found = layout.lines.flatMap((line): ExtractedValue[] => {
    if (line.page !== page.number || !isWithin(line.box.y0 / page.height, line) || line.text.length > 160) return [];
    const parts = line.text.split(returnMark).filter((part) => part.trim() !== '');
    const confidence = heads.has(foldText(parts[0]?.trim() ?? '')) ? 88 : 76;
    const street = parts.findIndex(isStreetLine);
    const town = parts.findIndex((part, at) => at > street && hasPlace(part));
    const isWhole = (part: string) => hasPlace(part) && hasStreet(part);
    const whole = parts.filter(isWhole);
    const stated = (text: string, start: number, end: number) => {
      const caption = beforeAddress.exec(text)?.[0].length ?? 0;
      return composedValue(text.slice(caption).replace(/\.$/, ''), confidence, [{ line, start: start + caption, end }]);
    };
    const before = wholeAddressIn(line, layout);
    if (before) return [stated(repairedText({ ...line, text: before }), 0, before.length)];
    const isReached = (part: string) => telephone.test(part) || anyTelephone.test(part) || /\S@\S/.test(part);
    if (parts.length > 1 && whole.length === 1 && parts.some(isReached)) {
      const at = line.text.indexOf(whole[0]!);
      return [stated(whole[0]!.trim(), at, at + whole[0]!.length)];
    }
    if (parts.length < 3 || street < 0 || town !== street + 1) return [];
    const start = line.text.indexOf(parts[street]!);
    const end = line.text.indexOf(parts[town]!, start) + parts[town]!.length;
    const address = [parts[street]!, parts[town]!].map((part) => part.replace(/^[\s,]+|[\s,;]+$/g, '')).join(', ');
    return [stated(address, start, end)];
  });
  return found.length === 1 ? found[0]! : null;
}

/** What a sentence at a page's foot says before the address: `Registered in England No. 1234567. Registered office: `. */
const beforeAddress =
  /^.{0,120}(?<!\p{L})(?:(?:registered|head|principal|main|mailing|postal|business|corporate|reg\.?|our) (?:office|address)(?: is| at)?[ :]+|(?:office|address|sede(?: legale| social)?|si[eè]ge(?: social)?|anschrift|adresse|direcci[oó]n|domicilio(?: social)?) ?: *)(?=[\d\p{Lu}])/iu;

/**
 * The address that a line of the letterhead begins with, street and place in one, where a telephone number or a mail
 * address stands behind it or in the line below; null where it is none. Recognition may lose the marks between them: `4
 * Quarry Mews Bath BA2 3NT.Te 01225 555 018`.
 */
function wholeAddressIn(line: TextLine, layout: Layout): string | null {
  const detail = detailStart(line.text);
  const coded = endsWithCode.exec(line.text)?.[0];
  const address = (coded ?? (detail < 0 ? line.text : line.text.slice(0, detail))).replace(/[\s,;]+$/, '');
  const { below } = neighboursOf(layout, line);
  const behind = line.text.slice(address.length);
  const isReached = (text: string) => anyTelephone.test(text) || /\S@\S/.test(text);
  if (!hasPlace(address) || !(isReached(behind) || (behind.trim() === '' && below && isReached(below.text))))
    return null;
  // In Britain a street may have a name alone: `Station Approach, Hexham NE46 1EZ`.
  const isNamed = /^\p{Lu}[\p{L}'’ -]{3,40}, .*[A-Z]\d[A-Z\d]? ?\d[A-Z]{2}$/u.test(address);
  const isCoded = coded !== undefined && /^\d/.test(coded) && isStreetLine(coded.replaceAll(',', ''));
  return hasStreet(address) || isNamed || isCoded ? address : null;
}

/** Up to a postal code of Britain or the United States. */
const endsWithCode = /^[^:|·•]{8,70}? (?:(?:[A-Z]{1,2}|0[LX])\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]{2} \d{5})(?![A-Z\d])/u;
const anyTelephone = /(?:\d[ ().-]{0,2}){10}/u;

const telephone = /\(?\d{3}\)?[- .]\d{3}[- .]\d{4}|^(?:tel|phone|ph|fax)(?!\p{L})|\+\d{2}[ \d]{8,}/iu;

const payable =
  /(?:checks?|cheques?|money orders?|payments?)(?: or money orders?)? (?:are |is )?payable to:? +(?:the )?(\p{Lu}[\p{L}\d&.,'’ -]{1,60})/u;

/** Whom checks are to be made out to: the sender by another place than the letterhead. */
export function payableTo(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines) {
    const match = payable.exec(line.text);
    if (!match) continue;
    const name = match[1]!
      .replace(/(?:\. .*| and .*| with .*| at .*|, (?!inc|llc|ltd|co|corp).*)$/i, '')
      .replace(/[\s.,;-]+$/, '')
      .trim();
    if (name.length < 3 || name.split(' ').length > 6 || isHeading(name) || isFormPhrase(name)) continue;
    const start = match.index + match[0].length - match[1]!.length;
    return composedValue(name, 74, [{ line, start, end: start + name.length }]);
  }
  return null;
}

/** The one company that a document names by its legal form, wherever on its pages but in a row of amounts; null where it names none or several. */
export function onlyCompany(layout: Layout): ExtractedValue | null {
  const found = layout.lines
    .slice(0, companyLineLimit)
    .filter(
      ({ text }) =>
        text.length <= 50 &&
        !/\d|:|-\p{L}+$|(?<!\p{L})(?:by|via|©)(?!\p{L})/iu.test(text) &&
        isOrganizationName(text) === 'legal_form' &&
        !isFormPhrase(text) &&
        !isHeading(text),
    )
    .filter((line) => !rowOf(layout, line).some(({ text }) => /\d[.,]\d\d(?!\d)/.test(text)));
  const [first] = found;
  return first && found.every(({ text }) => text.toLowerCase() === first.text.toLowerCase())
    ? composedValue(first.text, 64, [{ line: first }])
    : null;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1;
}

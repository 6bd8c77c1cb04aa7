import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { isFormPhrase, isHeading } from '../../candidates/headings.ts';
import { textsAtCaption } from '../../compose/captioned.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { hasGivenName, hasHoldersGivenName } from '../../compose/given-names.ts';
import { isOrganizationName, isPersonName, letterHeight, titleCased } from '../../compose/names.ts';
import { composedValue } from '../../compose/value.ts';
import { median } from '../../layout/geometry.ts';
import { neighboursOf, visualRows } from '../../layout/neighbours.ts';
import type { DocumentType } from '../definition.ts';
import { numberByForm } from './number-by-form.ts';

/** What names of health plans have in them. */
const planWord =
  /(?<!\p{L})(?:PPO|HMO|Open Access|Open Choice|Choice Plus|Select Plus|EPO|POS|HDHP|HSA|HRA|Medicare Advantage|Medicaid|PDP|MAPD|MA-PD|DHMO|PFFS|D-SNP|Bronze|Silver|Gold|Platinum)(?!\p{L})/u;
/** Lines about what is paid and whom to call. */
const otherwise =
  /copay|co-pay|office|visit|deductible|payer|network|out of|bin|pcn|grp|call|claims|[:$%#@]|\d\D+\d|\d{5}/iu;

/** What several insurers sell under one name: `Medicare Supplement Insurance Plans`. */
export const supplement = /(?<!\p{L})medicare supplement(?!\p{L})/iu;

/** What a card calls itself beside its insurer's logo. */
export const cardTitle =
  /(?<=\p{L}{3} )(?:carte de tiers payant|carte d['’]assuré|health insurance card|(?:member|insurance|identification) card)$/iu;

/** How many of the European card's boxes, numbered from 3 to 9 and alike in every country, are seen at the least. */
const leastBoxes = 5;
const numberedBox = /^([3-9])[.,]? ?\p{Lu}\p{L}/u;

/** Whether a card has the numbered boxes of the European one, in whatever language its title is. */
function isEuropeanCard(layout: Layout): boolean {
  return new Set(layout.lines.flatMap(({ text }) => numberedBox.exec(text)?.[1] ?? [])).size >= leastBoxes;
}

/**
 * The plan and the member of an insurance card, where they are printed without a caption, what its prescriptions are
 * routed by, and numbers that are known by their form.
 */
export function composeInsuranceCard({ type, layout }: Findings): ComposedFields {
  return {
    insurer_name:
      publicInsurer(layout) ?? germanInsurer(layout) ?? stackedHead(layout) ?? headOf(layout) ?? logoOf(type, layout),
    member_name: listedMember(type, layout) ?? memberOf(layout) ?? stackedMember(layout),
    member_id: numberByForm(layout) ?? groupedNumber(type, layout),
    plan_name: captionedPlan(type, layout) ?? planOf(layout) ?? planAtHead(layout),
    ...routingOf(type, layout),
    ...(isEuropeanCard(layout) ? europeanFields(layout) : {}),
  };
}

const binBehind = /(?<![\p{L}\d])(?:rx ?)?bin(?: ?(?:no\.?|number|#))?[\s:#.]*(\d{6})(?!\d)/iu;
/** A processor's control number may have no digit, as `ADV` has none. */
const controlBehind =
  /(?<![\p{L}\d])(?:rx ?)?pcn(?: ?(?:no\.?|number|#))?[\s:#.]*([A-Z\d]{2,10}(?:-[A-Z\d]{1,6})?)(?![\p{Ll}\d])/iu;
const bothCaptions = /(?<![\p{L}\d])(?:rx ?)?bin ?[/&] ?(?:rx ?)?pcn$/iu;
const both = /^(\d{6}) ?[/&-]? ?([A-Z\d]{2,10})$/u;

/** A caption alone on its line, as the headings of columns are. */
const leastBelow = 0.85;

/** What a pharmacy's claim is routed by, behind its captions or, where one caption is for both, beside or below it. */
function routingOf(type: DocumentType, layout: Layout): ComposedFields {
  const behind = (pattern: RegExp) => {
    const found = layout.lines.flatMap((line) => {
      const [whole, value] = pattern.exec(line.text) ?? [];
      if (whole === undefined || value === undefined || /^(?:rx|bin|grp|group)/i.test(value)) return [];
      const start = line.text.indexOf(value, line.text.indexOf(whole) + whole.length - value.length);
      return value === value.toUpperCase() ? [{ line, text: value, start, end: start + value.length }] : [];
    });
    const [first] = found;
    return first && found.every(({ text }) => text === first.text) ? composedValue(first.text, 89.5, [first]) : null;
  };
  const caption = layout.lines.find(({ text }) => bothCaptions.test(text.trim()));
  const beside = caption && neighboursOf(layout, caption);
  for (const line of beside ? [beside.right, beside.below] : []) {
    const [, bin, control] = both.exec(line?.text.trim() ?? '') ?? [];
    if (!line || bin === undefined || control === undefined) continue;
    const start = line.text.lastIndexOf(control);
    return {
      rx_bin: composedValue(bin, 84, [{ line, start: line.text.indexOf(bin), end: line.text.indexOf(bin) + 6 }]),
      rx_pcn: composedValue(control, 84, [{ line, start, end: start + control.length }]),
    };
  }
  const control = textsAtCaption(type, 'rx_pcn', layout).find(
    ({ text, place, score }) => (place !== 'below' || score >= leastBelow) && /^[A-Z\d]{2,10}$/.test(text),
  );
  return {
    rx_bin: behind(binBehind),
    rx_pcn: behind(controlBehind) ?? (control ? composedValue(control.text, 80, [control.stretch]) : null),
  };
}

const benefit =
  /(?<!\p{L})(?:not covered|co-?pays?|co-?insurance|(?<!high )deductible|in-network|out-of-network|no charge|(?:savings|discount|rewards) program)(?!\p{L})/iu;

/** Who of a family is insured: `Subscriber + Family`. */
const tier =
  /^[+&]? ?(?:(?:subscriber|employee|member|self|ee|individual|single|family|spouse|child(?:ren)?|dependents?|two|party|only|plus|and) ?[+&/-]? ?)+$/iu;

/** Whether a text says who of a family is insured, and nothing else. */
export function isTier(text: string): boolean {
  return tier.test(text.trim());
}

/** Whether a text is of a card's table of benefits or says who is insured, which is no plan. */
export function isBenefit(text: string): boolean {
  return benefit.test(text) || isTier(text);
}

/** The plan that a caption of its own names. */
function captionedPlan(type: DocumentType, layout: Layout): ExtractedValue | null {
  const plan = textsAtCaption(type, 'plan_name', layout).find(
    ({ text, place, score }) =>
      place !== 'below' &&
      score >= 0.9 &&
      text.length <= 60 &&
      /\p{L}{2}/u.test(text) &&
      text.split(' ').length <= 7 &&
      !/copay|deductible \$|[:$%#@]|\d{5}|\d[/-]\d|^eff/iu.test(text) &&
      !isBenefit(text) &&
      !isHeading(text) &&
      !isFormPhrase(text),
  );
  return plan ? composedValue(plan.text, 78, [plan.stretch]) : null;
}

/** The number of a contract with Medicare and of a plan in it, as plans have it in their names: `H5216-301`. */
const contractNumber = / [HRS]\d{4}[- ]\d{3}(?:-\d{3})?/u;

/** What OCR makes of the mark of a registered name behind it: `Open Choice@`. */
const markRead = /(?<=\p{L}{3})[@©?]$/u;

/** The longest line that is worded as names of plans are. */
function planOf(layout: Layout): ExtractedValue | null {
  const plans = layout.lines.flatMap((line) => {
    const text = line.text.replace(markRead, '');
    const isPlan =
      text.length <= 60 &&
      planWord.test(text) &&
      !otherwise.test(text.replace(contractNumber, '')) &&
      text.split(' ').length <= 7;
    return isPlan ? [{ line, text }] : [];
  });
  const [longest] = plans.toSorted((a, b) => b.text.length - a.text.length);
  const rest = longest && neighboursOf(layout, longest.line).below;
  if (longest && rest && /^\((?:HMO|PPO|PDP|PFFS)[^)]{0,12}\)$/.test(rest.text))
    return composedValue(`${longest.text} ${rest.text}`, 74, [{ line: longest.line }, { line: rest }]);
  return longest ? composedValue(longest.text, 74, [longest]) : null;
}

/** What stands right of the insurer at a card's head in a few words, and is nobody's name: `Heritage Plus 1500`. */
function planAtHead(layout: Layout): ExtractedValue | null {
  const [head] = headLines(layout);
  const { row, below } = head ? neighboursOf(layout, head) : { row: [], below: null };
  // Below the insurer it has a word that ends the names of plans.
  const line = row.length === 2 ? row[1] : row.length === 1 && endOfPlan.test(below?.text ?? '') ? below : undefined;
  if (
    !line ||
    !/^\p{Lu}\p{L}+(?: \p{Lu}\p{L}+){0,3}(?: \d{2,4})?$/u.test(line.text) ||
    otherwise.test(withoutNetwork(line))
  )
    return null;
  if (!/ /.test(line.text) || isHeading(line.text) || isFormPhrase(line.text)) return null;
  if (isOrganizationName(line.text) !== null || (isPersonName(line.text) && !endOfPlan.test(line.text))) return null;
  return composedValue(line.text, 64, [{ line }]);
}

/** Words that names of plans end with, perhaps before the deductible. */
const endOfPlan =
  /(?<=\p{L} )(?:Plus|Advantage|Choice|Select|Network|Classic|Saver|Value|Complete|Options?)(?: \d{2,4})?$/u;

function withoutNetwork({ text }: TextLine): string {
  return text.replace(/ Network$/u, '');
}

/** Whether a text is worded as names of plans are, and so is no insurer's. */
export function isPlanName(text: string): boolean {
  return planWord.test(text) && isOrganizationName(text) === null;
}

/** A logo of two lines, one right under the other in one size: `Granite State`, `Health Partners`. */
function stackedHead(layout: Layout): ExtractedValue | null {
  const [first] = headLines(layout);
  const second = first && neighboursOf(layout, first).below;
  if (!first || !second) return null;
  const [height, other] = [letterHeight(first), letterHeight(second)];
  const others = layout.lines.filter((line) => line !== first && line !== second).map(letterHeight);
  const usual = others.toSorted((a, b) => a - b)[others.length >> 1] ?? height;
  const isLarge = height > 1.2 * usual || restOfInsurer.test(second.text);
  // Below its name an insurer may say in small letters what it is.
  const isStacked =
    (Math.abs(height - other) < 0.15 * height || (other < height && restOfInsurer.test(second.text))) &&
    Math.abs(first.box.x0 - second.box.x0) < height &&
    second.box.y0 - first.box.y1 < 0.7 * height;
  if (!isLarge || !isStacked || ![first, second].every(({ text }) => isLogo(text) || restOfInsurer.test(text)))
    return null;
  const name = `${first.text.trim()} ${second.text.trim()}`;
  return composedValue(name, 89.5, [{ line: first }, { line: second }]);
}

const restOfInsurer =
  /^(?:(?:\p{L}+|&) ){0,3}(?:health (?:plans?|care|insurance)|healthcare|insurance|assurance|mutual|insurance company|(?:health|benefits?|welfare|& welfare) (?:fund|trust))(?: (?:company|inc|group))?\.?$/iu;

/** Words of a logo: capitalised, without figures, and no caption, plan or person. */
function isLogo(text: string): boolean {
  const name = text.trim();
  return (
    /^\p{Lu}[\p{L} &.'’-]{1,40}(?:(?<=local )\d{1,4})?[®™]?$/iu.test(name) &&
    /^\p{Lu}/u.test(name) &&
    name.split(' ').length <= 5 &&
    !planWord.test(name) &&
    !isHeading(name) &&
    !isFormPhrase(name) &&
    !hasGivenName(titleCased(name)) &&
    !/(?:card|karte|carte|tarjeta|tessera)$/iu.test(name)
  );
}

/** A card's lines from its top left on, which on a tilted picture is not always the highest. */
function headLines(layout: Layout): readonly TextLine[] {
  return visualRows(layout).flat();
}

/** A number in groups that is all that stands at its caption, perhaps with the member's own suffix. */
function groupedNumber(type: DocumentType, layout: Layout): ExtractedValue | null {
  const found = textsAtCaption(type, 'member_id', layout).find(
    ({ text, score }) => score >= leastBelow && /^(?:[A-Z]{1,4}[ -]?)?\d{2,}(?:[ -]\d{2,}){2,}$/.test(text),
  );
  return found ? composedValue(found.text, 89.5, [found.stretch]) : null;
}

const publicTitle = /^(?:medicare|medicaid)(?= health insurance$)/iu;

/** The insurance of a state, which its card has for a title: `MEDICARE HEALTH INSURANCE`. */
function publicInsurer(layout: Layout): ExtractedValue | null {
  for (const line of headLines(layout).slice(0, 3)) {
    const name = publicTitle.exec(line.text.trim())?.[0];
    if (name) return composedValue(name, 89.5, [{ line, end: name.length }]);
  }
  return null;
}

const germanTitle = /^(?:elektronische )?(?:gesundheits|krankenversicherungs|versicherten)karte$/iu;
/** What Germany's statutory insurers are called, of which some are abbreviations alone. */
const germanInsurers =
  /(?<![\p{L}\d])(?:AOK|BKK|IKK|KKH|DAK|HEK|hkk|LKK|SVLFG|BARMER|Barmer|KNAPPSCHAFT|Knappschaft|\p{L}*[Kk]rankenkasse|\p{L}*[Ee]rsatzkasse)(?![\p{L}\d])/u;

/** Germany's cards have their insurer's logo anywhere, which is of one of few kinds. */
function germanInsurer(layout: Layout): ExtractedValue | null {
  if (!layout.lines.some(({ text }) => germanTitle.test(text.trim()))) return null;
  const named = layout.lines.filter(
    ({ text }) => /^\p{L}[\p{L} &.’'-]{1,40}$/u.test(text) && germanInsurers.test(text),
  );
  const [only, ...others] = named.filter(({ text }) => !/^krankenkasse\W*$/iu.test(text));
  return only && others.length === 0 ? composedValue(only.text.trim(), 86, [{ line: only }]) : null;
}

/** What ends the name of an insurer that is long: `Ozark State Employees Health Plan`. */
const endOfInsurer = /(?<=\p{L}{3} )(?:health (?:plan|trust|fund)|(?:health )?insurance|benefit administrators)$/iu;

/** What heads a card without a word that organizations have in their names, as a logo does. */
function headOf(layout: Layout): ExtractedValue | null {
  const [line] = headLines(layout);
  const name =
    line?.text
      .trim()
      .replace(cardTitle, '')
      .trimEnd()
      .replace(/[.®™]+$/u, '') ?? '';
  const isInsurer = endOfInsurer.test(name);
  const isName = /^\p{Lu}[\p{L} &'’-]{2,60}$/u.test(name) && name.split(' ').length <= (isInsurer ? 7 : 4);
  if (!line || !isName || isHeading(name) || isFormPhrase(name) || planWord.test(name) || supplement.test(name))
    return null;
  if (/(?:card|karte|carte|tarjeta|tessera|pas|health insurance)$/iu.test(name) || hasGivenName(titleCased(name)))
    return null;
  return composedValue(name, isInsurer ? 70 : 58, [{ line, end: line.text.indexOf(name) + name.length }]);
}

/** Lines at a card's head, and how much larger than the card's other letters those of a logo are. */
const linesAtHead = 6;
const logoHeight = 1.5;
const lowerCaseLogo = /^\p{Ll}{4,14}$/u;

/** The largest letters at a card's head, where they do not stand highest: a plan in small ones may stand beside them. */
function logoOf(type: DocumentType, layout: Layout): ExtractedValue | null {
  const members = textsAtCaption(type, 'member_name', layout).map(({ stretch }) => stretch.line);
  const usual = median(layout.lines.map(letterHeight));
  const [logo] = headLines(layout)
    .slice(0, linesAtHead)
    .filter((line) => letterHeight(line) > logoHeight * usual && (isLogo(line.text) || lowerCaseLogo.test(line.text)))
    .filter((line) => !members.includes(line))
    .toSorted((a, b) => letterHeight(b) - letterHeight(a));
  return logo ? composedValue(logo.text.trim(), 70, [{ line: logo }]) : null;
}

/** A name in capitals with one letter alone in the middle is a person's. */
const hasMiddleInitial = /^\p{Lu}{3,} \p{Lu}\.? \p{Lu}[\p{Lu}'’-]{2,}$/u;

const memberCaption = /^(?:member|subscriber|insured|enrollee)(?: name)?:?$/iu;

/** A member at the caption whose surname stands first: `DOE, JANE Q`. */
function listedMember(type: DocumentType, layout: Layout): ExtractedValue | null {
  const text = textsAtCaption(type, 'member_name', layout).find(
    (each) =>
      (each.place !== 'below' || each.score >= leastBelow) &&
      /^\p{Lu}[\p{L}'’-]+, ?\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*\.?){0,2}$/u.test(each.text),
  );
  return text && !isHeading(text.text) ? composedValue(text.text, 82, [text.stretch]) : null;
}

/** The one person that a card names where no caption says whose it is, or the first of those that it numbers. */
function memberOf(layout: Layout): ExtractedValue | null {
  const named = layout.lines.flatMap((line) => {
    const [, caption, inLine, name] =
      /^((?:name|member|subscriber) ?:? )?(?:([\dO]\d) )?(\p{Lu}[\p{L} .,'’-]{3,40})$/iu.exec(line.text.trim()) ?? [];
    if (name === undefined || isHeading(name) || isFormPhrase(name) || isOrganizationName(name) !== null) return [];
    const left = neighboursOf(layout, line).left?.text.trim() ?? '';
    const number = inLine ?? /^\d{2}$/.exec(left)?.[0];
    const cased = titleCased(name);
    const isCaptioned = (caption?.includes(':') ?? false) || memberCaption.test(left);
    return isPersonName(cased) &&
      (number !== undefined || isCaptioned || hasHoldersGivenName(cased) || hasMiddleInitial.test(name))
      ? [{ name, number, isCaptioned, line, start: line.text.indexOf(name) }]
      : [];
  });
  // Whom a card captions is its member; those that it numbers below depend on them.
  const captioned = named.filter(({ isCaptioned }) => isCaptioned);
  if (captioned.length === 1) return composedValue(captioned[0]!.name, 82, captioned);
  const numbered = named.filter(({ number }) => number !== undefined);
  // The second of a family without the first depends on whom the card names otherwise.
  if (numbered.length === 1 && numbered[0]!.number !== undefined && Number(numbered[0]!.number.replace('O', '0')) > 1)
    return null;
  const [first, ...others] = numbered.length > 1 ? numbered.toSorted(byNumber) : named;
  if (!first || (others.length > 0 && (numbered.length < 2 || others[0]!.number === first.number))) return null;
  return composedValue(first.name, numbered.length > 1 ? 86 : 58, [first]);
}

const capitals = /^\p{Lu}[\p{Lu}'’-]{2,}(?: \p{Lu}[\p{Lu}'’-]+)?$/u;

/** The member of a state's card, whose surname stands in capitals of one size right below the given names. */
function stackedMember(layout: Layout): ExtractedValue | null {
  const names = layout.lines.flatMap((given) => {
    const { below: surname } = neighboursOf(layout, given);
    if (!surname || !capitals.test(given.text) || !capitals.test(surname.text)) return [];
    const height = letterHeight(given);
    // Accents make a line of capitals higher.
    const isStacked =
      Math.abs(height - letterHeight(surname)) < 0.35 * height &&
      Math.abs(given.box.x0 - surname.box.x0) < height &&
      surname.box.y0 - given.box.y1 < height;
    const isName = hasHoldersGivenName(titleCased(given.text)) && ![given, surname].some(({ text }) => isHeading(text));
    return isStacked && isName ? [[{ line: given }, { line: surname }]] : [];
  });
  const [only, ...others] = names;
  return only && others.length === 0 ? composedValue(only.map(({ line }) => line.text).join(' '), 70, only) : null;
}

function byNumber(a: { readonly number: string | undefined }, b: { readonly number: string | undefined }): number {
  // OCR takes a nought for a letter.
  const [left, right] = [a, b].map(({ number }) => Number(number?.replace('O', '0')));
  return left! - right!;
}

/** The boxes of the European card by their numbers: 3 surname, 4 given names, 6 personal number, 7 institution. */
function europeanFields(layout: Layout): ComposedFields {
  const box = (number: string) => {
    const caption = layout.lines.find(({ text }) => numberedBox.exec(text)?.[1] === number);
    const below = caption && neighboursOf(layout, caption).below;
    return below && !numberedBox.test(below.text) ? { line: below, text: below.text.trim() } : null;
  };
  const [surname, given, personal, institution] = [box('3'), box('4'), box('6'), box('7')];
  const institutionName = institution && /\p{L}(?:[\p{L}\d.,&'’]|[ -](?![- ]*\d+$))*/u.exec(institution.text);
  return {
    ...(surname && given ? { member_name: composedValue(`${given.text} ${surname.text}`, 84, [given, surname]) } : {}),
    ...(personal && /\d{4}/.test(personal.text) ? { member_id: composedValue(personal.text, 84, [personal]) } : {}),
    ...(institution && institutionName
      ? { insurer_name: composedValue(institutionName[0], 89.5, [{ ...institution, start: institutionName.index }]) }
      : {}),
  };
}

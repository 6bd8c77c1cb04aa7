import type { Candidate, ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { foldText } from '../../candidates/date.ts';
import type { PlacedCandidate } from '../../candidates/placed.ts';
import { isDetail } from '../../candidates/spans.ts';
import { bestAddress } from '../../compose/address.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { isOrganizationName, isPersonName, letterHeight, withoutTitles } from '../../compose/names.ts';
import { candidateValue, composedValue, repeatedValue } from '../../compose/value.ts';
import { rowOf } from '../../layout/neighbours.ts';

/** Words of positions, in the languages that the engine reads. */
const position =
  /(?<!\p{L})(?:director[a]?|diret(?:or|ora)|direttore|direttrice|directeur|directrice|direktor(?:in)?|engineer|ing[ée]nieure?|ingeniero|ingeniera|ingegnere|engenheir[oa]|consultant[e]?|consultor[a]?|consulente|adviseur|advisor|officer|ceo|cto|cfo|coo|president[e]?|pr[ée]sident|founder|owner|partner|associate|head|hoofd|chef|responsable|responsabile|respons[aá]vel|referent(?:in)?|assistant[e]?|assistent(?:in)?|asistente|assistente|analyst|analista|designer|developer|ontwikkelaar|architect[e]?|arquitect[oa]|arquitet[oa]|architetto|accountant|comptable|contable|sales|vertrieb|marketing|executive|specialist|spezialist(?:in)?|representative|agent|broker|lawyer|attorney|avocat[e]?|abogad[oa]|avvocato|patrocinante|advogad[oa]|solicitor|surveyor|realtor|notaire|notari[os]?|professor(?:in)?|researcher|scientist|doctor|physician|dentist[ae]?|therapist|nurse|editor|journalist|photographer|fotografo|fot[oó]grafo|photographe|teacher|gerente|g[ée]rante?|jefe|jefa|gestor[a]?|vorstand|inhaber(?:in)?|titolare|titulaire|eigenaar|zaakvoerder|bestuurder|prokurist(?:in)?|administrator|coordinator|koordinator(?:in)?|supervisor|technician|secretary|sekret[aä]r(?:in)?|inkoper|asesor[a]?|capo|amministratore|amministratrice|geometra|commercialista|odont[oó]log[oa]|m[eé]dic[oa]|psic[oó]log[oa]|plombier|chauffagiste|[eé]lectricien|menuisier|infirmi[eè]re?|charg[ée]e?|conseill(?:er|ère)|lead|principal|fellow|intern|trainee)(?!\p{L})|(?:manager|ingenieu?r|berater|leiter|meister|architekt|anw[aä]lt|entwickler|techniker|f[uü]hrer|halter|makler|notar|arzt|leider|kundige|medewerker|makelaar)(?:in)?(?!\p{L})/iu;

/** What a trade is called that goes by no legal form, as shops in India do. */
const trade =
  /(?<![\p{L}.])(?:electricals?|electronics|traders?|stores?|hardwares?|agenc(?:y|ies)|motors|textiles|jewell?ers|garments|exports|imports|builders|constructions?|caterers|catering|plumbing|roofing|landscap(?:e|ing)|cleaning|realty|studio|salon|boutique|furniture|opticals?|printers|travels|tours)(?!\p{L})/iu;

/** What stands before the name of who owns a trade: `Prop. R. Example`. */
const owner = /^(?:prop(?:rietor|rietress|r)?|owner)\b[.:]? ?(?=\p{Lu})/iu;

/** A business card: name, position and organization by their place, size and words; the rest by what recognisers found. */
export function composeBusinessCard({ layout, candidates }: Findings): ComposedFields {
  const emails = ofKind(candidates, 'email');
  const websites = ofKind(candidates, 'website');
  const address = bestAddress(candidates)?.candidate;
  const phones = (candidates as readonly PlacedCandidate[]).filter(
    (candidate) =>
      candidate.kind === 'phone' &&
      candidate.quality >= 0.15 &&
      !isOtherNumber(candidate) &&
      !(address && candidate.words.every((word) => address.words.includes(word))),
  );
  const taken = new Set(
    [...emails, ...websites, ...phones, ...(address ? [address] : [])].flatMap(({ words }) => words),
  );
  const free = layout.lines.filter(
    (line) =>
      /\p{L}{2}/u.test(line.text) &&
      !isDetail(line.text) &&
      !line.text.includes('@') &&
      line.words.filter((word) => taken.has(word)).length < line.words.length / 2,
  );
  const usual = Math.max(...free.map(letterHeight), 1);
  const mailNames = emails
    .flatMap(({ value }) =>
      String(value)
        .split('@')[0]!
        .split(/[._-]+/),
    )
    .filter((part) => part.length > 2);
  const hosts = emails.map(({ value }) => String(value).split('@')[1]!);
  const domains = [
    ...hosts,
    ...websites.map(({ value }) =>
      String(value)
        .replace(/^https?:\/\//, '')
        .replace(/^www\./, ''),
    ),
  ].map((host) => lettersOf(host.split('.')[0]!));

  const isInMail = (text: string) =>
    foldText(text)
      .split(/[^a-z]+/)
      .some((word) => word.length > 2 && mailNames.some((part) => part.includes(word)));
  const nameScore = (line: TextLine) => {
    const isOwner = owner.test(line.text);
    const bare = line.text.replace(owner, '');
    if (!isPersonName(bare) || position.test(bare) || trade.test(bare)) return 0;
    const inMail = isInMail(line.text);
    // A person’s own domain has their name as well.
    const isPerson = hasGivenName(withoutTitles(line.text));
    return (
      1 +
      letterHeight(line) / usual +
      (inMail ? 2 : 0) +
      (isPerson || isOwner || withoutTitles(line.text) !== line.text.trim() ? 1 : 0) -
      (matchesDomain(line.text, domains) && !inMail && !isPerson ? 1.5 : 0) -
      (isOrganizationName(line.text) ? 1 : 0)
    );
  };
  const single = best(free, nameScore);
  const isSure = single !== null && isInMail(single.text);
  const name: readonly TextLine[] = (isSure ? null : nameInTwoLines(free, isInMail)) ?? (single ? [single] : []);
  const isBelowName = (line: TextLine) => {
    const last = name.at(-1);
    return (
      last !== undefined &&
      line.box.y0 > last.box.y0 &&
      Math.abs(line.box.y0 - last.box.y1) < 1.2 * letterHeight(last) &&
      line.box.x0 < last.box.x1 &&
      last.box.x0 < line.box.x1
    );
  };
  const companyScore = (line: TextLine) => {
    if (name.includes(line) || /^\W*\d/.test(line.text)) return 0;
    const kind = isOrganizationName(line.text);
    const own = matchesDomain(line.text, domains) ? 2.5 : 0;
    // Right below a name stands what somebody is.
    if (kind === null && own === 0 && isBelowName(line)) return 0;
    const titled = position.test(line.text) && kind !== 'legal_form' ? 1.5 : 0;
    return (
      (kind === 'legal_form' ? 3 : kind === 'word' || trade.test(line.text) ? 1.5 : 0) +
      own +
      (0.7 * letterHeight(line)) / usual -
      titled
    );
  };
  const company = best(free, companyScore);
  const row = company ? rowOfLogo(company, layout) : [];
  const jobScore = (line: TextLine) => {
    if (name.includes(line) || line === company) return 0;
    return (position.test(line.text) ? 3 : 0) + (isBelowName(line) ? 1.5 : 0) - (line.text.length > 60 ? 2 : 0);
  };
  const job = best(free, jobScore);
  const whole =
    row.length > 1
      ? row
      : company
        ? wholeCompany(
            company,
            free.filter((line) => !name.includes(line) && line !== job),
            domains,
          )
        : null;
  const isNameSure = name.length > 1 || (single !== null && nameScore(single) > 3);
  return {
    name:
      name.length > 0
        ? composedValue(
            joined(name).replace(owner, ''),
            isNameSure ? 88 : 78,
            name.map((line) => ({ line })),
          )
        : null,
    job_title:
      job && jobScore(job) >= 1.5 ? composedValue(job.text, jobScore(job) >= 3 ? 85 : 62, [{ line: job }]) : null,
    company_name:
      company && companyScore(company) >= 0.5
        ? composedValue(
            joined(whole ?? [company]),
            companyScore(company) > 2.5 ? 85 : 60,
            (whole ?? [company]).map((line) => ({ line })),
          )
        : null,
    emails: repeatedValue(emails, 89),
    phones: repeatedValue(phones, 85),
    website: websites[0] ? candidateValue(websites[0], 88) : websiteOfMail(layout.lines, hosts),
    address: address ? withoutFormBefore(candidateValue(address, 78)) : null,
  };
}

function joined(lines: readonly TextLine[]): string {
  return lines.map(({ text }) => text).join(' ');
}

/** The domain of the mail address alone on the card, which may end as no usual domain does. */
function websiteOfMail(lines: readonly TextLine[], hosts: readonly string[]): ExtractedValue | null {
  for (const line of lines) {
    const word = line.words.find(({ text }) => hosts.includes(text.toLowerCase().replace(/^www\./, '')));
    if (!word) continue;
    const start = line.text.indexOf(word.text);
    return composedValue(word.text, 85, [{ line, start, end: start + word.text.length }]);
  }
  return null;
}

/** Lines of one size right below each other, at one edge or around one middle. */
function areSetAsOne(upper: TextLine, lower: TextLine): boolean {
  const height = letterHeight(upper);
  const gap = lower.box.y0 - upper.box.y1;
  const isAligned =
    Math.abs(lower.box.x0 - upper.box.x0) < height ||
    Math.abs(lower.box.x0 + lower.box.x1 - upper.box.x0 - upper.box.x1) < height;
  return (
    lower.box.y0 > upper.box.y0 &&
    gap < 0.8 * height &&
    Math.abs(letterHeight(lower) - height) < 0.15 * height &&
    isAligned
  );
}

/** A name whose surname stands in a line of its own below, where the mail address has it; null for others. */
function nameInTwoLines(
  lines: readonly TextLine[],
  isInMail: (text: string) => boolean,
): readonly [TextLine, TextLine] | null {
  for (const upper of lines) {
    if (upper.text.includes(' ') || position.test(upper.text)) continue;
    const lower = lines.find(
      (line) =>
        areSetAsOne(upper, line) &&
        !position.test(line.text) &&
        isInMail(line.text) &&
        isPersonName(`${upper.text} ${line.text}`),
    );
    if (lower) return [upper, lower];
  }
  return null;
}

/** A company's legal form at the end of its line, right before its address in the next. */
const formBefore =
  /^(?:S\.? ?[AL]\.? ?U?\.?|S\.?A\.?S\.?|S\.?[Rr]\.?[Ll]\.?|S\.?p\.?A\.?|GmbH|AG|Inc\.?|LLC|Ltd\.?|PLC|B\.?V\.?|N\.?V\.?|Lda\.?),? (?=\S)/u;

function withoutFormBefore(address: ExtractedValue): ExtractedValue {
  return { ...address, value: String(address.value).replace(formBefore, '') };
}

/** How far the words of a logo in spaced capitals stand apart at most, in heights of them. */
const widestSpace = 4;

/** The pieces of one line that a logo's spaced letters were read as, from left to right: `MUSTER &` `BEISPIEL`. */
function rowOfLogo(company: TextLine, layout: Layout): readonly TextLine[] {
  const height = letterHeight(company);
  const isPiece = (line: TextLine) =>
    /^[\p{Lu}&.,'’ -]+$/u.test(line.text) && Math.abs(letterHeight(line) - height) < 0.2 * height;
  const row = rowOf(layout, company);
  const at = row.indexOf(company);
  const joins = (left: TextLine | undefined, right: TextLine | undefined) =>
    left !== undefined && right !== undefined && right.box.x0 - left.box.x1 < widestSpace * height;
  let [first, last] = [at, at];
  while (joins(row[first - 1], row[first]) && isPiece(row[first - 1]!)) first -= 1;
  while (joins(row[last], row[last + 1]) && isPiece(row[last + 1]!)) last += 1;
  return row.slice(first, last + 1);
}

/**
 * A company's name that its logo sets in two lines: both together are the domain of its mail or website, or short lines
 * of one size; null for others.
 */
function wholeCompany(
  company: TextLine,
  others: readonly TextLine[],
  domains: readonly string[],
): readonly TextLine[] | null {
  const isShort = ({ text }: TextLine) => text.split(/\s+/).length <= 2 && isOrganizationName(text) !== 'legal_form';
  for (const other of others) {
    const [upper, lower] = other.box.y0 < company.box.y0 ? [other, company] : [company, other];
    const isNear =
      lower.box.y0 - upper.box.y1 < 1.2 * letterHeight(upper) && Math.abs(lower.box.x0 - upper.box.x0) < 60;
    const isLogo = isShort(upper) && isShort(lower) && !position.test(other.text) && areSetAsOne(upper, lower);
    const letters = lettersOf(upper.text + lower.text);
    // A domain leaves the last words of a name out: `northstar` of `North` above `Star Group`.
    const isDomain = domains.some(
      (domain) => letters.startsWith(domain) && domain.length > lettersOf(upper.text).length,
    );
    if (isLogo || (isNear && isDomain)) return [upper, lower];
  }
  return null;
}

/** The letters by which a name and a domain are compared: without accents, whether or not as in `Wuestenfeld`. */
function lettersOf(text: string): string {
  return foldText(text)
    .replace(/[^a-z0-9]/g, '')
    .replace(/(?<=[aou])e/g, '');
}

function ofKind(candidates: readonly Candidate[], kind: Candidate['kind']): Candidate[] {
  return candidates.filter((candidate) => candidate.kind === kind);
}

/** What stands before a number that is no telephone's: `Fax`, or F on cards that abridge so, and what a person or firm is registered by. */
const otherCaption =
  /(?:fax|telefax|(?<!\p{L})f)\s*[.:]?\s*\(?\+?$|(?:#|№|(?<!\p{L})(?:lic(?:en[cs]e)?|reg|nmls|vat|p\.? ?iva|iva|ust-?id\S*|steuern\p{L}*|hr[ab]|siret|siren|n[ic]f|cif|nipc|kvk|btw|colegiad[oa]|col)\.?)\s*(?:n[ro°º]?\.?[ro°º]?|num\.?)?\s*[.:#]*\s*$/iu;

function isOtherNumber({ lines, start }: PlacedCandidate): boolean {
  return lines.length === 1 && otherCaption.test(lines[0]!.text.slice(0, start));
}

function matchesDomain(text: string, domains: readonly string[]): boolean {
  const words = text
    .split(/[^\p{L}\d]+/u)
    .map(lettersOf)
    .filter((word) => word.length > 2);
  const together = words.join('');
  return domains.some(
    (domain) =>
      domain.length > 2 &&
      (together.includes(domain) || words.some((word) => word.length > 3 && domain.includes(word))),
  );
}

function best(lines: readonly TextLine[], score: (line: TextLine) => number): TextLine | null {
  let found: TextLine | null = null;
  let highest = 0;
  for (const line of lines) {
    const own = score(line);
    if (own > highest) [found, highest] = [line, own];
  }
  return found;
}

import type { Candidate, TextLine } from '@millrace/document-model';
import { foldText } from '../../candidates/date.ts';
import { wordsWithin } from '../../candidates/placed.ts';
import { bestAddress } from '../../compose/address.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { isOrganizationName, isPersonName, letterHeight } from '../../compose/names.ts';
import { candidateValue, composedValue, repeatedValue } from '../../compose/value.ts';

/** Words of positions, in the languages that the engine reads. */
const position =
  /(?<!\p{L})(?:manager(?:in)?|director[a]?|diret(?:or|ora)|direttore|direttrice|directeur|directrice|direktor(?:in)?|engineer|ingenieu?r(?:in)?|ing[ée]nieure?|ingeniero|ingeniera|ingegnere|engenheir[oa]|consultant[e]?|consultor[a]?|consulente|berater(?:in)?|adviseur|advisor|officer|ceo|cto|cfo|coo|president[e]?|pr[ée]sident|founder|owner|partner|associate|head|leiter(?:in)?|hoofd|chef|responsable|responsabile|respons[aá]vel|referent(?:in)?|assistant[e]?|assistent(?:in)?|asistente|assistente|analyst|analista|designer|developer|ontwikkelaar|entwickler(?:in)?|architect[e]?|architekt(?:in)?|arquitect[oa]|arquitet[oa]|architetto|accountant|comptable|contable|buchhalter(?:in)?|steuerberater(?:in)?|sales|vertrieb|marketing|executive|specialist|spezialist(?:in)?|representative|agent|broker|lawyer|attorney|rechtsanw[aä]lt(?:in)?|avocat[e]?|abogad[oa]|avvocato|advogad[oa]|notar|professor(?:in)?|researcher|scientist|doctor|physician|nurse|editor|journalist|photographer|teacher|gerente|jefe|jefa|gestor[a]?|geschäftsführer(?:in)?|vorstand|inhaber(?:in)?|prokurist(?:in)?|projectleider|projektleiter(?:in)?|administrator|coordinator|koordinator(?:in)?|supervisor|technician|techniker(?:in)?|secretary|sekret[aä]r(?:in)?|kundenberater(?:in)?|berater|verkoopleider|inkoper|asesor[a]?|capo|amministratore|amministratrice|charg[ée]e?|lead|principal|fellow|intern|trainee)(?!\p{L})/iu;

/** A business card: name, position and organization by their place, size and words; the rest by what recognisers found. */
export function composeBusinessCard({ layout, candidates }: Findings): ComposedFields {
  const emails = ofKind(candidates, 'email');
  const websites = ofKind(candidates, 'website');
  const address = bestAddress(candidates)?.candidate;
  const phones = ofKind(candidates, 'phone').filter(
    (candidate) =>
      candidate.quality >= 0.15 &&
      !isFax(candidate, layout.lines) &&
      !(address && candidate.words.every((word) => address.words.includes(word))),
  );
  const taken = new Set(
    [...emails, ...websites, ...phones, ...(address ? [address] : [])].flatMap(({ words }) => words),
  );
  const free = layout.lines.filter(
    (line) =>
      /\p{L}{2}/u.test(line.text) && line.words.filter((word) => taken.has(word)).length < line.words.length / 2,
  );
  const usual = Math.max(...free.map(letterHeight), 1);
  const mailNames = emails
    .flatMap(({ value }) =>
      String(value)
        .split('@')[0]!
        .split(/[._-]+/),
    )
    .filter((part) => part.length > 2);
  const domains = [
    ...emails.map(({ value }) => String(value).split('@')[1]!),
    ...websites.map(({ value }) =>
      String(value)
        .replace(/^https?:\/\//, '')
        .replace(/^www\./, ''),
    ),
  ].map((host) =>
    host
      .split('.')[0]!
      .replace(/[^a-z0-9]/gi, '')
      .toLowerCase(),
  );

  const nameScore = (line: TextLine) => {
    if (!isPersonName(line.text) || position.test(line.text)) return 0;
    const words = foldText(line.text).split(/[^a-z]+/);
    const inMail = mailNames.some((part) =>
      words.some((word) => word.length > 2 && (part.includes(word) || word === part)),
    );
    return (
      1 +
      letterHeight(line) / usual +
      (inMail ? 2 : 0) -
      (matchesDomain(line.text, domains) && !inMail ? 1.5 : 0) -
      (isOrganizationName(line.text) ? 1 : 0)
    );
  };
  const name = best(free, nameScore);
  const companyScore = (line: TextLine) => {
    if (line === name || /^\W*\d/.test(line.text)) return 0;
    const kind = isOrganizationName(line.text);
    const own = matchesDomain(line.text, domains) ? 2.5 : 0;
    const titled = position.test(line.text) && kind !== 'legal_form' ? 1.5 : 0;
    return (kind === 'legal_form' ? 3 : kind === 'word' ? 1.5 : 0) + own + (0.7 * letterHeight(line)) / usual - titled;
  };
  const company = best(free, companyScore);
  const jobScore = (line: TextLine) => {
    if (line === name || line === company) return 0;
    const below = name ? Math.abs(line.box.y0 - name.box.y1) / letterHeight(name) : 9;
    return (
      (position.test(line.text) ? 3 : 0) +
      (below < 1.2 && line.box.y0 > name!.box.y0 ? 1.5 : 0) -
      (line.text.length > 60 ? 2 : 0)
    );
  };
  const job = best(free, jobScore);
  const whole = company
    ? wholeCompany(
        company,
        free.filter((line) => line !== name && line !== job),
        domains,
      )
    : null;
  return {
    name: name ? composedValue(name.text, nameScore(name) > 3 ? 88 : 78, [{ line: name }]) : null,
    job_title:
      job && jobScore(job) >= 1.5 ? composedValue(job.text, jobScore(job) >= 3 ? 85 : 62, [{ line: job }]) : null,
    company_name:
      company && companyScore(company) >= 0.5
        ? composedValue(
            whole ? whole.map(({ text }) => text).join(' ') : company.text,
            companyScore(company) > 2.5 ? 85 : 60,
            (whole ?? [company]).map((line) => ({ line })),
          )
        : null,
    emails: repeatedValue(emails, 89),
    phones: repeatedValue(phones, 85),
    website: websites[0] ? candidateValue(websites[0], 88) : null,
    address: address ? candidateValue(address, 78) : null,
  };
}

/** A name that its logo sets in two lines, where both together are the domain of its mail or website; null for others. */
function wholeCompany(
  company: TextLine,
  others: readonly TextLine[],
  domains: readonly string[],
): readonly TextLine[] | null {
  const lettersOf = (text: string) => foldText(text).replace(/[^a-z0-9]/g, '');
  for (const other of others) {
    const [upper, lower] = other.box.y0 < company.box.y0 ? [other, company] : [company, other];
    const isNear =
      lower.box.y0 - upper.box.y1 < 1.2 * letterHeight(upper) && Math.abs(lower.box.x0 - upper.box.x0) < 60;
    if (isNear && domains.includes(lettersOf(upper.text + lower.text))) return [upper, lower];
  }
  return null;
}

function ofKind(candidates: readonly Candidate[], kind: Candidate['kind']): Candidate[] {
  return candidates.filter((candidate) => candidate.kind === kind);
}

/** Whether `Fax`, or F on cards that abridge so, stands before a telephone number. */
function isFax(candidate: Candidate, lines: readonly TextLine[]): boolean {
  const line = lines.find(({ words }) => words.includes(candidate.words[0]!));
  if (!line) return false;
  const at = wordsWithin(line, 0, line.text.length).find(({ word }) => word === candidate.words[0])?.offset ?? 0;
  return /(?:fax|telefax|(?<!\p{L})f)\s*[.:]?\s*\(?\+?$/iu.test(line.text.slice(0, at));
}

function matchesDomain(text: string, domains: readonly string[]): boolean {
  const words = foldText(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
  const joined = words.join('');
  return domains.some(
    (domain) =>
      domain.length > 2 && (joined.includes(domain) || words.some((word) => word.length > 3 && domain.includes(word))),
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

import type { TextLine } from '@millrace/document-model';
import { irishCounty } from '../candidates/address-lines.ts';
import { foldText } from '../candidates/date.ts';

/** Legal forms at a company's name, and words that only organizations have in theirs. */
const legalForm =
  /(?<![\p{L}\d])(?:og(?=$|[,;)])|flexco|g?gmbh(?: ?& ?co\.? ?kgaa?| ?& ?co\.? ?kg| ?& ?co\.? ?ohg)?|ag|kg|ohg|ug|e\.? ?k\.?|e\.? ?v\.?|e\.? ?u\.?|gbr|mbh|mbb|partg|partgmbb|ug \(haftungsbeschränkt\)|s\.? de r\.?l\.?(?: de c\.?v\.?)?|s\.?a\.? de c\.?v\.?|scop|c\.b\.|enterprise|trading|inc\.?|incorporated|llc|l\.l\.c\.|pllc|p\.c\.|llp|l\.l\.p\.|lp|l\.p\.|n\.a\.|ltd\.?|limited|plc|corp\.?|corporation|co(?:\.|(?=$|[,;)]))|company|pty|sdn\.? bhd\.?|bhd|s\.?a\.?r\.?l\.?|s\.?a\.?s\.?u?|sasu|eurl|sci|snc|s\.?a\.?|s\.?l\.?u?\.?|s\.? ?coop\.?|s\.?r\.?l\.?|s\.?p\.?a\.?|s\.?n\.?c\.?|b\.?v\.?|n\.?v\.?|v\.?o\.?f\.?|lda\.?|ltda\.?|unipessoal|a\/s|aps|oyj?|ab(?=$|[,;)])|asa?(?=$|[,;)])|sp\.? ?z ?[o0]\.? ?[o0]\.?|s\.r\.o\.?)(?![\p{L}\d])/iu;

const organizationWord =
  /(?<![\p{L}])(?:bank|bancorp|bancshares|university|universit[äéa]t?[eé]?|universidade?|università|institute?|institut|ministry|ministerium|department|association|foundation|stiftung|verein|society|college|school|hospital|credit union|securities|fondation|fondazione|fundaci[oó]n|fundação|klinik|klinikum|clinic|laborator(?:y|ies|ium|io)|laboratoire|council|authority|agency|agentur|cooperative|telecom(?:s|munications)?|group|partners|associates|services|solutions|systems|consulting|technologies|industries|enterprises|holdings?|stadtwerke|sparkasse|volksbank|insurance|healthcare|versicherung(?:en)?|krankenkasse|ersatzkasse|verzekeraar|\p{L}*verzekering(?:en)?|mutuelle|assurances?|seguros?|aseguradora|assicurazion[ei]|banque|banco|banca|consultores|consulenze|handel|logisti(?:cs|k)|hotel|albergo|hostal|\p{L}{3,}erei|kanzlei|cl[ií]nica|notar[ií]a|atelier|restaurante?|ristorante|trattoria|osteria|pizzeria|brasserie|bakery|bäckerei|boulangerie|panader[ií]a|piekarnia|pharmac(?:y|ie)|apotheke|farm[aá]cia|museum|musée|museo|kindergarten|autohaus|cooperativa|coopérative|genossenschaft)(?![\p{L}])/iu;

/** A county, before which `Co.` is no company. */
const county = new RegExp(irishCounty, 'giu');

/** Whether a text looks like an organization's name: it has a legal form or a word that only organizations have. */
export function isOrganizationName(text: string): 'legal_form' | 'word' | null {
  const words = text.trim().split(/\s+/);
  if (words.length < 1 || words.length > 9 || !/\p{L}{2}/u.test(text) || text.length > 80) return null;
  const form = legalForm.exec(text.replace(county, ''));
  // In French it may stand before the name: `SARL Martin & Fils`.
  if (/^(?:SARL|SAS|SASU|EURL|SCI|SNC|S\.A\.R\.L\.|S\.A\.S\.) \p{Lu}/u.test(text)) return 'legal_form';
  // A legal form stands behind the name; capitals or a short name make `Co.`, `SA` and the like a form.
  if (form && form.index > 1 && /[\p{Lu}\d]/u.test(text[0]!) && (/[A-Z]/.test(form[0]) || form[0].length > 3))
    return 'legal_form';
  return organizationWord.test(text) &&
    words.length <= 6 &&
    words.filter((word) => /^\p{Lu}/u.test(word)).length >= words.length / 2
    ? 'word'
    : null;
}

/** A company's name without the legal form behind it. */
export function withoutLegalForm(name: string): string {
  const form = legalForm.exec(name);
  const isLast = form !== null && /^[\s.)]*$/.test(name.slice(form.index + form[0].length));
  return isLast && form.index > 1 ? name.slice(0, form.index) : name;
}

const titles =
  /^(?:(?:mr|mrs|ms|miss|dr|prof|professor|herrn?|frau|m|mme|mlle|monsieur|madame|sr|sra|srta|don|doña|dott|dott\.ssa|sig|sig\.ra|gent\.m[ao]|egr|ing|eng|exmo|exma|dhr|mevr|mevrouw|drs|ir|dipl|mag|avv|geom|rag|arch|med|phd|rer|nat|dra|lic|licda|mtro|mtra|dipl\.?[- ]?\p{L}{2,8}\.(?: ?\((?:fh|univ|tu|ba|dh)\.?\))?)(?:\.?\s+|\.(?=\p{L}{2}\p{Ll})))+/iu;
const particles = new Set([
  'van',
  'von',
  'de',
  'der',
  'den',
  'del',
  'della',
  'di',
  'da',
  'dos',
  'das',
  'do',
  'le',
  'la',
  'zu',
  'zur',
  'ter',
  'ten',
  'y',
  'i',
  'e',
  'af',
  'bin',
  'binti',
  'binte',
  'al',
]);

/** Words that stand capitalised in headings and never in a name. */
const notNames = new Set(
  'curriculum vitae resume invoice receipt report statement agreement contract summary profile experience education skills languages date page address phone email subject dear regards sincerely department office manager director engineer consultant account number total amount lebenslauf rechnung bericht vertrag datum seite betreff profil ausbildung kenntnisse sprachen facture rapport contrat objet formation langues compétences experiencia formación perfil asunto fecha factura informe esperienza istruzione profilo oggetto data relazione experiência assunto fatura relatório ervaring opleiding profiel betreft factuur the and for with your our this that from street road avenue straße rue calle via rua straat united states kingdom republic city new north south east west state sales senior junior head chief marketing software project business development president vice general managing executive officer customer team analyst designer developer architect accountant assistant coordinator specialist advisor memorandum memo minutes meeting present signature name title attn attention service services terms conditions license passport card'.split(
    ' ',
  ),
);

/** Whether a text looks like a person's name: two to five capitalised words, no digits, perhaps a title before them. */
export function isPersonName(text: string): boolean {
  const bare = text
    .trim()
    .replace(titles, '')
    // The blank behind an initial is easily lost in reading.
    .replace(/(?<=(?:^| )\p{Lu}\.)(?=\p{L}{2})/gu, ' ')
    .replace(/,? (?:jr|sr|phd|md|mba|msc|bsc|esq|ii|iii)\.?$/i, '');
  const words = bare.split(/\s+/);
  if (words.length < 2 || words.length > 5 || bare.length > 45 || /[\d@:;/\\()[\]{}<>"&%$€£+*=_|!?•]/.test(bare))
    return false;
  if (isOrganizationName(bare) === 'legal_form') return false;
  const capitalised = words.filter((word) => !particles.has(word.toLowerCase()));
  if (
    capitalised.length < 2 ||
    !capitalised.every((word) =>
      /^\p{Lu}(?:\p{Ll}+|(?:\.\p{Lu})*\.|\p{Lu}*|['’]\p{Lu}\p{Ll}+|(?:a?c|[aeiu]|itz)\p{Lu}\p{Ll}+)(?:[-'’]\p{L}+)*\.?,?$/u.test(
        word,
      ),
    )
  )
    return false;
  if (capitalised.some((word) => notNames.has(foldText(word.replace(/[.,]$/, ''))) || notNames.has(word.toLowerCase())))
    return false;
  return capitalised.some((word) => word.replace(/\W/g, '').length > 1 && !initials.test(word));
}

/** As Dutch names have them: `J.M.`. */
const initials = /^(?:\p{Lu}\.)+$/u;

/** Whether a text names a person, or two who live together: `Mr A Whitcombe & Mrs R Whitcombe`, `Anna et Paul Morel`. */
export function arePeople(text: string): boolean {
  const name = titleCased(text);
  if (isPersonName(name)) return true;
  const [first = '', second = '', ...more] = name.split(/\s+(?:&|and|et|und|ou|y|e|en)\s+/iu);
  const isGiven = /^\p{Lu}\p{Ll}{2,}$/u.test(first) || (titles.test(`${first} `) && !/\d/.test(first));
  return (
    more.length === 0 && isPersonName(second) && (isPersonName(first) || isGiven) && isOrganizationName(text) === null
  );
}

/** A person's name without titles before it. */
export function withoutTitles(text: string): string {
  return text.trim().replace(titles, '');
}

/** The height of a line's letters, by its words' boxes. */
export function letterHeight(line: TextLine): number {
  return line.words.reduce((sum, { box }) => sum + box.y1 - box.y0, 0) / Math.max(1, line.words.length);
}

/** Names in capitals are names as well. */
export function titleCased(name: string): string {
  return name.replace(/\p{L}+/gu, (word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase());
}

const greeting =
  /^(?:dear|valued|gentil[ei]|egregi[oa]|sehr geehrte[rs]?|liebe[rs]?|estimad[oa]s?|apreciad[oa]s?|prezad[oa]s?|car[oa]s?|ch(?:er|ère)s?|geachte|beste|exm[oa]s?\.?) (?:valued )?(?:sirs?|madam|customers?|clients?|clienti?|clientes?|cliënt|kund(?:e|en|in|innen)|damen|klant|signor[ei]|senhor(?:es|as)?|members?|soci[oa]s?)(?!\p{L})/iu;

/** Whether a text greets somebody without a name: `Gentile Cliente`, `Dear Customer`. */
export function isGreeting(text: string): boolean {
  return greeting.test(text.trim());
}

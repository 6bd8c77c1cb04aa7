import { unmarked } from '../../candidates/unmarked.ts';

/** What a contract calls its parties, in the languages that the engine reads. */
const roles = [
  'landlords?|tenants?|lessors?|lessees?|licensors?|licensees?|sellers?|vendors?|buyers?|purchasers?|clients?|customers?',
  'company|employers?|employees?|executives?|contractors?|consultants?|suppliers?|(?:service )?providers?|lenders?|borrowers?',
  'distributors?|manufacturers?|franchisors?|members?|subscribers?|participants?|students?|volunteers?|franchisees?|guarantors?|disclosing party|receiving party|(?:first|second) party',
  'party (?:[ab12]|one|two)',
  'lodgers?|hosts?|assignors?|assignees?|grantors?|grantees?|artists?|authors?|publishers?|performers?|owners?|freelancers?|sub-?contractors?|investors?',
  'auftraggeber(?:in)?|auftragnehmer(?:in)?|(?:ver)?mieter(?:in)?|(?:ver)?pächter(?:in)?|(?:ver)?käufer(?:in)?',
  'arbeitgeber(?:in)?|arbeitnehmer(?:in)?|darlehens(?:geber|nehmer)(?:in)?|lizenz(?:geber|nehmer)(?:in)?',
  'bailleurs?|bailleresse|locataires?|preneurs?|prestataire|vendeurs?|acheteurs?|acquéreurs?|employeur|salariée?|prêteur|emprunteurs?',
  'arrendador(?:[ae]s?)?|arrendatari[ao]s?|vendedor(?:[ae]s?)?|comprador(?:[ae]s?)?|empleador|trabajadora?|prestadora?|cliente',
  '(?:nombre o )?raz[oó]n social(?: de la empresa)?|datos del?(?:\\/de)?(?: la)? trabajadora?(?:\\/a)?',
  'locator[ei]|conduttor[ei]|venditor[ei]|acquirente|committente|fornitore|datore di lavoro',
  '(?:(?:primeir|segund|terceir)[ao]s?|[1-3]\\.?[ºª°]) (?:outorgantes?|contraentes?|contratantes?)|(?:primeir|segund|terceir)[ao]s?(?= ?:)|senhori[ao]s?|inquilin[ao]s?|contratad[ao]s?|contratantes?',
  'promitentes?[- ](?:vendedor|comprador)(?:[ae]s?)?|mutuantes?|mutu[áa]ri[ao]s?|empregador[a]?|trabalhador[a]?',
  'verhuurders?|huurders?|opdrachtgever|opdrachtnemer|werkgever|werknemer|verkoper|koper',
].join('|');

const caption = unmarked(
  new RegExp(
    `^(?:\\(?(?:\\d{1,2}|[a-h])[.)] ?)?(?:(?:section|part|teil) \\w{1,4} ?[-–—:] ?)?(?:names? (?:and address )?of )?(?:the |der |die |les? |la |l['’]|el |los |las |il |lo |gli |i |de )?(?:${roles})(?:\\(s\\)|\\(en\\)|['’]s|s['’])?(?: ?\\((?:\\d|\\p{L}{2,20}|(?:full |legal )*names?)\\))?(?: (?:full |legal )?(?:names?|details)(?: and address(?:es)?)?)?(?:$| ?: ?)`,
    'iu',
  ),
);

const roleBeforeName = unmarked(new RegExp(`^(?:the |der |die |le |la |el |il |de )?(?:${roles}), (?=\\p{L})`, 'iu'));

/** How long a role is that a sentence has before a name: `the Tenant, Jane Doe`. */
export function roleBefore(text: string): number {
  return roleBeforeName.exec(text)?.[0].length ?? 0;
}

/** Where the text behind a caption that names a party's role begins, at its length if it stands alone; null for others. */
export function roleCaptionOf(text: string): number | null {
  return text.length > 120 ? null : (caption.exec(text)?.[0].length ?? null);
}

import type { Candidate, TextLine } from '@millrace/document-model';
import { beforeCode } from '../candidates/address-lines.ts';
import { countryOf } from '../candidates/country.ts';
import { isHeading } from '../candidates/headings.ts';
import { isOrganizationName } from './names.ts';
import type { Stretch } from './value.ts';

const streetWord =
  /(?<!\p{L})(?:street|st|str|road|rd|avenue|ave?|lane|ln|drive|dr|blvd|boulevard|way|court|ct|place|square|parkway|pkwy|highway|hwy|terrace|close|crescent|p\.?o\.? box|rue|allée|chemin|quai|impasse|route|cours|place|passage|calle|c\/|avda|avenida|paseo|plaza|ronda|camino|carretera|via|viale|corso|piazza|largo|strada|vicolo|galleria|rua|travessa|praça|estrada|alameda|jalan|jln|lorong|taman|postfach|am|an der|im)(?!\p{L})|(?:stra(?:ß|ss)e|str\.?|weg|allee|platz|gasse|ring|damm|ufer|straat|laan|plein|kade|gracht|singel|dijk|steeg)(?!\p{L})/iu;

/** Postal codes with their place: `80331 München`, `Denver, CO 80202`, `London EC2V 7NQ`, `1012 JS Amsterdam`, `4700-320 Braga`, `CEP 01310-100`, `PUNE-411018`, `K36 XD27`. */
const placePart =
  /(?<!\d)(?:[A-Z]{1,3}-)?\d{4,5}(?:-\d{3,4})?(?: [A-Z]{2}(?= \p{Lu}))? \p{L}{2}|\p{L}{2},? (?:[A-Z]{2,3} )?\d{4,5}(?:-\d{3,4})?$|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$|(?:C\.?P\.?|CEP) ?\d{5}|^\d{5}(?:-\d{4})?$|^[A-Z]{2} \d{5}(?:-\d{4})?$|\p{L}{3}(?: ?[,–-] ?| )\d{3} ?\d{3}$|^[AC-FHKNPRTV-Y]\d[\dW] ?[AC-FHKNPRTV-Y\d]{4}$/u;

const unitPart =
  /^(?:suite|unit|floor|flat|plot|shop no|(?:h|d)\.? ?no|apt|apartment|building|bldg|room|box|\d+(?:st|nd|rd|th) floor|etage|\d+\. og|hinterhaus|étage|bât|piso|planta|interno|scala|andar|lote?|block|level|no\.? ?\d+)/iu;
const foreignPart =
  /@|www\.|https?:|(?<!\p{L})(?:tel|fon|phone|fax|mobil|e-?mail|vat|iban|bic|date|datum|sex|eyes|hgt|wgt|height|weight|dob|class|restr?|restrictions|endorsements|donor)(?!\p{L})|\+\d{2}|\d{3}[- .)]{1,2}\d{3}[- .]\d{4}|[·|•;%]|:|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|(?:^|\s)\d{1,2} (?:\d{2}|\p{L}{3,4}\.?) (?:19|20)\d{2}|(?<!\p{L})(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\p{L}*\.? (?:19|20)\d{2}(?!\d)/iu;

const stateCode =
  /^(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])$/;

/** How much a text looks like a postal address and nothing else; above 1.5 it has both a street and a place. */
export function addressScore(text: string): number {
  let score = 0;
  let streets = 0;
  let places = 0;
  for (const [at, part] of addressParts(text).entries()) {
    if (foreignPart.test(part)) score -= 3;
    else if (isHeading(part)) score -= 1;
    else if (unitPart.test(part)) score += 0.2;
    else if (at > 1 && stateCode.test(part)) places += 0.8;
    // A building or a flat behind the street: `99 Mapletree Ave, Engel 425`.
    else if (streets > 0 && places === 0 && /^\p{L}+ \d{1,4}$/u.test(part)) score += 0.1;
    else if (isStreet(part)) streets += 1;
    else if (placePart.test(part)) places += 1;
    else if (
      /\d/.test(part) &&
      (streetWord.test(part) ||
        /^\d{1,5}[a-z]?(?:[-/]\d+)? \p{L}{3}/iu.test(part) ||
        /\p{L}{3}\.? \d{1,4} ?[a-z]?$/iu.test(part))
    )
      streets += 1;
    else if (streetWord.test(part) && part.split(' ').length <= 5) streets += 0.8;
    else if (countryOf(part) !== null) score += 0.25;
    else if (/^\d{1,4} ?[a-z]?$/i.test(part)) score += 0.2;
    else if (isOrganizationName(part)) score -= 1;
    // A town that stands apart from its state or postal code.
    else if (/^\p{Lu}[\p{L} .'’()-]{1,30}$/u.test(part)) score -= places > 0 ? 0.3 : streets > 0 ? 0.05 : 0.8;
    else score -= 0.8;
  }
  return (
    score +
    Math.min(1, streets) * 0.9 +
    Math.min(1, places) -
    Math.max(0, streets - 1) * 0.4 -
    Math.max(0, places - 1) * 0.5
  );
}

/** What stands between an address's commas, and before the postal code behind another mark; a house's number is its street's. */
function addressParts(text: string): readonly string[] {
  return text
    .replace(/[\s.,;]+$/u, '')
    .replace(/(?<=\p{L}),\s*(?=\d{1,4}(?: ?[a-z])?(?:,| ?[-–·|]|$))/giu, ' ')
    .split(beforeCode)
    .flatMap((part) => part.split(/,[,\s]*/));
}

/** The candidate that is an address and nothing else, the fullest such; null where none is. */
export function bestAddress(
  candidates: readonly Candidate[],
  least = 0.8,
  bonus: (candidate: Candidate) => number = () => 0,
): { candidate: Candidate; score: number } | null {
  let best: { candidate: Candidate; score: number } | null = null;
  for (const candidate of candidates) {
    if (candidate.kind !== 'address' || typeof candidate.value !== 'string') continue;
    const own = addressScore(candidate.value);
    if (own < least) continue;
    const score = own + bonus(candidate);
    if (!best || score > best.score + 1e-9) best = { candidate, score };
  }
  return best;
}

interface AddressWithin extends Required<Stretch> {
  readonly text: string;
  readonly score: number;
}

/** What parts an address from other contact details beside it, and perhaps its street from its town: `12 Elm St • Austin, TX 78745`. */
const separator = /\s*[·|•]\s*/u;

/** An address that shares its line with other contact details, between separators or behind a telephone or mail address. */
export function addressWithinLine(lines: readonly TextLine[]): AddressWithin | null {
  let best: AddressWithin | null = null;
  for (const line of lines) {
    if (line.text.length > 300 || !/\d/.test(line.text)) continue;
    const behind = line.text.matchAll(/[·|•]\s*|\S*@\S+\s+|(?<=\d)\s+(?=[\p{L}\d])/gu);
    const before = line.text.matchAll(/\s*[·|•]|\s+(?=\S*@)|\s+(?=\+\d)/gu);
    const starts = [0, ...[...behind].map((match) => match.index + match[0].length)].slice(0, 30);
    const ends = [...[...before].map((match) => match.index), line.text.length].slice(0, 30);
    for (const start of starts) {
      for (const end of ends) {
        const text = line.text.slice(start, end).replace(separator, ', ');
        if (text.length < 12 || foreignPart.test(text)) continue;
        const score = addressScore(text);
        if (score >= 1.5 && (!best || score > best.score)) best = { line, start, end, text, score };
      }
    }
  }
  return best;
}

/** Whether a text is a street with its house number, and nothing else. */
export function isStreet(text: string): boolean {
  return (
    text.split(/\s+/).length <= 5 &&
    /^\d{1,5}[a-z]?\s/i.test(text) &&
    streetWord.test(text.split(/\s+/).slice(-2).join(' '))
  );
}

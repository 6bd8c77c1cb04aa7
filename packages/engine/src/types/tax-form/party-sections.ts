import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { isStreetLine } from '../../candidates/address-lines.ts';
import type { ComposedFields } from '../../compose/compose.ts';
import { composedValue } from '../../compose/value.ts';
import { neighboursOf, rowOf } from '../../layout/neighbours.ts';
import { type Found, inCells } from './cells.ts';

type Side = 'payer' | 'recipient';

/** Whose data a section has, in one word: `CONTRIBUENTE`, `Declarante (1)`. */
const roleAlone =
  /^\W*(?:contribuente|contribuyente|(?:primer )?declarante|sujeto pasivo|sujeito passivo|obligado tributario|pagador|perceptora?|retenedor|percipiente|datore di lavoro|sostituto d['’]imposta)\W*\d?\W*$/iu;
/** What a section's heading says before whose data it has: `Datos del perceptor`, `DATI RELATIVI AL DIPENDENTE`. */
const lead =
  /^\W*(?:[A-Z\d]{1,2}[.)-]? )?(?:dat[io]s? (?:relativi|identificativ[io]s?|anagrafici)? ?(?:a|de)l(?:la|l[’']| la)?|dados (?:relativos )?(?:[aà]o?|d[ao])|identifica(?:ci[oó]n|ç[aã]o) d(?:el?|[oa])(?: la)?|identification (?:du|de l[’'])|angaben zum|gegevens(?: van)?(?: de)?)(?!\p{L})/iu;
const roles: readonly (readonly [RegExp, Side])[] = [
  [
    /(?<!\p{L})(?:datore|sostituto|pagador|pagadora|retenedor|entidade|entidad|empresa|employeur|payeur|d[ée]biteur|arbeitgeber|werkgever|inhoudingsplichtige|employer)(?!\p{L})/iu,
    'payer',
  ],
  [
    /(?<!\p{L})(?:dipendente|percettore|percipiente|perceptora?|declarante|contribuente|contribuyente|obligado|trabajador|sujeito|titular|benefici[aá]ri[oa]|b[ée]n[ée]ficiaire|salari[ée]|contribuable|arbeitnehmer|werknemer|employee)(?!\p{L})/iu,
    'recipient',
  ],
];
const details = /^\W*(?:employer|employee)(?:['’]s)? details\W*$/iu;

/** Captions, before which a form may have the numbers of its boxes: `1 Codice fiscale`. */
const numberCaption =
  /^\W*(?:\d{1,3} )?(?:codice fiscale|n\.?i\.?f\.?|nif\/nipc|n[ºo°.]{0,2} ?(?:de )?contribuinte|n[úu]mero de identifica(?:ci[oó]n|ç[aã]o) fiscal|num[ée]ro fiscal|n[°o]? ?siret|siret|burgerservicenummer|bsn|loonheffingennummer|identifikationsnummer|steuernummer)(?!\p{L})\W*\d{0,2}\W*$/iu;
const nameCaption =
  /^\W*(?:\d{1,3} )?(?:cognome|primer apellido|denominazione|ragione sociale|apellidos|raz[oó]n social|denominaci[oó]n|ape[li]{1,3}idos|nombre|nome|denomina[cç][aã]o|designa[cç][aã]o|nom(?= |$)|naam|employe[re] name)/iu;
/** Where a surname has a box of its own, those of a second one and of the given name stand beside it. */
const otherName = /^\W*(?:\d{1,3} )?(?:segundo apellido|nome|nombre|pr[ée]nom|voornaam)\W*\d{0,2}\W*$/iu;

const number = /^(?=(?:[^\d]*\d){5})[A-Z\d][A-Z\d ./-]{6,18}[A-Z\d]$/u;
const name = /^\p{L}[\p{L}\d .,&'’()/-]*\p{L}[.)]?$/u;

const confidence = 89;
const lineLimit = 400;

interface Section {
  readonly head: TextLine;
  readonly side: Side;
}

/**
 * Names and tax numbers of a form whose sections say whose data they have, and whose boxes only what it is: `Datos del
 * perceptor`, and below it `NIF` and `Apellidos y nombre`.
 */
export function partiesOfSections(layout: Layout): ComposedFields {
  const lines = layout.lines.filter(({ page }) => page === layout.lines[0]?.page).slice(0, lineLimit);
  const sections = lines.flatMap((head) => {
    const side = sideOfHeading(head, layout);
    return side ? [{ head, side }] : [];
  });
  const fields: Record<string, ExtractedValue> = numbersByTheirCaptions(lines, layout);
  if (sections.length === 0) return fields;
  const address = addressOfRecipient(lines, sections, layout);
  if (address) fields.recipient_address = address;
  for (const caption of lines) {
    const isNumber = numberCaption.test(caption.text);
    if (!isNumber && !nameCaption.test(caption.text)) continue;
    const side = sectionOf(caption, sections)?.side;
    const field = `${side}_${isNumber ? 'tax_id' : 'name'}`;
    if (!side || fields[field]) continue;
    const value = valueAt(caption, isNumber ? number : name, layout);
    const lettered = !value && isNumber ? numberInCells(caption, layout) : null;
    if (lettered) fields[field] = composedValue(lettered.text, confidence, lettered.stretches);
    if (!value) continue;
    const parts = isNumber ? [value] : [value, ...otherNamesBeside(caption, layout)];
    fields[field] = composedValue(
      parts.map(({ text }) => text.trim()).join(' '),
      confidence,
      parts.map((line) => ({ line })),
    );
  }
  return fields;
}

/** Whose a number is that only an employer, or only a person, has. */
const numbersOfSides: readonly (readonly [caption: RegExp, side: Side, number: RegExp])[] = [
  [/^\W*loonheffingen?nummer\W*(?=\d|$)/iu, 'payer', /^\d{9} ?L ?\d{2}(?!\d)/u],
  // In Germany a person has it for life, and a company another.
  [
    /(?<!\p{L})(?:identifikationsnummer|id-?nr\.?(?: ehemann| (?:der )?steuerpflichtige\p{L}*)?|steuer-id)\W*(?=\d|$)/iu,
    'recipient',
    /^\d{2} ?\d{3} ?\d{3} ?\d{3}(?! ?\d)/u,
  ],
  [
    /^\W*(?:burgerservicenummer|bsn|sofinummer)(?: \(bsn\))?\W*(?=\d|$)/iu,
    'recipient',
    /^\d{4}\.?\d{2}\.?\d{3}(?!\d)/u,
  ],
];

function numbersByTheirCaptions(lines: readonly TextLine[], layout: Layout): Record<string, ExtractedValue> {
  const fields: Record<string, ExtractedValue> = {};
  for (const [caption, side, form] of numbersOfSides) {
    for (const line of lines) {
      const match = caption.exec(line.text);
      if (!match || fields[`${side}_tax_id`]) continue;
      const end = match.index + match[0].length;
      const { right, below } = neighboursOf(layout, line);
      const places =
        end < line.text.length ? [{ line, start: end }] : [right, below].map((each) => ({ line: each, start: 0 }));
      for (const { line: place, start } of places) {
        const number = place ? form.exec(place.text.slice(start))?.[0] : undefined;
        if (place && number)
          fields[`${side}_tax_id`] ??= composedValue(number, confidence, [
            { line: place, start, end: start + number.length },
          ]);
      }
    }
  }
  return fields;
}

/** A number of which each sign stands in a cell of its own, below the caption or right of it. */
function numberInCells(caption: TextLine, layout: Layout): Found | null {
  const { below, right } = neighboursOf(layout, caption);
  for (const line of [right, below]) {
    if (!line || !/^[A-Z\d]{1,16}(?: [A-Z\d])*$/u.test(line.text)) continue;
    // Narrow cells are read as one line.
    const joined = number.exec(line.text.replaceAll(' ', ''))?.[0];
    const found = joined ? { text: joined, stretches: [{ line }] } : inCells(line, layout, number);
    if (found) return found;
  }
  return null;
}

const streetCaption =
  /^\W*(?:\d{1,3} )?(?:via e n|via,? piazza|indirizzo|domicilio(?: fiscal)?$|calle|nombre de la v[ií]a|v[ií]a p[úu]blica|rua|morada|stra(?:ß|ss)e)/iu;
const townCaption = /^\W*(?:\d{1,3} )?(?:comune|municipio|localidade?|poblaci[óo]n|concelho|wohnort)\W*$/iu;
const codeCaption = /^\W*(?:\d{1,3} )?(?:c\.?a\.?p\.?|c[óo]digo postal|c\.?p\.?|plz)\W*$/iu;
const provinceCaption = /^\W*(?:\d{1,3} )?prov(?:incia|\.)?\W*$/iu;

/** The recipient's address, whose street, town, postal code and province stand below captions of their own. */
function addressOfRecipient(
  lines: readonly TextLine[],
  sections: readonly Section[],
  layout: Layout,
): ExtractedValue | null {
  const below = (pattern: RegExp, isValue: (text: string) => boolean) =>
    lines
      .filter(({ text }) => pattern.test(text))
      .filter((caption) => sectionOf(caption, sections)?.side === 'recipient')
      .map((caption) => valueBelow(caption, layout))
      .find((line) => line !== null && isValue(line.text.trim()));
  const street = below(streetCaption, isStreetLine);
  const town = below(townCaption, (text) => /^\p{L}[\p{L} .'’-]+$/u.test(text));
  if (!street || !town) return null;
  const code = below(codeCaption, (text) => /^\d{4,5}(?:-\d{3})?$/.test(text));
  const province = below(provinceCaption, (text) => /^\(?\p{L}[\p{L} ]+\)?$/u.test(text));
  const towns = [code, town, province].flatMap((line) => line ?? []);
  return composedValue(
    `${street.text.trim()}, ${towns.map(({ text }) => text.trim()).join(' ')}`,
    confidence,
    [street, ...towns].map((line) => ({ line })),
  );
}

function valueBelow(caption: TextLine, layout: Layout): TextLine | null {
  const { below } = neighboursOf(layout, caption);
  return below && below.box.y0 - caption.box.y1 < 2 * (below.box.y1 - below.box.y0) ? below : null;
}

/** A return has one section for whom it is of: `Identificación (1)`. */
const ownIdentification = /^\W*identifica(?:ci[oó]n|ç[aã]o)(?: ?\(?\d\)?)?\W*$/iu;

function sideOfHeading(line: TextLine, layout: Layout): Side | null {
  if (line.text.length > 90) return null;
  if (ownIdentification.test(line.text)) return 'recipient';
  if (details.test(line.text) || roleAlone.test(line.text)) return sideOf(line.text);
  if (!lead.test(line.text)) return null;
  // In a narrow margin the heading may break before it says whose they are.
  return sideOf(line.text) ?? sideOf(neighboursOf(layout, line).below?.text ?? '');
}

function sideOf(text: string): Side | null {
  return roles.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** The section that a caption stands in: of those that begin at its height or above it the lowest, and in one row the nearest. */
function sectionOf(caption: TextLine, sections: readonly Section[]): Section | null {
  const height = caption.box.y1 - caption.box.y0;
  return sections
    .filter(({ head: { box } }) => box.y0 <= caption.box.y1 + height && box.x0 <= caption.box.x0 + height)
    .reduce<Section | null>((best, section) => {
      const below = best ? section.head.box.y0 - best.head.box.y0 : Infinity;
      const isBeside = Math.abs(below) < height;
      return below >= height || (isBeside && section.head.box.x0 > best!.head.box.x0) ? section : best;
    }, null);
}

const captions = [numberCaption, nameCaption, streetCaption, townCaption, codeCaption, provinceCaption];

/** What stands in the box of a caption, below it or beside it, and has the form of the value. */
function valueAt(caption: TextLine, form: RegExp, layout: Layout): TextLine | null {
  const { right } = neighboursOf(layout, caption);
  const isValue = ({ text }: TextLine) =>
    form.test(text.trim()) && !captions.some((own) => own.test(text)) && !isStreetLine(text);
  return [valueBelow(caption, layout), right].find((line) => line && isValue(line)) ?? null;
}

/** What stands below the captions of a second surname and the given name in the row of a surname's. */
function otherNamesBeside(caption: TextLine, layout: Layout): readonly TextLine[] {
  return rowOf(layout, caption)
    .filter((line) => line.box.x0 > caption.box.x0 && otherName.test(line.text))
    .flatMap((line) => valueBelow(line, layout) ?? [])
    .filter(({ text }) => name.test(text.trim()));
}

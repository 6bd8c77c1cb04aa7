import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import type { ComposedFields } from './compose.ts';
import { countryOfCode } from './issuing-country.ts';
import { composedValue, type Stretch } from './value.ts';
import { type MachineZone, readSecondLine } from './zone.ts';

const zoneFields: Readonly<Record<string, readonly [field: string, checkDigit: string | null]>> = {
  documentNumber: ['document_number', 'documentNumberCheckDigit'],
  lastName: ['surname', null],
  firstName: ['given_names', null],
  nationality: ['nationality', null],
  issuingState: ['issuing_country', null],
  birthDate: ['date_of_birth', 'birthDateCheckDigit'],
  sex: ['sex', null],
  expirationDate: ['expiry_date', 'expirationDateCheckDigit'],
  personalNumber: ['personal_number', 'personalNumberCheckDigit'],
};

/** What a second line alone states, when the names' line was not read. */
export function readSecondLines(layout: Layout): ComposedFields | null {
  for (const line of layout.lines) {
    const zone = line.text.length < 60 ? readSecondLine(line.text) : null;
    if (!zone) continue;
    const {
      mrz: _zone,
      surname: _surname,
      given_names: _given,
      issuing_country: _issuer,
      ...stated
    } = readMachineZone([line], zone);
    return stated;
  }
  return null;
}

export function readMachineZone(lines: readonly TextLine[], zone: MachineZone): ComposedFields {
  const stretches = lines.map((line): Stretch => ({ line }));
  const corrected = zone.corrected ? (['corrected'] as const) : [];
  const fields: Record<string, ExtractedValue | null> = {
    mrz: composedValue(zone.lines.join('\n'), zone.proven ? 96 : 60, stretches, [
      zone.proven ? 'check_digit_holds' : 'check_digit_fails',
      ...corrected,
    ]),
  };
  const details = new Map(zone.details.map((detail) => [detail.field as string, detail]));
  const french = details.get('documentNumber');
  // The number of a French card of 1988 to 2021 is all that its check digit covers: year, month, office and number.
  if (zone.lines[0]!.startsWith('IDFRA') && zone.lines[1]?.length === 36 && french) {
    details.set('documentNumber', { ...french, value: zone.lines[1].slice(0, 12) });
  }
  for (const [source, [name, checkDigit]] of Object.entries(zoneFields)) {
    const detail = details.get(source);
    const value = detail?.value ? zoneValue(name, detail.value) : null;
    if (!detail || value === null) continue;
    const holds = checkDigit === null ? null : (details.get(checkDigit)?.valid ?? null);
    const confidence = holds === true ? 97 : holds === false ? 55 : zone.proven ? 89 : 72;
    const proof = holds === null ? [] : [holds ? ('check_digit_holds' as const) : ('check_digit_fails' as const)];
    // What a failed check digit leaves of a number may be anything.
    if (holds === false && /[^A-Z\d-]/.test(value)) continue;
    fields[name] = composedValue(value, confidence, stretches, [
      ...proof,
      ...(detail.autocorrect.length > 0 ? corrected : []),
    ]);
  }
  // The optional data of a card is a number of its own in some countries alone.
  const optional = (details.get('optional1')?.value ?? details.get('optional')?.value)?.replace(/<+$/, '');
  if (!fields.personal_number && optional && /^[A-Z\d]{6,}$/.test(optional))
    fields.personal_number = composedValue(optional, 70, stretches);
  return fields;
}

function zoneValue(field: string, value: string): string | null {
  switch (field) {
    case 'date_of_birth':
    case 'expiry_date':
      return zoneDate(value, field === 'expiry_date');
    case 'nationality':
    case 'issuing_country':
      return countryOfCode(value);
    case 'sex':
      return { male: 'M', female: 'F', nonspecified: 'X', unspecified: 'X', M: 'M', F: 'F' }[value] ?? null;
    default: {
      const text = value.replace(/<+$/, '').trim();
      return text.replace(/[^A-Z\d]/gi, '').length < 2 ? null : text;
    }
  }
}

/** A zone's YYMMDD. Births lie in the past hundred years; a document is valid for some decades at most. */
function zoneDate(value: string, future: boolean): string | null {
  const match = /^(\d\d)(\d\d)(\d\d)$/.exec(value);
  if (!match) return null;
  const year = Number(match[1]);
  const thisYear = new Date().getUTCFullYear() % 100;
  const century = future ? (year < 80 ? 2000 : 1900) : year <= thisYear ? 2000 : 1900;
  return `${century + year}-${match[2]}-${match[3]}`;
}

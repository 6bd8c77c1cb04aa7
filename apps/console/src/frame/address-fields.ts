import type { FieldOptions } from '@millrace/ui/schema-form';

/** The fields of a postal address. */
export const addressFields: Readonly<Record<string, FieldOptions>> = {
  lines: { label: 'Street', kind: 'lines', help: 'A line each, with what else stands above the city' },
  postalCode: { help: null, widthPx: 160 },
  city: { help: null, beside: true },
  countryCode: { label: 'Country', help: 'ISO 3166, such as DE', beside: true, widthPx: 160 },
};

import type { FieldDefinition } from '../definition.ts';
import { captions } from './captions/identity.ts';

export const holderFields: readonly FieldDefinition[] = [
  {
    name: 'document_number',
    kind: 'identifier',
    description: 'Number of the document.',
    composed: true,
    captions: captions('document_number'),
  },
  {
    name: 'surname',
    kind: 'name',
    description: 'Family name.',
    composed: true,
    captions: captions('surname'),
  },
  {
    name: 'given_names',
    kind: 'name',
    description: 'Given names.',
    composed: true,
    captions: captions('given_names'),
  },
  {
    name: 'nationality',
    kind: 'country',
    description: 'Nationality, ISO 3166-1 alpha-2.',
    composed: true,
    captions: captions('nationality'),
  },
  {
    name: 'issuing_country',
    kind: 'country',
    description: 'Country that issued it, ISO 3166-1 alpha-2.',
    composed: true,
    captions: captions('issuing_country'),
  },
  {
    name: 'date_of_birth',
    kind: 'date',
    description: 'Date of birth.',
    composed: true,
    captions: captions('date_of_birth'),
  },
  {
    name: 'sex',
    kind: 'sex',
    description: '`M`, `F` or `X`.',
    composed: true,
    captions: captions('sex'),
  },
  {
    name: 'place_of_birth',
    kind: 'text',
    description: 'Place of birth.',
    composed: true,
    captions: captions('place_of_birth'),
  },
  {
    name: 'issue_date',
    kind: 'date',
    description: 'Date of issue.',
    composed: true,
    captions: captions('issue_date'),
  },
  {
    name: 'expiry_date',
    kind: 'date',
    description: 'Last day on which it is valid.',
    composed: true,
    captions: captions('expiry_date'),
  },
  {
    name: 'personal_number',
    kind: 'identifier',
    description: 'Personal number, where there is one.',
    composed: true,
    captions: captions('personal_number'),
  },
  {
    name: 'mrz',
    kind: 'mrz',
    description: 'The machine-readable zone, its lines separated by line breaks.',
    composed: true,
    captions: [],
  },
];

export const issuingAuthority: FieldDefinition = {
  name: 'issuing_authority',
  kind: 'text',
  description: 'Authority that issued it.',
  composed: true,
  captions: captions('issuing_authority'),
};

export const address: FieldDefinition = {
  name: 'address',
  kind: 'address',
  description: "The holder's address, its lines joined by commas.",
  composed: true,
  captions: captions('address'),
};

import { captionsIn } from '../captions.ts';
import type { FieldDefinition } from '../definition.ts';

const captions = captionsIn({
  en: {
    currency: ['currency'],
  },
  de: {
    currency: ['währung'],
  },
  fr: {
    currency: ['devise', 'monnaie'],
  },
  es: {
    currency: ['moneda', 'divisa'],
  },
  it: {
    currency: ['valuta'],
  },
  pt: {
    currency: ['moeda'],
  },
  later: {
    currency: ['all amounts in', 'alle beträge in'],
  },
});

/** On every document type. */
export const language: FieldDefinition = {
  name: 'language',
  kind: 'language',
  description: 'ISO 639-1 code of the main language.',
  captions: [],
  composed: true,
};

/** On every document type on which money occurs. */
export const currency: FieldDefinition = {
  name: 'currency',
  kind: 'currency',
  description: 'ISO 4217 code of the amounts.',
  captions: captions('currency'),
  composed: true,
};

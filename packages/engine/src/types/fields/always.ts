import type { FieldDefinition } from '../definition.ts';
import { captions } from './captions/always.ts';

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

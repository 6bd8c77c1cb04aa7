import { docTypes, valueKinds } from '@millrace/document-model';
import { faultsOfNames, ownColumnKinds, ownNamePattern, ownTypeLimits } from '@millrace/document-model/own-type';
import { displayName } from '@millrace/operations/display-name';
import * as z from 'zod';
import { anyScopedCallErrors, defineOperation, everyOperation } from './operation.ts';

/** The name of one of an account's own document types, of its fields and columns. */
export const OwnName = z
  .string()
  .max(ownTypeLimits.nameCharacters)
  .regex(ownNamePattern, 'Use lower-case letters, digits and underscores, beginning with a letter.');

/** The name of a document type: built-in, or one of the account's own. */
export const DocTypeName = z
  .union([z.enum(docTypes), OwnName])
  .meta({ id: 'DocTypeName', description: 'A built-in document type, or one of the account’s own.' });

/** What to extract a document as, where it may be detected. */
export const AskedDocTypeName = z.union([z.literal('detect'), DocTypeName]);

const text = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), 'Remove control characters.');
const printed = (most: number) => text(most).min(1);
const Captions = z
  .array(printed(ownTypeLimits.captionCharacters))
  .max(ownTypeLimits.captions)
  .default([])
  .describe('Printed beside or above the value, in any language. Case and a trailing colon don’t matter.');
const Description = text(ownTypeLimits.descriptionCharacters)
  .default('')
  .describe('What it is, in a few words; they help to find it.');

export const OwnFieldInput = z.strictObject({
  name: OwnName,
  kind: z.enum(valueKinds).describe('What a value is, which decides how it is read and written.'),
  description: Description,
  captions: Captions,
  examples: z
    .array(printed(ownTypeLimits.exampleCharacters))
    .max(ownTypeLimits.examples)
    .default([])
    .describe('Values as documents show them: the form of a number, or the texts of a list.'),
  required: z.boolean().default(false).describe('Documents without it need review.'),
  repeated: z.boolean().default(false).describe('The answer is a list of such values.'),
});

export const OwnColumnInput = z.strictObject({
  name: OwnName,
  kind: z.enum(ownColumnKinds),
  description: Description,
  captions: Captions.describe('The column’s headings.'),
});

const definition = {
  title: displayName(ownTypeLimits.titleCharacters),
  description: Description,
  fields: z.array(OwnFieldInput).min(1, 'Add at least one field.').max(ownTypeLimits.fields),
  columns: z
    .array(OwnColumnInput)
    .max(ownTypeLimits.columns)
    .default([])
    .describe('Of the line items, which the answer has in `lines`; empty for a type without.'),
};

/** Characters of a whole definition as JSON. */
const definitionCharacters = 60_000;

/** Adds what the shape of a definition doesn't show: names that are taken or stand twice, and its size. */
function checkDefinition(
  type: { name: string; fields: z.output<typeof OwnFieldInput>[]; columns: z.output<typeof OwnColumnInput>[] },
  context: z.RefinementCtx,
  within: readonly string[] = [],
): void {
  for (const { message, path } of faultsOfNames(type)) {
    context.addIssue({ code: 'custom', path: [...within, ...path], message });
  }
  if (JSON.stringify(type).length > definitionCharacters) {
    context.addIssue({
      code: 'custom',
      path: [...within],
      message: 'The definition is too large. Shorten its captions.',
    });
  }
}

const NewType = z.strictObject({ name: OwnName, ...definition });

/** A new document type. */
export const OwnTypeInput = NewType.superRefine((type, context) => checkDefinition(type, context)).meta({
  id: 'NewDocumentType',
});

/** A changed document type; its name stays. */
export const OwnTypeChange = z
  .strictObject({
    version: z.int().min(1).describe('The `version` that was changed; if it is no longer the newest, nothing changes.'),
    ...definition,
  })
  .superRefine((type, context) => checkDefinition({ ...type, name: 'own' }, context))
  .meta({ id: 'DocumentTypeChange' });

/** A document type as a file. */
export const OwnTypeFile = z
  .strictObject({
    format: z.literal('millrace.document_type'),
    format_version: z.literal(1),
    type: NewType,
  })
  .superRefine(({ type }, context) => checkDefinition(type, context, ['type']));

export const OwnTypeAnswer = z
  .object({
    ...NewType.shape,
    version: z.int().min(1).describe('Rises with every change.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'DocumentType' });

export const ListedType = z
  .object({
    name: DocTypeName,
    title: z.string(),
    description: z.string(),
    origin: z.enum(['built_in', 'own']),
    version: z.int().min(1).optional().describe('Of the account’s own types.'),
  })
  .meta({ id: 'ListedDocumentType' });

const Figures = z.object({
  name: z.string(),
  right: z.int().min(0).describe('Extracted as it was confirmed.'),
  corrected: z.int().min(0).describe('Extracted, then replaced or removed.'),
  missing: z.int().min(0).describe('Not extracted, then entered.'),
});

/** How well a type does, by field and column, over the account's confirmed documents of it. */
export const TypeFigures = z
  .object({
    documents: z.int().min(0).describe('Confirmed documents that were counted, the newest 500 at most.'),
    fields: z.array(Figures),
    columns: z.array(Figures).describe('Of the line items, by their cells.'),
  })
  .meta({ id: 'DocumentTypeFigures' });

/** For examples, here and of the dashboard. */
export const exampleDefinition = {
  title: 'Calibration certificate',
  description: 'A laboratory’s certificate for a measuring instrument.',
  fields: [
    {
      name: 'certificate_number',
      kind: 'identifier' as const,
      description: 'Number of the certificate.',
      captions: ['Certificate no', 'Zertifikat Nr.'],
      examples: ['CC-2026-0117'],
      required: true,
      repeated: false,
    },
    {
      name: 'calibrated_on',
      kind: 'date' as const,
      description: 'Day of the calibration.',
      captions: ['Calibration date'],
      examples: [],
      required: false,
      repeated: false,
    },
  ],
  columns: [
    { name: 'test_point', kind: 'text' as const, description: '', captions: ['Test point'] },
    { name: 'deviation', kind: 'number' as const, description: '', captions: ['Deviation'] },
  ],
};
const exampleName = 'calibration_certificate';
const exampleType = {
  name: exampleName,
  ...exampleDefinition,
  version: 1,
  created_at: '2026-03-14T09:26:53.589Z',
  updated_at: '2026-03-14T09:26:53.589Z',
};
export const exampleFile = {
  format: 'millrace.document_type' as const,
  format_version: 1 as const,
  type: { name: exampleName, ...exampleDefinition },
};
export const exampleFigures = {
  documents: 12,
  fields: [
    { name: 'certificate_number', right: 11, corrected: 1, missing: 0 },
    { name: 'calibrated_on', right: 9, corrected: 1, missing: 2 },
  ],
  columns: [
    { name: 'test_point', right: 46, corrected: 1, missing: 1 },
    { name: 'deviation', right: 44, corrected: 2, missing: 2 },
  ],
};

const tag = 'Document types';
const reading = { ...everyOperation, tag, scopes: ['types', 'extract', 'documents:read'] } as const;
const writing = { ...everyOperation, tag, scopes: ['types'] } as const;
const params = z.object({ name: z.string().describe('The type’s `name`.') });
const readErrors = ['not_found', ...anyScopedCallErrors] as const;
const writeErrors = ['invalid_request', ...anyScopedCallErrors] as const;
const theType = (description: string) => ({ description, body: OwnTypeAnswer });

const listTypes = defineOperation({
  ...reading,
  id: 'listTypes',
  method: 'GET',
  path: '/api/external/v1/types',
  summary: 'List document types',
  description: 'Every value that `doc_type` takes: the built-in types, then the account’s own by name.',
  request: {},
  responses: { 200: { description: 'The types.', body: z.object({ types: z.array(ListedType) }) } },
  errors: [...anyScopedCallErrors],
  examples: [
    {
      summary: 'A built-in type and one of the account’s own',
      request: {},
      answer: {
        status: 200,
        body: {
          types: [
            { name: 'check', title: 'Check', description: 'A bank check.', origin: 'built_in' },
            {
              name: exampleName,
              title: exampleDefinition.title,
              description: exampleDefinition.description,
              origin: 'own',
              version: 1,
            },
          ],
        },
      },
    },
  ],
});

const createType = defineOperation({
  ...writing,
  id: 'createType',
  method: 'POST',
  path: '/api/external/v1/types',
  summary: 'Define a document type',
  description:
    'From the next call on, `doc_type` takes its name. It works at once by captions, kinds, descriptions and examples, ' +
    `and gets better with each confirmed document. An account has at most ${ownTypeLimits.types} types.`,
  request: { body: OwnTypeInput },
  responses: { 201: theType('The new type.') },
  errors: ['conflict', ...writeErrors],
  examples: [
    {
      summary: 'A certificate',
      request: { body: { name: exampleName, ...exampleDefinition } },
      answer: { status: 201, body: exampleType },
    },
  ],
});

const getType = defineOperation({
  ...reading,
  id: 'getType',
  method: 'GET',
  path: '/api/external/v1/types/:name',
  summary: 'Fetch a document type',
  description: 'One of the account’s own types, with its definition.',
  request: { params },
  responses: { 200: theType('The type.') },
  errors: readErrors,
  examples: [
    { summary: 'A type', request: { params: { name: exampleName } }, answer: { status: 200, body: exampleType } },
  ],
});

const updateType = defineOperation({
  ...writing,
  id: 'updateType',
  method: 'PUT',
  path: '/api/external/v1/types/:name',
  summary: 'Change a document type',
  description: 'Replaces its definition. Documents that were extracted before keep their values.',
  request: { params, body: OwnTypeChange },
  responses: { 200: theType('The changed type.') },
  errors: ['not_found', 'conflict', ...writeErrors],
  examples: [
    {
      summary: 'A new title',
      request: { params: { name: exampleName }, body: { version: 1, ...exampleDefinition, title: 'Certificate' } },
      answer: { status: 200, body: { ...exampleType, title: 'Certificate', version: 2 } },
    },
  ],
});

const deleteType = defineOperation({
  ...writing,
  id: 'deleteType',
  method: 'DELETE',
  path: '/api/external/v1/types/:name',
  summary: 'Delete a document type',
  description: 'Its documents stay and can still be read. What they taught is deleted with the type.',
  request: { params },
  responses: { 200: { description: 'Deleted.', body: z.object({ deleted: z.literal(true) }) } },
  errors: readErrors,
  examples: [
    {
      summary: 'A type',
      request: { params: { name: exampleName } },
      answer: { status: 200, body: { deleted: true as const } },
    },
  ],
});

const exportType = defineOperation({
  ...reading,
  id: 'exportType',
  method: 'GET',
  path: '/api/external/v1/types/:name/export',
  summary: 'Export a document type',
  description:
    'As a JSON file, for another account or for safekeeping. It has the definition and no document’s values.',
  request: { params },
  responses: { 200: { description: 'The file.', body: OwnTypeFile } },
  errors: readErrors,
  examples: [
    { summary: 'A type', request: { params: { name: exampleName } }, answer: { status: 200, body: exampleFile } },
  ],
});

const importType = defineOperation({
  ...writing,
  id: 'importType',
  method: 'POST',
  path: '/api/external/v1/types/import',
  summary: 'Import a document type',
  description: 'Takes a file that was exported. With `replace=true` it replaces the type of its name, if there is one.',
  request: {
    query: z.object({
      replace: z
        .stringbool({ truthy: ['true', '1', 'yes'], falsy: ['false', '0', 'no', ''] })
        .optional()
        .describe('`true`, `1` or `yes` replace a type of the same name.'),
    }),
    body: OwnTypeFile,
  },
  responses: { 200: theType('The imported type.') },
  errors: ['conflict', ...writeErrors],
  examples: [{ summary: 'A file', request: { body: exampleFile }, answer: { status: 200, body: exampleType } }],
});

const getTypeFigures = defineOperation({
  ...reading,
  id: 'getTypeFigures',
  method: 'GET',
  path: '/api/external/v1/types/:name/figures',
  summary: 'See how well a document type does',
  description: 'By field, and by column of the line items, over the account’s own confirmed documents of the type.',
  request: { params },
  responses: { 200: { description: 'The figures.', body: TypeFigures } },
  errors: readErrors,
  examples: [
    { summary: 'A type', request: { params: { name: exampleName } }, answer: { status: 200, body: exampleFigures } },
  ],
});

export const documentTypeOperations = [
  listTypes,
  createType,
  getType,
  updateType,
  deleteType,
  exportType,
  importType,
  getTypeFigures,
] as const;

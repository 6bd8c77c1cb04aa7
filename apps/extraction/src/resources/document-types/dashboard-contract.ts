import {
  DocTypeName,
  exampleDefinition,
  exampleFigures,
  exampleFile,
  OwnTypeChange,
  OwnTypeFile,
  OwnTypeInput,
  TypeFigures,
} from '@millrace/extraction-contract/document-types';
import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  Nothing,
  Time,
} from '../../http/dashboard-operation.ts';

const tag = 'Document types';
const members = { ...everyDashboardOperation, tag } as const;
const administrators = { ...members, role: 'administrator' } as const;
const params = z.object({ name: z.string() });

/** One of the account's own types. */
export const OwnTypeDetail = z
  .object({ ...OwnTypeFile.shape.type.shape, version: z.int(), createdAt: Time, updatedAt: Time })
  .meta({ id: 'OwnTypeDetail' });

const name = 'calibration_certificate';
const example = {
  name,
  ...exampleDefinition,
  version: 1,
  createdAt: '2026-03-14T09:26:53.589Z',
  updatedAt: '2026-03-14T09:26:53.589Z',
};

const listDocumentTypes = defineDashboardOperation({
  ...members,
  id: 'listDocumentTypes',
  method: 'GET',
  path: '/api/dashboard/v1/types',
  summary: 'List document types',
  description: 'The built-in types, then the account’s own by name.',
  request: {},
  responses: {
    200: {
      description: 'The types.',
      body: z.object({
        types: z.array(
          z.object({
            name: DocTypeName,
            title: z.string(),
            description: z.string(),
            isOwn: z.boolean(),
            fieldCount: z.int(),
            updatedAt: Time.nullable(),
          }),
        ),
      }),
    },
  },
  errors: [...anyDashboardErrors],
  examples: [
    {
      summary: 'One of the account’s own',
      request: {},
      answer: {
        status: 200,
        body: {
          types: [
            {
              name,
              title: exampleDefinition.title,
              description: exampleDefinition.description,
              isOwn: true,
              fieldCount: 2,
              updatedAt: example.updatedAt,
            },
          ],
        },
      },
    },
  ],
});

const createDocumentType = defineDashboardOperation({
  ...administrators,
  id: 'createDocumentType',
  method: 'POST',
  path: '/api/dashboard/v1/types',
  summary: 'Define a document type',
  description: 'Documents can be extracted as it at once.',
  request: { body: OwnTypeInput },
  responses: { 201: { description: 'Created.', body: OwnTypeDetail } },
  errors: ['invalid_request', 'conflict', ...anyDashboardErrors],
  examples: [
    { summary: 'A type', request: { body: { name, ...exampleDefinition } }, answer: { status: 201, body: example } },
  ],
});

const getDocumentType = defineDashboardOperation({
  ...members,
  id: 'getDocumentType',
  method: 'GET',
  path: '/api/dashboard/v1/types/:name',
  summary: 'Get a document type',
  description: 'One of the account’s own, with its definition.',
  request: { params },
  responses: { 200: { description: 'The type.', body: OwnTypeDetail } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [{ summary: 'A type', request: { params: { name } }, answer: { status: 200, body: example } }],
});

const changeDocumentType = defineDashboardOperation({
  ...administrators,
  id: 'changeDocumentType',
  method: 'PUT',
  path: '/api/dashboard/v1/types/:name',
  summary: 'Change a document type',
  description: 'Documents that were extracted before keep their values.',
  request: { params, body: OwnTypeChange },
  responses: { 200: { description: 'Changed.', body: OwnTypeDetail } },
  errors: ['invalid_request', 'not_found', 'conflict', ...anyDashboardErrors],
  examples: [
    {
      summary: 'A title',
      request: { params: { name }, body: { version: 1, ...exampleDefinition, title: 'Certificate' } },
      answer: { status: 200, body: { ...example, title: 'Certificate', version: 2 } },
    },
  ],
});

const deleteDocumentType = defineDashboardOperation({
  ...administrators,
  id: 'deleteDocumentType',
  method: 'DELETE',
  path: '/api/dashboard/v1/types/:name',
  summary: 'Delete a document type',
  description: 'Its documents stay and can still be read. What they taught is deleted with the type.',
  request: { params },
  responses: { 200: { description: 'Deleted.', body: Nothing } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [{ summary: 'A type', request: { params: { name } }, answer: { status: 200, body: {} } }],
});

const exportDocumentType = defineDashboardOperation({
  ...members,
  id: 'exportDocumentType',
  method: 'GET',
  path: '/api/dashboard/v1/types/:name/export',
  summary: 'Export a document type',
  description: 'As a JSON file, which an import takes.',
  request: { params },
  responses: { 200: { description: 'The file.', body: OwnTypeFile } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [{ summary: 'A type', request: { params: { name } }, answer: { status: 200, body: exampleFile } }],
});

const importDocumentType = defineDashboardOperation({
  ...administrators,
  id: 'importDocumentType',
  method: 'POST',
  path: '/api/dashboard/v1/types/import',
  summary: 'Import a document type',
  description: 'Creates the file’s type, or replaces the type of its name.',
  request: { body: z.strictObject({ file: OwnTypeFile, replace: z.boolean().default(false) }) },
  responses: { 200: { description: 'Imported.', body: OwnTypeDetail } },
  errors: ['invalid_request', 'conflict', ...anyDashboardErrors],
  examples: [{ summary: 'A file', request: { body: { file: exampleFile } }, answer: { status: 200, body: example } }],
});

const getDocumentTypeFigures = defineDashboardOperation({
  ...members,
  id: 'getDocumentTypeFigures',
  method: 'GET',
  path: '/api/dashboard/v1/types/:name/figures',
  summary: 'See how well a document type does',
  description: 'By field, over the account’s confirmed documents of the type.',
  request: { params },
  responses: { 200: { description: 'The figures.', body: TypeFigures } },
  errors: ['not_found', ...anyDashboardErrors],
  examples: [{ summary: 'A type', request: { params: { name } }, answer: { status: 200, body: exampleFigures } }],
});

export const documentTypeDashboardOperations = [
  listDocumentTypes,
  createDocumentType,
  getDocumentType,
  changeDocumentType,
  deleteDocumentType,
  exportDocumentType,
  importDocumentType,
  getDocumentTypeFigures,
] as const;

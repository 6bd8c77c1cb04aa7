import {
  isObject,
  type JsonObject,
  listAt,
  type OpenApiDocument,
  objectAt,
  operationMethods,
  resolved,
  textAt,
} from '@millrace/openapi/document';
import { operationIdOf } from '@millrace/openapi/generate';
import type * as z from 'zod';
import { ApiError, fieldError } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import { versionSegment } from '../proxies/rules.ts';
import type { Specification, SpecificationOperation } from './contract.ts';

type Presented = z.infer<typeof Specification>;
export type PresentedOperation = z.infer<typeof SpecificationOperation>;
type OperationExample = PresentedOperation['examples'][number];

/** An operation's place in its document, and its name: its own, or one derived from its place. */
interface Place {
  readonly operationId: string;
  readonly method: (typeof operationMethods)[number];
  readonly path: string;
  readonly operation: JsonObject;
}

function placesOf(document: OpenApiDocument): readonly Place[] {
  const taken = new Set<string>();
  return Object.entries(objectAt(document.paths)).flatMap(([path, item]) =>
    operationMethods.flatMap((method) => {
      const operation = objectAt(item)[method];
      if (!isObject(operation)) return [];
      const wanted = textAt(operation.operationId) ?? operationIdOf({ method, path });
      let operationId = wanted;
      for (let number = 2; taken.has(operationId); number++) operationId = `${wanted}${number}`;
      taken.add(operationId);
      return [{ operationId, method, path, operation }];
    }),
  );
}

/** The operations of a document in order. One without an id gets one derived from its place. */
export function operationsOf(document: OpenApiDocument): readonly PresentedOperation[] {
  return placesOf(document).map((place) => present(document, place));
}

function present(document: OpenApiDocument, { operationId, method, path, operation }: Place): PresentedOperation {
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    summary: textAt(operation.summary) ?? '',
    description: textAt(operation.description) ?? '',
    tags: listAt(operation.tags).filter((tag) => typeof tag === 'string'),
    deprecated: operation.deprecated === true,
    routeId: textAt(objectAt(operation['x-route']).id),
    examples: examplesOf(document, operation),
  };
}

function examplesOf(document: OpenApiDocument, operation: JsonObject): OperationExample[] {
  const within = (place: OperationExample['place'], status: string | null, holder: JsonObject) =>
    Object.entries(objectAt(holder.content)).flatMap(([mediaType, media]): OperationExample[] => {
      const { example, examples } = objectAt(media);
      const named = Object.entries(objectAt(examples)).flatMap(([name, entry]) => {
        const { value } = resolved(document, entry);
        return value === undefined ? [] : [{ place, status, mediaType, name, value }];
      });
      return example === undefined ? named : [{ place, status, mediaType, name: 'example', value: example }, ...named];
    });
  const responses = Object.entries(objectAt(operation.responses));
  return [
    ...within('request', null, resolved(document, operation.requestBody)),
    // A response by reference is the gateway's or a component's: its examples are not this operation's.
    ...responses.flatMap(([status, response]) => within('response', status, objectAt(response))),
  ];
}

/** The editable parts of an operation. */
export interface OperationEdit {
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly examples?: readonly OperationExample[] | undefined;
}

/** The document with the operation edited; null if it has none with this id. */
export function editOperation(
  document: OpenApiDocument,
  operationId: string,
  edit: OperationEdit,
): OpenApiDocument | null {
  const place = placesOf(document).find((candidate) => candidate.operationId === operationId);
  if (place === undefined) return null;
  const { method, path, operation } = place;
  const edited: JsonObject = { operationId, ...operation };
  for (const field of ['summary', 'description'] as const) {
    const text = edit[field];
    if (text === '') delete edited[field];
    else if (text !== undefined) edited[field] = text;
  }
  const paths = objectAt(document.paths);
  const changed = edit.examples === undefined ? edited : withExamples(document, edited, edit.examples);
  return { ...document, paths: { ...paths, [path]: { ...objectAt(paths[path]), [method]: changed } } };
}

function withExamples(
  document: OpenApiDocument,
  operation: JsonObject,
  examples: readonly OperationExample[],
): JsonObject {
  const requestExamples = examples.filter(({ place }) => place === 'request');
  const requestBody =
    operation.requestBody === undefined && requestExamples.length === 0
      ? {}
      : { requestBody: holdExamples(resolved(document, operation.requestBody), requestExamples) };
  const responses: JsonObject = { ...objectAt(operation.responses) };
  const statuses = new Set([...Object.keys(responses), ...examples.flatMap(({ status }) => status ?? [])]);
  for (const status of statuses) {
    const own = examples.filter((example) => example.place === 'response' && example.status === status);
    const response = objectAt(responses[status]);
    if (textAt(response.$ref) === null) responses[status] = holdExamples({ description: '', ...response }, own);
  }
  return { ...operation, ...requestBody, responses };
}

/** A body or response with these examples instead of its previous ones. */
function holdExamples(holder: JsonObject, examples: readonly OperationExample[]): JsonObject {
  const content: JsonObject = {};
  const kept = objectAt(holder.content);
  for (const mediaType of new Set([...Object.keys(kept), ...examples.map((example) => example.mediaType)])) {
    const { example: _, examples: __, ...media } = objectAt(kept[mediaType]);
    const own = examples.filter((example) => example.mediaType === mediaType);
    content[mediaType] =
      own.length === 0
        ? media
        : { ...media, examples: Object.fromEntries(own.map(({ name, value }) => [name, { value }])) };
  }
  return Object.keys(content).length === 0 ? holder : { ...holder, content };
}

/** Rejects examples that have no place in the operation. */
export function refuseExamples(document: OpenApiDocument, operationId: string, examples: readonly OperationExample[]) {
  const operation = placesOf(document).find((place) => place.operationId === operationId)?.operation;
  const responses = objectAt(operation?.responses);
  const names = new Set<string>();
  for (const [index, { place, status, mediaType, name }] of examples.entries()) {
    if ((place === 'request') !== (status === null)) {
      throw fieldError(`examples.${index}.status`, 'Set the status of a response, or leave it out for the request.');
    }
    if (status !== null && textAt(objectAt(responses[status]).$ref) !== null) {
      throw fieldError(
        `examples.${index}.status`,
        `The response ${status} is a component; its example is defined there.`,
      );
    }
    const key = JSON.stringify([place, status, mediaType, name]);
    if (names.has(key)) throw fieldError(`examples.${index}.name`, 'Use a different name for each example.');
    names.add(key);
  }
}

/** The document's contact, as far as it is valid; null if there is none. */
export function contactOf(document: OpenApiDocument): Presented['contact'] {
  const { contact } = objectAt(document.info);
  if (!isObject(contact)) return null;
  const known = (['name', 'url', 'email'] as const).filter((field) => typeof contact[field] === 'string');
  return Object.fromEntries(known.map((field) => [field, contact[field]]));
}

/** The editable parts of the document as a whole. */
interface InfoEdit {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly apiVersion?: string | undefined;
  readonly contact?: Presented['contact'] | undefined;
}

/** The document with the given parts of `info` replaced. */
export function editInfo(
  document: OpenApiDocument,
  { title, description, apiVersion, contact }: InfoEdit,
): OpenApiDocument {
  const info = { ...objectAt(document.info) };
  if (title !== undefined) info.title = title;
  if (apiVersion !== undefined) info.version = apiVersion;
  if (description === '') delete info.description;
  else if (description !== undefined) info.description = description;
  if (contact === null) delete info.contact;
  else if (contact !== undefined) info.contact = given(contact);
  return { ...document, info };
}

/** The default version of an API: 2.0.0 below /v2, 1.0.0 if the base path has no version. */
export function initialVersion(basePath: string): string {
  const [major = '1', minor = '0', patch = '0'] = versionSegment(basePath)?.slice(1).split('.') ?? [];
  return `${major}.${minor}.${patch}`;
}

export function refusePublish({ state, unpublishedChanges }: Presented): void {
  if (state === 'published' && !unpublishedChanges) {
    throw new ApiError('conflict', {
      message: 'This version is already published. Unpublish it, or edit it and publish it again.',
    });
  }
}

export function refuseUnpublish({ state }: Presented): void {
  if (state !== 'published') {
    throw new ApiError('conflict', { message: 'This specification is a draft. Next: publish it.' });
  }
}

export function refuseDelete({ state }: Presented): void {
  if (state === 'published') {
    throw new ApiError('conflict', { message: 'It is published. Unpublish it first, then delete it.' });
  }
}

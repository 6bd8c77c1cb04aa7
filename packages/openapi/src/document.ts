import type * as z from 'zod';

export type Json = z.core.util.JSONType;

export type JsonObject = { [key: string]: Json };

/** An OpenAPI 3.1 document as parsed JSON. */
export type OpenApiDocument = JsonObject;

/** Keys of a path item that contain an operation. */
export const operationMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type OperationMethod = (typeof operationMethods)[number];

/**
 * The value if it is an object; otherwise an empty one, so that a malformed document is treated as lacking that part.
 */
export function objectAt(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function listAt(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function textAt(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON pointer (RFC 6901) of these keys. */
export function pointer(...keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The target of a reference within the document (`#/…`), or undefined. */
export function findReference(document: OpenApiDocument, reference: string): Json | undefined {
  if (reference === '#') return document;
  if (!reference.startsWith('#/')) return undefined;
  let found: Json | undefined = document;
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as JsonObject)[key];
  }
  return found;
}

/** The object itself, or the target of its `$ref` within the document; an empty one if it doesn't resolve. */
export function resolved(document: OpenApiDocument, value: Json | undefined): JsonObject {
  let object = objectAt(value);
  // A longer chain is circular.
  for (let hop = 0; hop < 20; hop++) {
    const reference = textAt(object.$ref);
    if (reference === null) return object;
    object = objectAt(findReference(document, reference));
  }
  return {};
}

/** A path template with unnamed parameters: two templates of the same shape handle the same calls. */
export function pathShape(path: string): string {
  return path.replaceAll(/\{[^{}/]*\}/g, '{}');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

import { isDocType, type ValueKind, valueKinds } from './document.ts';

/** A field of a document type that an account defined. */
export interface OwnField {
  readonly name: string;
  readonly kind: ValueKind;
  readonly description: string;
  /** As they are printed beside or above the value. */
  readonly captions: readonly string[];
  /** Values as documents show them. */
  readonly examples: readonly string[];
  readonly required: boolean;
  /** The answer is a list of such values. */
  readonly repeated: boolean;
}

/** What a column of line items may hold. */
export const ownColumnKinds = [
  'text',
  'identifier',
  'name',
  'organization',
  'date',
  'amount',
  'number',
  'percent',
] as const satisfies readonly ValueKind[];

/** A column of such a type's line items. */
export interface OwnColumn {
  readonly name: string;
  readonly kind: (typeof ownColumnKinds)[number];
  readonly description: string;
  readonly captions: readonly string[];
}

/** A document type that an account defined, as it is stored, exported and handed to the engine. */
export interface OwnType {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: readonly OwnField[];
  /** Of its line items, which the answer has in `lines`; empty for a type without. */
  readonly columns: readonly OwnColumn[];
}

/** Bounds of such a type, and of how many an account has. */
export const ownTypeLimits = {
  types: 100,
  nameCharacters: 40,
  titleCharacters: 80,
  descriptionCharacters: 500,
  fields: 60,
  columns: 20,
  captions: 30,
  captionCharacters: 80,
  examples: 10,
  exampleCharacters: 120,
} as const;

/** Names of types, fields and columns: lower-case words joined by underscores. */
export const ownNamePattern = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/** What the names of types and fields mean elsewhere, in requests and in JavaScript's own objects. */
const reservedTypeNames: ReadonlySet<string> = new Set(['constructor', 'detect']);
const reservedFieldNames: ReadonlySet<string> = new Set(['constructor', 'items', 'lines']);

/** Something that is wrong with a definition: where, as names and indexes from its top, and what to do. */
export interface OwnTypeFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What the shape of a definition alone doesn't show: names that are taken, and names that stand twice. */
export function faultsOfNames(type: Pick<OwnType, 'name' | 'fields' | 'columns'>): readonly OwnTypeFault[] {
  const faults: OwnTypeFault[] = [];
  if (isDocType(type.name)) {
    faults.push({ path: ['name'], message: `"${type.name}" is a built-in document type. Choose another name.` });
  } else if (reservedTypeNames.has(type.name)) {
    faults.push({ path: ['name'], message: `"${type.name}" is reserved. Choose another name.` });
  }
  for (const list of ['fields', 'columns'] as const) {
    const seen = new Set<string>();
    type[list].forEach(({ name }, index) => {
      const path = [list, index, 'name'];
      if (reservedFieldNames.has(name)) faults.push({ path, message: `"${name}" is reserved. Choose another name.` });
      if (seen.has(name)) faults.push({ path, message: `"${name}" stands twice. Give each its own name.` });
      seen.add(name);
    });
  }
  return faults;
}

/** Whether a value is a definition within all bounds, whoever sent it. */
export function isOwnType(value: unknown): value is OwnType {
  const { nameCharacters, titleCharacters, descriptionCharacters, fields, columns } = ownTypeLimits;
  return (
    isObject(value) &&
    isName(value.name, nameCharacters) &&
    isText(value.title, titleCharacters) &&
    isText(value.description, descriptionCharacters) &&
    isListOf(value.fields, fields, isOwnField) &&
    isListOf(value.columns, columns, isOwnColumn) &&
    faultsOfNames({ name: value.name, fields: value.fields, columns: value.columns }).length === 0
  );
}

function isOwnColumn(value: unknown): value is OwnColumn {
  return isNamedKind(value, ownColumnKinds);
}

function isNamedKind<Kind extends ValueKind>(
  value: unknown,
  kinds: readonly Kind[],
): value is Omit<OwnColumn, 'kind'> & { readonly kind: Kind } {
  const { nameCharacters, descriptionCharacters, captions, captionCharacters } = ownTypeLimits;
  return (
    isObject(value) &&
    isName(value.name, nameCharacters) &&
    (kinds as readonly unknown[]).includes(value.kind) &&
    isText(value.description, descriptionCharacters) &&
    isListOf(value.captions, captions, (text): text is string => isText(text, captionCharacters))
  );
}

function isOwnField(value: unknown): value is OwnField {
  const { examples, exampleCharacters } = ownTypeLimits;
  return (
    isNamedKind(value, valueKinds) &&
    'examples' in value &&
    isListOf(value.examples, examples, (text): text is string => isText(text, exampleCharacters)) &&
    'required' in value &&
    typeof value.required === 'boolean' &&
    'repeated' in value &&
    typeof value.repeated === 'boolean'
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}

function isName(value: unknown, most: number): value is string {
  return isText(value, most) && ownNamePattern.test(value);
}

function isListOf<Item>(
  value: unknown,
  most: number,
  isItem: (item: unknown) => item is Item,
): value is readonly Item[] {
  return Array.isArray(value) && value.length <= most && value.every(isItem);
}

import type { AnswerOf, ArgumentsOf } from '../../frame/api.ts';

export type OwnType = AnswerOf<'getDocumentType'>;
type Definition = ArgumentsOf<'createDocumentType'>['body'];

/** A field as it is edited: every part is there, and a key says which it is while fields move. */
export interface FieldDraft {
  readonly key: string;
  readonly name: string;
  readonly kind: OwnType['fields'][number]['kind'];
  readonly description: string;
  readonly captions: string[];
  readonly examples: string[];
  readonly required: boolean;
  readonly repeated: boolean;
}

export interface ColumnDraft {
  readonly key: string;
  readonly name: string;
  readonly kind: OwnType['columns'][number]['kind'];
  readonly description: string;
  readonly captions: string[];
}

export interface TypeDraft {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: FieldDraft[];
  readonly columns: ColumnDraft[];
}

export function newField(): FieldDraft {
  return {
    key: crypto.randomUUID(),
    name: '',
    kind: 'text',
    description: '',
    captions: [],
    examples: [],
    required: false,
    repeated: false,
  };
}

export function newColumn(): ColumnDraft {
  return { key: crypto.randomUUID(), name: '', kind: 'text', description: '', captions: [] };
}

/** A type as it is edited; undefined for a new one. */
export function draftOf(type: OwnType | undefined): TypeDraft {
  if (!type) return { name: '', title: '', description: '', fields: [newField()], columns: [] };
  return {
    name: type.name,
    title: type.title,
    description: type.description,
    fields: type.fields.map((field) => ({ key: crypto.randomUUID(), ...field })),
    columns: type.columns.map((column) => ({ key: crypto.randomUUID(), ...column })),
  };
}

/** What is sent of a draft. */
export function definitionOf({ columns, description, fields, title }: TypeDraft): Omit<Definition, 'name'> {
  return {
    title,
    description,
    fields: fields.map(({ key: _key, ...field }) => field),
    columns: columns.map(({ key: _key, ...column }) => column),
  };
}

/** A list with one of its entries a place earlier or later. */
export function moved<Item>(items: readonly Item[], from: number, by: -1 | 1): Item[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(from + by, 0, item);
  return next;
}

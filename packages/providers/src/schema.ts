import { type Answer, type AnswerValue, partsOf, type Question, shapeOf } from '@millrace/engine/model-reading';
import * as z from 'zod';
import type { ModelCall } from './models.ts';

type Field = Question['type']['fields'][number];

export type JsonSchema = NonNullable<Extract<ModelCall['responseFormat'], { type: 'json' }>['schema']>;

/**
 * The JSON schema of the answer to a question, built from the document type's fields and columns. Every property is
 * required and every value a text, empty if the document has none: providers limit how many properties may be absent or
 * null, and a text as printed can be looked up in the document.
 */
export function answerSchema(question: Question): JsonSchema {
  const fields = askedFields(question);
  return objectOf({
    ...(fields.length > 0 && {
      fields: objectOf(Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)]))),
    }),
    ...(question.rows && {
      rows: {
        type: 'array',
        description: 'The line items, from top to bottom; no sums, carried balances or headings.',
        items: objectOf(
          Object.fromEntries(
            question.type.columns.map(({ description, name }) => [name, { type: 'string', description }]),
          ),
        ),
      },
    }),
  });
}

function askedFields({ fields, type }: Question): readonly Field[] {
  return type.fields.filter(({ name }) => fields.includes(name));
}

function objectOf(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function fieldSchema(field: Field): JsonSchema {
  const { description } = field;
  const text: JsonSchema = { type: 'string' };
  switch (shapeOf(field)) {
    case 'text':
      return { type: 'string', description };
    case 'list':
      return { type: 'array', description, items: text };
    case 'pairs':
      return { type: 'array', description, items: objectOf({ label: text, value: text }) };
    case 'entries':
      return {
        type: 'array',
        description,
        items: objectOf(Object.fromEntries(partsOf(field).map((part) => [part, text]))),
      };
  }
}

/** Bounds of an answer, whatever a model writes. */
const limits = { textCharacters: 4000, listItems: 500, rows: 3000 } as const;

const Text = z
  .union([z.string(), z.number(), z.null()])
  .transform((value) => (value === null ? '' : String(value)))
  .pipe(z.string().max(limits.textCharacters));

/**
 * Parses a model's answer: only what was asked for, in its shape and bounds. A field that it leaves out was not
 * answered.
 *
 * @throws Error if the answer is invalid; the message contains nothing of it.
 */
export function readAnswer(text: string, question: Question): Answer {
  const given = parseObject(text);
  const { columns } = question.type;
  const fields = askedFields(question);
  const Fields = z.object(Object.fromEntries(fields.map((field) => [field.name, shapeSchema(field).optional()])));
  const Row = z.object(Object.fromEntries(columns.map(({ name }) => [name, Text.default('')])));
  const parsed = z
    .object({ fields: Fields.optional(), rows: z.array(Row).max(limits.rows).optional() })
    .safeParse(given);
  if (!parsed.success) throw new Error('The answer does not follow the schema');
  const answered = Object.entries(parsed.data.fields ?? {}).filter(
    (entry): entry is [string, AnswerValue] => entry[1] !== undefined,
  );
  const rows = question.rows ? (parsed.data.rows ?? null) : null;
  if (answered.length === 0 && rows === null) throw new Error('The answer has nothing that was asked for');
  return { fields: Object.fromEntries(answered), rows };
}

function shapeSchema(field: Field): z.ZodType<AnswerValue> {
  const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(limits.listItems);
  switch (shapeOf(field)) {
    case 'text':
      return Text;
    case 'list':
      return listOf(Text);
    case 'pairs':
      return listOf(z.object({ label: Text, value: Text }));
    case 'entries':
      return listOf(z.object(Object.fromEntries(partsOf(field).map((part) => [part, Text.default('')]))));
  }
}

/** The JSON object that a text is or contains, as models without structured output write it. */
function parseObject(text: string): unknown {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end < start) throw new Error('The answer is not a JSON object');
  return JSON.parse(text.slice(start, end + 1));
}

import * as z from 'zod';
import { type AnyOperation, type ErrorEntry, type ErrorTable, isOptional } from '../operation.ts';

type Json = Readonly<Record<string, unknown>>;

/** An event that is posted to a receiver. */
export interface Webhook {
  readonly summary: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: z.ZodType;
  readonly example: unknown;
  /** The response that the receiver has to send. */
  readonly answer: string;
}

/** What the reference contains besides the operations. */
export interface ReferenceInfo<Described extends AnyOperation = AnyOperation> {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Contact for callers. */
  readonly contact?: { readonly name: string; readonly url?: string; readonly email?: string };
  /** Where clients reach the service; by default, where they got the document. */
  readonly servers?: readonly { readonly url: string; readonly description?: string }[];
  /** Section names with their text, in the order of the reference. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** OpenAPI security schemes and, for each way to authenticate, the alternative schemes. */
  readonly securitySchemes: Readonly<Record<string, Json>>;
  readonly auth: Readonly<Record<string, readonly string[]>>;
  readonly errors: ErrorTable;
  readonly errorBody: z.ZodType;
  /** Example of an error body; default: `{"error": {"code", "message"}}`. */
  readonly errorExample?: (code: string, entry: ErrorEntry) => unknown;
  /** Replaces the operation's description, and adds vendor extensions (`x-…`), such as the permission it needs. */
  readonly describe?: (operation: Described) => { readonly description?: string; readonly extensions?: Json };
  /** OpenAPI parameters read by the frame, besides those that the operation declares. */
  readonly commonParameters?: (operation: Described) => readonly Json[];
  /** Requests that the service sends, by event name. */
  readonly webhooks: Readonly<Record<string, Webhook>>;
  /** Headers that every response carries. */
  readonly responseHeaders: Readonly<Record<string, { readonly description: string; readonly schema: Json }>>;
}

/**
 * Describes the operations as an OpenAPI 3.1 document. Schemas with a name from zod's `meta({ id })` become components.
 *
 * @throws Error if two different schemas have the same name.
 */
export function openApiDocument<Described extends AnyOperation>(
  operations: readonly Described[],
  info: ReferenceInfo<Described>,
): Json {
  const schemas = new SchemaRegister();
  const errorSchema = schemas.add(info.errorBody, 'output');
  const headers = Object.fromEntries(
    Object.keys(info.responseHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    const own = info.describe?.(operation) ?? {};
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = {
      operationId: operation.id,
      tags: [operation.tag],
      summary: operation.summary,
      description: own.description ?? operation.description,
      ...own.extensions,
      security: info.auth[operation.auth]?.map((scheme) => ({ [scheme]: [] })) ?? [],
      parameters: [...parametersOf(operation, schemas), ...(info.commonParameters?.(operation) ?? [])],
      ...requestBodyOf(operation, schemas),
      responses: {
        ...successesOf(operation, schemas, headers),
        ...failuresOf(operation, info, errorSchema, headers),
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: info.description,
      ...(info.contact ? { contact: info.contact } : {}),
    },
    ...(info.servers ? { servers: info.servers } : {}),
    tags: info.tags,
    paths,
    webhooks: Object.fromEntries(
      Object.entries(info.webhooks).map(([name, webhook]) => [name, { post: webhookOf(webhook, schemas) }]),
    ),
    components: { schemas: schemas.named, headers: info.responseHeaders, securitySchemes: info.securitySchemes },
  };
}

/** Schemas by name, collected while the operations are described. */
class SchemaRegister {
  readonly named: Record<string, unknown> = {};

  /** The JSON Schema of a schema, with its named parts moved to the components. */
  add(schema: z.ZodType, direction: 'input' | 'output'): Json {
    const {
      $schema: _dialect,
      $defs,
      ...own
    } = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        // A response may gain keys within a version.
        if (direction === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const named = refer(definition);
      if (this.named[name] && JSON.stringify(this.named[name]) !== JSON.stringify(named)) {
        throw new Error(`Two different schemas are named ${name}.`);
      }
      this.named[name] = named;
    }
    return refer(own);
  }
}

function refer(schema: object): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function parametersOf(operation: AnyOperation, schemas: SchemaRegister): readonly Json[] {
  const places = { params: 'path', query: 'query', headers: 'header' } as const;
  return (Object.keys(places) as (keyof typeof places)[]).flatMap((part) => {
    const object = operation.request[part];
    if (!object) return [];
    return Object.entries(object.shape).map(([name, schema]) => {
      const { description, ...rest } = schemas.add(schema as z.ZodType, 'input');
      const isRequired = part === 'params' || !isOptional(schema as z.ZodType);
      const example = exampleOf(operation, part, name, isRequired);
      return {
        name: part === 'headers' ? headerName(name) : name,
        in: places[part],
        required: isRequired,
        ...(description ? { description } : {}),
        schema: rest,
        ...(example === undefined ? {} : { example }),
      };
    });
  });
}

/**
 * A parameter's value in the first example that has one. Pages send every parameter that has an example: an optional one
 * has that of the first request alone, or none, since the others would make another request of it.
 */
function exampleOf(
  operation: AnyOperation,
  part: 'params' | 'query' | 'headers',
  name: string,
  isRequired: boolean,
): unknown {
  return operation.examples
    .slice(0, isRequired ? undefined : 1)
    .map(({ request }) => (request[part] as Json | undefined)?.[name])
    .find((value) => value !== undefined);
}

/** The examples that have a value, by their summaries. */
function examplesOf(
  operation: AnyOperation,
  select: (example: AnyOperation['examples'][number]) => { readonly value: unknown } | null,
): Json {
  const examples = operation.examples.flatMap((example) => {
    const shown = select(example);
    return shown === null ? [] : [[example.summary, { summary: example.summary, ...shown }] as const];
  });
  return examples.length > 0 ? { examples: Object.fromEntries(examples) } : {};
}

function headerName(name: string) {
  return name.replaceAll(/(^|-)([a-z])/g, (letters) => letters.toUpperCase());
}

function requestBodyOf(operation: AnyOperation, schemas: SchemaRegister): Json {
  const { body, multipart } = operation.request;
  if (body) {
    const examples = examplesOf(operation, ({ request }) =>
      request.body === undefined ? null : { value: request.body },
    );
    return {
      requestBody: {
        required: !isOptional(body),
        content: { 'application/json': { schema: schemas.add(body, 'input'), ...examples } },
      },
    };
  }
  if (!multipart) return {};
  const fields = schemas.add(multipart.fields, 'input');
  const { name, description, mediaTypes } = multipart.file;
  return {
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              [name]: { type: 'string', format: 'binary', description },
              ...(fields.properties as Json),
            },
            required: [name, ...((fields.required as string[] | undefined) ?? [])],
          },
          // The file by its name, as curl takes it: without it, the page's example would be a request without its file.
          ...examplesOf(operation, ({ request: { form, fileName } }) =>
            form === undefined && fileName === undefined
              ? null
              : { value: { ...(fileName === undefined ? {} : { [name]: `@${fileName}` }), ...(form as Json) } },
          ),
          // Pages quote it in their examples, and curl takes a list for the names of more files.
          ...(mediaTypes.length === 1 ? { encoding: { [name]: { contentType: mediaTypes[0] } } } : {}),
        },
      },
    },
  };
}

function webhookOf({ summary, description, headers, body, example, answer }: Webhook, schemas: SchemaRegister): Json {
  return {
    summary,
    description,
    security: [],
    parameters: Object.entries(headers).map(([name, text]) => ({
      name,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: schemas.add(body, 'output'), example } } },
    responses: { '2XX': { description: answer } },
  };
}

function successesOf(operation: AnyOperation, schemas: SchemaRegister, headers: Json): Json {
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, { description, headers: own = {}, body, mediaType }]) => {
      const examples = examplesOf(operation, ({ answer }) =>
        answer.status === Number(status) ? { value: answer.body } : null,
      );
      const content = { [mediaType ?? 'application/json']: { schema: schemas.add(body, 'output'), ...examples } };
      const declared = Object.entries(own).map(([name, header]) => [
        headerName(name),
        { description: header.description, schema: schemas.add(header.schema, 'output') },
      ]);
      return [status, { description, headers: { ...headers, ...Object.fromEntries(declared) }, content }];
    }),
  );
}

function failuresOf<Described extends AnyOperation>(
  operation: Described,
  { errors, errorExample = errorBodyOf }: ReferenceInfo<Described>,
  schema: Json,
  headers: Json,
): Json {
  const byStatus = Map.groupBy(operation.errors, (code) => errors[code]!.status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errors[code]!.message}`).join('\n\n'),
        headers,
        content: {
          'application/json': {
            schema,
            examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code, errors[code]!) }])),
          },
        },
      },
    ]),
  );
}

function errorBodyOf(code: string, { message }: ErrorEntry): unknown {
  return { error: { code, message } };
}

import type { Bundle, BundledOperation } from './bundle.ts';
import { type Json, type JsonObject, listAt, type OpenApiDocument, objectAt, resolved, textAt } from './document.ts';
import { sampleOf } from './sample.ts';
import { createSchemaReader, fits, type SchemaModel } from './schema-model.ts';
import type { SnippetRequest } from './snippets/request.ts';

/** A way to authenticate, as OpenAPI names its parts. */
export interface SecurityScheme {
  readonly name: string;
  readonly type: string;
  /** Of an API key: header, query or cookie. */
  readonly in: string | null;
  /** Of an API key: name of the header or parameter. */
  readonly parameter: string | null;
  /** Of HTTP authentication, such as bearer. */
  readonly scheme: string | null;
  readonly description: string;
  readonly scopes: string[];
}

export interface ContentModel {
  readonly mediaType: string;
  readonly schema: SchemaModel | null;
  readonly examples: {
    readonly name: string;
    readonly summary: string;
    readonly value: Json;
    /** Whether it follows from the schema alone. */
    readonly generated: boolean;
  }[];
}

export interface ParameterModel {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description: string;
  readonly schema: SchemaModel | null;
  /** A value to try; null: none follows from the specification. */
  readonly example: Json;
}

/** Everything that a page says of an operation, its references resolved. */
export interface OperationModel {
  readonly description: string;
  /** Any of these combinations is enough; empty: no authentication. */
  readonly security: SecurityScheme[][];
  readonly parameters: ParameterModel[];
  readonly requestBody: {
    readonly required: boolean;
    readonly description: string;
    readonly content: ContentModel[];
  } | null;
  readonly responses: {
    readonly status: string;
    readonly description: string;
    readonly headers: { readonly name: string; readonly description: string; readonly schema: SchemaModel | null }[];
    readonly content: ContentModel[];
  }[];
}

const most = { parameters: 200, responses: 100, contents: 20, examples: 20, headers: 50, security: 10 };

/** Describes an operation of a bundle. What a malformed document lacks is left out. */
export function describeOperation({ document }: Bundle, { path, method }: BundledOperation): OperationModel {
  const item = objectAt(objectAt(document.paths)[path]);
  const operation = objectAt(item[method]);
  const read = createSchemaReader(document);
  const body = resolved(document, operation.requestBody);
  return {
    description: textAt(operation.description) ?? '',
    security: securityOf(document, operation),
    parameters: parametersOf(document, item, operation).map((parameter) =>
      describeParameter(document, parameter, read),
    ),
    requestBody:
      operation.requestBody === undefined
        ? null
        : {
            required: body.required === true,
            description: textAt(body.description) ?? '',
            content: contentsOf(document, body, read, 'request'),
          },
    responses: Object.entries(objectAt(operation.responses))
      .slice(0, most.responses)
      .map(([status, value]) => {
        const response = resolved(document, value);
        return {
          status,
          description: textAt(response.description) ?? '',
          headers: Object.entries(objectAt(response.headers))
            .slice(0, most.headers)
            .map(([name, given]) => {
              const header = resolved(document, given);
              return { name, description: textAt(header.description) ?? '', schema: read(header.schema) };
            }),
          content: contentsOf(document, response, read, 'response'),
        };
      }),
  };
}

/** Parameters of the path item and of the operation, which replaces those of the same name and place. */
function parametersOf(document: OpenApiDocument, item: JsonObject, operation: JsonObject): readonly JsonObject[] {
  const all = new Map<string, JsonObject>();
  for (const given of [...listAt(item.parameters), ...listAt(operation.parameters)].slice(0, most.parameters)) {
    const parameter = resolved(document, given);
    if (typeof parameter.name === 'string') all.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...all.values()].filter(
    ({ in: place }) => typeof place === 'string' && /^(?:path|query|header|cookie)$/.test(place),
  );
}

function describeParameter(
  document: OpenApiDocument,
  parameter: JsonObject,
  read: (schema: Json | undefined) => SchemaModel | null,
): ParameterModel {
  const content = Object.values(objectAt(parameter.content))[0];
  const schema = parameter.schema ?? objectAt(content).schema;
  const named = Object.values(objectAt(parameter.examples))[0];
  const stated = [parameter.example, named === undefined ? undefined : resolved(document, named).value];
  const example = stated.find((value) => value !== undefined && fits(value)) ?? sampleOf(document, schema, 'request');
  return {
    name: textAt(parameter.name) ?? '',
    // Kept by parametersOf only if it is one of these.
    in: parameter.in as ParameterModel['in'],
    required: parameter.required === true || parameter.in === 'path',
    deprecated: parameter.deprecated === true,
    description: textAt(parameter.description) ?? '',
    schema: read(schema),
    example: example ?? null,
  };
}

function contentsOf(
  document: OpenApiDocument,
  holder: JsonObject,
  read: (schema: Json | undefined) => SchemaModel | null,
  direction: 'request' | 'response',
): ContentModel[] {
  return Object.entries(objectAt(holder.content))
    .slice(0, most.contents)
    .map(([mediaType, given]) => {
      const media = objectAt(given);
      const examples = examplesOf(document, media);
      const generated = examples.length === 0 ? sampleOf(document, media.schema, direction) : undefined;
      return {
        mediaType,
        schema: read(media.schema),
        examples:
          generated === undefined ? examples : [{ name: 'example', summary: '', value: generated, generated: true }],
      };
    });
}

function examplesOf(document: OpenApiDocument, { example, examples }: JsonObject): ContentModel['examples'] {
  const named = Object.entries(objectAt(examples)).map(([name, given]) => {
    const { value, summary } = resolved(document, given);
    return { name, summary: textAt(summary) ?? '', value };
  });
  return [{ name: 'example', summary: '', value: example }, ...named].slice(0, most.examples).flatMap((entry) => {
    const { value } = entry;
    return value === undefined || !fits(value) ? [] : [{ ...entry, value, generated: false }];
  });
}

function securityOf(document: OpenApiDocument, operation: JsonObject): SecurityScheme[][] {
  const schemes = objectAt(objectAt(document.components).securitySchemes);
  const combinations = listAt(operation.security)
    .slice(0, most.security)
    .map((requirement) =>
      Object.entries(objectAt(requirement)).map(([name, scopes]): SecurityScheme => {
        const scheme = Object.hasOwn(schemes, name) ? resolved(document, schemes[name]) : {};
        return {
          name,
          type: textAt(scheme.type) ?? 'unknown',
          in: textAt(scheme.in),
          parameter: textAt(scheme.name),
          scheme: textAt(scheme.scheme)?.toLowerCase() ?? null,
          description: textAt(scheme.description) ?? '',
          scopes: listAt(scopes).filter((scope) => typeof scope === 'string'),
        };
      }),
    );
  // An empty combination means that no authentication is enough.
  return combinations.some((combination) => combination.length === 0) ? [] : combinations;
}

/**
 * A request that calls an operation: the required parameters with their examples, the first example of the first body, and
 * placeholders such as `YOUR_API_KEY` for what only a caller has.
 *
 * @param server address of the gateway, without a slash at the end
 */
export function exampleRequest(
  { method, path }: BundledOperation,
  model: OperationModel,
  server: string,
): SnippetRequest {
  const query: [string, string][] = [];
  const headers: { name: string; value: string }[] = [];
  const cookies: string[] = [];
  const put = (place: string | null, name: string, value: string) => {
    if (place === 'query') query.push([name, value]);
    else if (place === 'cookie') cookies.push(`${name}=${value}`);
    else if (place === 'header') headers.push({ name, value });
  };
  for (const scheme of model.security[0] ?? []) {
    if (scheme.type === 'apiKey') put(scheme.in, scheme.parameter ?? 'x-api-key', 'YOUR_API_KEY');
    else if (scheme.scheme === 'basic') put('header', 'authorization', 'Basic YOUR_CREDENTIALS');
    else put('header', 'authorization', 'Bearer YOUR_TOKEN');
  }
  const inPath = new Map<string, string>();
  for (const parameter of model.parameters) {
    const text = textOf(parameter.example) ?? placeholderOf(parameter.name);
    if (parameter.in === 'path') inPath.set(parameter.name, text);
    else if (parameter.required) put(parameter.in, parameter.name, text);
  }
  const target = path.replaceAll(/\{([^{}/]*)\}/g, (_, name: string) =>
    encodeURIComponent(inPath.get(name) ?? placeholderOf(name)),
  );
  const search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  if (cookies.length > 0) headers.push({ name: 'cookie', value: cookies.join('; ') });
  const body = bodyOf(model);
  if (body.contentType !== null) headers.push({ name: 'content-type', value: body.contentType });
  return {
    method: method.toUpperCase(),
    url: `${server}${target}${search === '' ? '' : `?${search}`}`,
    headers,
    body: body.value,
  };
}

function placeholderOf(name: string): string {
  return `YOUR_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

function textOf(value: Json): string | null {
  if (value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function bodyOf({ requestBody }: OperationModel): {
  readonly value: SnippetRequest['body'];
  readonly contentType: string | null;
} {
  const content = requestBody?.content[0];
  if (content === undefined) return { value: null, contentType: null };
  const { mediaType, schema } = content;
  const example = content.examples[0]?.value;
  const members = Object.entries(objectAt(example));
  if (mediaType.startsWith('multipart/')) {
    const parts = partsOf(schema, members);
    // The client states the boundary.
    return { value: { kind: 'multipart', parts }, contentType: null };
  }
  if (mediaType.startsWith('application/x-www-form-urlencoded')) {
    const text = members.map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value) ?? '')}`,
    );
    return { value: { kind: 'text', text: text.join('&') }, contentType: mediaType };
  }
  const isJson = /[/+]json\b/.test(mediaType);
  const text =
    example === undefined ? '' : isJson || typeof example !== 'string' ? JSON.stringify(example, null, 2) : example;
  return {
    value: { kind: 'text', text },
    contentType: mediaType.includes('*') ? 'application/octet-stream' : mediaType,
  };
}

/** The parts of a form: files by their schema, the others by the example. */
function partsOf(schema: SchemaModel | null, members: readonly (readonly [string, Json])[]) {
  const values = new Map(members);
  const files = (schema?.properties ?? []).filter(({ schema: { format, constraints, type } }) => {
    if (format === 'binary') return true;
    return type === 'anything' && constraints.length === 0;
  });
  const fileNames = new Set(files.map(({ name }) => name));
  const fields = [...values].filter(([name, value]) => !fileNames.has(name) && value !== null);
  return [
    ...files.map(({ name }) => ({ name, value: '', fileName: `${name.replaceAll(/[^\w-]+/g, '_')}.bin` })),
    ...fields.map(([name, value]) => ({ name, value: textOf(value) ?? '', fileName: null })),
  ];
}

/** A part of an operation in an API reference, such as its parameters. */
export interface OperationPart {
  readonly title: string;
  readonly items: readonly { readonly name: string; readonly text: string }[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Authentication, parameters, bodies and responses of each operation of an OpenAPI 3.1 document, by method and path
 * (`GET /{orderId}`); none of a text that is no document.
 *
 * @param text the document as JSON
 */
export function operationDetails(text: string | undefined): Map<string, readonly OperationPart[]> {
  const document = objectAt(text === undefined ? {} : JSON.parse(text));
  const details = new Map<string, readonly OperationPart[]>();
  for (const [path, item] of Object.entries(objectAt(document.paths))) {
    for (const [method, value] of Object.entries(objectAt(item))) {
      const operation = objectAt(value);
      if (!('responses' in operation)) continue;
      details.set(`${method.toUpperCase()} ${path}`, partsOf(document, objectAt(item), operation));
    }
  }
  return details;
}

function partsOf(document: Json, item: Json, operation: Json): readonly OperationPart[] {
  const parameters = [...listAt(item.parameters), ...listAt(operation.parameters)].map((value) =>
    resolved(document, value),
  );
  const body = resolved(document, operation.requestBody);
  const security = listAt(operation.security ?? document.security).flatMap((way) => Object.keys(objectAt(way)));
  const schemes = objectAt(objectAt(document.components).securitySchemes);
  const parts: OperationPart[] = [
    {
      title: 'Authentication',
      items: [...new Set(security)].map((name) => ({ name, text: schemeText(resolved(document, schemes[name])) })),
    },
    {
      title: 'Parameters',
      items: parameters.map((parameter) => ({
        name: textAt(parameter.name),
        text: [
          `in ${textAt(parameter.in)}`,
          schemaText(document, parameter.schema),
          parameter.required === true ? 'required' : '',
          textAt(parameter.description),
        ]
          .filter((part) => part !== '')
          .join(', '),
      })),
    },
    {
      title: 'Body',
      items: Object.entries(objectAt(body.content)).map(([mediaType, content]) => ({
        name: mediaType,
        text: schemaText(document, objectAt(content).schema),
      })),
    },
    {
      title: 'Responses',
      items: Object.entries(objectAt(operation.responses)).map(([status, value]) => ({
        name: status,
        text: textAt(resolved(document, value).description),
      })),
    },
  ];
  return parts.filter(({ items }) => items.length > 0);
}

function schemeText(scheme: Json): string {
  if (scheme.type === 'apiKey') return `key in the ${textAt(scheme.in)} ${textAt(scheme.name)}`;
  if (scheme.type === 'http') return `HTTP ${textAt(scheme.scheme)}`;
  return textAt(scheme.type);
}

function schemaText(document: Json, value: unknown): string {
  const reference = textAt(objectAt(value).$ref);
  if (reference !== '') return reference.split('/').at(-1)!;
  const schema = resolved(document, value);
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : textAt(schema.type);
  if (type === 'array') return `list of ${schemaText(document, schema.items) || 'anything'}`;
  const fields = Object.keys(objectAt(schema.properties));
  return fields.length > 0 ? `${type || 'object'} of ${fields.join(', ')}` : type;
}

function resolved(document: Json, value: unknown): Json {
  const object = objectAt(value);
  const reference = textAt(object.$ref);
  if (!reference.startsWith('#/')) return object;
  let found: unknown = document;
  for (const key of reference.slice(2).split('/')) {
    found = objectAt(found)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return objectAt(found);
}

function objectAt(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function listAt(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textAt(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

import type { Bundle, BundledOperation } from './bundle.ts';
import { type JsonObject, listAt, objectAt, textAt } from './document.ts';
import { describeOperation, exampleRequest, type OperationModel } from './reference.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * A Postman collection (format 2.1.0) of a bundle: a folder per tag, with the variables `baseUrl` and `apiKey`.
 *
 * @param server address of the gateway, without a slash at the end
 */
export function writePostman(bundle: Bundle, server: string): JsonObject {
  const { info } = bundle.document;
  const folders = new Map<string, BundledOperation[]>();
  for (const operation of bundle.operations) {
    const folder = operation.tags[0] ?? '';
    folders.set(folder, [...(folders.get(folder) ?? []), operation]);
  }
  const items = (operations: readonly BundledOperation[]) => operations.map((operation) => itemOf(bundle, operation));
  return {
    info: {
      name: textAt(objectAt(info).title) ?? '',
      description: textAt(objectAt(info).description) ?? '',
      schema,
    },
    variable: [
      { key: 'baseUrl', value: server, type: 'string' },
      { key: 'apiKey', value: '', type: 'string' },
    ],
    item: [...folders].flatMap(([name, operations]) =>
      name === '' ? items(operations) : [{ name, description: descriptionOf(bundle, name), item: items(operations) }],
    ),
  };
}

function descriptionOf({ document }: Bundle, tag: string): string {
  const found = listAt(document.tags).find((candidate) => objectAt(candidate).name === tag);
  return textAt(objectAt(found).description) ?? '';
}

function itemOf(bundle: Bundle, operation: BundledOperation): JsonObject {
  const model = describeOperation(bundle, operation);
  const { headers, body, method } = exampleRequest(operation, model, '');
  const secret = new Set(model.security.flat().map(({ parameter }) => parameter?.toLowerCase()));
  const shown = headers.filter(({ name }) => !secret.has(name.toLowerCase()) && name !== 'authorization');
  return {
    name: operation.summary || `${method} ${operation.path}`,
    request: {
      method,
      description: model.description,
      header: shown.map(({ name, value }) => ({ key: name, value })),
      auth: authOf(model),
      url: urlOf(operation, model),
      ...(body === null
        ? {}
        : body.kind === 'text'
          ? { body: { mode: 'raw', raw: body.text, options: { raw: { language: 'json' } } } }
          : {
              body: {
                mode: 'formdata',
                formdata: body.parts.map(({ name, value, fileName }) =>
                  fileName === null ? { key: name, value, type: 'text' } : { key: name, src: null, type: 'file' },
                ),
              },
            }),
    },
    response: [],
  };
}

function urlOf({ path }: BundledOperation, { parameters, security }: OperationModel): JsonObject {
  const segments = path.split('/').slice(1);
  const names = new Set(security.flat().flatMap(({ in: place, parameter }) => (place === 'query' ? [parameter] : [])));
  const query = parameters.filter((parameter) => parameter.in === 'query' && !names.has(parameter.name));
  const text = (value: unknown) =>
    value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const named = segments.map((segment) => segment.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => `:${name}`));
  return {
    raw: `{{baseUrl}}/${named.join('/')}`,
    host: ['{{baseUrl}}'],
    path: named,
    query: query.map(({ name, example, required, description }) => ({
      key: name,
      value: text(example),
      disabled: !required,
      description,
    })),
    variable: parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, example, description }) => ({ key: name, value: text(example), description })),
  };
}

function authOf({ security }: OperationModel): JsonObject {
  const scheme = security[0]?.[0];
  if (scheme === undefined) return { type: 'noauth' };
  if (scheme.type === 'apiKey') {
    return {
      type: 'apikey',
      apikey: [
        { key: 'key', value: scheme.parameter ?? 'x-api-key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: scheme.in === 'query' ? 'query' : 'header', type: 'string' },
      ],
    };
  }
  const type = scheme.scheme === 'basic' ? 'basic' : 'bearer';
  return type === 'basic'
    ? { type, basic: [] }
    : { type, bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] };
}

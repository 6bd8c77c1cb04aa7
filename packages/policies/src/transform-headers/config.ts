import * as z from 'zod';
import { HeaderValue, WritableHeaderName } from '../http.ts';
import type { PolicyKind } from '../kind.ts';

const reference =
  /^(?:variables\.[A-Za-z_][A-Za-z0-9_]{0,62}|request\.(?:id|method|path)|client\.ip|(?:app|product|developer|proxy|environment)\.(?:id|name))$/;

const Value = HeaderValue.refine((text) => {
  const references = [...text.matchAll(/\{\{([^{}]*)\}\}/g)];
  return text.split('{{').length - 1 === references.length && references.every(([, name]) => reference.test(name!));
}, 'Use {{variables.NAME}}, {{request.id}}, {{request.method}}, {{request.path}}, {{client.ip}}, or the id or name of app, ' +
  'product, developer, proxy or environment, such as {{app.name}}.').describe(
  'Value of the header. {{variables.NAME}} is replaced by a variable of the environment.',
);

const Header = z.strictObject({ name: WritableHeaderName.describe('Name of the header.'), value: Value });

const configuration = z.strictObject({
  remove: z.array(WritableHeaderName).max(100).default([]).describe('Headers to remove.'),
  rename: z
    .array(
      z.strictObject({
        from: WritableHeaderName.describe('Name as received.'),
        to: WritableHeaderName.describe('Name as passed on.'),
      }),
    )
    .max(100)
    .default([])
    .describe('Headers to rename.'),
  set: z.array(Header).max(100).default([]).describe('Headers to set, replacing those with the same name.'),
  append: z.array(Header).max(100).default([]).describe('Headers to add to those with the same name.'),
});

/** Headers of the request to the target, or of the response to the caller. */
export const transformHeaders = {
  kind: 'transform-headers',
  title: 'Transform Headers',
  description: 'Removes, renames, sets and appends headers, in this order.',
  flows: ['request', 'response'],
  rank: { request: 60, response: 20 },
  maxPerFlow: null,
  configuration,
  defaultConfiguration: { remove: [], rename: [], set: [], append: [] },
  example: {
    remove: ['x-powered-by'],
    rename: [{ from: 'x-correlation-id', to: 'x-request-id' }],
    set: [{ name: 'authorization', value: 'Bearer {{variables.TARGET_TOKEN}}' }],
    append: [{ name: 'via', value: '1.1 millrace' }],
  },
  // The target may identify the gateway by a value.
  secretFields: ['set.*.value', 'append.*.value'],
  impact: {
    added: { breaking: false, reason: 'Headers are changed.' },
    removed: { breaking: false, reason: 'Headers pass unchanged.' },
    changed() {
      return null;
    },
  },
} as const satisfies PolicyKind;

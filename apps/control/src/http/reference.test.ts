import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OpenApiDocument } from '@millrace/openapi/document';
import { lintDocument } from '@millrace/openapi/lint';
import { operations } from '../contracts.ts';
import { errors } from '../frame/errors.ts';
import type { AnyControlOperation } from '../frame/operation.ts';
import { referenceDocument } from './reference.ts';

interface Content {
  readonly [mediaType: string]: { readonly schema: object; readonly examples?: Record<string, object> };
}
interface Described {
  readonly description: string;
  readonly 'x-permissions': readonly string[];
  readonly 'x-role-restriction': string | null;
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

const all: readonly AnyControlOperation[] = operations;
const document = JSON.parse(JSON.stringify(referenceDocument(null)));

function describedOf({ method, path }: AnyControlOperation): Described {
  return document.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
}

/** The document with each error's example at one operation: they are the same everywhere, and linting them takes longest. */
function withEachErrorOnce() {
  const shown = new Set<string>();
  const shorter = structuredClone(document);
  for (const operations of Object.values<Record<string, Described>>(shorter.paths)) {
    for (const { responses } of Object.values(operations)) {
      for (const { content } of Object.values(responses)) {
        const examples = content['application/json']?.examples ?? {};
        for (const name of Object.keys(examples).filter((name) => Object.hasOwn(errors, name))) {
          if (shown.has(name)) delete examples[name];
          shown.add(name);
        }
      }
    }
  }
  return shorter;
}

/** The answer that describes an operation has parts named as in OpenAPI; the rule takes the description for the thing. */
function isOfDescribedOperation({ code, path }: { readonly code: string | number; readonly path: readonly unknown[] }) {
  const isDescription =
    path.includes('CatalogOperationPage') || path.includes('/api/portal/catalog/{productId}/operations/{operationId}');
  return code === 'oas3-valid-media-example' && isDescription;
}

describe('the reference', () => {
  test('satisfies Spectral’s OpenAPI ruleset', async () => {
    // The duration is not checked here: a busy machine takes several times as long.
    const findings = await lintDocument(withEachErrorOnce() as OpenApiDocument, undefined, 300_000);
    const problems = findings
      .filter((finding) => !isOfDescribedOperation(finding))
      .map(({ code, severity, path, message }) => `${severity} ${code} ${path.join('.')}: ${message}`);
    assert.deepEqual(problems, []);
  });

  test('says who can call each operation', () => {
    for (const operation of all) {
      const { description, security, ...described } = describedOf(operation);
      const { permissions, restriction, auth } = operation;
      assert.deepEqual(described['x-permissions'], permissions, operation.id);
      assert.equal(described['x-role-restriction'], restriction, operation.id);
      assert.equal(security.length === 0, auth === 'public' || auth === 'portal_visitor', operation.id);
      const admitted: Readonly<Record<string, RegExp>> = {
        public: /No sign-in is needed/,
        node: /Gateway nodes only, by token/,
        session: /Any signed-in/,
        portal: /Portal users signed in/,
        portal_visitor: /Any visitor/,
      };
      assert.match(description, permissions.length === 0 ? admitted[auth]! : /Permission:/, operation.id);
      for (const permission of permissions) assert(description.includes(`\`${permission}\``), operation.id);
      if (restriction !== null) assert.match(description, /Only for the role Super Admin/, operation.id);
    }
  });

  test('has a request, a response and errors for each operation', () => {
    for (const operation of all) {
      const { parameters, requestBody, responses } = describedOf(operation);
      for (const { name, in: place, example } of parameters) {
        if (place === 'path') assert(example !== undefined, `${operation.id} shows no ${name}`);
      }
      if (operation.request.body !== undefined) {
        assert(requestBody?.content['application/json']?.examples, `${operation.id} shows no body`);
      }
      const mediaType = operation.download?.mediaType ?? 'application/json';
      const success = responses[operation.successStatus]?.content ?? {};
      assert.deepEqual(Object.keys(success), [mediaType], operation.id);
      assert(success[mediaType]?.examples, `${operation.id} shows no answer`);
      for (const code of operation.errors) {
        const shown = responses[errors[code].status]?.content['application/json']?.examples ?? {};
        assert(code in shown, `${operation.id} does not show ${code}`);
      }
    }
  });
});

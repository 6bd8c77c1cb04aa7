import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { diffDocuments } from '@millrace/openapi/diff';
import type { JsonObject, OpenApiDocument } from '@millrace/openapi/document';
import { textsByLanguage } from '@millrace/portal-pages/texts';

const germanChange = textsByLanguage.de.changeText;

const withOperation = (operation: JsonObject, path = '/orders'): OpenApiDocument =>
  ({ openapi: '3.1.0', info: { title: 'Orders', version: '1' }, paths: { [path]: { post: operation } } }) as never;
const withBody = (schema: JsonObject, type = 'application/json', required = false) =>
  withOperation({ requestBody: { required, content: { [type]: { schema } } } });
const withQuery = (parameter: JsonObject) =>
  withOperation({ parameters: [{ in: 'query', name: 'due: soon', ...parameter }] });

/** Pairs of documents whose differences are described by every kind of sentence. */
const pairs: readonly (readonly [OpenApiDocument, OpenApiDocument])[] = [
  [withOperation({}), withOperation({}, '/bills')],
  [withOperation({ summary: 'a', description: 'a' }), withOperation({ summary: 'b', description: 'b' })],
  [withOperation({ operationId: 'a' }), withOperation({ operationId: 'b', deprecated: true })],
  [withOperation({ security: [{ key: [] }] }), withOperation({ security: [{ other: [] }] })],
  [withOperation({ security: [{ key: [] }] }), withOperation({ security: [] })],
  [withOperation({}), withQuery({})],
  [withOperation({}), withQuery({ required: true })],
  [withQuery({}), withOperation({})],
  [withQuery({}), withQuery({ required: true })],
  [withQuery({ required: true }), withQuery({})],
  [withOperation({}), withBody({}, 'application/json', true)],
  [withBody({}), withOperation({})],
  [withBody({}), withBody({}, 'application/xml')],
  [withOperation({ responses: { 200: {} } }), withOperation({ responses: { 201: {} } })],
  [
    withOperation({ responses: { 200: { content: { 'text/plain': {} } } } }),
    withOperation({ responses: { 200: { content: { 'text/csv': {} } } } }),
  ],
  [withBody({ type: 'string' }), withBody({ type: ['integer', 'null'] })],
  [withBody({ type: 'string' }), withBody({})],
  [withBody({}), withBody({ enum: ['a'] })],
  [withBody({ enum: ['a'] }), withBody({})],
  [withBody({ enum: ['a: the value "b" is new.'] }), withBody({ enum: ['b'] })],
  [withBody({ minLength: 1, pattern: 'a' }), withBody({ maxItems: 2, format: 'b' })],
  [withBody({ properties: { a: {} } }), withBody({ properties: { b: {} }, additionalProperties: false })],
  [withBody({}), withBody({ properties: { 'a, b: c': {} }, required: ['a, b: c'] })],
  [withBody({ properties: { a: {} } }), withBody({ properties: { a: {} }, required: ['a'] })],
  [withBody({ properties: { a: {} }, required: ['a'] }), withBody({ properties: { a: {} } })],
  [withBody({ anyOf: [{}] }), withBody({ anyOf: [{}, {}] })],
];

describe('the change log in German', () => {
  test('has every sentence that a comparison writes', () => {
    const texts = pairs.flatMap(([before, after]) => diffDocuments(before, after).map(({ text }) => text));
    assert.ok(texts.length > 30, `${texts.length} sentences`);
    assert.deepEqual(
      texts.filter((text) => germanChange(text) === null),
      [],
    );
    const english = /\b(?:The|was|is|are|now|required|removed|added|longer)\b/;
    assert.deepEqual(
      texts.map((text) => germanChange(text)!).filter((text) => english.test(text.replaceAll(/".*"/g, ''))),
      [],
    );
  });

  test('says the same as the English sentence', () => {
    for (const [english, german] of [
      ['GET /v1/orders/{orderId} was removed.', 'GET /v1/orders/{orderId} wurde entfernt.'],
      ['The query parameter due is now required.', 'Der Query-Parameter due wird jetzt verlangt.'],
      ['The body, lines[].sku: the property was removed.', 'Der Body, lines[].sku: die Eigenschaft wurde entfernt.'],
      [
        'The response 200: the type was any and is string or null.',
        'Die Antwort 200: Typ bisher beliebig, jetzt string oder null.',
      ],
      ['The body, a: maxLength was open and is 5.', 'Der Body, a: maxLength bisher offen, jetzt 5.'],
      ['The response 404 was added.', 'Die Antwort 404 wurde hinzugefügt.'],
      ['Something else happened.', null],
    ] as const) {
      assert.equal(germanChange(english), german);
    }
  });

  test('answers hostile sentences quickly', () => {
    const started = performance.now();
    for (const text of [
      'The query parameter '.repeat(100),
      ': was is may '.repeat(150),
      `The body, ${'a: '.repeat(600)}`,
    ]) {
      germanChange(text);
      germanChange(text.repeat(1_000));
    }
    // Searched in quadratic time, two million characters take hours.
    assert.ok(performance.now() - started < 20_000);
  });
});

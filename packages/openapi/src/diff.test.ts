import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { diffDocuments } from './diff.ts';
import { type JsonObject, type OpenApiDocument, objectAt } from './document.ts';
import { importDocument } from './import.ts';

let pets: OpenApiDocument;

before(async () => {
  const text = readFileSync(new URL('./fixtures/pets-3.0.yaml', import.meta.url), 'utf8');
  pets = (await importDocument(text)).document;
});

/** The differences after an edit: `operation: text`, with `!` for breaking ones. */
function changes(edit: (document: OpenApiDocument, pet: JsonObject) => void): readonly string[] {
  const after = structuredClone(pets);
  edit(after, objectAt(objectAt(objectAt(after.components).schemas).Pet));
  return diffDocuments(pets, after).map(
    ({ operation, text, breaking }) => `${operation}: ${text}${breaking ? ' !' : ''}`,
  );
}

const operation = (document: OpenApiDocument, path: string, method: string) =>
  objectAt(objectAt(objectAt(document.paths)[path])[method]);

describe('diff of two documents', () => {
  it('is empty for equal documents, including recursive schemas', () => {
    assert.deepEqual(
      changes(() => null),
      [],
    );
    assert.equal(diffDocuments(null, pets).length, 4);
    assert.ok(diffDocuments(null, pets).every(({ kind, breaking }) => kind === 'added' && !breaking));
    assert.ok(diffDocuments(pets, null).every(({ kind, breaking }) => kind === 'removed' && breaking));
  });

  it('reports operations, parameters and security that break callers', () => {
    assert.deepEqual(
      changes(({ paths }) => delete objectAt(objectAt(paths)['/']).post),
      ['POST /: POST / was removed. !'],
    );
    const list = (edit: (operation: JsonObject) => void) =>
      changes((document) => edit(operation(document, '/', 'get')));
    assert.deepEqual(
      list((get) => (get.summary = 'All pets')),
      ['GET /: The summary was changed.'],
    );
    assert.deepEqual(
      list((get) => (get.parameters = [])),
      ['GET /: The query parameter tag was removed. !'],
    );
    const tag = (more: JsonObject) => [{ name: 'tag', in: 'query', schema: { type: 'string' }, ...more }];
    assert.deepEqual(
      list((get) => (get.parameters = tag({ required: true }))),
      ['GET /: The query parameter tag is now required. !'],
    );
    assert.deepEqual(
      list((get) => (get.parameters = tag({ schema: { type: 'string', enum: ['dog'] } }))),
      ['GET /: The query parameter tag: only listed values are allowed. !'],
    );
    assert.deepEqual(
      list((get) => (get.parameters = [...tag({}), { name: 'page', in: 'query' }])),
      ['GET /: The query parameter page is new.'],
    );
    assert.deepEqual(
      list((get) => (get.security = [])),
      ['GET /: More callers are admitted.'],
    );
    assert.deepEqual(diffDocuments({ ...pets, security: [] }, pets).filter(({ breaking }) => breaking).length, 4);
  });

  it('treats schemas that callers send and schemas that they receive differently', () => {
    const needsTag = changes((_, pet) => (pet.required = ['id', 'name', 'tag']));
    assert.deepEqual(needsTag, [
      'GET /: The response 200, [].tag: the property is now required.',
      'POST /: The body, tag: the property is now required. !',
      'GET /{pet_id}: The response 200, tag: the property is now required.',
    ]);
    const withoutName = changes((_, pet) => delete objectAt(pet.properties).name);
    assert.deepEqual(
      withoutName.filter((text) => text.endsWith('!')),
      [
        'GET /: The response 200, [].name: the property was removed. !',
        'GET /{pet_id}: The response 200, name: the property was removed. !',
      ],
    );
    const anyId = changes(
      (_, pet) => (objectAt(pet.properties).id = { type: ['integer', 'string'], exclusiveMinimum: 0 }),
    );
    assert.deepEqual(
      anyId.map((text) => text.endsWith('!')),
      [true, false, true],
    );
    const moreTags = changes((_, pet) => (objectAt(objectAt(pet.properties).tag).enum = ['dog', 'cat', 'bird', null]));
    assert.deepEqual(
      moreTags.map((text) => text.endsWith('!')),
      [true, false, true],
    );
  });

  it('terminates on schemas crafted to take forever', () => {
    const schemas: JsonObject = {};
    for (let level = 0; level < 60; level++) {
      const next = { $ref: `#/components/schemas/S${level + 1}` };
      schemas[`S${level}`] = { allOf: [next, next], anyOf: [next, next], properties: { a: next, b: next } };
    }
    const hostile = (title: string): OpenApiDocument => ({
      paths: {
        '/': { get: { responses: { 200: { content: { j: { schema: { $ref: '#/components/schemas/S0' } } } } } } },
      },
      components: { schemas: { ...schemas, S60: { type: title } } },
    });
    const started = process.threadCpuUsage();
    diffDocuments(hostile('string'), hostile('integer'));
    assert.ok(process.threadCpuUsage(started).user < 2_000_000);
  });
});

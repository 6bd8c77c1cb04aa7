import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { objectAt } from './document.ts';
import { ImportError, importDocument } from './import.ts';

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');

async function errors(text: string): Promise<Readonly<Record<string, string>>> {
  try {
    await importDocument(text);
  } catch (error) {
    assert.ok(error instanceof ImportError, String(error));
    return error.errors;
  }
  return {};
}

const small = (more: object = {}) =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '2.1' }, paths: { '/a': { get: {} } }, ...more });

describe('import', () => {
  it('reads OpenAPI 3.0 from YAML, as 3.1', async () => {
    const imported = await importDocument(fixture('pets-3.0.yaml'));
    assert.equal(imported.basePath, '/v3/pets');
    assert.equal(imported.authScheme, 'api_key');
    assert.deepEqual(
      imported.routes.map(({ method, pathPattern, operationId }) => `${method} ${pathPattern} ${operationId}`),
      ['GET / listPets', 'POST / createPet', 'GET /{pet_id} readPet', 'DELETE /{pet_id} deletePet'],
    );
    assert.equal(imported.routes[0]!.summary, 'List pets');
    assert.deepEqual(imported.warnings, [
      '/{pet-id} is now /{pet_id}.',
      '/{pet-id}/photo.{format} was left out: path parameters must be whole segments with different names.',
    ]);
    assert.equal(imported.document.openapi, '3.1.0');
    const pet = objectAt(objectAt(objectAt(imported.document.components).schemas).Pet);
    assert.deepEqual(pet.properties, {
      id: { type: 'integer', exclusiveMinimum: 0 },
      name: { type: 'string', examples: ['Rex'] },
      tag: { type: ['string', 'null'], enum: ['dog', 'cat', null] },
      nullable: { type: 'string', contentEncoding: 'base64' },
      owner: { anyOf: [{ allOf: [{ $ref: '#/components/schemas/Owner' }] }, { type: 'null' }] },
    });
    assert.match(JSON.stringify(imported.document.paths), /"example":\{"nullable":true\}/, 'data stays as it is');
    assert.match(JSON.stringify(imported.document.paths), /"name":"pet_id","in":"path"/);
  });

  it('accepts 3.1 unchanged, and proposes a base path with a version', async () => {
    const imported = await importDocument(small());
    assert.equal(imported.basePath, '/v2/a');
    assert.equal(imported.serverPath, '');
    assert.equal(imported.authScheme, 'none');
    const served = { servers: [{ url: 'https://{host}/{base}', variables: { base: { default: 'v1/orders/' } } }] };
    const { basePath, serverPath } = await importDocument(small(served));
    assert.deepEqual([basePath, serverPath], ['/v1/orders', '/v1/orders']);
    assert.equal(
      (await importDocument(small({ servers: [{ url: 'https://x.example.com/shop' }] }))).basePath,
      '/v2/shop',
    );
  });

  it('reports what prevents the import, and where', async () => {
    assert.match((await errors('{"swagger":"2.0"}'))['/swagger']!, /Convert/);
    assert.ok((await errors(small({ openapi: '4.0.0' })))['/openapi']);
    assert.ok((await errors(small({ info: {} })))['/info/title']);
    assert.ok((await errors(small({ paths: { '/a': { get: 1 } } })))['/paths/~1a/get']);
    assert.ok((await errors(small({ paths: {} })))['/paths']);
    const outside = {
      components: { schemas: { A: { $ref: 'https://example.com/a.json' }, B: { $ref: '#/nowhere' } } },
    };
    assert.deepEqual(Object.keys(await errors(small(outside))).sort(), [
      '/components/schemas/A/$ref',
      '/components/schemas/B/$ref',
    ]);
    assert.match((await errors('openapi: 3.0.0\n\tinfo: x'))['']!, /line 2/);
    assert.ok((await errors('just a text'))['']);
  });

  it('rejects what is too large or too deep', async () => {
    assert.match((await errors(' '.repeat(5_000_001)))['']!, /5 MB/);
    assert.match((await errors(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`))['']!, /100 levels/);
    assert.ok((await errors('['.repeat(100_000)))['']);
    assert.ok((await errors(`a: ${'['.repeat(100_000)}`))['']);
    assert.ok((await errors('a: &a [*a]'))['']);
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 10; level++) {
      bomb.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    }
    assert.ok((await errors(bomb.join('\n')))['']);
    assert.ok((await importDocument(small())).routes.length === 1, 'and works on');
  });
});

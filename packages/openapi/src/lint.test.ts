// biome-ignore-all lint/suspicious/noThenProperty: the key is Spectral's.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { ConfinedError } from './confined.ts';
import type { OpenApiDocument } from './document.ts';
import { lintDocument, parseRuleset, type Ruleset } from './lint.ts';

const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: '/v1/orders' }],
  paths: {
    '/': { get: { operationId: 'list', responses: { 200: { description: 'Orders.' } } } },
    '/{id}': { get: { operationId: 'list', responses: { 200: { description: 'One.' } } } },
  },
};

async function admitted(text: string): Promise<Ruleset> {
  const parsed = await parseRuleset(text);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  return parsed.ruleset;
}

describe('lint', () => {
  it('reports violations of the OpenAPI rules with severity, path and line', async () => {
    const findings = await lintDocument(document);
    const unique = findings.find(({ code }) => code === 'operation-operationId-unique');
    assert.equal(unique?.severity, 'error');
    assert.deepEqual(unique?.path, ['paths', '/{id}', 'get', 'operationId']);
    const lines = JSON.stringify(document, null, 2).split('\n');
    assert.match(lines[unique!.line - 1]!, /"operationId": "list"/);
    assert.ok(findings.some(({ code, severity }) => code === 'path-params' && severity === 'error'));
    assert.ok(findings.some(({ severity }) => severity === 'warning'));
  });

  it('runs custom rules, and overrides built-in ones', async () => {
    const ruleset = await admitted(`
extends: [[spectral:oas, off]]
rules:
  path-params: warn
  summary-needed:
    description: Operations have a summary.
    message: "{{description}} Missing {{property}}."
    severity: error
    given: $.paths[*][get,put,post]
    then: { field: summary, function: truthy }
  title-form:
    given: $.info
    then:
      - { field: title, function: casing, functionOptions: { type: camel } }
`);
    const findings = await lintDocument(document, ruleset);
    assert.deepEqual(findings.map(({ code, severity }) => `${severity} ${code}`).sort(), [
      'error summary-needed',
      'error summary-needed',
      'warning path-params',
      'warning title-form',
    ]);
    assert.match(findings.find(({ code }) => code === 'summary-needed')!.message, /^Operations have a summary\./);
  });

  it('stops a pattern that never terminates, and keeps working', async () => {
    const ruleset = await admitted(
      JSON.stringify({
        rules: {
          slow: { given: '$.info.title', then: { function: 'pattern', functionOptions: { match: '^(a+)+$' } } },
        },
      }),
    );
    const hostile = { ...document, info: { title: `${'a'.repeat(60)}!`, version: '1' } };
    await assert.rejects(lintDocument(hostile, ruleset), (error) => {
      assert.ok(error instanceof ConfinedError);
      assert.equal(error.message, 'It took longer than 5 seconds.');
      return true;
    });
    assert.ok((await lintDocument(document)).length > 0);
  });

  it('never fetches a reference', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.end('{}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      const { port } = server.address() as AddressInfo;
      for (const reference of [`http://127.0.0.1:${port}/x.json`, 'file:///etc/passwd', './package.json']) {
        const findings = await lintDocument({ ...document, components: { schemas: { A: { $ref: reference } } } });
        assert.doesNotMatch(JSON.stringify(findings), /root:|millrace/);
        assert.ok(
          findings.some(({ code }) => code === 'invalid-ref'),
          reference,
        );
      }
      assert.equal(asked, 0);
    } finally {
      server.close();
    }
  });
});

describe('ruleset', () => {
  const errors = async (value: unknown) => {
    const parsed = await parseRuleset(typeof value === 'string' ? value : JSON.stringify(value));
    return parsed.ok ? {} : parsed.errors;
  };
  const rule = (more: object) => ({ rules: { r: { given: '$', then: { function: 'truthy' }, ...more } } });

  it('reports what is wrong and where', async () => {
    assert.deepEqual(Object.keys(await errors('rules: [')), ['']);
    assert.deepEqual(Object.keys(await errors(rule({ severity: 'fatal' }))), ['rules.r.severity']);
    assert.deepEqual(Object.keys(await errors(rule({ then: { function: 'nonsense' } }))), ['rules.r.then.function']);
    assert.deepEqual(
      Object.keys(await errors(rule({ then: { function: 'pattern', functionOptions: { match: '(' } } }))),
      ['rules.r.then.functionOptions.match'],
    );
    assert.deepEqual(await errors({ rules: { r: 'off' } }), { 'rules.r': 'Describe the rule: given, then.' });
    assert.deepEqual(await errors({ extends: 'spectral:oas', rules: { 'info-contact': 'off' } }), {});
  });

  it('rejects rules that run code or fetch something', async () => {
    assert.ok((await errors({ extends: 'https://example.com/rules.yaml', rules: {} })).extends);
    assert.ok((await errors({ extends: ['./rules.js'], rules: {} }))['extends.0']);
    assert.ok((await errors({ functions: ['f'], functionsDir: '/tmp', rules: {} })).functions);
    for (const given of [
      '$..[?(@.constructor.constructor("return process")())]',
      '$[(@.length-1)]',
      '$..[?(process.exit())]',
      '$.a[?(@.b == `x`)]',
      'a',
      '$..',
    ]) {
      assert.ok((await errors(rule({ given })))['rules.r.given'], given);
    }
    for (const given of [
      '$.paths[*][get,put]~',
      "$.paths['/a']",
      '$..[?(@.type == "object" && @.x-y)]',
      '$..parameters[*]',
    ]) {
      assert.deepEqual(await errors(rule({ given })), {}, given);
    }
    const schema = { function: 'schema', functionOptions: { schema: { $ref: 'https://example.com/s.json' } } };
    assert.ok((await errors(rule({ then: schema })))['rules.r.then.functionOptions.schema']);
    assert.ok((await errors('a: &a [1]\nrules: {b: *a}'))['']);
    assert.ok((await errors(`rules: ${'['.repeat(50_000)}`))['']);
    assert.ok((await errors(' '.repeat(300_000)))['']);
  });
});

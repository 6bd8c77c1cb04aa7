import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { markHit } from '../response-cache/hits.ts';
import type { AnswerHead, BodyTransform } from '../run.ts';
import { answerOf, exchangeOf, partsOf, policyOf, transformed } from '../testing.ts';
import { compileDataMasking } from './run.ts';

const rules = [{ jsonPath: '$..secret' }, { detector: 'card' }];

function answerTo(
  configuration: Record<string, unknown>,
  headers: readonly string[],
  more: Partial<AnswerHead> & { readonly status?: number } = {},
) {
  const { status = 200, ...head } = more;
  const answer = answerOf(status, headers, head);
  return {
    outcome: compileDataMasking(policyOf({ rules, ...configuration }), partsOf()).onHead(exchangeOf(), answer),
    answer,
  };
}

function transformOf(configuration: Record<string, unknown>, headers: readonly string[], more = {}): BodyTransform {
  const { outcome } = answerTo(configuration, headers, more);
  assert.ok(outcome && 'write' in outcome, headers.join(': '));
  return outcome;
}

function masked(contentType: string, body: string | Uint8Array, configuration = {}): string {
  const bytes = Buffer.from(body);
  const whole = transformed(transformOf(configuration, ['Content-Type', contentType]), [bytes]);
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  assert.deepEqual(transformed(transformOf(configuration, ['Content-Type', contentType]), single), whole);
  return whole.toString();
}

const refused = (headers: readonly string[], more = {}) => {
  const { outcome } = answerTo({}, headers, more);
  assert.ok(outcome && 'error' in outcome && outcome.error === 'policy_unavailable', headers.join(': '));
  assert.equal(answerTo({ failOpen: true }, headers, more).outcome, null, 'passes where it fails open');
};

describe('data masking', () => {
  it('requests a complete, unencoded response from the target', () => {
    const exchange = exchangeOf({
      headers: [
        'Accept-Encoding',
        'gzip',
        'Range',
        'bytes=0-5',
        'If-Range',
        '"a"',
        'If-None-Match',
        '"a"',
        'Accept',
        '*/*',
      ],
    });
    compileDataMasking(policyOf({ rules }), partsOf()).onRequest!(exchange);
    assert.deepEqual(exchange.request.headers.fields, ['Accept', '*/*', 'accept-encoding', 'identity']);
  });

  it('masks whatever the status, and every kind of JSON', () => {
    for (const status of [200, 201, 203, 400, 404, 500, 503]) {
      const transform = transformOf({}, ['Content-Type', 'application/json'], { status });
      assert.equal(transformed(transform, [Buffer.from('{"secret":"x"}')]).toString(), '{"secret":"***"}');
    }
    for (const type of [
      'application/json',
      'APPLICATION/JSON ; charset="UTF-8"',
      'application/problem+json',
      'application/vnd.a.b+json',
      'text/json',
    ]) {
      assert.equal(masked(type, '{"secret":1,"a":"4111111111111111"}'), '{"secret":"***","a":"***"}', type);
    }
    assert.equal(
      masked('application/x-ndjson', '{"secret":1}\n{"secret":2}\n'),
      '{"secret":"***"}\n{"secret":"***"}\n',
    );
  });

  it('masks text by detectors, and JSON labelled as text by its paths', () => {
    assert.equal(masked('text/html; charset=iso-8859-1', '<p>4111 1111 1111 1111</p>'), '<p>***</p>');
    const cards = { rules: [{ detector: 'card' }] };
    assert.equal(masked('application/xml', '<card>4111111111111111</card>', cards), '<card>***</card>');
    assert.equal(masked('text/plain', ' \n{"secret":"x"}'), ' \n{"secret":"***"}');
    assert.equal(masked('text/plain', '  '), '  ');
    assert.equal(
      masked('text/event-stream', 'data: 4111111111111111\n\n', { rules: [{ detector: 'card' }] }),
      'data: ***\n\n',
    );
    for (const failOpen of [false, true]) {
      const events = transformOf({ rules: [{ detector: 'card' }], failOpen, maxBodyBytes: 10 }, [
        'Content-Type',
        'text/event-stream',
      ]);
      assert.equal(Buffer.from(events.write(Buffer.from('data: 4111111111111111\n\nda'))!).toString(), 'data: ***\n\n');
    }
    const untyped = transformed(transformOf({}, []), [Buffer.from('[{"secret":1}]')]);
    assert.equal(untyped.toString(), '[{"secret":"***"}]');
    const latin = Buffer.from([0xe9, 0x20, ...Buffer.from('4111111111111111')]);
    assert.deepEqual(
      transformed(transformOf(cards, ['Content-Type', 'text/csv']), [latin]),
      Buffer.from([0xe9, 0x20, ...Buffer.from('***')]),
    );
  });

  it('reads the charset of a media type however long its header is', () => {
    const blanks = '\t'.repeat(4_000);
    assert.equal(masked(`text/plain; charset=${blanks}"utf-8"${blanks}`, '4111111111111111'), '***');
    refused(['Content-Type', `text/plain; charset=${blanks}x${blanks}"r`]);
  });

  it('rejects unreadable responses, or passes them if it fails open', () => {
    for (const type of [
      'image/png',
      'application/pdf',
      'application/octet-stream',
      'multipart/mixed',
      'application/x-www-form-urlencoded',
      'text/plain; charset=utf-16',
      'text/plain; charset=utf-7',
      'nonsense',
      'text/event-stream',
      // Notations in which a caller could ask for what the paths find in JSON.
      'application/xml',
      'image/svg+xml',
      'application/atom+xml',
      'text/yaml',
      'application/javascript',
      'text/javascript; charset=utf-8',
      'text/csv',
    ]) {
      refused(['Content-Type', type]);
    }
    refused(['Content-Type', 'application/json', 'Content-Type', 'image/png']);
    refused(['Content-Type', 'application/json', 'Content-Encoding', 'gzip']);
    refused(['Content-Type', 'application/json', 'Content-Encoding', 'identity', 'Content-Encoding', 'br']);
    refused(['Content-Type', 'application/json'], { status: 206 });
    refused(['Content-Type', 'application/json', 'Content-Range', 'bytes 0-1/2']);
    refused(['Content-Type', 'application/json'], { contentLength: 5_242_881 });
    refused([], { status: 101 });
  });

  it('fails within the body if it turns out that it can’t be masked', () => {
    const run = (headers: readonly string[], body: Uint8Array, configuration = {}) =>
      transformed(transformOf(configuration, headers), [body]);
    const json = ['Content-Type', 'application/json'];
    assert.throws(() => run(json, Buffer.from('{"secret":')));
    assert.throws(() => run(json, gzipSync('{"secret":1}')), 'encoded without saying so');
    assert.throws(() => run(['Content-Type', 'text/plain'], Buffer.from('4111111111111111', 'utf16le')));
    assert.throws(() => run(json, Buffer.from(`"${'x'.repeat(1_000)}"`), { maxBodyBytes: 1_000 }), /larger/);
    const open = { failOpen: true, maxBodyBytes: 1_000 };
    for (const body of ['{"secret":', `"4111111111111111${'x'.repeat(2_000)}"`]) {
      const transform = transformOf(open, json);
      assert.equal(
        transformed(transform, [
          Buffer.from(body.slice(0, 5)),
          Buffer.from(body.slice(5, 900)),
          Buffer.from(body.slice(900)),
        ]).toString(),
        body,
      );
    }
    assert.equal(run(json, Buffer.from('{"secret":1}'), open).toString(), '{"secret":"***"}');
  });

  it('holds the head of a small response so that a failure has its own response, and streams a large one', () => {
    const headers = ['Content-Type', 'application/json'];
    assert.equal(transformOf({}, headers, { contentLength: 65_536 }).heldBytes, Infinity);
    assert.equal(transformOf({}, headers, { contentLength: 65_537 }).heldBytes, 65_536);
    assert.equal(transformOf({}, headers).heldBytes, 65_536);
    assert.equal(transformOf({}, ['Content-Type', 'application/x-ndjson']).heldBytes, 1, 'lines are read as they come');
    const transform = transformOf({}, headers);
    const first = transform.write(Buffer.from('[{"secret":1,"a":2},{"sec'));
    assert.equal(Buffer.from(first!).toString(), '[{"secret":"***","a":2},{');
  });

  it('removes headers that describe the unmasked body', () => {
    const headers = [
      'Content-Type',
      'application/json',
      'ETag',
      '"md5"',
      'Content-MD5',
      'x',
      'Repr-Digest',
      'x',
      'Content-Digest',
      'x',
      'Digest',
      'x',
      'Accept-Ranges',
      'bytes',
      'Content-Length',
      '5',
      'X-Kept',
      '1',
    ];
    for (const more of [{}, { bodiless: true }, { status: 304, bodiless: true }]) {
      assert.deepEqual(answerTo({}, headers, more).answer.headers.fields, [
        'Content-Type',
        'application/json',
        'X-Kept',
        '1',
      ]);
    }
    assert.equal(
      answerTo({}, ['Content-Type', 'image/png'], { bodiless: true }).outcome,
      null,
      'no body, nothing to mask',
    );
  });

  it('doesn’t mask a cached response again', () => {
    const policy = compileDataMasking(policyOf({ rules }), partsOf());
    const exchange = exchangeOf();
    markHit(exchange);
    assert.equal(policy.onHead(exchange, answerOf(200, ['Content-Type', 'application/json'])), null);
    const reused = Object.assign(exchange, { id: 'another' });
    assert.ok(policy.onHead(reused, answerOf(200, ['Content-Type', 'application/json'])), 'another request');
  });

  it('applies the first of two rules for one value', () => {
    const both = {
      rules: [
        { detector: 'card', replacement: 'partial' },
        { detector: 'card', replacement: 'redact' },
      ],
    };
    assert.equal(masked('application/json', '"4111111111111111"', both), '"****1111"');
    const paths = {
      rules: [
        { jsonPath: '$.a', replacement: 'partial' },
        { jsonPath: '$..a', replacement: 'redact' },
      ],
    };
    assert.equal(masked('application/json', '{"a":"0123456789"}', paths), '{"a":"***"}', 'the stricter of two places');
  });
});

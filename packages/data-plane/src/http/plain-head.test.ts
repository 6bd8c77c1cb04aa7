import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldStride } from '@millrace/policies/headers';
import { readRequestHead } from '../http-server/request-head.ts';
import { readTarget } from '../http-server/request-target.ts';
import { internals, publicInterfaces } from '../node-internals/internals.ts';
import type { MessageType, NewMessageReader } from '../node-internals/message-reader.ts';
import { randomOf } from '../testing-random.ts';
import { newSpans, Parser } from './parser.ts';
import { readPlainHead } from './plain-head.ts';

const maxBytes = 32_768;

describe('a head read without llhttp', () => {
  test('is accepted by llhttp with the same result', () => {
    const next = randomOf(20_261_121);
    const random: Random = (below) => Math.floor(next() * below);
    let plain = 0;
    for (let round = 0; round < 40_000; round++) {
      const isRequest = random(2) === 0;
      const text = mutated(isRequest ? requestOf(random) : answerOf(random), random);
      plain += agree(isRequest, text) ? 1 : 0;
    }
    // Neither all nor none, so that both were compared.
    assert(plain > 2_500 && plain < 35_000, `${plain} were read so`);
  });

  test('is a usual one of a browser, a client and a server', () => {
    for (const text of [
      'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
      'POST /v1/a?b=%20c HTTP/1.1\r\nHost: a:80\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
      'DELETE /a/b HTTP/1.1\r\nhost:a\r\naccept: */*\r\nx-empty:\r\nx-space: \t a b \t\r\nconnection: close\r\n\r\n',
    ]) {
      assert(agree(true, text), text);
    }
    assert(agree(false, 'HTTP/1.1 200 OK\r\nDate: Sat, 21 Nov 2026 12:26:12 GMT\r\nContent-Length: 1\r\n\r\na'));
    assert(agree(false, 'HTTP/1.1 404\r\n\r\n'));
  });

  test('is never chunked, of another protocol or version, or incomplete', () => {
    for (const text of [
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'GET / HTTP/1.0\r\nHost: a\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\n\r',
    ]) {
      assert(!agree(true, text), text);
    }
  });
});

describe('the portable reader', () => {
  test('finds in a head what llhttp finds, and rejects nothing else that the gateway passes on', () => {
    const next = randomOf(20_261_122);
    const random: Random = (below) => Math.floor(next() * below);
    let accepted = 0;
    for (let round = 0; round < 40_000; round++) {
      const type = random(2) === 0 ? 'request' : 'answer';
      const text = mutated(type === 'request' ? requestOf(random) : answerOf(random), random);
      const chunk = Buffer.from(text, 'latin1');
      const ends = [1, 1 + random(chunk.length), chunk.length];
      const found = readIn(ends, chunk, type, publicInterfaces.newMessageReader);
      const expected = readIn(ends, chunk, type, internals.newMessageReader);
      if (found.end >= 0 && expected.end >= 0) {
        assert.deepEqual(found, expected, JSON.stringify(text));
        accepted++;
      } else if (type === 'request') {
        const isPassedOn = found.end >= 0 ? found.isPassedOn : expected.end >= 0 && expected.isPassedOn;
        assert.ok(!isPassedOn, `${JSON.stringify(text)}: ${found.end}, llhttp ${expected.end}`);
      }
    }
    assert.ok(accepted > 5_000, `${accepted} were accepted`);
  });

  test('finds in a chunked body what llhttp finds', () => {
    const next = randomOf(20_261_123);
    const random: Random = (below) => Math.floor(next() * below);
    let accepted = 0;
    for (let round = 0; round < 20_000; round++) {
      const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
      const body = mutated(chunksOf(random), random);
      const middle = random(body.length);
      const [found, expected] = [publicInterfaces, internals].map(({ newMessageReader }) => {
        const parser = new Parser('request', newSpans(), newMessageReader);
        const chunk = Buffer.from(head + body, 'latin1');
        let at = parser.readHead(chunk, 0, chunk.length, maxBytes);
        let text = '';
        for (const end of [head.length + middle, chunk.length]) {
          if (at < 0 || parser.ended) break;
          at = parser.readChunked(chunk, at, end);
          const { pieces } = parser;
          for (let index = 0; index < pieces.length; index += 2) {
            text += chunk.toString('latin1', pieces[index], pieces[index + 1]);
          }
        }
        parser.close();
        return at < 0 ? 'refused' : { at, text, ended: parser.ended };
      });
      // It may refuse more: it does not read what extensions are.
      if (found !== 'refused') {
        assert.deepEqual(found, expected, JSON.stringify(body));
        accepted++;
      }
    }
    assert.ok(accepted > 5_000, `${accepted} were accepted`);
  });
});

/** Compares both ways; whether llhttp was not needed. */
function agree(isRequest: boolean, text: string): boolean {
  const chunk = Buffer.from(text, 'latin1');
  const type = isRequest ? 'request' : 'answer';
  const head = {
    spans: newSpans(),
    codes: new Uint8Array(128),
    count: 0,
    urlStart: 0,
    urlEnd: 0,
    method: '',
    status: 0,
  };
  const isPlain = readPlainHead(head, isRequest, chunk, 0, chunk.length) >= 0;
  const { newMessageReader } = internals;
  const found = readIn([1, chunk.length], chunk, type, newMessageReader);
  assert.deepEqual(readIn([chunk.length], chunk, type, newMessageReader), found, JSON.stringify(text));
  return isPlain;
}

/** What a parser finds that gets the chunk up to these positions, one after the other. A head in two parts goes to llhttp. */
function readIn(ends: readonly number[], chunk: Buffer, type: MessageType, newReader: NewMessageReader) {
  const parser = new Parser(type, newSpans(), newReader);
  parser.bytes = chunk;
  let end = -1;
  let start = 0;
  for (const until of ends) {
    if (end === -1) end = parser.readHead(chunk, start, until, maxBytes);
    start = until;
  }
  const found =
    end < 0 ? { end, error: end === -2 ? parser.error : null, isPassedOn: false } : { end, ...headOf(parser) };
  parser.close();
  return found;
}

function headOf(parser: Parser) {
  parser.complete();
  const { bytes, count, urlStart, urlEnd, method, status, version, headBytes } = parser;
  const url = bytes.toString('latin1', urlStart, urlEnd);
  const spans = parser.spans.slice(0, count * fieldStride);
  // All parsers have the same codes.
  const target = { path: '', query: '', authority: null };
  const isPassedOn = readRequestHead(parser, false) !== null && readTarget(bytes, urlStart, urlEnd, target);
  return { url, method, status, version, headBytes, spans, codes: parser.codes.slice(0, count), isPassedOn };
}

type Random = (below: number) => number;

function requestOf(random: Random): string {
  const method = pick(random, ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'get', 'CONNECT']);
  const target = pick(random, ['/', '/v1/a', '/a?b=c&d', '/%20', '/a#b', 'http://a/b', '*', '/ä', '/a"b', '//a']);
  const version = pick(random, ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/1.2']);
  return `${method} ${target} ${version}\r\nHost: a\r\n${fieldsOf(random)}\r\nbehind`;
}

function chunksOf(random: Random): string {
  let chunks = '';
  for (let count = random(4); count > 0; count--) {
    const data = 'abcdefghijklmnopqrstuvwxyz'.slice(random(26));
    const size = pick(random, [data.length.toString(16), `0${data.length.toString(16).toUpperCase()}`]);
    chunks += `${size}${pick(random, ['', '', ';a', ';a=b', ';a="b c"'])}\r\n${data}\r\n`;
  }
  return `${chunks}0\r\n${pick(random, ['', 'Trailer: a\r\n'])}\r\nGET / HTTP/1.1`;
}

function answerOf(random: Random): string {
  const line = pick(random, ['HTTP/1.1 200 OK', 'HTTP/1.1 404', 'HTTP/1.1 204 ', 'HTTP/1.0 200 OK', 'HTTP/1.1 101 A']);
  return `${line}\r\n${fieldsOf(random)}\r\nbehind`;
}

function fieldsOf(random: Random): string {
  let fields = '';
  for (let count = random(6); count > 0; count--) {
    fields += pick(random, [
      'Accept: */*\r\n',
      'X-Empty:\r\n',
      'x-spaces: \t a \t b \t \r\n',
      'X-Latin: \u00e4\r\n',
      'Content-Length: 5\r\n',
      'content-length: 5 \r\n',
      'Content-Length: +5\r\n',
      'Content-Length:\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Connection: keep-alive\r\n',
      'Connection: close, X-Empty\r\n',
      'Upgrade: websocket\r\n',
      'Folded: a\r\n b\r\n',
      'Name : a\r\n',
      'X-RateLimit-Limit: 5\r\n',
      "!#$%&'*+.^_`|~-: a\r\n",
    ]);
  }
  return fields;
}

/** One in two with a byte that is missing, another, or one too many. */
function mutated(text: string, random: Random): string {
  if (random(2) === 0) return text;
  const at = random(text.length);
  const byte = pick(random, ['\r', '\n', '\0', ' ', '\t', ':', '\x7f', '\x80', 'a', '0', '\x0b', '"']);
  return text.slice(0, at) + pick(random, ['', byte]) + text.slice(at + random(2));
}

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[random(values.length)]!;
}

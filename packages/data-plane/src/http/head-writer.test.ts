import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeadWriter, PreparedText } from './head-writer.ts';
import { setRequestId } from './request-ids.ts';

const written = (write: (writer: HeadWriter) => void): string => {
  const writer = new HeadWriter(Buffer.alloc(1_000, '#'));
  write(writer);
  return writer.written().toString('latin1');
};

test('texts of all lengths follow one another, whichever way they are written', () => {
  const texts = Array.from({ length: 80 }, (_, length) => 'é0123456789abcdef'.repeat(5).slice(0, length));
  for (const text of texts) {
    const bytes = Buffer.from(text, 'latin1');
    const head = written((writer) => {
      writer.prepared(new PreparedText(text));
      writer.text(text);
      writer.integer(text.length);
      writer.prepared(new PreparedText(text));
      writer.copy(bytes, 0, bytes.length);
      writer.text('.');
    });
    assert.equal(head, `${text}${text}${text.length}${text}${text}.`);
  }
});

test('a writer that continues in new memory leaves earlier output alone', () => {
  const [first, second] = [Buffer.alloc(64), Buffer.alloc(64)];
  const writer = new HeadWriter(first);
  writer.prepared(new PreparedText('in the first'));
  const before = writer.written();
  writer.bytes = second;
  writer.length = 0;
  writer.prepared(new PreparedText('in the other'));
  assert.equal(before.toString(), 'in the first');
  assert.equal(writer.written().toString(), 'in the other');
});

test('requests have ids of their own, or those of a proxy', () => {
  const ids = Array.from({ length: 3_000 }, () => {
    const id = { idBegin: '', idEnd: '' };
    setRequestId(id);
    return id;
  });
  ids.splice(7, 0, { idBegin: 'of-a-proxy', idEnd: '' });
  for (const id of ids) {
    const line = written((writer) => writer.requestId(id));
    assert.equal(line, `X-Request-Id: ${id.idBegin}${id.idEnd}\r\n`);
  }
});

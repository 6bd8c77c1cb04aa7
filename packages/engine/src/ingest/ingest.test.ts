import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../errors.ts';
import { ingest } from './ingest.ts';

const limits = { sizeBytes: 2_000, pages: 10 };

test('a file is what its first bytes say', () => {
  assert.equal(ingest(Buffer.from('%PDF-1.7\n'), limits).mediaType, 'application/pdf');
  assert.equal(
    ingest(Buffer.concat([Buffer.alloc(900, 0x20), Buffer.from('%PDF-1.4')]), limits).mediaType,
    'application/pdf',
  );
  assert.equal(ingest(Buffer.from('89504e470d0a1a0a00', 'hex'), limits).mediaType, 'image/png');
  assert.equal(ingest(Buffer.from('ffd8ffe000104a464946', 'hex'), limits).mediaType, 'image/jpeg');
  assert.equal(ingest(Buffer.from('49492a0008000000', 'hex'), limits).mediaType, 'image/tiff');
  assert.equal(ingest(Buffer.from('4d4d002a00000008', 'hex'), limits).mediaType, 'image/tiff');
});

test('what the engine does not take is turned away by a code of its own', () => {
  const codeOf = (bytes: Uint8Array) => {
    try {
      ingest(bytes, limits);
    } catch (error) {
      return error instanceof EngineError ? error.code : error;
    }
    return null;
  };
  assert.equal(codeOf(Buffer.alloc(0)), 'empty_document');
  assert.equal(codeOf(Buffer.concat([Buffer.from('%PDF-1.7'), Buffer.alloc(2_000)])), 'file_too_large');
  assert.equal(codeOf(Buffer.from('GIF89a')), 'unsupported_file_type');
  assert.equal(codeOf(Buffer.from('invoice.pdf')), 'unsupported_file_type');
  assert.equal(codeOf(Buffer.concat([Buffer.alloc(1_500, 0x20), Buffer.from('%PDF-1.7')])), 'unsupported_file_type');
});

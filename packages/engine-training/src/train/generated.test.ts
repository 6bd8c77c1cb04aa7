import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { docTypes } from '@millrace/document-model';
import { ingest } from '@millrace/engine/ingest';
import { createReader } from '@millrace/engine/read/reader';
import { generateDocument, pdfOf } from '@millrace/synthetic-documents';

const reader = createReader();
after(() => reader.close());
const limits = { sizeBytes: 10_000_000, pages: 50 };

test('the words that a generated document is trained by are those that the reader finds in its PDF', async () => {
  for (const type of docTypes) {
    const generated = generateDocument({ type, seed: 'read back' });
    const { pages } = await reader.read(ingest(await pdfOf(generated), limits), limits);
    assert.equal(pages.length, generated.document.pages.length);
    generated.document.pages.forEach((page, index) => {
      const read = pages[index]!.words;
      assert.equal(read.length, page.words.length, type);
      for (const { text, box } of page.words) {
        const same = read.some(
          (word) =>
            word.text === text &&
            Math.abs(word.box.x0 - box.x0) < 0.5 &&
            // Some letters reach a little beyond their width.
            Math.abs(word.box.x1 - box.x1) < 0.2 * (box.y1 - box.y0) &&
            Math.abs(word.box.y0 - box.y0) < 1 &&
            Math.abs(word.box.y1 - box.y1) < 1,
        );
        assert.ok(same, `${type}: ${text}`);
      }
    });
  }
});

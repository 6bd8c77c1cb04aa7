import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtractedValue } from '@millrace/document-model';
import { withoutPayersAddress } from './payers-address.ts';

const valueAt = (value: string, x0: number, y0: number): ExtractedValue => ({
  value,
  confidence: 70,
  provenance: [{ page: 1, box: { x0, y0, x1: x0 + 90, y1: y0 + 8 }, text: value, source: 'ocr:ppocr:1' }],
  flags: [],
});

test('an address below the payer’s name is not the recipient’s, unless they share the box', () => {
  const payer = valueAt('QUILLON OPTICS CORP', 20, 40);
  const below = valueAt('4 GATEWAY PLAZA, NEWARK NJ 07102', 20, 50);
  const apart = valueAt('31 ASHWOOD TERRACE, MONTCLAIR NJ 07042', 20, 120);
  const nameOver = valueAt('JORIS A EXAMPLE', 20, 41);
  assert.deepEqual(withoutPayersAddress({ payer_name: payer, recipient_address: below }), { payer_name: payer });
  assert.ok(withoutPayersAddress({ payer_name: payer, recipient_address: apart }).recipient_address);
  assert.ok(
    withoutPayersAddress({ payer_name: payer, recipient_name: nameOver, recipient_address: below }).recipient_address,
  );
});

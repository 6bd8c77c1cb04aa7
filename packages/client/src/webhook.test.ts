import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signatureHeader } from '@millrace/webhooks';
import { isExtractionCompleted, verifyWebhook, WebhookSignatureError } from './index.ts';

const nowSeconds = 1_800_000_000;
const secret = 'whsec_newest';
const payload = {
  event: 'extraction.completed',
  timestamp: '2027-01-15T08:00:00.000Z',
  data: {
    document_id: 'doc_1',
    reference: 'MR-000001',
    doc_type: 'invoice',
    state: 'done',
    fields: { vendor_name: 'Bücher & Söhne' },
    lines: [],
    confidence: { vendor_name: 97 },
    source: 'api',
  },
};
const text = JSON.stringify(payload);
const body = new TextEncoder().encode(text);
const header = signatureHeader([secret], body, nowSeconds);

async function reasonOf(verified: Promise<unknown>) {
  const error = await verified.then(
    () => null,
    (rejected: unknown) => rejected,
  );
  return error instanceof WebhookSignatureError ? error.reason : error;
}

test('a delivery signed by the service is verified, from its bytes or its text', async () => {
  for (const raw of [body, text]) {
    const event = await verifyWebhook(raw, header, secret, { nowSeconds });
    assert.ok(isExtractionCompleted(event));
    assert.equal(event.data.fields.vendor_name, 'Bücher & Söhne');
  }
});

test('during a rotation, both the new and the old secret verify', async () => {
  const rotated = signatureHeader([secret, 'whsec_old'], body, nowSeconds);
  for (const known of [secret, 'whsec_old']) await verifyWebhook(body, rotated, known, { nowSeconds });
});

test('a different body, secret or time is rejected', async () => {
  const changed = text.replace('97', '98');
  assert.equal(await reasonOf(verifyWebhook(changed, header, secret, { nowSeconds })), 'mismatch');
  assert.equal(await reasonOf(verifyWebhook(body, header, 'whsec_other', { nowSeconds })), 'mismatch');
  const moved = header.replace(`t=${nowSeconds}`, `t=${nowSeconds + 1}`);
  assert.equal(await reasonOf(verifyWebhook(body, moved, secret, { nowSeconds })), 'mismatch');
});

test('a signature more than five minutes in the past or future is rejected, unless the tolerance allows it', async () => {
  for (const [seconds, reason] of [
    [300, null],
    [301, 'expired'],
    [-300, null],
    [-301, 'expired'],
  ] as const) {
    const late = verifyWebhook(body, header, secret, { nowSeconds: nowSeconds + seconds });
    assert.equal(await reasonOf(late), reason);
  }
  await verifyWebhook(body, header, secret, { nowSeconds: nowSeconds + 900, toleranceSeconds: 1_000 });
});

test('a malformed header is rejected', async () => {
  const signature = header.split(',')[1];
  for (const malformed of [
    '',
    null,
    undefined,
    't=1',
    signature,
    `t=x,${signature}`,
    `t=1,t=2,${signature}`,
    't=1,v1=ab',
  ]) {
    assert.equal(await reasonOf(verifyWebhook(body, malformed, secret, { nowSeconds })), 'malformed');
  }
});

test('an event of another kind is verified, and is not an extraction.completed', async () => {
  const other = JSON.stringify({ event: 'document.archived', timestamp: payload.timestamp, data: { id: 'doc_1' } });
  const signed = signatureHeader([secret], new TextEncoder().encode(other), nowSeconds);
  const event = await verifyWebhook(other, signed, secret, { nowSeconds });
  assert.equal(event.event, 'document.archived');
  assert.equal(isExtractionCompleted(event), false);
});

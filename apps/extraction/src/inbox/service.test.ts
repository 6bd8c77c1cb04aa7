import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { sendMail } from '@millrace/mail/testing';
import { verifySignature } from '@millrace/webhooks';
import { type Receiver, startReceiver } from '@millrace/webhooks/testing';
import { signInAs } from '../http/dashboard-testing.ts';
import { invoicePdf, startTestService, type TestService, textPdf } from '../http/testing.ts';

let service: TestService;
let receiver: Receiver;

before(async () => {
  service = await startTestService();
  receiver = await startReceiver((_request, response) => response.end());
});
after(async () => {
  await service.stop();
  await receiver.close();
});

test('a mail with three attachments gives three documents and three signed notifications', async () => {
  const administrator = await signInAs(service, { role: 'administrator' });
  const url = `http://127.0.0.1:${receiver.port}/hook`;
  const { body: created } = await administrator.call('POST', '/webhooks', { url });
  const { body: inbox } = await administrator.call('GET', '/inbox');
  assert.equal(inbox.isRunning, true);
  const receipt = textPdf([['Corner Shop', 'Receipt no. 17', 'Date: 2026-03-14', 'Total: EUR 12.50']]);
  const statement = textPdf([['Harbour Bank', 'Statement of account', 'Closing balance: EUR 100.00']]);
  const response = await sendMail(service.inboxPort, {
    to: inbox.address,
    subject: 'Documents of March',
    text: 'Three files.',
    attachments: [
      { filename: 'invoice.pdf', content: Buffer.from(invoicePdf) },
      { filename: 'receipt.pdf', content: Buffer.from(receipt) },
      { filename: 'statement.pdf', content: Buffer.from(statement) },
    ],
  });
  assert.match(response, /^250 .*3 documents/);

  await eventually('three notifications', () => receiver.posts.length === 3);
  const events = receiver.posts.map(({ headers, body }) => {
    assert.equal(verifySignature(String(headers['x-svc-signature']), body, created.secret), null);
    return JSON.parse(body.toString());
  });
  assert.deepEqual(
    events.map(({ event, data }) => [event, data.source, data.state]),
    Array(3).fill(['extraction.completed', 'inbox', 'done']),
  );
  const ids = new Set(events.map(({ data }) => data.document_id));
  assert.equal(ids.size, 3);
  for (const id of ids) assert.equal((await service.call(`/documents/${id}`)).status, 200);
  assert.ok(events.some(({ data }) => data.doc_type === 'invoice' && data.fields.invoice_number === 'INV-2041'));

  const { body: messages } = await administrator.call('GET', '/inbox/messages');
  assert.equal(messages.items.length, 1);
  const [message] = messages.items;
  assert.deepEqual(
    [message.from, message.subject, message.outcome, message.authentication, message.refusals],
    ['anna@supplier.example', 'Documents of March', 'accepted', 'unknown', []],
  );
  assert.deepEqual(
    message.documents.map(({ fileName, state }: { fileName: string; state: string }) => [fileName, state]),
    [
      ['invoice.pdf', 'done'],
      ['receipt.pdf', 'done'],
      ['statement.pdf', 'done'],
    ],
  );
});

test('an administrator sets who may send, and replaces the address; a member looks on', async () => {
  const administrator = await signInAs(service, { role: 'administrator' });
  const member = await signInAs(service, { role: 'member' });
  const { body: before } = await member.call('GET', '/inbox');
  const changes = { allowList: ['Anna@Supplier.example', '@harbour.example'], docType: 'invoice' };
  assert.equal((await member.call('PATCH', '/inbox', changes)).status, 403);
  assert.equal((await member.call('POST', '/inbox/address', {})).status, 403);
  const { body: changed } = await administrator.call('PATCH', '/inbox', changes);
  assert.deepEqual(
    [changed.allowList, changed.docType, changed.isActive, changed.address],
    [['anna@supplier.example', '@harbour.example'], 'invoice', true, before.address],
  );
  for (const allowList of [['nonsense'], ['a b@c.example'], ['@'], Array(201).fill('a@b.example')]) {
    assert.equal((await administrator.call('PATCH', '/inbox', { allowList })).status, 400, String(allowList[0]));
  }
  const { body: replaced } = await administrator.call('POST', '/inbox/address');
  assert.notEqual(replaced.address, before.address);
  const mail = { attachments: [{ content: Buffer.from(invoicePdf) }] };
  await assert.rejects(sendMail(service.inboxPort, { ...mail, to: before.address }), /550/);
  await assert.rejects(sendMail(service.inboxPort, { ...mail, to: replaced.address, from: 'eve@x.example' }), /550/);
  const { body: messages } = await member.call('GET', '/inbox/messages?limit=1');
  assert.deepEqual([messages.items[0].outcome, messages.items[0].refusals[0].code], ['refused', 'sender_not_allowed']);
  const { body: older } = await member.call('GET', `/inbox/messages?limit=1&cursor=${messages.nextCursor}`);
  assert.equal(older.items[0].outcome, 'accepted');
});

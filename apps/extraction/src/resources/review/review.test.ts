import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { signInAs, type TestBrowser } from '../../http/dashboard-testing.ts';
import { startTestService, type TestService, textPdf } from '../../http/testing.ts';

/** An invoice of one sender whose labels say little; each number has another value. */
function invoiceOf(number: number, { total = 1428, date = '2026-03-14' } = {}) {
  return textPdf([
    [
      'Northwind Paper Ltd',
      '12 Mill Lane, Leeds LS1 4AB, United Kingdom',
      'VAT registration GB 123 4567 82',
      '',
      'INVOICE',
      '',
      `Our sign: NW/${7000 + number}/K`,
      `Invoice number: INV-${2041 + number}`,
      `Invoice date: ${date}`,
      'Due date: 2026-04-13',
      '',
      'Bill to: Harbour Books Ltd, 3 Quay Street, Bristol BS1 5TX',
      '',
      'Description              Quantity     Unit price     Amount',
      'Copy paper A4 80 g          120           9.50       1140.00',
      'Delivery                      1          60.00         60.00',
      '',
      'Subtotal: EUR 1200.00',
      'VAT 19%: EUR 228.00',
      `Total: EUR ${total.toFixed(2)}`,
    ],
  ]);
}

describe('the review of documents', () => {
  let service: TestService;
  let browser: TestBrowser & { readonly userId: string };
  let receiver: Server;
  const received: {
    data: { document_id: string; fields: Record<string, unknown>; confidence: Record<string, number> };
  }[] = [];

  before(async () => {
    service = await startTestService();
    browser = await signInAs(service, { role: 'member' });
    receiver = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', () => {
        received.push(JSON.parse(text));
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    await service.stop();
    receiver.close();
  });

  const extract = async (bytes: Uint8Array<ArrayBuffer>, form: Record<string, string> = {}): Promise<string> => {
    const response = await service.extract({ name: 'invoice.pdf', bytes }, { form: { doc_type: 'invoice', ...form } });
    assert.equal(response.status, 200);
    return ((await response.json()) as { meta: { document_id: string } }).meta.document_id;
  };
  const look = async (id: string) => (await browser.call('GET', `/documents/${id}`)).body;
  const correct = (id: string, version: number, changes: readonly object[]) =>
    browser.call('PATCH', `/documents/${id}/values`, { version, changes });
  const answerOf = async (id: string) =>
    (await service.call(`/documents/${id}?include=provenance`)).json() as Promise<{
      fields: Record<string, unknown>;
      lines: Record<string, unknown>[];
      confidence: Record<string, number>;
      provenance: { fields: Record<string, { flags: string[] }> };
    }>;

  test('a correction is kept with who and when, validates the sums at once and is what the API answers', async () => {
    const id = await extract(invoiceOf(1));
    const sumOf = ({ checks }: { checks: { kind: string; holds: boolean; message: string }[] }) =>
      checks.find(({ kind }) => kind === 'sum');
    const found = await look(id);
    assert.deepEqual([found.version, sumOf(found)?.holds], [0, true]);

    const wrong = (await correct(id, 0, [{ field: 'total_amount', value: 1500 }])).body;
    assert.match(sumOf(wrong)?.message ?? '', /sum is 1,428\.00, but the total amount is 1,500\.00/);
    assert.ok(wrong.fields.tax_amount.confidence <= 60 && wrong.fields.tax_amount.flags.includes('arithmetic_fails'));
    assert.ok(wrong.fields.tax_amount.doubtful);
    // The rows prove it by themselves.
    assert.ok(!wrong.fields.subtotal.flags.includes('arithmetic_fails'));

    const { status, body } = await correct(id, 1, [{ field: 'total_amount', value: 1428 }]);
    assert.equal(status, 200);
    assert.equal(body.version, 2);
    const { total_amount, tax_amount } = body.fields;
    assert.deepEqual([total_amount.value, total_amount.confidence, total_amount.original.value], [1428, 100, 1428]);
    assert.deepEqual(total_amount.correctedBy, { id: browser.userId, name: 'Robin Tester' });
    assert.ok(Math.abs(Date.parse(total_amount.correctedAt) - Date.now()) < 60_000);
    assert.ok(tax_amount.confidence >= 90 && tax_amount.flags.includes('arithmetic_holds'), `${tax_amount.confidence}`);
    assert.equal(sumOf(body)?.holds, true);
    assert.deepEqual(
      body.corrections.map(({ path, before, after }: { path: object; before: number; after: number }) => [
        path,
        before,
        after,
      ]),
      [
        [{ field: 'total_amount' }, 1500, 1428],
        [{ field: 'total_amount' }, 1428, 1500],
      ],
    );

    const answer = await answerOf(id);
    assert.deepEqual([answer.fields.total_amount, answer.confidence.total_amount], [1428, 100]);
    assert.deepEqual(answer.provenance.fields.total_amount?.flags, ['by_person']);
  });

  test('rows are corrected, added and removed, and dates are compared again', async () => {
    const id = await extract(invoiceOf(2));
    const { status, body } = await correct(id, 0, [
      { row: 1, column: 'quantity', value: 2 },
      { row: 1, column: 'price_unit', value: 30 },
      { row: 1, column: 'amount', value: 61 },
      { addRow: { description: 'Stamps', amount: 12.5 } },
      { removeRow: 0 },
      { field: 'invoice_date', value: '2026-05-01' },
      { field: 'vendor_address', value: null },
    ]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.rows.rows.map((row: Record<string, { value: unknown }>) => [row.description?.value, row.amount?.value]),
      [
        ['Delivery', 61],
        ['Stamps', 12.5],
      ],
    );
    assert.deepEqual([body.rows.rows[0].amount.original.value, body.rows.rows[1].amount.original], [60, null]);
    const messages = body.checks
      .filter(({ holds }: { holds: boolean }) => !holds)
      .map(({ message }: { message: string }) => message);
    assert.ok(
      messages.some((message: string) => message.startsWith('Row 1: 2 × 30 isn’t 61')),
      messages.join('\n'),
    );
    assert.ok(messages.some((message: string) => /Invoice date \(2026-05-01\) is after due date/.test(message)));
    assert.ok(body.fields.due_date.confidence <= 60);
    const answer = await answerOf(id);
    assert.deepEqual(
      answer.lines.map(({ amount }) => amount),
      [61, 12.5],
    );
    assert.ok(!('vendor_address' in answer.fields));
    // The date put right, its neighbour is believed again.
    const again = await correct(id, 1, [{ field: 'invoice_date', value: '2026-03-14' }]);
    assert.ok(again.body.fields.due_date.confidence > 60);
    assert.equal(again.body.corrections.length, 8);
  });

  test('what two people change at once, or what is no value, is refused and changes nothing', async () => {
    const id = await extract(invoiceOf(3));
    const refused = await correct(id, 0, [
      { field: 'invoice_number', value: 'INV-1' },
      { field: 'invoice_date', value: '14.03.2026' },
      { field: 'total_amount', value: '12' },
      { field: 'colour', value: 'blue' },
      { row: 9, column: 'amount', value: 1 },
      { row: 0, column: 'amount', value: 'x\u0000' },
    ]);
    assert.equal(refused.status, 400);
    assert.deepEqual(
      refused.body.error.fields.map(({ path }: { path: string }) => path),
      ['changes.1.value', 'changes.2.value', 'changes.3.value', 'changes.4.row', 'changes.5.value'],
    );
    assert.equal((await look(id)).version, 0);
    assert.equal((await correct(id, 0, [{ field: 'invoice_number', value: 'a\u0000b' }])).status, 400);
    const both = await Promise.all([
      correct(id, 0, [{ field: 'invoice_number', value: 'INV-A' }]),
      correct(id, 0, [{ field: 'invoice_number', value: 'INV-B' }]),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await browser.call('POST', `/documents/${id}/confirmation`, { version: 0 })).status, 409);
    assert.equal((await browser.call('POST', `/documents/${id}/retry`, {})).status, 409);
  });

  test('the queue shows what is doubtful until it is confirmed; a corrected document is sent again', async () => {
    const port = (receiver.address() as AddressInfo).port;
    const queuedJob = await service.extract(
      { name: 'invoice.pdf', bytes: invoiceOf(4, { total: 1248 }) },
      { form: { doc_type: 'invoice', async: 'true', callback_url: `http://127.0.0.1:${port}/hook` } },
    );
    assert.equal(queuedJob.status, 202);
    await eventually('the first webhook', () => received.length === 1);
    const id = received[0]!.data.document_id;
    const queue = (await browser.call('GET', '/review?limit=200')).body;
    const queued = queue.items.find((item: { id: string }) => item.id === id);
    assert.ok(queued.doubtful.length > 0 && queued.doubtful[0].label !== '');
    assert.equal(queued.doubtfulCount, (await look(id)).doubtful.length);
    await correct(id, 0, [{ field: 'total_amount', value: 1428 }]);
    const { status, body } = await browser.call('POST', `/documents/${id}/confirmation`, { version: 1 });
    assert.equal(status, 200);
    assert.equal(body.document.confirmedBy.id, browser.userId);
    assert.deepEqual([body.document.doubtfulCount, body.document.doubtful], [0, []]);
    await eventually('the second webhook', () => received.length === 2);
    const { data } = received[1]!;
    assert.deepEqual([data.document_id, data.fields.total_amount, data.confidence.total_amount], [id, 1428, 100]);
    assert.ok(
      !(await browser.call('GET', '/review?limit=200')).body.items.some((item: { id: string }) => item.id === id),
    );
    // Corrected again, it waits for confirmation again.
    const again = await correct(id, 1, [{ field: 'invoice_number', value: null }]);
    assert.equal(again.body.confirmedAt, null);
    assert.ok(
      (await browser.call('GET', '/review?limit=200')).body.items.some((item: { id: string }) => item.id === id),
    );
  });

  test("a confirmed correction helps with the sender's next document, in this account alone, until it is forgotten", async () => {
    const number = async (id: string) => (await look(id)).fields.invoice_number?.value;
    const first = await extract(invoiceOf(10));
    assert.equal(await number(first), 'INV-2051');
    // This reader takes the sender's own sign for the number.
    await correct(first, 0, [{ field: 'invoice_number', value: 'NW/7010/K' }]);
    const { body } = await browser.call('POST', `/documents/${first}/confirmation`, { version: 1 });
    assert.ok(body.learned.fields.includes('invoice_number'), JSON.stringify(body.learned));
    const second = await extract(invoiceOf(11));
    const taught = await look(second);
    assert.equal(taught.fields.invoice_number.value, 'NW/7011/K');
    assert.ok(taught.fields.invoice_number.flags.includes('taught'));
    assert.deepEqual(taught.sender, { id: body.learned.senderId, name: body.learned.senderName, certain: true });

    const otherAccount = await service.opened.addAccount();
    const { raw } = await service.addKey({ accountId: otherAccount });
    const stranger = await service.extract(
      { name: 'invoice.pdf', bytes: invoiceOf(12) },
      { form: { doc_type: 'invoice' }, headers: { 'x-api-key': raw } },
    );
    assert.equal(((await stranger.json()) as { fields: { invoice_number: string } }).fields.invoice_number, 'INV-2053');

    const senders = (await browser.call('GET', '/senders?limit=1')).body;
    assert.ok(senders.items[0].fields.includes('invoice_number'));
    assert.equal((await browser.call('DELETE', `/senders/${body.learned.senderId}`)).status, 200);
    assert.equal((await browser.call('DELETE', `/senders/${body.learned.senderId}`)).status, 404);
    assert.equal(await number(await extract(invoiceOf(13))), 'INV-2054');
  });
});

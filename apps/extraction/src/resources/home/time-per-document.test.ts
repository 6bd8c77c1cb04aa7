import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { sql } from 'kysely';
import { signInAs, type TestBrowser } from '../../http/dashboard-testing.ts';
import { invoicePdf, startTestService, type TestService } from '../../http/testing.ts';

describe('time per document', () => {
  let service: TestService;
  let browser: TestBrowser;
  before(async () => {
    service = await startTestService();
    browser = await signInAs(service, { role: 'member' });
  });
  after(() => service.stop());

  /** Every document as its row has it: how long it took, and how much of that the engine did. */
  async function rows() {
    const found = await sql<{ id: string; state: string; took: number; worked: number }>`
      select id, state, extract(epoch from finished_at - coalesce(restarted_at, created_at))::float8 as took,
        (result -> 'ai' ->> 'process_time_ms')::float8 / 1000 as worked
      from documents order by id`.execute(service.opened.database.system);
    return found.rows;
  }
  const rowOf = async (id: string) => (await rows()).find((row) => row.id === id)!;
  const home = async () => (await browser.call('GET', '/home')).body;
  const finish = (id: string) => eventually('the extraction', async () => (await rowOf(id)).state !== 'processing');

  /** Half a millisecond of rounding. */
  const assertCovers = ({ took, worked }: { took: number; worked: number }) =>
    assert.ok(worked > 0 && took >= worked - 0.002, `took ${took} s, of which the engine worked ${worked} s`);

  test('covers the extraction of a document that its caller waits for', async () => {
    const answer = await service.extract({ name: 'a.pdf', bytes: invoicePdf });
    assert.equal(answer.status, 200);
    assertCovers((await rows())[0]!);
    const { medianSeconds } = await home();
    assert.ok(medianSeconds > 0.005, `${medianSeconds}`);
  });

  test('covers the wait and the extraction of a queued document', async () => {
    const { body } = await browser.call('POST', '/documents', formOf(invoicePdf));
    await finish(body.documentId);
    assertCovers(await rowOf(body.documentId));
  });

  test('leaves failed documents out', async () => {
    const earlier = await home();
    const failed = await service.extract({ name: 'b.pdf', bytes: new TextEncoder().encode('%PDF-1.7\nnothing') });
    assert.equal(failed.status, 400);
    const { medianSeconds, p90Seconds } = await home();
    assert.deepEqual([medianSeconds, p90Seconds], [earlier.medianSeconds, earlier.p90Seconds]);
  });

  test('counts a document that is extracted again from then, not from its arrival', async () => {
    const { body } = await browser.call('POST', '/documents', formOf(invoicePdf));
    await finish(body.documentId);
    await sql`update documents set created_at = created_at - interval '1 day' where id = ${body.documentId}`.execute(
      service.opened.database.system,
    );
    const again = await browser.call('POST', `/documents/${body.documentId}/retry`, {});
    assert.equal(again.status, 202, JSON.stringify(again.body));
    await finish(body.documentId);
    const row = await rowOf(body.documentId);
    assertCovers(row);
    assert.ok(row.took < 3_600, `${row.took}`);
  });

  test('agrees with the rows, on 6 % exactly', async () => {
    const times = (await rows()).flatMap(({ state, took }) => (state === 'done' ? [took] : [])).sort((a, b) => a - b);
    const { medianSeconds, p90Seconds } = await home();
    const within = (share: number) => times[Math.ceil(times.length * share) - 1]!;
    assert.equal(times.length, 3);
    assert.ok(Math.abs(medianSeconds / within(0.5) - 1) < 0.06, `${medianSeconds} of ${times}`);
    assert.ok(Math.abs(p90Seconds / within(0.9) - 1) < 0.06, `${p90Seconds} of ${times}`);
  });
});

function formOf(bytes: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.append('document', new Blob([bytes]), 'a.pdf');
  return form;
}

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@millrace/eventually';
import { sendMail } from '@millrace/mail/testing';
import { createTestAuthority } from '@millrace/webhooks/testing';
import { Client } from 'pg';
import { invoicePdf } from '../http/testing.ts';
import { connectRaw, startTestInbox, type TestInbox, testDomain } from './testing.ts';

const pdf = Buffer.from(invoicePdf);
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2_000, 1)]);
const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.alloc(2_000, 2)]);
const tiff = Buffer.concat([Buffer.from('4d4d002a00000008', 'hex'), Buffer.alloc(2_000, 4)]);
const zip = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(5_000, 3)]);

describe('inbox', () => {
  let inbox: TestInbox;
  before(async () => {
    inbox = await startTestInbox();
  });
  after(() => inbox.stop());

  test('accepts every PDF, PNG and JPG of a message, detected by content, also in forwarded messages', async () => {
    const { accountId, address } = await inbox.addInbox();
    const forwarded = [
      'From: someone@else.example',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: application/pdf; name=inner.pdf',
      'Content-Transfer-Encoding: base64',
      '',
      pdf.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
      '--b--',
      '',
    ].join('\r\n');
    const response = await sendMail(inbox.port, {
      to: address,
      text: 'See the files.',
      html: '<p>See the files. <img src="cid:logo"></p>',
      attachments: [
        { filename: 'Rechnung März.pdf', content: pdf },
        { filename: 'scan.bin', content: png, contentType: 'application/octet-stream' },
        { filename: '../../etc/photo.JPG', content: jpeg },
        { filename: 'logo.png', content: png, cid: 'logo' },
        { filename: 'Fwd.eml', content: forwarded, contentType: 'message/rfc822', contentDisposition: 'attachment' },
        { filename: 'inline.eml', content: forwarded, contentType: 'message/rfc822', contentDisposition: 'inline' },
        { filename: 'smime.p7s', content: Buffer.alloc(300), contentType: 'application/pkcs7-signature' },
      ],
    });
    assert.match(response, /^250 .*5 documents/);
    const { documents, jobs, messages, blobCount } = await inbox.stored(accountId);
    assert.deepEqual(
      documents.map(({ file_name, media_type, source }) => [file_name, media_type, source]),
      [
        ['Rechnung März.pdf', 'application/pdf', 'inbox'],
        ['scan.png', 'image/png', 'inbox'],
        ['photo.JPG', 'image/jpeg', 'inbox'],
        ['inner.pdf', 'application/pdf', 'inbox'],
        ['inner.pdf', 'application/pdf', 'inbox'],
      ],
    );
    assert.equal(blobCount, 5);
    assert.deepEqual(
      jobs.map(({ options }) => options.doc_type),
      Array(5).fill('detect'),
    );
    assert.equal(messages.length, 1);
    const [message] = messages;
    assert.deepEqual(
      [message?.outcome, message?.from_address, message?.subject, message?.refusals],
      ['accepted', 'anna@supplier.example', 'Documents', []],
    );
  });

  test('takes documents for the type that the address or the account names', async () => {
    const { accountId, address } = await inbox.addInbox({ docType: 'receipt' });
    await sendMail(inbox.port, { to: address, attachments: [{ content: pdf }] });
    await sendMail(inbox.port, { to: address.replace('@', '+invoice@'), attachments: [{ content: pdf }] });
    const { jobs } = await inbox.stored(accountId);
    assert.deepEqual(jobs.map(({ options }) => options.doc_type).sort(), ['invoice', 'receipt']);
  });

  test('takes what it can and logs what it refuses', async () => {
    const { accountId, address } = await inbox.addInbox();
    await sendMail(inbox.port, {
      to: address,
      attachments: [
        { filename: 'archive.zip', content: zip },
        { filename: 'huge.pdf', content: Buffer.concat([pdf, Buffer.alloc(200_000)]) },
        { filename: 'nothing.pdf', content: '' },
        ...Array.from({ length: 6 }, (_, index) => ({ filename: `${index}.pdf`, content: pdf })),
      ],
    });
    const { documents, messages, mails } = await inbox.stored(accountId);
    assert.equal(documents.length, 5);
    assert.equal(messages[0]?.outcome, 'partly_accepted');
    assert.deepEqual(
      messages[0]?.refusals.map(({ fileName, code }) => [fileName, code]),
      [
        ['archive.zip', 'unsupported_file_type'],
        ['huge.pdf', 'file_too_large'],
        ['nothing.pdf', 'unsupported_file_type'],
        ['5.pdf', 'too_many_files'],
      ],
    );
    assert.deepEqual(mails, []);
  });

  test('accepts a TIFF', async () => {
    const { accountId, address } = await inbox.addInbox();
    const attachments = [{ filename: 'fax', content: tiff, contentType: 'application/octet-stream' }];
    assert.match(await sendMail(inbox.port, { to: address, text: 'A fax.', attachments }), /^250 .*1 document/);
    const { documents } = await inbox.stored(accountId);
    assert.deepEqual(
      documents.map(({ file_name, media_type }) => [file_name, media_type]),
      [['fax.tif', 'image/tiff']],
    );
  });

  test('refuses a mail without a document, by a reply that says why', async () => {
    const { accountId, address } = await inbox.addInbox();
    await assert.rejects(sendMail(inbox.port, { to: address, text: 'Hello' }), /554 .*no PDF, PNG, JPG or TIFF/);
    await assert.rejects(
      sendMail(inbox.port, { to: address, attachments: [{ filename: 'a.zip', content: zip }] }),
      /554 .*neither a PDF/,
    );
    const { documents, messages } = await inbox.stored(accountId);
    assert.deepEqual([documents.length, messages.map(({ outcome }) => outcome)], [0, ['refused', 'refused']]);
  });

  test('only accepts mail from senders that the account allows', async () => {
    const { accountId, address } = await inbox.addInbox({ allowList: ['anna@supplier.example', '@harbour.example'] });
    const send = (from: string) => sendMail(inbox.port, { from, to: address, attachments: [{ content: pdf }] });
    await send('Anna <Anna@Supplier.example>');
    await send('bob@harbour.example');
    for (const from of [
      'eve@supplier.example',
      'bob@sub.harbour.example',
      'bob@evilharbour.example',
      '"anna@supplier.example" <eve@x.example>',
    ]) {
      await assert.rejects(send(from), /550 .*does not accept mail/, from);
    }
    await assert.rejects(
      sendMail(inbox.port, {
        envelope: { from: 'anna@supplier.example', to: address },
        from: ['anna@supplier.example', 'eve@x.example'] as never,
        attachments: [{ content: pdf }],
      }),
      /550/,
    );
    const { documents, blobCount } = await inbox.stored(accountId);
    assert.equal(documents.length, 2);
    assert.ok(blobCount >= 2);
  });

  test('takes the same message once, however often it is sent, also at the same time', async () => {
    const { accountId, address } = await inbox.addInbox();
    const mail = {
      to: address,
      messageId: '<one@supplier.example>',
      attachments: [
        { filename: 'a.pdf', content: pdf },
        { filename: 'b.png', content: png },
      ],
    };
    const before = (await inbox.stored(accountId)).blobCount;
    await Promise.all(Array.from({ length: 4 }, () => sendMail(inbox.port, mail)));
    await sendMail(inbox.port, { ...mail, headers: { received: 'from relay by mx; Sat, 14 Mar 2026 09:26:53 +0000' } });
    const { documents, messages, blobCount } = await inbox.stored(accountId);
    assert.deepEqual([documents.length, messages.length, blobCount - before], [2, 1, 2]);
    await sendMail(inbox.port, { ...mail, messageId: '<two@supplier.example>' });
    assert.equal((await inbox.stored(accountId)).documents.length, 4);
  });

  test('takes nothing for an inbox that is off, whose address was replaced, or of another domain', async () => {
    const { address } = await inbox.addInbox({ isActive: false });
    for (const to of [address, `${'a'.repeat(26)}@${testDomain}`, address.replace(testDomain, 'other.test')]) {
      await assert.rejects(sendMail(inbox.port, { to, attachments: [{ content: pdf }] }), /550 /);
    }
  });

  test('asks for a message for two accounts to be sent twice', async () => {
    const [first, second] = [await inbox.addInbox(), await inbox.addInbox()];
    const client = await connectRaw(inbox.port);
    try {
      await client.ask('EHLO client.test');
      await client.ask('MAIL FROM:<anna@supplier.example>');
      assert.match(await client.ask(`RCPT TO:<${first.address}>`), /^250/);
      assert.match(await client.ask(`RCPT TO:<${second.address}>`), /^452/);
      assert.match(await client.ask(`RCPT TO:<${first.address.toUpperCase()}>`), /^250/);
    } finally {
      client.close();
    }
  });

  test('leaves nothing behind where it cannot store, and takes the message when it comes again', async () => {
    const { accountId, address } = await inbox.addInbox();
    const mail = {
      to: address,
      messageId: '<again@supplier.example>',
      attachments: [{ content: pdf }, { content: png }],
    };
    const before = (await inbox.stored(accountId)).blobCount;
    const { owner } = inbox.opened;
    const database = new Client(owner);
    await database.connect();
    try {
      await database.query('revoke insert on jobs from millrace_service');
      await assert.rejects(sendMail(inbox.port, mail), /451 /);
      const { documents, messages, blobCount } = await inbox.stored(accountId);
      assert.deepEqual([documents.length, messages.length, blobCount - before], [0, 0, 0]);
      await database.query('grant insert on jobs to millrace_service');
      await database.query('revoke select on inboxes from millrace_service');
      await assert.rejects(sendMail(inbox.port, mail), /451 /);
      await database.query('grant select on inboxes to millrace_service');
    } finally {
      await database.end();
    }
    assert.match(await sendMail(inbox.port, mail), /^250/);
    assert.equal((await inbox.stored(accountId)).documents.length, 2);
  });

  test('asks a sender to come later beyond the messages of an hour', async () => {
    const limited = await startTestInbox({ MILLRACE_INBOX_MESSAGES_PER_HOUR: '2' });
    try {
      const { address } = await limited.addInbox();
      const send = () => sendMail(limited.port, { to: address, attachments: [{ content: pdf }] });
      await send();
      await send();
      await assert.rejects(send(), /451 /);
    } finally {
      await limited.stop();
    }
  });

  test('speaks TLS after STARTTLS with its certificate, and offers none without', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-test-certificate-'));
    const authority = await createTestAuthority();
    const { cert, key } = await authority.issue({ hosts: ['localhost'] });
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key);
    const secure = await startTestInbox({
      MILLRACE_INBOX_CERTIFICATE_FILE: join(folder, 'cert.pem'),
      MILLRACE_INBOX_KEY_FILE: join(folder, 'key.pem'),
    });
    try {
      const { accountId, address } = await secure.addInbox();
      const mail = { to: address, attachments: [{ content: pdf }] };
      await sendMail(secure.port, mail, { ca: authority.certificate });
      assert.equal((await secure.stored(accountId)).documents.length, 1);
      const plain = await inbox.addInbox();
      await assert.rejects(sendMail(inbox.port, { ...mail, to: plain.address }, { ca: authority.certificate }));
    } finally {
      await secure.stop();
      rmSync(folder, { recursive: true });
    }
  });

  test('finishes the current message when it stops', async () => {
    const stopping = await startTestInbox();
    const { address } = await stopping.addInbox();
    const sent = sendMail(stopping.port, { to: address, attachments: [{ content: pdf }] });
    await eventually('the connection', () => sleep(150).then(() => true));
    const [outcome] = await Promise.allSettled([sent, stopping.stop()]);
    if (outcome.status === 'rejected') assert.match(String(outcome.reason), /421|closed|ECONN/i);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type SendMailOptions, sendMail } from '@millrace/mail/testing';
import { invoicePdf } from '../http/testing.ts';
import { startTestInbox, type TestInbox, testDomain } from './testing.ts';

const pdf = Buffer.from(invoicePdf);
const relay = 'mx.relay.example';
const passed = `${relay}; dmarc=pass header.from=supplier.example`;

describe('an answer by mail', () => {
  let inbox: TestInbox;
  let withoutRelay: TestInbox;
  before(async () => {
    inbox = await startTestInbox({
      MILLRACE_INBOX_RELAYS: '127.0.0.0/8,::1',
      MILLRACE_INBOX_AUTHENTICATION_SERVER: relay,
    });
    withoutRelay = await startTestInbox({
      MILLRACE_INBOX_RELAYS: '192.0.2.1',
      MILLRACE_INBOX_AUTHENTICATION_SERVER: relay,
    });
  });
  after(async () => {
    await inbox.stop();
    await withoutRelay.stop();
  });

  /** Mails a document and a file that is none; returns what of it was stored. */
  async function send(changes: SendMailOptions & { results?: string }, to: TestInbox = inbox) {
    const { accountId, address } = await to.addInbox();
    const { results = passed, headers, ...mail } = changes;
    await sendMail(to.port, {
      to: address,
      subject: 'March',
      messageId: '<march@supplier.example>',
      attachments: [
        { filename: 'invoice.pdf', content: pdf },
        { filename: 'terms.docx', content: 'PK nothing' },
      ],
      headers: { 'authentication-results': results, ...(headers as Record<string, string>) },
      ...mail,
    });
    return to.stored(accountId);
  }

  test('lists the rejected and the accepted files for an authenticated sender', async () => {
    const { documents, messages, mails } = await send({});
    assert.equal(documents.length, 1);
    assert.equal(messages[0]?.authentication, 'passed');
    assert.equal(mails.length, 1);
    const [mail] = mails;
    assert.deepEqual(
      [mail?.to, mail?.subject, mail?.answers],
      ['anna@supplier.example', 'Re: March', '<march@supplier.example>'],
    );
    assert.match(mail?.text ?? '', /Rejected:\n- terms\.docx: .*neither a PDF[\s\S]*Accepted:\n- invoice\.pdf/);
  });

  test('reaches an authenticated sender whose message has no document, instead of an SMTP error', async () => {
    const { documents, messages, mails } = await send({ attachments: [] });
    assert.deepEqual([documents.length, messages[0]?.outcome, mails.length], [0, 'refused', 1]);
    assert.match(mails[0]?.text ?? '', /no PDF, PNG, JPG or TIFF/);
  });

  test('is not sent if everything was accepted', async () => {
    assert.deepEqual((await send({ attachments: [{ content: pdf }] })).mails, []);
  });

  test('goes to nobody whose address may be forged', async () => {
    for (const results of [
      `${relay}; dmarc=fail header.from=supplier.example`,
      `${relay}; none`,
      `mx.attacker.example; dmarc=pass header.from=supplier.example`,
      `${relay}; spf=pass smtp.mailfrom=attacker.example`,
    ]) {
      const { documents, mails } = await send({ results });
      assert.deepEqual([documents.length, mails.length], [1, 0], results);
    }
    const { documents, messages, mails } = await send({}, withoutRelay);
    assert.deepEqual([documents.length, messages[0]?.authentication, mails.length], [1, 'unknown', 0]);
  });

  test('goes to no machine, no list, no bounce, and not to itself', async () => {
    for (const headers of [
      { 'auto-submitted': 'auto-generated' },
      { 'auto-submitted': 'auto-replied; owner-email="x"' },
      { precedence: 'bulk' },
      { 'list-id': '<news.supplier.example>' },
      { 'x-auto-response-suppress': 'All' },
    ]) {
      assert.deepEqual((await send({ headers })).mails, [], JSON.stringify(headers));
    }
    const { address } = await inbox.addInbox();
    const bounced = await sendMail(inbox.port, {
      envelope: { from: '', to: address },
      text: 'It could not be delivered.',
      headers: { 'authentication-results': passed },
    });
    assert.match(bounced, /^250/);
    for (const from of ['mailer-daemon@supplier.example', 'no-reply@supplier.example']) {
      assert.deepEqual((await send({ from })).mails, [], from);
    }
    const results = `${relay}; dmarc=pass header.from=${testDomain}`;
    assert.deepEqual((await send({ from: `someone@${testDomain}`, results })).mails, []);
  });

  test('goes to one sender a few times a day at most', async () => {
    const { accountId, address } = await inbox.addInbox();
    const refused: number[] = [];
    for (let index = 0; index < 8; index++) {
      await sendMail(inbox.port, {
        to: address,
        messageId: `<${index}@supplier.example>`,
        text: 'Nothing',
        headers: { 'authentication-results': passed },
      }).catch(() => refused.push(index));
    }
    const { mails } = await inbox.stored(accountId);
    assert.equal(mails.length, 5);
    assert.deepEqual(refused, [5, 6, 7]);
  });

  test('is not what an account gets whose senders must be authenticated: others are refused', async () => {
    const { accountId, address } = await inbox.addInbox({ requireAuthentication: true });
    const mail = { to: address, attachments: [{ content: pdf }] };
    await assert.rejects(sendMail(inbox.port, mail), /550 .*authenticated/);
    await sendMail(inbox.port, { ...mail, headers: { 'authentication-results': passed } });
    assert.equal((await inbox.stored(accountId)).documents.length, 1);
  });
});

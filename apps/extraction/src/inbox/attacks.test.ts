import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { sendMail } from '@millrace/mail/testing';
import { invoicePdf } from '../http/testing.ts';
import {
  beginMessage,
  codeOf,
  connectRaw,
  type RawClient,
  startTestInbox,
  type TestInbox,
  testDomain,
} from './testing.ts';

const pdf = Buffer.from(invoicePdf);
const attachedPdf = [
  'Content-Type: application/pdf; name=a.pdf',
  'Content-Transfer-Encoding: base64',
  '',
  pdf.toString('base64'),
];

/** A message with parts of these lines. */
function multipart(parts: readonly (readonly string[])[], head: readonly string[] = [], boundary = 'b'): string {
  return [
    'From: anna@supplier.example',
    ...head,
    `Content-Type: multipart/mixed; boundary=${boundary}`,
    '',
    ...parts.flatMap((lines) => [`--${boundary}`, ...lines]),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

describe('an attacker of the inbox', () => {
  let inbox: TestInbox;
  const clients: RawClient[] = [];
  before(async () => {
    inbox = await startTestInbox({}, { idleMs: 1_500, messageMs: 4_000, connectionMs: 60_000 });
  });
  after(async () => {
    for (const client of clients) client.close();
    await inbox.stop();
  });

  async function open(): Promise<RawClient> {
    const client = await connectRaw(inbox.port);
    clients.push(client);
    return client;
  }

  /** Sends a message as it stands, dots stuffed; returns the reply to it. */
  async function deliver(address: string, message: string): Promise<string> {
    const client = await open();
    await beginMessage(client, address);
    client.write(message.replaceAll(/^\./gm, '..'));
    return client.ask('\r\n.');
  }

  /** Nothing of the account's was stored, and the server takes the next message. */
  async function assertUnharmed({ accountId, address }: { accountId: string; address: string }): Promise<void> {
    const { documents, jobs } = await inbox.stored(accountId);
    assert.deepEqual([documents.length, jobs.length], [0, 0]);
    assert.match(await sendMail(inbox.port, { to: address, attachments: [{ content: pdf }] }), /^250/);
  }

  test('finds no relay', async () => {
    const { address } = await inbox.addInbox();
    const token = address.split('@')[0];
    const recipients = [
      'victim@example.com',
      `victim%example.com@${testDomain}`,
      `"victim@example.com"@${testDomain}`,
      `victim@example.com@${testDomain}`,
      `@${testDomain}:victim@example.com`,
      `${testDomain}!victim`,
      `${token}@example.com`,
      `${token}+nonsense@${testDomain}`,
    ];
    for (const recipient of recipients) {
      const client = await open();
      await client.ask('EHLO client.test');
      await client.ask('MAIL FROM:<anna@supplier.example>');
      assert.match(await client.ask(`RCPT TO:<${recipient}>`), /^5/, recipient);
      assert.match(await client.ask('DATA'), /^503/);
      client.close();
    }
  });

  test('who guesses recipients is cut off', async () => {
    const client = await open();
    await client.ask('EHLO client.test');
    await client.ask('MAIL FROM:<anna@supplier.example>');
    const codes: string[] = [];
    for (let n = 0; n < 12; n++) codes.push(codeOf(await client.ask(`RCPT TO:<${n}@${testDomain}>`)));
    assert.deepEqual(codes, [...Array(9).fill('550'), '421', '', '']);
  });

  test('who smuggles a second message is refused, and what he smuggled is no command', async () => {
    const victim = await inbox.addInbox();
    for (const end of ['\n.\n', '\n.\r\n', '\r.\r', '\r\n.\n', '\r\n.\r']) {
      const client = await open();
      await beginMessage(client, victim.address);
      const smuggled = `MAIL FROM:<ceo@supplier.example>\r\nRCPT TO:<${victim.address}>\r\nDATA\r\n`;
      client.write(`${multipart([attachedPdf])}${end}${smuggled}${multipart([attachedPdf])}\r\n.\r\n`);
      assert.match(await client.reply(), /^554 /, JSON.stringify(end));
      assert.match(await client.ask('NOOP'), /^250/);
      client.close();
    }
    await assertUnharmed(victim);
  });

  test('commands sent ahead are answered in order, as a client may send them', async () => {
    const { accountId, address } = await inbox.addInbox();
    const client = await open();
    await client.ask('EHLO client.test');
    const message = multipart([attachedPdf]);
    client.write(`MAIL FROM:<a@b.example>\r\nRCPT TO:<nobody@${testDomain}>\r\nRCPT TO:<${address}>\r\nDATA\r\n`);
    for (const code of ['250', '550', '250', '354']) assert.equal(codeOf(await client.reply()), code);
    client.write(`${message}\r\n.\r\nQUIT\r\n`);
    assert.match(await client.reply(), /^250 /);
    assert.match(await client.reply(), /^221 /);
    assert.equal((await inbox.stored(accountId)).documents.length, 1);
  });

  test('nonsense is answered by an error and, when there is no end of it, by the end', async () => {
    const client = await open();
    client.write(Buffer.from(Array.from({ length: 2_000 }, (_, index) => index % 256)));
    client.write('\r\n');
    assert.match(await client.reply(), /^5/);
    for (let n = 0; n < 30; n++) client.write('NONSENSE\r\n');
    let last = await client.reply();
    for (let reply = last; reply !== ''; reply = await client.reply()) last = reply;
    assert.match(last, /^421/);
    const long = await open();
    long.write('X'.repeat(100_000));
    assert.match(await long.reply(), /^421/);
  });

  test('a message that is too large is refused before it is sent, or once it is', async () => {
    const victim = await inbox.addInbox();
    const client = await open();
    await client.ask('EHLO client.test');
    assert.match(await client.ask('MAIL FROM:<a@b.example> SIZE=2000000'), /^552/);
    assert.match(await deliver(victim.address, multipart([attachedPdf, ['', 'x'.repeat(1_100_000)]])), /^552/);
    await assertUnharmed(victim);
  });

  test('a message without end is cut off', async () => {
    const victim = await inbox.addInbox();
    const client = await open();
    await beginMessage(client, victim.address);
    client.write(multipart([attachedPdf]));
    const chunk = 'x'.repeat(64_000);
    let sentBytes = 0;
    while (!client.socket.destroyed && sentBytes < 50_000_000) {
      client.write(chunk);
      sentBytes += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.ok(sentBytes < 50_000_000, 'the connection ends');
    await assertUnharmed(victim);
  });

  test('a client that stalls or trickles is cut off, and leaves nothing', async () => {
    const victim = await inbox.addInbox();
    const before = (await inbox.stored(victim.accountId)).blobCount;
    const stalling = await open();
    await beginMessage(stalling, victim.address);
    stalling.write(multipart([attachedPdf]));
    const trickling = await open();
    await beginMessage(trickling, victim.address);
    trickling.write(multipart([attachedPdf]));
    const trickle = setInterval(() => trickling.write('x'), 100);
    const startedMs = Date.now();
    try {
      assert.match(await stalling.reply(), /^421|^$/);
      assert.match(await trickling.reply(), /^421|^$/);
    } finally {
      clearInterval(trickle);
    }
    assert.ok(Date.now() - startedMs < 60_000);
    await eventually(
      'their originals are gone',
      async () => (await inbox.stored(victim.accountId)).blobCount === before,
    );
    await assertUnharmed(victim);
  });

  test('a client that hangs up within a message leaves nothing', async () => {
    const victim = await inbox.addInbox();
    const before = (await inbox.stored(victim.accountId)).blobCount;
    const client = await open();
    await beginMessage(client, victim.address);
    client.write(multipart([attachedPdf, ['', 'x\r\n'.repeat(50_000)]]));
    await eventually('an original is stored', async () => (await inbox.stored(victim.accountId)).blobCount > before);
    client.close();
    await eventually('it is gone', async () => (await inbox.stored(victim.accountId)).blobCount === before);
    await assertUnharmed(victim);
  });

  test('10,000 parts, floods of headers and deep nesting are refused in little time', async () => {
    const victim = await inbox.addInbox();
    const startedMs = performance.now();
    const tiny = ['Content-Type: application/pdf', '', 'x'];
    assert.match(await deliver(victim.address, multipart(Array(10_000).fill(tiny))), /^554 /);
    assert.match(await deliver(victim.address, multipart(Array(600).fill(tiny))), /^554 /);
    const flood = Array.from({ length: 20_000 }, (_, n) => `X-Header-${n}: ${'y'.repeat(20)}`);
    assert.match(await deliver(victim.address, multipart([attachedPdf], flood)), /^554 /);
    const folded = `Subject: ${' a\r\n'.repeat(60_000)}`;
    assert.match(await deliver(victim.address, multipart([attachedPdf], [folded])), /^554 /);
    const addresses = `To: ${'<a@b>,'.repeat(20_000)}`;
    assert.match(await deliver(victim.address, multipart([['', 'x']], [addresses])), /^554 /);
    let nested = multipart([attachedPdf]);
    for (let depth = 0; depth < 12; depth++) {
      const part = ['Content-Type: message/rfc822', 'Content-Disposition: attachment', '', nested];
      nested = multipart([part], [], `nested${depth}`);
    }
    assert.match(await deliver(victim.address, nested), /^554 /);
    let boxes = 'x';
    for (let depth = 0; depth < 2_000; depth++) {
      boxes = `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${boxes}\r\n--b${depth}--`;
    }
    assert.match(await deliver(victim.address, `From: a@b.example\r\n${boxes}`), /^5/);
    assert.ok(performance.now() - startedMs < 60_000);
    await assertUnharmed(victim);
  });

  test('what swells when it is unpacked stays packed', async () => {
    const victim = await inbox.addInbox();
    const gzipBomb = Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), Buffer.alloc(100_000)]);
    const bombs = [
      { filename: 'bomb.zip', content: Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(100_000)]) },
      { filename: 'bomb.gz', content: gzipBomb },
      { filename: 'winmail.dat', content: Buffer.from('789f3e22', 'hex'), contentType: 'application/ms-tnef' },
      { filename: 'invoice.pdf', content: Buffer.from('MZ this is a program') },
    ];
    await assert.rejects(sendMail(inbox.port, { to: victim.address, attachments: bombs }), /554 /);
    const endless = ['Content-Type: application/pdf', 'Content-Transfer-Encoding: base64', '', 'A'.repeat(900_000)];
    assert.match(await deliver(victim.address, multipart([endless])), /^554 /);
    const oneLine = ['Content-Type: text/html', 'Content-Transfer-Encoding: quoted-printable', '', '='.repeat(900_000)];
    assert.match(await deliver(victim.address, multipart([oneLine])), /^554 /);
    await assertUnharmed(victim);
  });

  test('odd texts from outside are stored as they may be', async () => {
    const { accountId, address } = await inbox.addInbox();
    const message = multipart(
      [
        [
          'Content-Type: application/pdf',
          "Content-Disposition: attachment; filename*=utf-8''a%00%0d%0ab%ff.pdf",
          'Content-Transfer-Encoding: base64',
          '',
          pdf.toString('base64'),
        ],
      ],
      ['Subject: =?utf-8?B?AABhDQpiAA==?= \u0000 x', 'Message-ID: <\u0000x\u0007>', 'Date: nonsense'],
    );
    assert.match(await deliver(address, message), /^250 /);
    const { documents, messages } = await inbox.stored(accountId);
    assert.equal(messages.length, 1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
    assert.doesNotMatch(`${documents[0]?.file_name}${messages[0]?.subject}`, /[\u0000-\u001f]/);
  });

  test('who stays without end is cut off, however busy', async () => {
    const brief = await startTestInbox({}, { idleMs: 60_000, messageMs: 60_000, connectionMs: 1_000 });
    try {
      const client = await connectRaw(brief.port);
      let last = 'none';
      for (let answer = last; answer !== ''; answer = await client.ask('NOOP')) last = answer;
      assert.match(last, /^421|^250/);
    } finally {
      await brief.stop();
    }
  });

  test('who opens connections without end gets some of them', async () => {
    const opened = await Promise.allSettled(Array.from({ length: 40 }, () => open()));
    const usable = opened.filter((result) => result.status === 'fulfilled');
    const answers = await Promise.all(usable.map(({ value }) => value.ask('NOOP')));
    assert.ok(answers.filter((answer) => answer.startsWith('250')).length <= 20);
    for (const { value } of usable) value.close();
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { createMailTransport, type Mail } from './mail.ts';

const mail: Mail = { to: 'robin@example.com', subject: 'Prüfung', text: 'A link:\nhttps://example.com/?token=abc' };

test('without a server each e-mail is a file that only its owner can read', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'millrace-test-mail-'));
  try {
    const folder = join(parent, 'mail');
    const send = createMailTransport({ smtpUrl: null, from: 'Millrace <millrace@example.com>', folder });
    await send(mail);
    await send({ ...mail, to: 'robin@example.com, eve@example.com' });
    const names = (await readdir(folder)).sort();
    assert.equal(names.length, 2);
    assert.equal((await stat(join(folder, names[0]!))).mode & 0o777, 0o600);
    const [first, second] = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    assert.match(first!, /^To: robin@example\.com\r$/m);
    assert.match(first!, /^Subject: =\?UTF-8\?/m);
    assert.match(first!, /token=3Dabc|token=abc/);
    assert.doesNotMatch(second!, /^To: robin@example\.com, eve@example\.com\r$/m);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});

test('whoever looks for e-mails in the folder finds none that is still being written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-test-mail-'));
  try {
    const send = createMailTransport({ smtpUrl: null, from: 'millrace@example.com', folder });
    let isSent = false;
    const sent = Promise.all(Array.from({ length: 200 }, () => send(mail))).then(() => {
      isSent = true;
    });
    while (!isSent) {
      const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
      for (const name of names) assert.match(readFileSync(join(folder, name), 'utf8'), /token=3Dabc|token=abc/);
      await setImmediate();
    }
    await sent;
    assert.equal(readdirSync(folder).length, 200);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('an attachment arrives byte by byte', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-test-mail-'));
  try {
    const contentBase64 = Buffer.from([0, 255, 13, 10, 128]).toString('base64');
    const attachments = [{ fileName: 'INV-1.pdf', mediaType: 'application/pdf', contentBase64 }];
    await createMailTransport({ smtpUrl: null, from: 'millrace@example.com', folder })({ ...mail, attachments });
    const [name] = await readdir(folder);
    const text = await readFile(join(folder, name!), 'utf8');
    assert.match(text, /^Content-Type: application\/pdf; name=INV-1\.pdf\r$/m);
    assert.ok(text.includes(`\r\n${contentBase64}\r\n`), text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('an automatic reply has no return address and is marked as automatic', async () => {
  const received: { from: string; to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = mailFrom === false ? '' : mailFrom.address;
        received.push({ from, to: rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    const { port } = server.server.address() as AddressInfo;
    const from = 'millrace@example.com';
    const send = createMailTransport({ smtpUrl: `smtp://127.0.0.1:${port}`, from, folder: '' });
    await send({ ...mail, answers: '<one@example.com>' });
    await send(mail);
    assert.deepEqual(
      received.map(({ from, to }) => [from, to]),
      [
        ['', ['robin@example.com']],
        [from, ['robin@example.com']],
      ],
    );
    assert.match(received[0]!.text, /^Auto-Submitted: auto-replied\r$/m);
    assert.match(received[0]!.text, /^In-Reply-To: <one@example\.com>\r$/m);
    assert.doesNotMatch(received[1]!.text, /Auto-Submitted/);
  } finally {
    await new Promise<void>((closed) => server.close(() => closed()));
  }
});

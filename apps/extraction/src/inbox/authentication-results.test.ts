import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authenticationOf, type HeaderLine } from './authentication-results.ts';

const server = 'mx.example.com';
const from = 'supplier.example';

function lines(...texts: string[]): HeaderLine[] {
  return texts.map((line) => ({ key: line.slice(0, line.indexOf(':')).toLowerCase(), line }));
}

const results = (text: string) => `Authentication-Results: ${text}`;
const received = (host: string) => `Received: from ${host} by ${host}; Sat, 14 Mar 2026 09:26:53 +0000`;
const judge = (...texts: string[]) => authenticationOf(lines(...texts), server, from);

test('what the relay found of SPF, DKIM and DMARC decides', () => {
  assert.equal(judge(results(`${server}; dmarc=pass header.from=supplier.example`)), 'passed');
  assert.equal(
    judge(results(`${server}; dmarc=fail header.from=supplier.example; spf=pass smtp.mailfrom=a@supplier.example`)),
    'failed',
  );
  assert.equal(judge(results(`${server}; spf=pass smtp.mailfrom=bounce@mail.supplier.example`)), 'passed');
  assert.equal(judge(results(`${server}; dkim=pass header.d=supplier.example header.s=k1`)), 'passed');
  assert.equal(judge(results(`${server}; dkim=fail header.d=supplier.example`)), 'failed');
  assert.equal(judge(results(`${server}; none`)), 'unknown');
});

test('a pass for another domain than that of From is none', () => {
  assert.equal(judge(results(`${server}; spf=pass smtp.mailfrom=a@attacker.example`)), 'unknown');
  assert.equal(judge(results(`${server}; dkim=pass header.d=attacker.example`)), 'unknown');
  assert.equal(judge(results(`${server}; dkim=pass header.d=evil-supplier.example`)), 'unknown');
  assert.equal(judge(results(`${server}; dmarc=pass header.from=attacker.example`)), 'unknown');
});

test('the grammar is read: comments, quoted texts, folding, white space, versions', () => {
  assert.equal(
    judge(
      results(
        `${server} (a relay; dmarc=fail) 1;\r\n\tspf = pass (sender is (really) fine; ok)\r\n smtp.mailfrom="a@supplier.example";\r\n dkim/1=none`,
      ),
    ),
    'passed',
  );
  assert.equal(judge(results(`"${server}; dmarc=pass"; dmarc=fail`)), 'unknown');
  assert.equal(judge(results(`${server} (; dmarc=pass`)), 'unknown');
  assert.equal(judge(results(`${server}; reason="spf=pass smtp.mailfrom=a@supplier.example"`)), 'unknown');
});

test('what a sender forged counts nowhere', () => {
  const genuine = results(`${server}; dmarc=fail header.from=supplier.example`);
  const forged = results(`${server}; dmarc=pass header.from=supplier.example`);
  const foreign = results('mx.attacker.example; dmarc=pass header.from=supplier.example');
  assert.equal(judge(genuine, received('relay'), forged), 'failed');
  assert.equal(judge(genuine, forged), 'failed');
  assert.equal(judge(received('relay'), genuine, forged, received('attacker')), 'failed');
  assert.equal(judge(foreign, genuine), 'failed');
  assert.equal(judge(foreign), 'unknown');
  assert.equal(judge(received('relay'), received('attacker'), forged), 'unknown');
  assert.equal(judge(results(`${server}.attacker.example; dmarc=pass`)), 'unknown');
  assert.equal(judge(results(`${server}; ${'x=y '.repeat(10_000)}; dmarc=pass`)), 'unknown');
});

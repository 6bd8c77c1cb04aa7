import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type SnippetRequest, snippetsOf } from './snippets.ts';

/** A request as it arrived. */
interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Texts that end a literal, a line or a word of some language, or mean something within one. */
const hostile = [
  `'"\`$(touch pwned)\${7*7}\\`,
  `\\"); import os; os.system("touch pwned") #`,
  `"""'''\\u0022 + x + \\u0022`,
  '#{x} %s {0} {{x}} $HOME !! ~ * ? [a-z] {a,b} & | ; < >',
  'ä 日本 🙂 \u202e\u2028\u2029\ufeff\u200b\u0085\u00ad',
  '--upload-file @/etc/passwd',
  '@/etc/passwd',
  '</script><script>alert(1)</script>',
];

describe('snippets', () => {
  let server: Server;
  let origin: string;
  let folder: string;
  let arrived: Arrived[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-snippets-'));
    writeFileSync(join(folder, 'document.bin'), 'content of the file');
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        arrived.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
        response.end('done');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  const run = async (command: string, args: readonly string[]) => {
    arrived = [];
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (output += text));
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 0, output);
    assert.equal(arrived.length, 1, output);
    return arrived[0]!;
  };
  const runners: Readonly<Record<string, (code: string) => Promise<Arrived>>> = {
    curl: (code) => run('sh', ['-c', code]),
    javascript: (code) => {
      writeFileSync(join(folder, 'snippet.mjs'), code);
      return run(process.execPath, ['snippet.mjs']);
    },
    python: (code) => {
      writeFileSync(join(folder, 'snippet.py'), code);
      return run('python3', ['snippet.py']);
    },
    java: (code) => {
      writeFileSync(join(folder, 'Example.java'), code);
      return run('java', ['Example.java']);
    },
    go: (code) => {
      writeFileSync(join(folder, 'snippet.go'), code);
      return run('go', ['run', 'snippet.go']);
    },
  };
  const works = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
  const runnable: Readonly<Record<string, boolean>> = {
    curl: works('curl', '--version'),
    javascript: true,
    python: works('python3', '-c', 'import requests'),
    java: works('javac', '-version'),
    go: works('go', 'version'),
  };

  for (const [language, runner] of Object.entries(runners)) {
    const skip = runnable[language] ? false : `${language} is not on this machine`;

    test(`${language} sends the request as it is, whatever is in it`, { skip }, async () => {
      // A shell starts at once; the others take a second.
      const texts = language === 'curl' ? hostile : [hostile.join(' ')];
      for (const text of texts) {
        const request: SnippetRequest = {
          method: 'PUT',
          url: `${origin}/v1/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}`,
          headers: [
            { name: 'x-note', value: text.replaceAll(/[^\x20-\x7e]/g, '') },
            { name: 'content-type', value: 'application/json' },
          ],
          body: { kind: 'text', text: JSON.stringify({ [text]: [text, 1.5, true, null, {}] }, null, 2) },
        };
        const { code } = snippetsOf(request).find((snippet) => snippet.language === language)!;
        const { method, url, headers, body } = await runner(code);
        assert.equal(method, 'PUT');
        assert.equal(URL.parse(url, origin)!.searchParams.get('q'), text);
        assert.equal(headers['x-note'], request.headers[0]!.value.trim());
        assert.deepEqual(JSON.parse(body), { [text]: [text, 1.5, true, null, {}] });
      }
    });

    test(`${language} sends a form with a file`, { skip }, async () => {
      const text = hostile[0]!;
      const request: SnippetRequest = {
        method: 'POST',
        url: `${origin}/extract`,
        headers: [{ name: 'x-api-key', value: 'YOUR_API_KEY' }],
        body: {
          kind: 'multipart',
          parts: [
            { name: 'document', value: '', fileName: 'document.bin' },
            { name: 'note', value: text, fileName: null },
            { name: 'other', value: '@/etc/passwd', fileName: null },
          ],
        },
      };
      const { code } = snippetsOf(request).find((snippet) => snippet.language === language)!;
      const { headers, body } = await runner(code);
      assert.match(String(headers['content-type']), /^multipart\/form-data; ?boundary=/);
      assert.equal(headers['x-api-key'], 'YOUR_API_KEY');
      const form = await new Response(body, {
        headers: { 'content-type': String(headers['content-type']) },
      }).formData();
      assert.equal(form.get('note'), text);
      assert.equal(form.get('other'), '@/etc/passwd');
      assert.equal(await (form.get('document') as File).text(), 'content of the file');
    });
  }

  test('Go and C# have every text as one literal', () => {
    for (const text of hostile) {
      const request: SnippetRequest = {
        method: 'POST',
        url: `${origin}/`,
        headers: [{ name: 'x-note', value: text }],
        body: { kind: 'text', text },
      };
      for (const { language, code } of snippetsOf(request)) {
        if (language !== 'go' && language !== 'csharp') continue;
        const literals = [...code.matchAll(/"(?:[^"\\\n\u0085\u2028\u2029\ufeff]|\\(?:["\\bfnrt]|u[0-9a-f]{4}))*"/g)];
        const values = literals.map(([literal]) => {
          try {
            return JSON.parse(literal);
          } catch {
            return null;
          }
        });
        assert(values.includes(text), `${language} doesn’t have ${JSON.stringify(text)} in\n${code}`);
        // Outside of literals stands only what the template has.
        const rest = literals.reduce((remaining, [literal]) => remaining.replace(literal, ''), code);
        assert(!/pwned|script|passwd/.test(rest), rest);
      }
    }
  });

  test('nothing but the request is sent or run', () => {
    assert(!works('test', '-e', join(folder, 'pwned')));
    const injected: SnippetRequest = {
      method: 'GET"; touch pwned',
      url: 'https://api.example.com/',
      headers: [
        { name: 'x-a\r\nx-b', value: '1' },
        { name: 'x-c', value: '1\r\nx-d: 2' },
      ],
      body: null,
    };
    for (const { code } of snippetsOf(injected)) {
      assert(!/touch|x-b|\r/.test(code), code);
      assert(code.includes('1 x-d: 2'), code);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { renderMarkdown } from './markdown.ts';

/** Attributes that each element may have; no others appear, whatever is rendered. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title', 'rel'],
  blockquote: [],
  br: [],
  code: ['class'],
  div: ['class', 'tabindex'],
  em: [],
  h2: ['id'],
  h3: ['id'],
  h4: ['id'],
  h5: ['id'],
  h6: ['id'],
  hr: [],
  img: ['src', 'alt', 'title', 'loading', 'referrerpolicy'],
  li: [],
  ol: ['start'],
  p: [],
  pre: ['tabindex'],
  s: [],
  strong: [],
  table: [],
  tbody: [],
  td: ['class'],
  th: ['class'],
  thead: [],
  tr: [],
  ul: [],
};

const portal = 'https://portal.example/guides/first';

/** Parses as a browser does and finds whatever a guide must not contain. */
function* offences(html: string): Generator<string> {
  const open: DefaultTreeAdapterTypes.ChildNode[] = [...parseFragment(html).childNodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeName === '#comment') yield 'a comment';
    if (!('tagName' in node)) continue;
    const names = allowed[node.tagName];
    if (names === undefined) yield `<${node.tagName}>`;
    for (const { name, value } of node.attrs) {
      if (!names?.includes(name)) yield `${name} of <${node.tagName}>`;
      const { protocol, origin } = URL.parse(value, portal) ?? { protocol: 'broken', origin: '' };
      const isOwn = origin === 'https://portal.example';
      if (name === 'href' && !/^(?:https?|mailto):$/.test(protocol)) yield `a link to ${value}`;
      if (name === 'href' && /^(?:[\\/]{2}|\s)/.test(value)) yield `a link to ${value}`;
      if (name === 'src' && protocol !== 'https:') yield `an image from ${value}`;
      if (name === 'src' && !isOwn && !value.startsWith('https://')) yield `an image from ${value}`;
      if (name === 'class' && !/^(?:language-[\w+#.-]+|table|align-\w+)$/.test(value)) yield `the class ${value}`;
      if (name === 'id' && !/^section-[\p{L}\p{N}-]+$/u.test(value)) yield `the id ${value}`;
      if (name === 'tabindex' && value !== '0') yield `the tabindex ${value}`;
    }
    open.push(...node.childNodes);
  }
}

const payloads = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//evil.example/x.js></sCrIpT>',
  '<img src=x onerror=alert(1)>',
  '<img/src="x"/onerror=alert(1)//',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<object data="javascript:alert(1)">',
  '<embed src="data:text/html,<script>alert(1)</script>">',
  '<form action="javascript:alert(1)"><button>go</button></form>',
  '<button formaction="javascript:alert(1)">go</button>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video><source onerror=alert(1)></video>',
  '<audio src=x onerror=alert(1)>',
  '<body onload=alert(1)>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '<style>@import "https://evil.example/x.css"</style>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" &#1; javascript:alert(1)">x</a>',
  '<div style="background:url(javascript:alert(1))">',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea></textarea><script>alert(1)</script>',
  '<title></title><script>alert(1)</script>',
  '<!--><script>alert(1)</script-->',
  '<!-- --!><img src=x onerror=alert(1)>',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '</p><script>alert(1)</script>',
  '</code></pre><script>alert(1)</script>',
  '<p id="section-x" onclick="alert(1)">x</p>',
  '<a name="location" id="location">x</a>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<x onclick=alert(1)>x</x>',
] as const;

const addresses = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'javascript&#x3A;alert(1)',
  'java&#9;script:alert(1)',
  'java&#10;script:alert(1)',
  'java&NewLine;script:alert(1)',
  '&#1;javascript:alert(1)',
  '&#x6A;avascript:alert(1)',
  '%6aavascript:alert(1)',
  'javascript%3Aalert(1)',
  '\\javascript:alert(1)',
  'j\\avascript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  '\u2028javascript:alert(1)',
  '\ufeffjavascript:alert(1)',
  'jav\u00adascript:alert(1)',
  'ｊavascript:alert(1)',
  'javascript：alert(1)',
  'vbscript:msgbox(1)',
  'livescript:x',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'data:image/png;base64,iVBORw0KGgo=',
  'DATA:text/html,x',
  'file:///etc/passwd',
  'ftp://evil.example/x',
  'blob:https://portal.example/1',
  'filesystem:https://portal.example/x',
  'about:blank',
  'view-source:https://evil.example/',
  'intent://evil.example/#Intent;end',
  'ws://evil.example/',
  'feed:javascript:alert(1)',
  'jar:https://evil.example!/x',
  '//evil.example/x',
  '\\\\\\\\evil.example/x',
  '/\\evil.example/x',
  '\\/evil.example/x',
  '/&#9;/evil.example/x',
  '&#x2f;&#x2f;evil.example/x',
  'http:evil.example',
  'https:/\\evil.example/x',
  'http://user:password@evil.example/" onmouseover="alert(1)',
  'https://evil.example/"><script>alert(1)</script>',
  "https://evil.example/'><script>alert(1)</script>",
  'https://evil.example/`onerror=alert(1)',
  'x" onerror="alert(1)',
  'x&quot; onerror=&quot;alert(1)',
  'http://[::1',
  'http://%00/',
] as const;

/** Each address as every kind of link and image. */
const linked = addresses.flatMap((address) => [
  `[x](${address})`,
  `[x](<${address}>)`,
  `[x](<${address}> "title\\" onclick=alert(1) \\"")`,
  `![x](${address})`,
  `![x](<${address}>)`,
  `![x" onerror="alert(1)](<${address}> "t")`,
  `<${address}>`,
  `[x][1]\n\n[1]: ${address}`,
  `![x][1]\n\n[1]: <${address}> 't" onload="alert(1)'`,
  `See ${address} there.`,
]);

/** Each piece of HTML wherever text can stand. */
const placed = payloads.flatMap((payload) => [
  payload,
  `a ${payload} b`,
  `# ${payload}`,
  `${payload}\n===`,
  `> ${payload}`,
  `- ${payload}`,
  `\`${payload}\``,
  `**${payload}**`,
  `[${payload}](https://example.com)`,
  `![${payload}](https://example.com/x.png "${payload.replaceAll('"', '\\"')}")`,
  `\`\`\`${payload}\n${payload}\n\`\`\``,
  `~~~ html onclick=alert(1) ${payload}\n${payload}\n~~~`,
  `    ${payload}`,
  `| ${payload} |\n|:-:|\n| ${payload} |`,
  `[a]: <https://example.com/> '${payload}'\n\n[a]`,
  `\\${payload}`,
  payload.replaceAll('<', '&lt;'),
  payload.replaceAll('<', '&#60;'),
]);

const curious = [
  '# constructor\n# __proto__\n# section-x\n# section-x',
  '#\n\n## <>\n',
  '[x]: javascript:alert(1)\n[x]',
  '[__proto__]\n\n[__proto__]: https://example.com',
  '[constructor]\n\n[toString]\n\n[hasOwnProperty]: /x',
  '| a | b |\n|:--|--:|\n| `x|y` | <b>z</b> |',
  '1000000000000. x',
  '99999999999999999999999999. x',
  '```" onclick="alert(1)\nx\n```',
  '```language-x onload\nx\n```',
  'www.evil.example <www.evil.example>',
  'mailto:a@example.com"onclick=alert(1)',
  '<a@example.com"onclick=alert(1)>',
  '[![x](javascript:alert(1))](javascript:alert(1))',
  '[![x](https://example.com/x.png)](//evil.example)',
  '\0<script>\0alert(1)</script>',
  '\ud800[x](javascript:alert(1))\udc00',
];

const vectors = [...placed, ...linked, ...curious];

describe('renderMarkdown', () => {
  test('renders allowed elements, attributes and addresses only, for every injection vector', () => {
    assert(vectors.length >= 1_000, `${vectors.length} vectors`);
    for (const vector of vectors) {
      assert.deepEqual(
        [...offences(renderMarkdown(vector).html)],
        [],
        `found after rendering ${JSON.stringify(vector)}`,
      );
    }
  });

  test('the check of the vectors finds what it looks for', () => {
    for (const html of [
      '<script>',
      '<p onclick=x>',
      '<a href="javascript:x">',
      '<a href="//evil.example">',
      '<img src="http://evil.example">',
      '<p id=x>',
      '<h2 id=x>',
      '<!-- x -->',
    ]) {
      assert.notDeepEqual([...offences(html)], [], html);
    }
  });

  test('shows HTML as text', () => {
    assert.equal(renderMarkdown('a <b>b</b>').html, '<p>a &lt;b&gt;b&lt;/b&gt;</p>\n');
  });

  test('renders what guides are made of', () => {
    const source = [
      '# First call',
      '',
      'Send *one* **request** to https://api.example.com, see [keys](../keys#new "Keys") and [mail](mailto:a@example.com).',
      '',
      '1. one',
      '2. two',
      '',
      '| Name | Size |',
      '|---|--:|',
      '| a | 1 |',
      '',
      '```js',
      'fetch("x")',
      '```',
      '',
      '![Logo](/images/logo.png)',
    ].join('\n');
    const { html } = renderMarkdown(source);
    assert.match(html, /<h2 id="section-first-call">First call<\/h2>/);
    assert.match(html, /<a href="https:\/\/api.example.com" rel="noopener noreferrer">/);
    assert.match(html, /<a href="..\/keys#new" title="Keys">keys<\/a>/);
    assert.match(html, /<a href="mailto:a@example.com"/);
    assert.match(html, /<ol>\n<li>one<\/li>/);
    assert.match(html, /<th class="align-right">Size<\/th>/);
    assert.match(html, /<pre tabindex="0"><code class="language-js">fetch\(&quot;x&quot;\)\n<\/code><\/pre>/);
    assert.match(html, /<img src="\/images\/logo.png" alt="Logo" loading="lazy"/);
    assert.deepEqual([...offences(html)], []);
  });

  test('headings have unique ids and leave out no level', () => {
    const { headings } = renderMarkdown('### Über `x`\n\n# Über x\n\n##### Deep\n\n# 日本');
    assert.deepEqual(headings, [
      { id: 'section-uber-x', level: 2, text: 'Über x' },
      { id: 'section-uber-x-2', level: 2, text: 'Über x' },
      { id: 'section-deep', level: 3, text: 'Deep' },
      { id: 'section-日本', level: 2, text: '日本' },
    ]);
    const levels = renderMarkdown('## a\n\n## b\n\n#### c\n\n### d\n\n## e').headings.map(({ level }) => level);
    assert.deepEqual(levels, [2, 2, 3, 3, 2]);
  });

  test('renders the largest source in bounded time, however it is nested', () => {
    const size = 200_000;
    for (const piece of [
      '[',
      '![',
      '*a_',
      '<',
      '`',
      '> ',
      '- ',
      '|',
      '[a](',
      '**',
      '&',
      'http://',
      '\\',
      '~~',
      '# a\n',
      '[a]: /x\n',
    ]) {
      const source = piece.repeat(size / piece.length);
      const before = process.threadCpuUsage();
      const { html } = renderMarkdown(source);
      // Of the processor, whatever else it does.
      const { user } = process.threadCpuUsage(before);
      assert(user < 5_000_000, `${JSON.stringify(piece)} took ${user} µs`);
      assert(html.length < 20 * size, `${JSON.stringify(piece)} makes ${html.length} characters`);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attributes, dataBlock, Html, html, join, proseOf, safeUrl } from './html.ts';

describe('html', () => {
  it('escapes text and attributes', () => {
    const hostile = `<b>&"'\`\0`;
    assert.equal(
      String(html`<p title="${hostile}">${hostile}</p>`),
      '<p title="&lt;b&gt;&amp;&quot;&#39;&#96;\ufffd">&lt;b&gt;&amp;&quot;&#39;&#96;\ufffd</p>',
    );
  });

  it('inserts markup, lists and numbers, and leaves out what is absent', () => {
    const items = ['<', 2].map((item) => html`<li>${item}</li>`);
    assert.equal(String(html`<ul>${items}</ul>${null}${undefined}${false}`), '<ul><li>&lt;</li><li>2</li></ul>');
    assert.equal(String(join(items)), '<li>&lt;</li><li>2</li>');
  });

  it('replaces a URL that a page must not open', () => {
    for (const url of [
      'javascript:alert(1)',
      ' java\nscript:alert(1)',
      'JaVaScRiPt:x',
      'data:text/html,x',
      'vbscript:x',
      '\u0001javascript:x',
      'java\u00adscript:x',
    ]) {
      assert.equal(String(html`<a href="${url}">x</a>`), '<a href="#">x</a>', url);
      assert.equal(safeUrl(url), null, url);
    }
    for (const url of [
      '/a:b',
      './a:b',
      '?a=b:c',
      '#a:b',
      'https://a.example/?q=javascript:x',
      'mailto:a@b.example',
      'a/b',
    ]) {
      assert.equal(safeUrl(url), url);
    }
  });

  it('writes attributes by their names', () => {
    const own = attributes({
      open: true,
      hidden: false,
      'aria-current': 'page',
      title: '"',
      href: 'javascript:x',
      width: 3,
    });
    assert.equal(
      String(html`<details${own}></details>`),
      '<details open aria-current="page" title="&quot;" href="#" width="3"></details>',
    );
    assert.throws(() => attributes({ onclick: 'x' }), /No value is safe/);
    assert.throws(() => attributes({ 'a b': 'x' }), /not an attribute/);
  });

  it('refuses places that no value is safe in', () => {
    const value = 'x';
    assert.throws(() => html`<script>${value}</script>`, /script/);
    assert.throws(() => html`<style>${value}</style>`, /style/);
    assert.throws(() => html`<p style="${value}"></p>`, /style/);
    assert.throws(() => html`<p onclick="${value}"></p>`, /onclick/);
    assert.throws(() => html`<iframe srcdoc="${value}"></iframe>`, /srcdoc/);
    assert.throws(() => html`<p class=${value}></p>`, /without double quotes/);
    assert.throws(() => html`<p class='${value}'></p>`, /No value is safe/);
    assert.throws(() => html`<!-- ${value} -->`, /comment/);
    assert.throws(() => html`<${value}>`, /name of a tag/);
    assert.throws(() => html`<p ${value}></p>`, /attributes/);
    assert.throws(() => html`<p class="${html`<b>x</b>`}"></p>`, /Markup cannot be/);
    assert.throws(() => html`<p class="`, /ends where markup/);
    assert.throws(() => html`<p>${{} as string}</p>`, /text, numbers and markup/);
    assert.throws(() => html`<p>${{ toString: () => '<b>' } as string}</p>`, /text, numbers and markup/);
  });

  it('takes escaped text in a title and a text field', () => {
    assert.equal(String(html`<title>${'</title><script>'}</title>`), '<title>&lt;/title&gt;&lt;script&gt;</title>');
    assert.equal(
      String(html`<textarea>${'</textarea>'}</textarea><b>${'<'}</b>`),
      '<textarea>&lt;/textarea&gt;</textarea><b>&lt;</b>',
    );
  });

  it('writes data blocks that no text can end', () => {
    const block = String(dataBlock('application/ld+json', { name: '</script><!--<script>\u2028&' }));
    assert.doesNotMatch(block.slice(35, -9), /[<>&\u2028]/);
    assert.deepEqual(JSON.parse(block.slice(block.indexOf('>') + 1, block.lastIndexOf('<'))), {
      name: '</script><!--<script>\u2028&',
    });
  });

  it('alone makes markup', () => {
    assert.throws(() => new Html('<b>', Symbol('html') as never), /html template/);
  });

  it('takes prose that a renderer made of Markdown', () => {
    const prose =
      '<h2 id="section-a">A &amp; B</h2>\n<p><a href="https://a.example/?a=1&amp;b=2" rel="noopener noreferrer">x</a><br><img src="/x.png" alt="&quot;" loading="lazy" /></p><pre tabindex="0"><code class="language-sh">&lt;</code></pre>';
    assert.equal(String(proseOf(prose)), prose);
  });

  it('takes no other markup as prose', () => {
    for (const markup of [
      '<script>x</script>',
      '<p onclick="x">x</p>',
      '<p style="color:red">x</p>',
      '<a href="javascript:x">x</a>',
      '<a href="&#106;avascript:x">x</a>',
      '<a href="java&Tab;script:x">x</a>',
      '<img src="data:text/html,x" alt="">',
      "<p title='x'>x</p>",
      '<p id=x>x</p>',
      '<svg></svg>',
      '<P>x</P>',
      '<p',
      'a < b',
      'a > b',
      '<!-- x -->',
      '<p/onclick="x">',
      '</p id="x">',
      '<h2 id="a"onclick="b">',
      '<constructor>',
    ]) {
      assert.equal(proseOf(markup), null, markup);
    }
  });
});

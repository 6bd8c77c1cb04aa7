import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contrastOf } from '@millrace/portal-theme';
import { samplePortal } from './testing.ts';
import { themeCss } from './theme.ts';

describe('themeCss', () => {
  it('names each colour for either scheme', () => {
    const css = themeCss(samplePortal());
    assert.match(css, /^:root\{--portal-accent:light-dark\(#0b7285,#3bb6cc\);/);
    assert.match(css, /--portal-muted-text:light-dark\(#55555e,#a3a3ad\);/);
  });

  it('keeps colours with a meaning readable on any ground', () => {
    const { theme } = samplePortal();
    const ground = { ...theme.light, background: '#8fbf8f', surface: '#a0c8a0', text: '#000000' };
    const css = themeCss({ theme: { light: ground, dark: theme.dark } });
    for (const name of ['good', 'info', 'warning', 'bad']) {
      const colour = new RegExp(`--portal-${name}:light-dark\\((#[0-9a-f]{6}),`).exec(css)?.[1] ?? '';
      assert.ok(contrastOf(colour, '#8fbf8f') >= 4.5, `${name} ${colour}`);
      assert.ok(contrastOf(colour, '#a0c8a0') >= 4.5, `${name} ${colour}`);
    }
  });

  it('takes nothing but colours', () => {
    const { theme } = samplePortal();
    const light = { ...theme.light, accent: 'red;}body{display:none' };
    assert.throws(() => themeCss({ theme: { ...theme, light } }), /not written as/);
  });
});

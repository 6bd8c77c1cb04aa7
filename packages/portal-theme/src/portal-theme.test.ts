import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contrastOf, contrastProblems, paletteOf, type ThemeColors } from './portal-theme.ts';

describe('portal theme', () => {
  test('the contrast is that of WCAG', () => {
    assert.equal(contrastOf('#000000', '#ffffff'), 21);
    assert.equal(contrastOf('#1d4ed8', '#1d4ed8'), 1);
    // From the contrast checker of WebAIM.
    assert.equal(contrastOf('#777777', '#ffffff').toFixed(2), '4.48');
    assert.equal(contrastOf('#0000ff', '#ffffff').toFixed(2), '8.59');
  });

  test('names each pair of colours that is too close', () => {
    const colors = { accent: '#dddddd', background: '#ffffff', surface: '#999999', text: '#959595' };
    assert.deepEqual(contrastProblems(colors), [
      { color: 'text', contrast: 2.9, message: 'Text on background has a contrast of 2.9; at least 4.5 is needed.' },
      { color: 'text', contrast: 1, message: 'Text on surface has a contrast of 1; at least 4.5 is needed.' },
      { color: 'accent', contrast: 1.3, message: 'Accent on background has a contrast of 1.3; at least 3 is needed.' },
      { color: 'accent', contrast: 2, message: 'Accent on surface has a contrast of 2; at least 3 is needed.' },
    ]);
    const close = { accent: '#000000', background: '#ffffff', surface: '#ffffff', text: '#777777' };
    assert.match(contrastProblems(close)[0]!.message, /has a contrast of 4\.47; at least 4\.5/);
  });

  test('every colour that follows is readable wherever it stands', () => {
    let random = 7;
    const channel = () => {
      random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
      return (random >> 16) & 255;
    };
    const color = () =>
      `#${[channel(), channel(), channel()].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
    let readable = 0;
    for (let round = 0; round < 20_000; round++) {
      const colors: ThemeColors = { accent: color(), background: color(), surface: color(), text: color() };
      if (contrastProblems(colors).length > 0) continue;
      readable += 1;
      const palette = paletteOf(colors);
      assert(contrastOf(palette.accentText, palette.accent) >= 4.5, JSON.stringify(palette));
      for (const beneath of [palette.background, palette.surface]) {
        assert(contrastOf(palette.link, beneath) >= 4.5, JSON.stringify(palette));
        assert(contrastOf(palette.mutedText, beneath) >= 4.5, JSON.stringify(palette));
        assert(contrastOf(palette.controlBorder, beneath) >= 3, JSON.stringify(palette));
      }
    }
    assert(readable > 100, `${readable} themes were readable`);
  });
});

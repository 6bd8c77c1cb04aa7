/** The colours of one mode, each as `#rrggbb`. */
export interface ThemeColors {
  /** Of buttons and marks. */
  readonly accent: string;
  readonly background: string;
  /** Of cards and panels. */
  readonly surface: string;
  readonly text: string;
}

/** The colours of a mode with those that follow from them. */
export interface Palette extends ThemeColors {
  /** Text on the accent colour: black or white. */
  readonly accentText: string;
  /** The accent colour as text. */
  readonly link: string;
  readonly mutedText: string;
  /** Edges of cards; decoration only. */
  readonly border: string;
  /** Edges of form controls. */
  readonly controlBorder: string;
}

/** Two colours of a mode that are too close. */
export interface ContrastProblem {
  readonly color: 'accent' | 'text';
  /** Rounded down to one decimal, and to two just below what is needed. */
  readonly contrast: number;
  readonly message: string;
}

/** Least contrast of text, and of what is not text (WCAG 2.2, 1.4.3 and 1.4.11, level AA). */
const textContrast = 4.5;
const markContrast = 3;

/**
 * The contrast of two colours, from 1 to 21.
 *
 * Source: WCAG 2.2, contrast ratio (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
 */
export function contrastOf(first: string, second: string): number {
  const [one, other] = [luminanceOf(first), luminanceOf(second)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Relative luminance, from 0 to 1 (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** What can't be read with these colours; empty if everything can. */
export function contrastProblems(colors: ThemeColors): ContrastProblem[] {
  const checked = [
    ['text', 'background', textContrast, 'Text on background'],
    ['text', 'surface', textContrast, 'Text on surface'],
    ['accent', 'background', markContrast, 'Accent on background'],
    ['accent', 'surface', markContrast, 'Accent on surface'],
  ] as const;
  return checked.flatMap(([color, beneath, least, pair]) => {
    const exact = contrastOf(colors[color], colors[beneath]);
    if (exact >= least) return [];
    const rounded = Math.floor(exact * 10) / 10;
    const contrast = least - exact < 0.1 ? Math.floor(exact * 100) / 100 : rounded;
    return [{ color, contrast, message: `${pair} has a contrast of ${contrast}; at least ${least} is needed.` }];
  });
}

/** The colours of a mode without contrast problems, and those that follow from them, which have none either. */
export function paletteOf(colors: ThemeColors): Palette {
  const { accent, background, surface, text } = colors;
  /** The share of the way from one colour to another, the first that is far enough from background and surface. */
  const towards = (from: string, to: string, shares: readonly number[], least: number): string =>
    shares.map((share) => mixed(from, to, share)).find((color) => isReadable(color, [background, surface], least)) ??
    text;
  const rising = Array.from({ length: 21 }, (_, step) => step / 20);
  return {
    ...colors,
    accentText: contrastOf('#ffffff', accent) >= textContrast ? '#ffffff' : '#000000',
    link: towards(accent, text, rising, textContrast),
    mutedText: towards(text, background, rising.slice(0, 7).toReversed(), textContrast),
    border: mixed(background, text, 0.15),
    controlBorder: towards(background, text, rising.slice(5), markContrast),
  };
}

function isReadable(color: string, beneath: readonly string[], least: number): boolean {
  return beneath.every((other) => contrastOf(color, other) >= least);
}

function mixed(from: string, to: string, share: number): string {
  const target = channelsOf(to);
  const channels = channelsOf(from).map((channel, index) => Math.round(channel + (target[index]! - channel) * share));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function channelsOf(color: string): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

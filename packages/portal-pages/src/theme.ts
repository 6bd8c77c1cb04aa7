import { contrastOf, type Palette } from '@millrace/portal-theme';
import type { Portal } from './data.ts';

/**
 * The portal's colours as `--portal-*` variables. Each has its value in light and dark colours: which applies follows
 * `color-scheme`, which `portal.css` sets by the visitor's choice, or else leaves to the browser.
 *
 * @throws TypeError for a colour that is not written as `#rrggbb`
 */
export function themeCss({ theme: { light, dark } }: Pick<Portal, 'theme'>): string {
  const variables = Object.keys(light).map((name) => {
    const key = name as keyof Palette;
    return [
      `--portal-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      light[key],
      dark[key],
    ] as const;
  });
  const states = Object.entries(stateColours).map(
    ([name, colours]) =>
      [`--portal-${name}`, readableOn(light, colours.light), readableOn(dark, colours.dark)] as const,
  );
  const lines = [...variables, ...states].map(
    ([name, inLight, inDark]) => `${name}:light-dark(${checked(inLight)},${checked(inDark)});`,
  );
  return `:root{${lines.join('')}}\n`;
}

/** Colours that mean something, whatever the organization's own are. */
const stateColours = {
  good: { light: '#0b6b3a', dark: '#5fd08f' },
  info: { light: '#0a5a9c', dark: '#79b8ff' },
  warning: { light: '#8a4b00', dark: '#f0b35c' },
  bad: { light: '#b3122b', dark: '#ff8e8e' },
} as const;

/** What text needs by WCAG 2.2, with a margin for rounding. */
const leastContrast = 4.6;

/** The colour, moved towards the scheme's text colour until it can be read on both of its grounds. */
function readableOn({ background, surface, text }: Palette, colour: string): string {
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mix(colour, text, share);
    if ([background, surface].every((ground) => contrastOf(mixed, ground) >= leastContrast)) return mixed;
  }
  return text;
}

function mix(first: string, second: string, share: number): string {
  const [from, to] = [channelsOf(first), channelsOf(second)];
  const mixed = from.map((value, index) => Math.round(value + (to[index]! - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channelsOf(colour: string): readonly number[] {
  const digits = checked(colour).slice(1);
  return [0, 2, 4].map((start) => Number.parseInt(digits.slice(start, start + 2), 16));
}

function checked(colour: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) throw new TypeError('A colour of the theme is not written as #rrggbb.');
  return colour;
}

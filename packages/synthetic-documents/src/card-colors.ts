import type { Color } from './sheet.ts';

/** Colours of cards. */
export const cardColors: readonly Color[] = [
  [0.08, 0.3, 0.5],
  [0.5, 0.1, 0.2],
  [0.1, 0.4, 0.3],
  [0.2, 0.2, 0.22],
  [0.75, 0.35, 0.1],
  [0.35, 0.2, 0.5],
];

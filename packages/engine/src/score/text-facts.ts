import { type Shape, shapeOf } from '../candidates/shape.ts';

/** What a candidate's text says on its own, wherever it is. */
export interface TextFacts extends Shape {
  /** Characters of the first decimal separator and the digits behind it. */
  readonly decimals: number;
  readonly currency: boolean;
  readonly bracket: boolean;
  readonly endsInComma: boolean;
  readonly colon: boolean;
  readonly postalCode: boolean;
  readonly startsWithDigit: boolean;
  readonly fourDigits: boolean;
}

export function textFactsOf(text: string): TextFacts {
  return {
    ...shapeOf(text),
    decimals: /[.,]\d+/.exec(text)?.[0].length ?? 0,
    currency: /[$€£¥₹]|\b[A-Z]{2,3}\b/.test(text),
    bracket: /[()[\]]/.test(text),
    endsInComma: /[,;]\s*$/.test(text),
    colon: text.includes(':'),
    postalCode: /(?<!\d)\d{5}(?!\d)/.test(text),
    startsWithDigit: /^\W*\d/.test(text),
    fourDigits: /\d{4}/.test(text),
  };
}

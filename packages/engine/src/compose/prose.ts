import type { Layout, TextLine } from '@millrace/document-model';
import type { Stretch } from './value.ts';

/** A document's text as one string, with a way back to the lines. */
export interface Prose {
  readonly text: string;
  readonly stretchesOf: (start: number, end: number) => Stretch[];
  /** Where a line of the layout begins in the text; undefined behind the text's limit. */
  readonly startOf: (line: TextLine) => number | undefined;
}

const proseLimit = 200_000;

/** The text of a layout, line after line, cut off at 200,000 characters. */
export function proseOf(layout: Layout): Prose {
  let text = '';
  const starts: { readonly at: number; readonly line: TextLine }[] = [];
  const startByLine = new Map<TextLine, number>();
  for (const line of layout.lines) {
    if (text.length > proseLimit) break;
    starts.push({ at: text.length, line });
    startByLine.set(line, text.length);
    text += `${line.text} `;
  }
  return {
    text,
    startOf: (line) => startByLine.get(line),
    stretchesOf: (start, end) =>
      starts.flatMap(({ at, line }): Stretch[] => {
        const from = Math.max(start, at);
        const to = Math.min(end, at + line.text.length);
        return from < to ? [{ line, start: from - at, end: to - at }] : [];
      }),
  };
}

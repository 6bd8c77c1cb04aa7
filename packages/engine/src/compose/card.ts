import type { Layout, Locale, TextLine } from '@millrace/document-model';
import { visualRows } from '../layout/neighbours.ts';
import type { ComposedFields } from './compose.ts';

/** How documents of an identity differ. */
export interface IdentityTraits {
  /** Its values are numbered as those of driving licences are. */
  readonly isLicense?: boolean;
  /** It names the state that issued it, so that the country of its other words isn't taken instead. */
  readonly namesIssuer?: boolean;
  /** Its values stand in the rows of a passport's page, which say what they are where their captions were not read. */
  readonly hasRows?: boolean;
}

/** A document of an identity, in which values without captions are looked for. */
export interface Card extends Required<Pick<IdentityTraits, 'isLicense' | 'namesIssuer'>> {
  readonly layout: Layout;
  readonly locale: Locale;
  /** What its captions give. */
  readonly captioned: ComposedFields;
  /** What stands side by side, however wide the gaps. */
  readonly rows: readonly CardRow[];
}

interface CardRow {
  readonly text: string;
  readonly stretches: readonly { readonly line: TextLine }[];
}

/** @param captioned what the document's captions give */
export function cardOf(
  { isLicense = false, namesIssuer = false }: IdentityTraits,
  layout: Layout,
  locale: Locale,
  captioned: ComposedFields,
): Card {
  const rows = visualRows(layout).map((row) => ({
    text: row.map(({ text }) => text).join(' '),
    stretches: row.map((line) => ({ line })),
  }));
  return { isLicense, namesIssuer, layout, locale, captioned, rows };
}

/** What a pattern's first group matches in the first row that has it, and the lines of that row. */
export function firstIn(
  { rows }: Card,
  pattern: RegExp,
): (Pick<CardRow, 'stretches'> & { readonly value: string }) | null {
  for (const { text, stretches } of rows) {
    const value = pattern.exec(text)?.[1];
    if (value !== undefined) return { value, stretches };
  }
  return null;
}

import type { Block, Layout, ReadDocument, TextLine } from '@millrace/document-model';
import { groupBlocks } from './blocks.ts';
import { partAtHeads } from './columns.ts';
import { keepRows, rowsOfPage } from './neighbours.ts';
import { inReadingOrder } from './reading-order.ts';
import { findTables } from './tables.ts';
import { joinWords, slopeOfPage } from './text-lines.ts';
import { joinWideBlanks } from './wide-blanks.ts';

/**
 * Finds the lines, blocks and tables of a document. Lines stand in reading order; what shares a line's height and what
 * stands around it is found through `neighboursOf` and `rowOf`.
 */
export function layOut(document: ReadDocument): Layout {
  const lines: TextLine[] = [];
  const blocks: Block[] = [];
  const rowsOfPages: TextLine[][][] = [];
  for (const page of document.pages) {
    const slope = slopeOfPage(page);
    const pageRows = joinWideBlanks(partAtHeads(rowsOfPage(joinWords(page, slope), slope)));
    for (const line of inReadingOrder(pageRows.flat())) lines.push(line);
    for (const block of groupBlocks(page, pageRows)) blocks.push(block);
    rowsOfPages.push(pageRows);
  }
  const layout = { document, lines, blocks, tables: findTables(document, rowsOfPages.flat()) };
  keepRows(layout, rowsOfPages);
  return layout;
}

import type { ExtractedValue, Extraction, Page, ReadDocument } from '@millrace/document-model';
import { boxOnPicture } from './ocr/straighten.ts';
import { type Turn, turnBox, turnSize } from './turn.ts';

/**
 * The extraction with its boxes where a viewer of the file sees them: pages that were turned upright or whose lines
 * were levelled to be read have them put back.
 */
export function placeOnDisplayedPages(extraction: Extraction, document: ReadDocument): Extraction {
  const moved = new Map(
    document.pages.filter((page) => page.turnedDegrees !== 0 || page.straightening).map((page) => [page.number, page]),
  );
  if (moved.size === 0) return extraction;
  const place = (value: ExtractedValue): ExtractedValue => ({
    ...value,
    provenance: value.provenance.map((found) => {
      const page = moved.get(found.page);
      return page ? { ...found, box: displayedBox(page, found.box) } : found;
    }),
  });
  const placeAll = (values: Readonly<Record<string, ExtractedValue>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, place(value)]));
  return {
    ...extraction,
    fields: placeAll(extraction.fields),
    lines: extraction.lines.map(placeAll),
    ...(extraction.items && { items: extraction.items.map(placeAll) }),
    pages: extraction.pages.map((page) => {
      const read = moved.get(page.number);
      return read ? { ...page, ...turnSize(read, turnBack(read)) } : page;
    }),
  };
}

function displayedBox(page: Page, box: Page['words'][number]['box']) {
  return turnBox(boxOnPicture(page, box), page, turnBack(page));
}

function turnBack(page: Page): Turn {
  return ((360 - page.turnedDegrees) % 360) as Turn;
}

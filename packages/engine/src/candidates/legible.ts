import type { TextLine } from '@millrace/document-model';

/** What PP-OCR is less sure of on the mean is no text: the back of the page that shows through, a pattern, a logo. */
const leastSure = 0.65;

/** Whether a line was read well enough to be somebody's name. */
export function isLegible({ words }: TextLine): boolean {
  return (
    !words[0]?.source.startsWith('ocr:ppocr') ||
    words.reduce((sum, { confidence }) => sum + confidence, 0) >= leastSure * words.length
  );
}

import type { Box, Word } from '@millrace/document-model';
import type { PdfPage } from './document.ts';
import type { PageObjects } from './objects.ts';
import type { TextLayer } from './text.ts';

/**
 * What a page's words are to be taken from: its text layer, OCR of its picture, or both, where print and text stand
 * side by side; `nothing` where the page is blank.
 */
export type WordOrigin = 'text' | 'picture' | 'both' | 'nothing';

/** More than this share of characters without a meaning, and the layer is garbage. */
const unmappedShare = 0.2;
/**
 * Pictures that cover more than a share of a page are read unless its text has at least so many characters: a scan with
 * fewer carries a stamp, a photograph with fewer around it the header and footer of whatever printed it.
 */
const readPictures = [
  { share: 0.5, characters: 400 },
  { share: 0.1, characters: 120 },
] as const;
/** A page without pictures and with so little text has its letters drawn as shapes if it has that many of them. */
const sparseCharacters = 20;
const drawnShapes = 150;

/** Decides whether a page's text layer says what the page shows. */
export function originOfWords(page: PdfPage, layer: TextLayer, objects: PageObjects): WordOrigin {
  const visible = layer.words.reduce((sum, word) => sum + word.text.length, 0);
  const drawn = objects.shapeCount > 0 || objects.pictures.length > 0;
  if (visible === 0) return drawn ? 'picture' : 'nothing';
  if (isGarbage(layer)) return 'picture';
  if (readPictures.some(({ characters }) => visible < characters)) {
    const covered = coveredShare(objects.pictures, page);
    if (readPictures.some(({ share, characters }) => covered > share && visible < characters)) return 'both';
  }
  if (visible < sparseCharacters && objects.shapeCount > drawnShapes) return 'both';
  return 'text';
}

function isGarbage(layer: TextLayer): boolean {
  if (layer.unmappedCount > unmappedShare * layer.characterCount) return true;
  const text = layer.words.map((word) => word.text).join('');
  const meaningless = text.match(/[\ufffd\ue000-\uf8ff]/g)?.length ?? 0;
  return meaningless > unmappedShare * text.length || isCipher(layer.words);
}

const vowels = /[aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûü]/gi;
/** Latin letters, fewer than which tell nothing. */
const leastLetters = 150;

/** A font whose letters are mapped to other letters gives words without vowels, or with nothing else. */
function isCipher(words: readonly Word[]): boolean {
  const letters = words.flatMap((word) => word.text.match(/[a-zà-öø-ÿœ]/gi) ?? []);
  if (letters.length < leastLetters) return false;
  const share = letters.filter((letter) => letter.match(vowels)).length / letters.length;
  return share < 0.15 || share > 0.75;
}

const gridSize = 24;

/** The share of a page that pictures cover, on a coarse grid: a scan may come in strips. */
function coveredShare(pictures: readonly Box[], page: PdfPage): number {
  if (pictures.length === 0) return 0;
  let covered = 0;
  for (let row = 0; row < gridSize; row++) {
    for (let column = 0; column < gridSize; column++) {
      const x = ((column + 0.5) / gridSize) * page.width;
      const y = ((row + 0.5) / gridSize) * page.height;
      if (pictures.some((picture) => x >= picture.x0 && x <= picture.x1 && y >= picture.y0 && y <= picture.y1))
        covered++;
    }
  }
  return covered / gridSize ** 2;
}

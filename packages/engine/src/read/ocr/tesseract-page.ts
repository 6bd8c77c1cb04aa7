import type { Box, Straightening, Word } from '@millrace/document-model';
import { encodeForTesseract, resizeRaster } from '../image/decode.ts';
import type { Raster } from '../raster.ts';
import { scaleBoxes } from '../settled.ts';
import { turnRaster } from '../turn.ts';
import type { PageBearing } from './page.ts';
import { scriptLanguageOf } from './scripts.ts';
import { pictureRow } from './straighten.ts';
import { frequentLanguages, type OcrLanguage, type TesseractPicture } from './tesseract.ts';

/** Pixels. Tesseract reads best where lines are about this high; lower ones are enlarged. */
const wantedLineHeight = 40;
const enlargeLimit = 2;
const pixelLimit = 8_000_000;

/**
 * Makes the picture that Tesseract reads: turned and levelled as an earlier pass found it to lie, enlarged where its
 * print is small, with paper where nothing needs to be read again; in the language of that pass's words unless one is
 * given.
 */
export async function pictureForTesseract(
  picture: Raster,
  bearing: PageBearing,
  earlier: { readonly words: readonly Word[]; readonly width: number },
  { settled, language }: { readonly settled: readonly Box[]; readonly language: OcrLanguage | null },
): Promise<TesseractPicture> {
  const upright = turnRaster(picture, bearing.turn);
  const lineHeight = usualHeight(earlier.words) * (upright.width / earlier.width);
  const enlarge = Math.min(
    enlargeLimit,
    Math.max(1, wantedLineHeight / Math.max(lineHeight, 1)),
    Math.sqrt(pixelLimit / (upright.width * upright.height)),
  );
  const [width, height] = [Math.round(upright.width * enlarge), Math.round(upright.height * enlarge)];
  const enlarged = enlarge === 1 ? upright : await resizeRaster(upright, width, height, 'cubic');
  const level = bearing.straightening ? levelRaster(enlarged, bearing.straightening) : enlarged;
  const left = erase(level, scaleBoxes(settled, width / earlier.width));
  return { width, png: await encodeForTesseract(left), language: language ?? guessLanguage(earlier.words) };
}

/** Parts of a word's height around it that letters reach into. */
const erasedMargin = 0.15;
/** Pixels of a place, about, by which its paper's colour is known. */
const paperSamples = 400;

/** The picture with paper where the boxes are: beside white, Tesseract would take grey paper for ink. */
function erase(raster: Raster, boxes: readonly Box[]): Raster {
  if (boxes.length === 0) return raster;
  const { width, height } = raster;
  const data = Uint8Array.from(raster.data);
  for (const { x0, y0, x1, y1 } of boxes) {
    const margin = erasedMargin * (y1 - y0);
    const [left, right] = [Math.max(0, Math.floor(x0 - margin)), Math.min(width, Math.ceil(x1 + margin))];
    const [top, bottom] = [Math.max(0, Math.floor(y0 - margin)), Math.min(height, Math.ceil(y1 + margin))];
    if (right <= left || bottom <= top) continue;
    const paper = paperIn(raster, { left, right, top, bottom });
    const row = Uint8Array.from({ length: (right - left) * 3 }, (_, at) => paper[at % 3] as number);
    for (let y = top; y < bottom; y++) data.set(row, (y * width + left) * 3);
  }
  return { width, height, data };
}

/** The colour that a quarter of a place is lighter than: of what is printed on it, ink is far less than three quarters. */
function paperIn(
  { width, data }: Raster,
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
): Uint8Array {
  const colours: number[] = [];
  const step = Math.max(1, Math.floor(Math.sqrt(((right - left) * (bottom - top)) / paperSamples)));
  for (let y = top; y < bottom; y += step) {
    for (let x = left; x < right; x += step) colours.push((y * width + x) * 3);
  }
  const lightness = (at: number) => (data[at] as number) + (data[at + 1] as number) + (data[at + 2] as number);
  const chosen = colours.toSorted((a, b) => lightness(b) - lightness(a))[colours.length >> 2] as number;
  return data.slice(chosen, chosen + 3);
}

function usualHeight(words: readonly Word[]): number {
  const heights = words.map(({ box }) => box.y1 - box.y0).toSorted((a, b) => a - b);
  return heights[heights.length >> 1] ?? wantedLineHeight;
}

/** Moves pixels so that the lines of text are level, with linear interpolation down the columns. */
function levelRaster(raster: Raster, straightening: Straightening): Raster {
  const { width, height, data } = raster;
  const level = new Uint8Array(data.length);
  for (let v = 0; v < height; v++) {
    const row = pictureRow(straightening, raster, v);
    for (let u = 0; u < width; u++) {
      const x = Math.min(width - 1, Math.max(0, Math.round(u + row.shift)));
      const y = Math.min(height - 1, Math.max(0, v + (x - width / 2) * row.slope));
      const above = Math.floor(y);
      const share = y - above;
      const at = (above * width + x) * 3;
      const below = above < height - 1 ? at + width * 3 : at;
      const to = (v * width + u) * 3;
      for (let channel = 0; channel < 3; channel++) {
        level[to + channel] =
          (data[at + channel] as number) * (1 - share) + (data[below + channel] as number) * share + 0.5;
      }
    }
  }
  return { width, height, data: level };
}

/** Words that hardly any text of a language does without, and other languages have none of. */
const functionWords: Readonly<Record<(typeof frequentLanguages)[number], readonly string[]>> = {
  en: [
    'the',
    'and',
    'of',
    'for',
    'to',
    'your',
    'you',
    'date',
    'with',
    'this',
    'thank',
    'total',
    'amount',
    'invoice',
    'tax',
  ],
  de: [
    'der',
    'die',
    'und',
    'von',
    'für',
    'mit',
    'das',
    'den',
    'ist',
    'rechnung',
    'datum',
    'betrag',
    'summe',
    'mwst',
    'gmbh',
  ],
  fr: [
    'le',
    'les',
    'des',
    'du',
    'et',
    'pour',
    'une',
    'est',
    'facture',
    'montant',
    'vous',
    'tva',
    'votre',
    'date',
    'dans',
  ],
  es: [
    'el',
    'los',
    'las',
    'del',
    'y',
    'por',
    'una',
    'con',
    'factura',
    'fecha',
    'importe',
    'iva',
    'cliente',
    'para',
    'su',
  ],
  it: [
    'il',
    'di',
    'della',
    'e',
    'per',
    'che',
    'una',
    'fattura',
    'data',
    'importo',
    'totale',
    'iva',
    'cliente',
    'del',
    'gli',
  ],
  pt: ['o', 'os', 'da', 'do', 'dos', 'e', 'em', 'uma', 'para', 'fatura', 'valor', 'iva', 'com', 'não', 'nif'],
  nl: ['de', 'het', 'een', 'en', 'van', 'voor', 'met', 'factuur', 'datum', 'bedrag', 'btw', 'uw', 'te', 'op', 'aan'],
};

function guessLanguage(words: readonly Word[]): OcrLanguage {
  const ofScript = scriptLanguageOf(words);
  if (ofScript) return ofScript;
  const seen = words.map((word) => word.text.toLowerCase().replace(/[^\p{L}]/gu, ''));
  let best: OcrLanguage = 'en';
  let bestCount = 0;
  for (const language of frequentLanguages) {
    const count = seen.filter((word) => functionWords[language].includes(word)).length;
    if (count > bestCount) {
      best = language;
      bestCount = count;
    }
  }
  return best;
}

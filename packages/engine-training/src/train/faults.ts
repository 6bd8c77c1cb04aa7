import type { Box, Page, ReadDocument, Word } from '@millrace/document-model';
import { randomNumbers } from './boost.ts';
import { hashOf } from './examples.ts';

/** What OCR takes for each other. */
const confusions: Readonly<Record<string, string>> = {
  '0': 'O',
  O: '0',
  '1': 'l',
  l: '1',
  I: 'l',
  '5': 'S',
  S: '5',
  '8': 'B',
  B: '8',
  '2': 'Z',
  ',': '.',
  '.': ',',
  e: 'c',
  c: 'e',
  m: 'n',
  n: 'm',
  D: 'O',
  U: 'V',
  G: '6',
  '6': 'G',
  '9': 'g',
  '3': '8',
  '7': '1',
  E: 'F',
  R: 'P',
  h: 'n',
  t: 'f',
};

/**
 * A document as OCR might have read its scan: letters confused or lost, words glued to the next or parted, boxes that
 * are a little off; in pixels, as a picture is. About one letter in a hundred is wrong.
 */
export function withFaults(document: ReadDocument, seed: string): ReadDocument {
  const random = randomNumbers(hashOf(seed));
  const pages = document.pages.map((page): Page => {
    const words = faultyWords(page.words, random).map((word) => ({ ...word, box: scaled(word.box) }));
    const { width, height } = page;
    return {
      ...page,
      width: width * pixelsPerPoint,
      height: height * pixelsPerPoint,
      unit: 'pixel',
      words,
      readings: [{ source: 'ocr:ppocr:1', words }],
      rulings: [],
    };
  });
  return { ...document, pages };
}

/** Of a scan of 150 dots per inch. */
const pixelsPerPoint = 150 / 72;

function scaled({ x0, y0, x1, y1 }: Box): Box {
  return { x0: x0 * pixelsPerPoint, y0: y0 * pixelsPerPoint, x1: x1 * pixelsPerPoint, y1: y1 * pixelsPerPoint };
}

function faultyWords(words: readonly Word[], random: () => number): Word[] {
  const faulty: Word[] = [];
  for (const word of words) {
    const read = faultyWord(word, random);
    const last = faulty.at(-1);
    const height = word.box.y1 - word.box.y0;
    const follows =
      last &&
      Math.abs(last.box.y1 - read.box.y1) < height * 0.3 &&
      read.box.x0 - last.box.x1 < height * 0.4 &&
      read.box.x0 > last.box.x0;
    if (last && follows && random() < 0.03) {
      faulty[faulty.length - 1] = { ...last, text: last.text + read.text, box: { ...last.box, x1: read.box.x1 } };
    } else if (read.text.length > 5 && random() < 0.01) {
      const at = 2 + Math.floor(random() * (read.text.length - 3));
      const middle = read.box.x0 + ((read.box.x1 - read.box.x0) * at) / read.text.length;
      faulty.push(
        { ...read, text: read.text.slice(0, at), box: { ...read.box, x1: middle } },
        { ...read, text: read.text.slice(at), box: { ...read.box, x0: middle } },
      );
    } else faulty.push(read);
  }
  return faulty;
}

function faultyWord(word: Word, random: () => number): Word {
  let text = '';
  let faults = 0;
  for (const character of word.text) {
    const draw = random();
    if (draw < 0.008 && confusions[character]) {
      text += confusions[character];
      faults += 1;
    } else if (draw < 0.01 && word.text.length > 2) faults += 1;
    else text += character;
  }
  const height = word.box.y1 - word.box.y0;
  const shift = () => (random() - 0.5) * 0.16 * height;
  const box = {
    x0: word.box.x0 + shift(),
    y0: word.box.y0 + shift(),
    x1: word.box.x1 + shift(),
    y1: word.box.y1 + shift(),
  };
  const tidy = { ...box, x1: Math.max(box.x0 + 0.5, box.x1), y1: Math.max(box.y0 + 0.5, box.y1) };
  return {
    text: text === '' ? word.text : text,
    box: tidy,
    source: 'ocr:ppocr:1',
    confidence: 0.99 - 0.1 * faults - 0.04 * random(),
  };
}

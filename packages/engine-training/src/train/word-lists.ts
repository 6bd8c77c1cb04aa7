import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { languageDataPath, type OcrLanguage } from '@millrace/engine/read/ocr/tesseract';

/** Parts of a language's data file that are needed here, by their place in its table. */
const systemWords = 19;
const characterSet = 21;

/** An edge of the graph of words: which character it stands for, where it leads, and what ends with it. */
interface Edges {
  readonly character: (edge: number) => number;
  readonly isLastOfNode: (edge: number) => boolean;
  readonly endsWord: (edge: number) => boolean;
  /** The first edge of the node it leads to; 0 where none follows. */
  readonly next: (edge: number) => number;
}

/**
 * The words of a language's data for Tesseract: common ones with the names of places, people and firms, some 70,000 to
 * 500,000.
 */
export function wordsOfLanguage(language: OcrLanguage): string[] {
  const parts = partsOf(gunzipSync(readFileSync(languageDataPath(language))));
  const characters = parts(characterSet).toString('utf8').split('\n').slice(1);
  const textOf = (character: number) => characters[character]!.split(' ', 1)[0]!;
  const edges = edgesOf(parts(systemWords));
  const words: string[] = [];
  const open = [{ node: 0, before: '' }];
  for (let at = open.pop(); at; at = open.pop()) {
    for (let edge = at.node; ; edge += 1) {
      const text = at.before + textOf(edges.character(edge));
      if (edges.endsWord(edge)) words.push(text);
      if (edges.next(edge) !== 0) open.push({ node: edges.next(edge), before: text });
      if (edges.isLastOfNode(edge)) break;
    }
  }
  return words;
}

/** The parts of a data file, whose offsets stand at its beginning, those of missing parts negative. */
function partsOf(data: Buffer): (part: number) => Buffer {
  const offsets = Array.from({ length: data.readInt32LE(0) }, (_, part) => Number(data.readBigInt64LE(4 + 8 * part)));
  return (part) => {
    const end = offsets.slice(part + 1).find((offset) => offset >= 0);
    return data.subarray(offsets[part]!, end ?? data.length);
  };
}

/** The edges of a squished graph of words, as Tesseract's `dawg.cpp` writes it: 64 bits each, after ten bytes. */
function edgesOf(graph: Buffer): Edges {
  const characterCount = graph.readInt32LE(2);
  const characterBits = Math.ceil(Math.log2(characterCount + 1));
  const low = (edge: number) => graph.readUInt32LE(10 + 8 * edge);
  const flags = (edge: number) => (low(edge) >>> characterBits) & 7;
  return {
    character: (edge) => low(edge) & (2 ** characterBits - 1),
    isLastOfNode: (edge) => (flags(edge) & 1) !== 0,
    endsWord: (edge) => (flags(edge) & 4) !== 0,
    next: (edge) => {
      const node = Number(graph.readBigUInt64LE(10 + 8 * edge) >> BigInt(characterBits + 3));
      return node === 2 ** (61 - characterBits) - 1 ? 0 : node;
    },
  };
}

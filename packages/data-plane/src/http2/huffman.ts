/** The Huffman code of HPACK (RFC 7541, appendix B). It is canonical: the lengths of its codes are all there is to know. */

/** Bits of each byte's code, and of the end of the text behind them. */
const codeLengths = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6,
  5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23,
  22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22,
  23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26,
  20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27,
  27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
  27, 27, 27, 26, 30,
];
const endOfText = 256;
const longestCode = 30;
/** A place in the code's tree has an entry for each half of a byte: the next place, and the byte that is complete with it. */
const halves = 16;
const noByte = 0x100;
const invalid = -1;

const { steps, endsWell } = buildSteps();

/**
 * Decodes text into `to`, which must have room for eight fifths of it.
 *
 * @returns where it ends there; -1 if it is invalid
 */
export function decodeHuffman(from: Buffer, start: number, end: number, to: Buffer, at: number): number {
  let place = 0;
  let length = at;
  for (let index = start; index < end; index++) {
    const byte = from[index]!;
    const high = steps[place * halves + (byte >> 4)]!;
    if (high === invalid) return -1;
    if ((high & noByte) === 0) to[length++] = high & 0xff;
    const low = steps[(high >> 9) * halves + (byte & 15)]!;
    if (low === invalid) return -1;
    if ((low & noByte) === 0) to[length++] = low & 0xff;
    place = low >> 9;
  }
  return endsWell[place] === 1 ? length : -1;
}

function buildSteps(): { readonly steps: Int32Array; readonly endsWell: Uint8Array } {
  // Nodes of the tree: two numbers each, a node, or a byte as its complement.
  const nodes: number[] = [0, 0];
  let code = 0;
  for (let length = 1; length <= longestCode; length++, code <<= 1) {
    for (let symbol = 0; symbol <= endOfText; symbol++) {
      if (codeLengths[symbol] === length) addCode(nodes, symbol, code++, length);
    }
  }
  const count = nodes.length / 2;
  const steps = new Int32Array(count * halves);
  for (let node = 0; node < count; node++) {
    for (let half = 0; half < halves; half++) steps[node * halves + half] = stepOf(nodes, node, half);
  }
  // What fills the last byte is the beginning of the end's code, which is all ones, and less than a byte.
  const endsWell = new Uint8Array(count);
  for (let node = 0, ones = 0; ones < 8; ones++, node = nodes[node * 2 + 1]!) endsWell[node] = 1;
  return { steps, endsWell };
}

function addCode(nodes: number[], symbol: number, code: number, length: number): void {
  let node = 0;
  for (let bit = length - 1; bit > 0; bit--) {
    const at = node * 2 + ((code >> bit) & 1);
    if (nodes[at] === 0) nodes[at] = nodes.push(0, 0) / 2 - 1;
    node = nodes[at]!;
  }
  nodes[node * 2 + (code & 1)] = ~symbol;
}

/** Codes have five bits or more, so that half a byte completes one at most. */
function stepOf(nodes: readonly number[], from: number, half: number): number {
  let node = from;
  let byte = noByte;
  for (let bit = 3; bit >= 0; bit--) {
    const next = nodes[node * 2 + ((half >> bit) & 1)]!;
    if (next === ~endOfText) return invalid;
    if (next < 0) byte = ~next;
    node = Math.max(next, 0);
  }
  return (node << 9) | byte;
}

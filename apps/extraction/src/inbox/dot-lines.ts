const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const dot = 0x2e;

/**
 * Finds lines of a single dot that do not stand between the line ends of SMTP (CR LF): where one server takes such a line
 * for the end of a message and the next does not, a sender can smuggle a second message past the first one's checks.
 * Reads a message in chunks, its stuffed dots removed.
 */
export class DotLines {
  // A message begins at the beginning of a line.
  #tail: Buffer = Buffer.from([carriageReturn, lineFeed]);

  /** Whether the chunk ends such a line. */
  isSmuggling(chunk: Buffer): boolean {
    const bytes = Buffer.concat([this.#tail, chunk]);
    this.#tail = bytes.subarray(-4);
    // A dot that is too near the end is looked at with the next chunk.
    for (let at = bytes.indexOf(dot, 2); at !== -1 && at < bytes.length - 2; at = bytes.indexOf(dot, at + 1)) {
      if (!isLineEnd(bytes[at - 1]) || !isLineEnd(bytes[at + 1])) continue;
      const isBetweenLineEnds =
        bytes[at - 2] === carriageReturn &&
        bytes[at - 1] === lineFeed &&
        bytes[at + 1] === carriageReturn &&
        bytes[at + 2] === lineFeed;
      if (!isBetweenLineEnds) return true;
    }
    return false;
  }
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === carriageReturn || byte === lineFeed;
}

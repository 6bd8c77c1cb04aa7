/** RESP2, the protocol of Redis (https://redis.io/docs/latest/develop/reference/protocol-spec/), as far as it is needed. */

/** What Redis answers with where a command failed. Its first word names the kind, such as `NOSCRIPT`. */
export class RedisError extends Error {
  override name = 'RedisError';
}

export type Reply = string | number | null | RedisError | readonly Reply[];

/** Longer ones than any command of ours is answered with. */
const maxReplyBytes = 1_048_576;
const maxDepth = 4;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const nothing: Buffer = Buffer.alloc(0);

/** A command as it goes over the wire. Arguments hold one byte per character (Latin-1). */
export function encodeCommand(commandArguments: readonly (string | number)[]): string {
  let text = `*${commandArguments.length}\r\n`;
  for (const argument of commandArguments) text += encodeArgument(argument);
  return text;
}

export function encodeArgument(argument: string | number): string {
  const text = typeof argument === 'number' ? String(argument) : argument;
  return `$${text.length}\r\n${text}\r\n`;
}

/**
 * The same text as one piece of memory. What is put together is a tree of its parts until then, which everyone who writes it
 * walks through again.
 */
export function inOnePiece(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** Reads replies out of bytes in pieces. */
export class ReplyReader {
  readonly #onReply: (reply: Reply) => void;
  #rest = nothing;
  #bytes = nothing;
  #position = 0;

  constructor(onReply: (reply: Reply) => void) {
    this.#onReply = onReply;
  }

  /**
   * Reports every reply that is complete now. The bytes may be overwritten afterwards.
   *
   * @throws Error if the bytes are not RESP, or a reply is too large
   */
  read(bytes: Buffer): void {
    this.#bytes = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#position = 0;
    let start = 0;
    while (start < this.#bytes.length) {
      const reply = this.#read(0);
      if (reply === undefined) break;
      start = this.#position;
      this.#onReply(reply);
    }
    if (this.#bytes.length - start > maxReplyBytes) throw new Error('The reply of Redis is too large.');
    this.#rest = start === this.#bytes.length ? nothing : Buffer.from(this.#bytes.subarray(start));
    this.#bytes = nothing;
  }

  /** Undefined where more bytes are needed. */
  #read(depth: number): Reply | undefined {
    const type = this.#bytes[this.#position];
    if (type === undefined) return undefined;
    this.#position += 1;
    switch (type) {
      case 0x3a: // :
        return this.#readInteger();
      case 0x2b: // +
        return this.#readLine();
      case 0x2d: {
        // -
        const line = this.#readLine();
        return line === undefined ? undefined : new RedisError(line);
      }
      case 0x24: // $
        return this.#readBulk();
      case 0x2a: // *
        if (depth < maxDepth) return this.#readArray(depth);
    }
    throw new Error('This is not a reply of a Redis server.');
  }

  #readInteger(): number | undefined {
    const bytes = this.#bytes;
    let index = this.#position;
    const negative = bytes[index] === 0x2d;
    if (negative) index += 1;
    let value = 0;
    for (; index < bytes.length; index++) {
      const digit = bytes[index]! - 0x30;
      if (digit >= 0 && digit <= 9) {
        value = value * 10 + digit;
        continue;
      }
      if (bytes[index] !== carriageReturn) break;
      if (index + 1 === bytes.length) return undefined;
      if (bytes[index + 1] !== lineFeed) break;
      this.#position = index + 2;
      return negative ? -value : value;
    }
    if (index >= bytes.length) return undefined;
    throw new Error('This is not a reply of a Redis server.');
  }

  #readLine(): string | undefined {
    const end = this.#bytes.indexOf('\r\n', this.#position, 'latin1');
    if (end < 0) return undefined;
    const line = this.#bytes.toString('latin1', this.#position, end);
    this.#position = end + 2;
    return line;
  }

  #readBulk(): string | null | undefined {
    const length = this.#readInteger();
    if (length === undefined) return undefined;
    if (length < 0) return null;
    const end = this.#position + length;
    if (length > maxReplyBytes) throw new Error('The reply of Redis is too large.');
    if (end + 2 > this.#bytes.length) return undefined;
    const text = this.#bytes.toString('latin1', this.#position, end);
    this.#position = end + 2;
    return text;
  }

  #readArray(depth: number): readonly Reply[] | null | undefined {
    const length = this.#readInteger();
    if (length === undefined) return undefined;
    if (length < 0) return null;
    if (length > maxReplyBytes) throw new Error('The reply of Redis is too large.');
    const replies: Reply[] = [];
    for (let index = 0; index < length; index++) {
      const reply = this.#read(depth + 1);
      if (reply === undefined) return undefined;
      replies.push(reply);
    }
    return replies;
  }
}

import type { BodySink } from './front.ts';

/** Holds the whole body of a request for a policy. */
export class HeldBody implements BodySink {
  readonly holds = true;
  #bytes: Buffer;
  #length = 0;
  readonly #onWhole: (body: Buffer) => void;

  /**
   * @param expectedBytes as the head states, at most what may be held; null where it does not say
   */
  constructor(expectedBytes: number | null, onWhole: (body: Buffer) => void) {
    this.#bytes = Buffer.allocUnsafe(Math.min(expectedBytes ?? 4_096, 16_384));
    this.#onWhole = onWhole;
  }

  body(bytes: Buffer, start: number, end: number): boolean {
    const needed = this.#length + end - start;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    bytes.copy(this.#bytes, this.#length, start, end);
    this.#length = needed;
    return true;
  }

  bodyPause(): void {}

  bodyEnd(): void {
    this.#onWhole(this.#bytes.subarray(0, this.#length));
  }
}

import { type Compression, compress, decompress } from '@millrace/operations/compression';
import { type SentFile, tagOf } from '@millrace/operations/pages';
import { withTheme } from '@millrace/portal-pages/layout';

/** Colours that a visitor has chosen; null: those of the system. */
export type ChosenTheme = 'light' | 'dark' | null;

/** What an address is answered with. */
export interface Answer {
  readonly status: number;
  readonly mediaType: string;
  readonly text: string;
  /** A file to save under this name; null: shown. */
  readonly fileName: string | null;
}

/** An answer in memory: compressed, which takes a seventh of the room. */
export class KeptAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly fileName: string | null;
  readonly #brotli: Buffer;
  readonly #tag: string;
  /** Other forms that were asked for, by their colours and compression. */
  readonly #forms = new Map<string, Promise<Buffer>>();

  private constructor({ status, mediaType, fileName, text }: Answer, brotli: Buffer) {
    this.status = status;
    this.mediaType = mediaType;
    this.fileName = fileName;
    this.#brotli = brotli;
    this.#tag = tagOf(text);
  }

  static async of(answer: Answer): Promise<KeptAnswer> {
    return new KeptAnswer(answer, await compress(Buffer.from(answer.text), 'br'));
  }

  /** At most: every form is about as large as the first. */
  get sizeBytes(): number {
    return this.#brotli.length * (this.mediaType.startsWith('text/html') ? 6 : 2);
  }

  /** As it is sent to a visitor who has chosen these colours. */
  in(theme: ChosenTheme): SentFile {
    const chosen = this.mediaType.startsWith('text/html') ? theme : null;
    return {
      mediaType: this.mediaType,
      tag: chosen === null ? this.#tag : `${this.#tag}-${chosen}`,
      as: (compression) => this.#as(chosen, compression),
    };
  }

  #as(theme: ChosenTheme, compression: Compression | null): Buffer | Promise<Buffer> {
    if (theme === null && compression === 'br') return this.#brotli;
    if (compression === null) return this.#plain(theme);
    const key = `${theme} ${compression}`;
    const made = this.#forms.get(key) ?? this.#plain(theme).then((bytes) => compress(bytes, compression));
    this.#forms.set(key, made);
    return made;
  }

  async #plain(theme: ChosenTheme): Promise<Buffer> {
    const bytes = await decompress(this.#brotli);
    return theme === null ? bytes : Buffer.from(withTheme(bytes.toString(), theme));
  }
}

/** Answers kept in memory, those used last. */
export class KeptAnswers {
  readonly #mostBytes: number;
  readonly #answers = new Map<string, Promise<KeptAnswer>>();
  readonly #sizes = new Map<string, number>();
  #sizeBytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /**
   * The answer of a key, made if it is not kept. Requests that come meanwhile wait for the same; only
   * a success is kept.
   */
  find(key: string, make: () => Promise<Answer>): Promise<KeptAnswer> {
    const kept = this.#answers.get(key);
    if (kept !== undefined) {
      this.#answers.delete(key);
      this.#answers.set(key, kept);
      return kept;
    }
    const made = make().then((answer) => KeptAnswer.of(answer));
    this.#answers.set(key, made);
    made.then(
      ({ status, sizeBytes }) => (status === 200 ? this.#count(key, sizeBytes + key.length) : this.#drop(key)),
      () => this.#drop(key),
    );
    return made;
  }

  #count(key: string, sizeBytes: number): void {
    this.#sizes.set(key, sizeBytes);
    this.#sizeBytes += sizeBytes;
    for (const oldest of this.#answers.keys()) {
      if (this.#sizeBytes <= this.#mostBytes || oldest === key) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#answers.delete(key);
    this.#sizeBytes -= this.#sizes.get(key) ?? 0;
    this.#sizes.delete(key);
  }
}

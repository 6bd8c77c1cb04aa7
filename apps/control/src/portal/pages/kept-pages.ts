import { type PageFile, pageFile } from '@millrace/operations/pages';
import { withTheme } from '@millrace/portal-pages/layout';

/** Colours that a visitor has chosen; null: those of the system. */
export type ChosenTheme = 'light' | 'dark' | null;

/** A document that is kept, with what was made of it for each choice of colours. */
export interface KeptPage {
  readonly status: number;
  readonly mediaType: string;
  readonly text: string;
  /** A file to save under this name; null: shown. */
  readonly fileName: string | null;
  readonly byTheme: Map<ChosenTheme, PageFile>;
}

/** As bytes in the chosen colours; they are compressed when first requested. */
export function inTheme({ text, mediaType, byTheme }: KeptPage, theme: ChosenTheme): PageFile {
  const isDocument = mediaType.startsWith('text/html');
  const chosen = isDocument ? theme : null;
  let file = byTheme.get(chosen);
  if (file === undefined) {
    file = pageFile(Buffer.from(chosen === null ? text : withTheme(text, chosen)), mediaType);
    byTheme.set(chosen, file);
  }
  return file;
}

/** Pages kept in memory, those used last; with what is made of a page, it may take three times its size. */
export class KeptPages {
  readonly #mostCharacters: number;
  readonly #pages = new Map<string, Promise<KeptPage>>();
  readonly #sizes = new Map<string, number>();
  #characters = 0;

  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
  }

  /** The page of a key, made if it is not kept. Requests that come meanwhile wait for the same; a failure is not kept. */
  find(key: string, make: () => Promise<KeptPage>): Promise<KeptPage> {
    const kept = this.#pages.get(key);
    if (kept !== undefined) {
      this.#pages.delete(key);
      this.#pages.set(key, kept);
      return kept;
    }
    const made = make();
    this.#pages.set(key, made);
    made.then(
      ({ text }) => this.#count(key, text.length + key.length),
      () => this.#drop(key),
    );
    return made;
  }

  #count(key: string, size: number): void {
    this.#sizes.set(key, size);
    this.#characters += size;
    for (const oldest of this.#pages.keys()) {
      if (this.#characters <= this.#mostCharacters || oldest === key) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#pages.delete(key);
    this.#characters -= this.#sizes.get(key) ?? 0;
    this.#sizes.delete(key);
  }
}

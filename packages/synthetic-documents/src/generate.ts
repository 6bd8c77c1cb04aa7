import type { DocType } from '@millrace/document-model';
import type { GeneratedDocument } from './generated.ts';
import type { Language } from './regions.ts';
import { Scene, type Wording } from './scene.ts';
import { generators } from './types/generators.ts';

export interface GenerateRequest {
  readonly type: DocType;
  /** The same request gives the same document, on every machine. */
  readonly seed: string | number;
  readonly language?: Language;
  /** A region such as `de-AT`; goes before the language. */
  readonly region?: string;
  /** One of the type's layouts; any by default. */
  readonly layout?: string;
  /** `usual` by default. */
  readonly wording?: Wording;
}

/** The layouts in which a type can be drawn. */
export function layoutsOf(type: DocType): readonly string[] {
  return generators[type].layouts;
}

/**
 * Makes a fictional document of a type, with the truth of what it says and its words as the engine's reader returns
 * them. Takes a few milliseconds; the PDF is written by `pdfOf`.
 */
export function generateDocument(request: GenerateRequest): GeneratedDocument {
  const { draw, englishIsAmerican } = generators[request.type];
  return draw(new Scene(request, englishIsAmerican), request.layout);
}

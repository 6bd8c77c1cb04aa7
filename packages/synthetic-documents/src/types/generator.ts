import type { DegradeOptions } from '../degrade.ts';
import type { GeneratedDocument } from '../generated.ts';
import type { Scene } from '../scene.ts';

/** A sample document of the project: what is drawn, and how it reaches the file. */
export interface Sample {
  readonly file: string;
  readonly description: string;
  readonly seed: string;
  readonly region: string;
  readonly layout?: string;
  /** With a text layer if left out; a scan in a PDF, or the picture alone. */
  readonly as?: { readonly scan: Omit<DegradeOptions, 'format' | 'exifTurn'> } | { readonly picture: DegradeOptions };
}

/** How documents of a type are drawn; the `generator.ts` of its folder. */
export interface Generator {
  readonly draw: (scene: Scene, layout?: string) => GeneratedDocument;
  readonly layouts: readonly string[];
  /** Whether the country of English documents is the United States. */
  readonly englishIsAmerican?: boolean;
  readonly samples?: readonly Sample[];
}

import type { DocType, JsonValue, Locale, ReadDocument } from '@millrace/document-model';
import { drawDistractors } from './distractors.ts';
import type { Scene } from './scene.ts';
import type { DrawnPage, Fact, Piece, Place, Sheet } from './sheet.ts';

/** What a generated document says, under the API's names and in its formats. */
export interface Truth {
  readonly docType: DocType;
  readonly fields: Readonly<Record<string, JsonValue>>;
  /** Rows of the types that have them at top level; other types' rows stand in `fields.items`. */
  readonly lines: readonly Readonly<Record<string, JsonValue>>[];
  readonly locale: Locale;
}

export interface GeneratedDocument {
  readonly truth: Truth;
  /** The words as drawn, as the engine's reader returns them for the PDF. */
  readonly document: ReadDocument;
  /** Where each field's value stands; a row's column under `#<row>.<column>`, rows counted from 0. */
  readonly places: ReadonlyMap<string, readonly Place[]>;
  /** Which of the type's layouts it has. */
  readonly layout: string;
  readonly pages: readonly DrawnPage[];
}

/**
 * Collects what a document says while it is drawn. Only what was drawn becomes truth: a field is set by what it should
 * say, and left out where no text was marked as its value.
 */
export class Draft {
  readonly scene: Scene;
  readonly docType: DocType;
  layout = 'plain';
  private readonly values = new Map<string, JsonValue>();
  private readonly always = new Set<string>();
  private readonly said = new Map<string, readonly string[]>();
  private readonly rows: Record<string, JsonValue>[] = [];

  constructor(scene: Scene, docType: DocType) {
    this.scene = scene;
    this.docType = docType;
  }

  /** The printed form of a field's value. */
  piece(field: string, fact: Fact | string): Piece {
    const { value, text } = typeof fact === 'string' ? { value: fact, text: fact } : fact;
    this.values.set(field, value);
    if (text !== '') this.said.set(field, [text]);
    return { text, field };
  }

  /** The lines of a value that is their text joined by commas. */
  lines(field: string, lines: readonly string[]): Piece[] {
    this.values.set(field, lines.join(', '));
    return lines.map((text) => ({ text, field }));
  }

  /** A value that is made of the whole document. */
  set(field: string, value: JsonValue): void {
    this.values.set(field, value);
    this.always.add(field);
  }

  /** A cell's value of a row. */
  cell(row: number, column: string, fact: Fact | string): Piece {
    const { value, text } = typeof fact === 'string' ? { value: fact, text: fact } : fact;
    this.rows[row] ??= {};
    this.rows[row][column] = value;
    return { text, field: `#${row}.${column}` };
  }

  /** The document, once all is drawn. */
  finish(sheet: Sheet, rows: 'lines' | 'items' | 'none' = 'none'): GeneratedDocument {
    if (this.scene.wording === 'free') drawDistractors(sheet, this.scene, this.said);
    const fields: Record<string, JsonValue> = {};
    for (const [field, value] of this.values) {
      if (this.always.has(field) || sheet.places.has(field)) fields[field] = value;
    }
    const { currency, currencySign } = this.scene.region;
    const namesCurrency = sheet.pages.some((page) =>
      page.words.some(({ text }) => text.includes(currencySign) || text.includes(currency)),
    );
    if (!namesCurrency) delete fields.currency;
    const drawn = this.rows.map((row, index) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => sheet.places.has(`#${index}.${column}`))),
    );
    if (rows === 'items' && drawn.length > 0) fields.items = drawn;
    fields.language = this.scene.region.language;
    return {
      truth: {
        docType: this.docType,
        fields,
        lines: rows === 'lines' ? drawn : [],
        locale: { ...this.scene.locale, currency: namesCurrency ? currency : null },
      },
      document: sheet.toDocument(),
      places: sheet.places,
      layout: this.layout,
      pages: sheet.pages,
    };
  }
}

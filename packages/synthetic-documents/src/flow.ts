import type { Piece, Sheet, TextStyle } from './sheet.ts';

/** Draws text with marked stretches over as many lines and pages as it needs. */
export class Flow {
  readonly sheet: Sheet;
  readonly left: number;
  readonly right: number;
  y: number;
  private readonly onPage: () => void;

  constructor(sheet: Sheet, left: number, right: number, top: number, onPage: () => void = () => {}) {
    this.sheet = sheet;
    this.left = left;
    this.right = right;
    this.y = top;
    this.onPage = onPage;
  }

  private need(height: number): void {
    if (this.y + height <= this.sheet.height - 60) return;
    this.sheet.addPage();
    this.onPage();
    this.y = 64;
  }

  /** Pieces set as one paragraph; a marked piece may break over lines. */
  paragraph(pieces: readonly (string | Piece)[], style: TextStyle & { readonly indent?: number } = {}): void {
    const sizePoints = style.sizePoints ?? this.sheet.base.sizePoints ?? 10;
    const left = this.left + (style.indent ?? 0);
    const tokens = pieces.flatMap((piece) => {
      const { text, field } = typeof piece === 'string' ? { text: piece, field: undefined } : piece;
      return text.split(/(?<= )/).map((token) => (field === undefined ? { text: token } : { text: token, field }));
    });
    let line: Piece[] = [];
    let width = 0;
    const flush = () => {
      this.need(sizePoints * 1.4);
      const merged: Piece[] = [];
      for (const piece of line) {
        const last = merged.at(-1);
        if (last && last.field === piece.field) merged[merged.length - 1] = { ...last, text: last.text + piece.text };
        else merged.push(piece);
      }
      this.sheet.pieces(left, this.y, merged, style);
      this.y += sizePoints * 1.42;
      line = [];
      width = 0;
    };
    for (const token of tokens) {
      const tokenWidth = this.sheet.measure(token.text.trimEnd(), style);
      if (line.length > 0 && width + tokenWidth > this.right - left && !/^[.,;:)]/.test(token.text)) flush();
      line.push(token);
      width += this.sheet.measure(token.text, style);
    }
    if (line.length > 0) flush();
    this.y += sizePoints * 0.55;
  }

  heading(text: string | Piece, style: TextStyle = {}): void {
    const sizePoints = style.sizePoints ?? this.sheet.base.sizePoints ?? 10;
    this.need(sizePoints * 3.4);
    this.y += sizePoints * 0.4;
    this.sheet.text(style.align === 'center' ? (this.left + this.right) / 2 : this.left, this.y, text, {
      bold: true,
      ...style,
    });
    this.y += sizePoints * 1.6;
  }

  room(height: number): void {
    this.need(height);
  }
}

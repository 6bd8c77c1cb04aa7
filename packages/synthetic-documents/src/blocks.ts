import type { Random } from './random.ts';
import { black, type Color, gray, type Piece, type Sheet, type TextStyle, white } from './sheet.ts';

/** The look of one document. */
export interface Theme {
  readonly family: NonNullable<TextStyle['family']>;
  readonly sizePoints: number;
  readonly accent: Color;
  /** Captions end in a colon. */
  readonly colon: boolean;
  readonly captionBold: boolean;
  readonly margin: number;
}

const accents: readonly Color[] = [
  [0.09, 0.27, 0.5],
  [0.55, 0.12, 0.16],
  [0.08, 0.42, 0.3],
  [0.15, 0.15, 0.17],
  [0.85, 0.38, 0.08],
  [0.32, 0.2, 0.52],
  [0.0, 0.45, 0.55],
  [0.4, 0.29, 0.18],
  [0, 0, 0],
];

export function pickTheme(random: Random): Theme {
  return {
    family: random.pick(['sans', 'sans', 'sans', 'serif']),
    sizePoints: random.pick([8.5, 9, 9, 9.5, 10]),
    accent: random.pick(accents),
    colon: random.chance(0.55),
    captionBold: random.chance(0.3),
    margin: random.pick([40, 46, 50, 56, 62]),
  };
}

/** A tint of a color, 0 being white. */
export function tint(color: Color, strength: number): Color {
  return [1 - (1 - color[0]) * strength, 1 - (1 - color[1]) * strength, 1 - (1 - color[2]) * strength];
}

/** A caption with its values; several values stand below or behind each other. */
export interface Pair {
  readonly caption: string;
  readonly value: Piece | readonly Piece[];
  readonly bold?: boolean;
}

export type PairForm = 'inline' | 'left' | 'apart' | 'above' | 'strip' | 'boxed-strip' | 'grid';

const asPieces = (value: Pair['value']): readonly Piece[] => ('text' in value ? [value] : value);

/**
 * Draws captions and values: on one line, in two columns, with the caption above, as a strip of columns or as a ruled
 * grid. Returns the baseline after the last.
 */
export function drawPairs(
  sheet: Sheet,
  x: number,
  baseline: number,
  width: number,
  pairs: readonly Pair[],
  form: PairForm,
  theme: Theme,
): number {
  const sizePoints = theme.sizePoints;
  const step = sizePoints * 1.5;
  const captionStyle: TextStyle = { sizePoints, bold: theme.captionBold, color: theme.captionBold ? black : gray };
  const valueStyle = (pair: Pair): TextStyle => ({ sizePoints, bold: pair.bold ?? false });
  const captionOf = (pair: Pair) => (theme.colon && pair.caption !== '' ? `${pair.caption}:` : pair.caption);
  switch (form) {
    case 'inline':
      for (const pair of pairs) {
        const end = sheet.text(x, baseline, captionOf(pair), captionStyle);
        sheet.pieces(end + sizePoints * 0.35, baseline, spaced(asPieces(pair.value)), valueStyle(pair));
        baseline += step;
      }
      return baseline;
    case 'left': {
      const tab =
        x +
        Math.min(
          width * 0.6,
          Math.max(...pairs.map((pair) => sheet.measure(captionOf(pair), captionStyle))) + sizePoints * 1.4,
        );
      for (const pair of pairs) {
        sheet.text(x, baseline, captionOf(pair), captionStyle);
        sheet.pieces(tab, baseline, spaced(asPieces(pair.value)), valueStyle(pair));
        baseline += step;
      }
      return baseline;
    }
    case 'apart':
      for (const pair of pairs) {
        sheet.text(x, baseline, captionOf(pair), captionStyle);
        sheet.pieces(x + width, baseline, spaced(asPieces(pair.value)), { ...valueStyle(pair), align: 'right' });
        baseline += step;
      }
      return baseline;
    case 'above':
      for (const pair of pairs) {
        sheet.text(x, baseline, pair.caption, { ...captionStyle, sizePoints: sizePoints * 0.85 });
        sheet.pieces(x, baseline + sizePoints * 1.25, spaced(asPieces(pair.value)), valueStyle(pair));
        baseline += sizePoints * 2.9;
      }
      return baseline;
    case 'strip':
    case 'boxed-strip': {
      const columns = Math.min(pairs.length, Math.max(2, Math.floor(width / 95)));
      const columnWidth = width / columns;
      const height = sizePoints * 3.1;
      for (let start = 0; start < pairs.length; start += columns) {
        const row = pairs.slice(start, start + columns);
        const top = baseline - sizePoints * 1.1;
        if (form === 'boxed-strip') {
          sheet.area({ x0: x, y0: top, x1: x + width, y1: top + height }, { border: gray });
          row.slice(1).forEach((_, index) => {
            sheet.line(x + columnWidth * (index + 1), top, x + columnWidth * (index + 1), top + height, {
              color: gray,
            });
          });
        }
        row.forEach((pair, index) => {
          const left = x + columnWidth * index + (form === 'boxed-strip' ? 4 : 0);
          sheet.text(left, baseline, pair.caption, { ...captionStyle, sizePoints: sizePoints * 0.82 });
          sheet.pieces(left, baseline + sizePoints * 1.35, spaced(asPieces(pair.value)), {
            ...valueStyle(pair),
            sizePoints: fitted(sheet, asPieces(pair.value), columnWidth - 6, sizePoints),
          });
        });
        baseline += form === 'boxed-strip' ? height : height * 1.05;
      }
      return baseline + sizePoints * 0.4;
    }
    case 'grid': {
      const captionWidth = width * 0.45;
      const height = sizePoints * 1.75;
      for (const pair of pairs) {
        const top = baseline - sizePoints * 1.2;
        sheet.area(
          { x0: x, y0: top, x1: x + captionWidth, y1: top + height },
          { border: gray, fill: tint(theme.accent, 0.07) },
        );
        sheet.area({ x0: x + captionWidth, y0: top, x1: x + width, y1: top + height }, { border: gray });
        sheet.text(x + 4, baseline, pair.caption, {
          ...captionStyle,
          color: black,
          sizePoints: fitted(sheet, [{ text: pair.caption }], captionWidth - 7, sizePoints),
        });
        sheet.pieces(x + captionWidth + 4, baseline, spaced(asPieces(pair.value)), {
          ...valueStyle(pair),
          sizePoints: fitted(sheet, asPieces(pair.value), width - captionWidth - 7, sizePoints),
        });
        baseline += height;
      }
      return baseline + sizePoints * 0.5;
    }
  }
}

function spaced(pieces: readonly Piece[]): readonly (string | Piece)[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [' ', piece]));
}

/** The size at which pieces fit a width. */
function fitted(sheet: Sheet, pieces: readonly Piece[], width: number, sizePoints: number): number {
  const needed = sheet.measure(pieces.map((piece) => piece.text).join(' '), { sizePoints });
  return needed <= width ? sizePoints : Math.max(5.5, (sizePoints * width) / needed);
}

/** Draws lines below each other and returns the baseline after the last. Letters shrink where a line is wider than `width`. */
export function drawLines(
  sheet: Sheet,
  x: number,
  baseline: number,
  lines: readonly (Piece | readonly Piece[])[],
  style: TextStyle & { readonly leading?: number; readonly width?: number } = {},
): number {
  const sizePoints = style.sizePoints ?? sheet.base.sizePoints ?? 10;
  const step = sizePoints * (style.leading ?? 1.38);
  for (const line of lines) {
    const pieces = 'text' in line ? [line] : line;
    const needed = pieces.reduce((sum, { text }) => sum + sheet.measure(text, style), 0);
    const shrunk = style.width !== undefined && needed > style.width ? (sizePoints * style.width) / needed : sizePoints;
    sheet.pieces(x, baseline, pieces, { ...style, sizePoints: shrunk });
    baseline += step;
  }
  return baseline;
}

export interface Column {
  readonly key: string;
  readonly title: string;
  readonly align: 'left' | 'right' | 'center';
  /** Share of the table's width. */
  readonly weight: number;
}

export interface TableLook {
  readonly rules: 'none' | 'header' | 'rows' | 'grid' | 'columns';
  readonly zebra: boolean;
  readonly header: 'plain' | 'bold' | 'filled' | 'tinted' | 'capitals';
  readonly padding: number;
}

export function pickTableLook(random: Random): TableLook {
  return {
    rules: random.pick(['none', 'header', 'header', 'rows', 'rows', 'grid', 'columns']),
    zebra: random.chance(0.25),
    header: random.pick(['plain', 'bold', 'bold', 'filled', 'tinted', 'capitals']),
    padding: random.pick([3, 4, 5, 6.5]),
  };
}

/** A row's cells by column key; a cell may have several lines. */
export type Cells = Readonly<Record<string, readonly Piece[]>>;

export interface TableOptions {
  readonly x: number;
  /** Top of the table. */
  readonly top: number;
  readonly width: number;
  readonly columns: readonly Column[];
  readonly rows: readonly Cells[];
  readonly look: TableLook;
  readonly theme: Theme;
  /** No row goes below this. */
  readonly bottom: number;
  /** Begins the next page, after `drawn` rows, and returns where the table goes on. */
  readonly nextPage: (drawn: number, y: number) => number;
  readonly repeatHeader: boolean;
}

/** Draws a table over as many pages as it needs and returns where it ends. */
export function drawTable(sheet: Sheet, options: TableOptions): number {
  const { x, width, columns, rows, look, theme, bottom, nextPage, repeatHeader } = options;
  const sizePoints = theme.sizePoints;
  const { padding } = look;
  const total = columns.reduce((sum, column) => sum + column.weight, 0);
  let left = x;
  const placed = columns.map((column) => {
    const columnWidth = (column.weight / total) * width;
    const result = { ...column, x0: left, x1: left + columnWidth };
    left += columnWidth;
    return result;
  });
  const ruleColor = look.rules === 'grid' ? black : gray;
  let y = options.top;
  let bodyTop = y;

  const drawCellText = (column: (typeof placed)[number], baseline: number, piece: Piece, style: TextStyle) => {
    const inner = column.x1 - column.x0 - 2 * padding;
    const needed = sheet.measure(piece.text, style);
    const fits =
      needed <= inner + 1
        ? style
        : { ...style, sizePoints: Math.max(5, ((style.sizePoints ?? sizePoints) * inner) / needed) };
    const at =
      column.align === 'right'
        ? column.x1 - padding
        : column.align === 'center'
          ? (column.x0 + column.x1) / 2
          : column.x0 + padding;
    sheet.text(at, baseline, piece, { ...fits, align: column.align });
  };

  const drawHeader = () => {
    const filled = look.header === 'filled';
    const style: TextStyle = {
      sizePoints: sizePoints * 0.95,
      bold: look.header !== 'plain',
      color: filled ? white : black,
    };
    const titles = placed.map((column) => {
      const title = look.header === 'capitals' ? column.title.toUpperCase() : column.title;
      return sheet.wrap(title, column.x1 - column.x0 - 2 * padding, style).slice(0, 2);
    });
    const height = Math.max(...titles.map((lines) => lines.length)) * sizePoints * 1.2 + padding * 1.4;
    if (filled) sheet.area({ x0: x, y0: y, x1: x + width, y1: y + height }, { fill: theme.accent });
    if (look.header === 'tinted')
      sheet.area({ x0: x, y0: y, x1: x + width, y1: y + height }, { fill: tint(theme.accent, 0.14) });
    placed.forEach((column, index) => {
      titles[index]!.forEach((title, line) => {
        drawCellText(column, y + padding * 0.7 + sizePoints * (0.95 + line * 1.2), { text: title }, style);
      });
    });
    if (look.rules === 'grid') sheet.area({ x0: x, y0: y, x1: x + width, y1: y + height }, { border: ruleColor });
    else if (look.rules !== 'none' && !filled) {
      if (look.rules !== 'header' || theme.colon) sheet.line(x, y, x + width, y, { color: ruleColor });
      sheet.line(x, y + height, x + width, y + height, { color: black, widthPoints: 0.8 });
    }
    y += height;
    bodyTop = y - (look.rules === 'grid' ? height : 0);
  };

  const closeBody = () => {
    if (look.rules === 'grid' || look.rules === 'columns') {
      for (const column of placed.slice(1)) sheet.line(column.x0, bodyTop, column.x0, y, { color: ruleColor });
      sheet.line(x, bodyTop, x, y, { color: ruleColor });
      sheet.line(x + width, bodyTop, x + width, y, { color: ruleColor });
    }
    if (look.rules === 'columns' || look.rules === 'header') sheet.line(x, y, x + width, y, { color: black });
  };

  drawHeader();
  rows.forEach((row, index) => {
    const lines = placed.map((column) =>
      (row[column.key] ?? []).flatMap((piece) =>
        column.align === 'left' && column.weight >= 20
          ? sheet
              .wrap(piece.text, column.x1 - column.x0 - 2 * padding, { sizePoints })
              .map((text) => ({ ...piece, text }))
          : [piece],
      ),
    );
    const height = Math.max(1, ...lines.map((cell) => cell.length)) * sizePoints * 1.28 + padding * 1.2;
    if (y + height > bottom) {
      closeBody();
      y = nextPage(index, y);
      bodyTop = y;
      if (repeatHeader) drawHeader();
    }
    if (look.zebra && index % 2 === 1)
      sheet.area({ x0: x, y0: y, x1: x + width, y1: y + height }, { fill: tint(theme.accent, 0.06) });
    placed.forEach((column, ordinal) => {
      lines[ordinal]!.forEach((piece, line) => {
        drawCellText(column, y + padding * 0.6 + sizePoints * (0.95 + line * 1.28), piece, { sizePoints });
      });
    });
    y += height;
    if (look.rules === 'rows' || look.rules === 'grid')
      sheet.line(x, y, x + width, y, { color: look.rules === 'grid' ? black : tint(gray, 0.6) });
  });
  closeBody();
  return y;
}

/** A logo of shapes, sometimes with the initials of a name; returns its width. */
export function drawLogo(
  sheet: Sheet,
  random: Random,
  x: number,
  y: number,
  height: number,
  color: Color,
  initials: string,
): number {
  const half = height / 2;
  switch (random.integer(0, 5)) {
    case 0:
      sheet.ellipse(x + half, y + half, half, half, { fill: color });
      sheet.ellipse(x + height, y + half, half * 0.7, half * 0.7, { fill: tint(color, 0.45) });
      return height * 1.4;
    case 1:
      sheet.area({ x0: x, y0: y, x1: x + height, y1: y + height }, { fill: color });
      sheet.text(x + half, y + half + height * 0.16, initials, {
        sizePoints: height * 0.44,
        bold: true,
        color: white,
        align: 'center',
      });
      return height;
    case 2:
      sheet.shape(x, y, 'M 0 100 L 50 0 L 100 100 Z', color, height / 100);
      sheet.shape(x + half * 0.8, y, 'M 40 100 L 70 40 L 100 100 Z', tint(color, 0.5), height / 100);
      return height * 1.45;
    case 3:
      for (let bar = 0; bar < 4; bar++) {
        const barHeight = height * (0.4 + 0.2 * ((bar * 7) % 4));
        sheet.area(
          {
            x0: x + bar * height * 0.28,
            y0: y + height - barHeight,
            x1: x + bar * height * 0.28 + height * 0.2,
            y1: y + height,
          },
          { fill: bar % 2 ? tint(color, 0.55) : color },
        );
      }
      return height * 1.1;
    case 4:
      sheet.shape(x, y, 'M 50 0 L 93 25 L 93 75 L 50 100 L 7 75 L 7 25 Z', color, height / 100);
      sheet.text(x + half, y + half + height * 0.12, initials.slice(0, 1), {
        sizePoints: height * 0.36,
        bold: true,
        color: white,
        align: 'center',
      });
      return height;
    default:
      sheet.shape(x, y, 'M 0 50 Q 25 0 50 50 T 100 50 L 100 80 Q 75 30 50 80 T 0 80 Z', color, height / 100);
      return height;
  }
}

import type { Box, Ruling } from '@millrace/document-model';
import { displayBox, displayPoint, type PdfPage } from './document.ts';

/** What a page draws besides its text. */
export interface PageObjects {
  readonly rulings: readonly Ruling[];
  /** Areas that are painted in something other than white: coloured shapes and pictures. */
  readonly paintedAreas: readonly Box[];
  /** Boxes of the pictures, clipped to the page. */
  readonly pictures: readonly Box[];
  /** Shapes that are drawn, rulings among them. */
  readonly shapeCount: number;
  /** Text objects that stand on the page itself, not within a form object: for those alone is a clip path known. */
  readonly topLevelTexts: ReadonlySet<number>;
}

/** PDFium's object types. */
const textObject = 1;
const pathObject = 2;
const imageObject = 3;
const formObject = 5;

const objectLimit = 50_000;
const formDepthLimit = 4;
const segmentLimit = 400;
const rulingLimit = 5_000;
const paintedAreaLimit = 4_000;

/** Points. A ruling is at most this thick and at least this long. */
const rulingThickness = 3;
const rulingLength = 8;
/** Pieces of one dashed or doubled ruling lie at most this far apart. */
const rulingGap = 3;

/** An affine transform as PDF writes it: `x' = a x + c y + e`, `y' = b x + d y + f`. */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Walks a page's objects once, those in form objects included, and collects rulings, painted areas and pictures. */
export function readPageObjects(page: PdfPage): PageObjects {
  const { call, memory } = page.pdfium;
  const rulings: Ruling[] = [];
  const paintedAreas: Box[] = [];
  const pictures: Box[] = [];
  const topLevelTexts = new Set<number>();
  let shapeCount = 0;
  let left = objectLimit;

  const boundsOf = (object: number, outer: Matrix): Box | null => {
    const at = memory.scratch;
    // left, bottom, right, top
    if (!call.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) return null;
    const [x0, y0, x1, y1] = [memory.float(at, 0), memory.float(at, 1), memory.float(at, 2), memory.float(at, 3)];
    return transformedBox(page, outer, x0, y0, x1, y1);
  };

  const addPath = (path: number, outer: Matrix) => {
    const at = memory.scratch;
    if (!call.FPDFPath_GetDrawMode(path, at, at + 4)) return;
    const fills = memory.integer(at, 0) !== 0;
    const strokes = memory.integer(at, 1) !== 0;
    if (!fills && !strokes) return;
    const box = boundsOf(path, outer);
    if (!box) return;
    const colour = fills ? fillColour(page, path) : null;
    const paints = colour !== null && colour.alpha > 0 && !isWhite(colour);
    if (paints && paintedAreas.length < paintedAreaLimit) paintedAreas.push(box);
    if (fills && !strokes && !paints) return;
    const ruling = rulingOfBox(box);
    if (ruling) {
      rulings.push(ruling);
      return;
    }
    if (box.x1 - box.x0 < rulingLength && box.y1 - box.y0 < rulingLength) return;
    if (isWholePage(box, page)) return;
    addSegments(path, outer);
  };

  const addSegments = (path: number, outer: Matrix) => {
    const count = Math.min(call.FPDFPath_CountSegments(path), segmentLimit);
    if (count < 2) return;
    const matrix = multiply(matrixOf(page, path), outer);
    let start: { x: number; y: number } | null = null;
    let last: { x: number; y: number } | null = null;
    const at = memory.scratch;
    for (let index = 0; index < count; index++) {
      const segment = call.FPDFPath_GetPathSegment(path, index);
      if (!segment || !call.FPDFPathSegment_GetPoint(segment, at, at + 4)) continue;
      const point = transformedPoint(page, matrix, memory.float(at, 0), memory.float(at, 1));
      const type = call.FPDFPathSegment_GetType(segment);
      if (type === moveTo) start = point;
      else if (type === lineTo && last) pushLine(rulings, last, point);
      if (call.FPDFPathSegment_GetClose(segment) && start && type !== moveTo) pushLine(rulings, point, start);
      last = point;
    }
  };

  const visit = (object: number, outer: Matrix, depth: number) => {
    if (left-- <= 0 || object === 0) return;
    switch (call.FPDFPageObj_GetType(object)) {
      case textObject:
        if (depth === 0) topLevelTexts.add(object);
        break;
      case pathObject:
        shapeCount++;
        if (rulings.length < rulingLimit) addPath(object, outer);
        break;
      case imageObject: {
        const box = boundsOf(object, outer);
        const clipped = box && clip(box, page);
        if (clipped) {
          pictures.push(clipped);
          if (paintedAreas.length < paintedAreaLimit) paintedAreas.push(clipped);
        }
        break;
      }
      case formObject: {
        if (depth >= formDepthLimit) break;
        const inner = multiply(matrixOf(page, object), outer);
        const count = call.FPDFFormObj_CountObjects(object);
        for (let index = 0; index < count && left > 0; index++) {
          visit(call.FPDFFormObj_GetObject(object, index), inner, depth + 1);
        }
        break;
      }
    }
  };

  const count = call.FPDFPage_CountObjects(page.handle);
  for (let index = 0; index < count && left > 0; index++)
    visit(call.FPDFPage_GetObject(page.handle, index), identity, 0);
  const onPage = rulings.flatMap((ruling) => {
    const box = clip(ruling.box, page);
    return box ? [{ ...ruling, box }] : [];
  });
  return { rulings: joinRulings(onPage), paintedAreas, pictures, shapeCount, topLevelTexts };
}

const lineTo = 0;
const moveTo = 2;

/** A colour with 8 bits a channel. */
interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

/** The colour in which a page object is filled, or null where it has none. */
export function fillColour(page: PdfPage, object: number): Colour | null {
  const { call, memory } = page.pdfium;
  const at = memory.scratch;
  if (!call.FPDFPageObj_GetFillColor(object, at, at + 4, at + 8, at + 12)) return null;
  return {
    red: memory.integer(at, 0),
    green: memory.integer(at, 1),
    blue: memory.integer(at, 2),
    alpha: memory.integer(at, 3),
  };
}

/** So light that it can't be distinguished from paper. */
export function isWhite(colour: Colour): boolean {
  return Math.min(colour.red, colour.green, colour.blue) >= 250;
}

function matrixOf(page: PdfPage, object: number): Matrix {
  const { call, memory } = page.pdfium;
  const at = memory.scratch;
  if (!call.FPDFPageObj_GetMatrix(object, at)) return identity;
  return [
    memory.float(at, 0),
    memory.float(at, 1),
    memory.float(at, 2),
    memory.float(at, 3),
    memory.float(at, 4),
    memory.float(at, 5),
  ];
}

/** The transform that applies `first`, then `second`. */
function multiply(first: Matrix, second: Matrix): Matrix {
  if (second === identity) return first;
  const [a, b, c, d, e, f] = first;
  const [g, h, i, j, k, l] = second;
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

function transformedPoint(page: PdfPage, matrix: Matrix, x: number, y: number): { x: number; y: number } {
  const [a, b, c, d, e, f] = matrix;
  return displayPoint(page, a * x + c * y + e, b * x + d * y + f);
}

function transformedBox(page: PdfPage, outer: Matrix, x0: number, y0: number, x1: number, y1: number): Box {
  if (outer === identity) return displayBox(page, x0, y0, x1, y1);
  const corners = [
    transformedPoint(page, outer, x0, y0),
    transformedPoint(page, outer, x1, y0),
    transformedPoint(page, outer, x0, y1),
    transformedPoint(page, outer, x1, y1),
  ];
  return {
    x0: Math.min(...corners.map((corner) => corner.x)),
    y0: Math.min(...corners.map((corner) => corner.y)),
    x1: Math.max(...corners.map((corner) => corner.x)),
    y1: Math.max(...corners.map((corner) => corner.y)),
  };
}

/** The part of a box that lies on the page, or null. A line has no area and may still lie on it. */
function clip(box: Box, page: PdfPage): Box | null {
  const x0 = Math.max(box.x0, 0);
  const y0 = Math.max(box.y0, 0);
  const x1 = Math.min(box.x1, page.width);
  const y1 = Math.min(box.y1, page.height);
  return x0 <= x1 && y0 <= y1 ? { x0, y0, x1, y1 } : null;
}

function isWholePage(box: Box, page: PdfPage): boolean {
  return box.x1 - box.x0 >= 0.95 * page.width && box.y1 - box.y0 >= 0.95 * page.height;
}

function rulingOfBox(box: Box): Ruling | null {
  const across = box.x1 - box.x0;
  const down = box.y1 - box.y0;
  if (down <= rulingThickness && across >= rulingLength) return { direction: 'horizontal', box };
  if (across <= rulingThickness && down >= rulingLength) return { direction: 'vertical', box };
  return null;
}

function pushLine(rulings: Ruling[], a: { x: number; y: number }, b: { x: number; y: number }): void {
  if (Math.abs(a.x - b.x) > 1 && Math.abs(a.y - b.y) > 1) return;
  const box = { x0: Math.min(a.x, b.x), y0: Math.min(a.y, b.y), x1: Math.max(a.x, b.x), y1: Math.max(a.y, b.y) };
  const ruling = rulingOfBox(box);
  if (ruling) rulings.push(ruling);
}

/** Joins the pieces of rulings that lie on one line and meet: dashes, cell borders, the two edges of a thin bar. */
function joinRulings(rulings: readonly Ruling[]): Ruling[] {
  return [...joinAlong(rulings, 'horizontal'), ...joinAlong(rulings, 'vertical')];
}

function joinAlong(rulings: readonly Ruling[], direction: Ruling['direction']): Ruling[] {
  const [start, end, low, high] =
    direction === 'horizontal' ? (['x0', 'x1', 'y0', 'y1'] as const) : (['y0', 'y1', 'x0', 'x1'] as const);
  const middle = (box: Box) => (box[low] + box[high]) / 2;
  const sorted = rulings
    .filter((ruling) => ruling.direction === direction)
    .map((ruling) => ({ lane: Math.round(middle(ruling.box) / 2), box: ruling.box }))
    .sort((a, b) => a.lane - b.lane || a.box[start] - b.box[start]);
  const joined: { lane: number; box: Box }[] = [];
  for (const piece of sorted) {
    const previous = joined.at(-1);
    if (previous && previous.lane === piece.lane && piece.box[start] <= previous.box[end] + rulingGap) {
      previous.box = {
        x0: Math.min(previous.box.x0, piece.box.x0),
        y0: Math.min(previous.box.y0, piece.box.y0),
        x1: Math.max(previous.box.x1, piece.box.x1),
        y1: Math.max(previous.box.y1, piece.box.y1),
      };
    } else {
      joined.push({ ...piece });
    }
  }
  return joined.map(({ box }) => ({ direction, box }));
}

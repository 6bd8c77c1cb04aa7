import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { resizeRaster } from '../image/decode.ts';
import type { Raster } from '../raster.ts';

/** A rectangle around a line of text, possibly leaning, in pixels of the raster. */
export interface TextRegion {
  readonly centreX: number;
  readonly centreY: number;
  /** Along the line. */
  readonly width: number;
  readonly height: number;
  /** Radians by which the line runs down to the right. */
  readonly angle: number;
  /** Mean text probability within, 0 to 1. */
  readonly score: number;
}

export interface DetectionOptions {
  /** Pixels that the detector looks at; the picture is scaled to have no more, which bounds time and memory. */
  readonly areaLimit: number;
  /** Pixels of that picture; where lines are lower, it is looked at again, larger. */
  readonly leastHeight: number;
  /** The most by which a small picture is enlarged. */
  readonly enlargeLimit: number;
  /** A pixel with a greater text probability is text. */
  readonly pixelThreshold: number;
  /** A region with a lesser mean probability is dropped. */
  readonly regionThreshold: number;
  /** How far a region grows beyond its shrunk core: area × ratio ÷ perimeter. */
  readonly unclipRatio: number;
}

const sideLimit = 3_200;
/** Pixels; for pages of small print. About 0.5 s. */
const areaLimitOfSmallPrint = 1_800_000;
/** Pixels that the network looks at in one go: it takes about 150 bytes for each, and keeps them. */
const bandAreaLimit = 600_000;
/** Rows beyond a band's edge that the network sees as well, so that a line there looks as it does in the whole picture. */
const seenBeyond = 96;
const regionLimit = 3_000;
const mean = [0.485, 0.456, 0.406];
const deviation = [0.229, 0.224, 0.225];

/**
 * Finds lines of text with PP-OCR's detector (Liao et al., *Real-time Scene Text Detection with Differentiable
 * Binarization*, AAAI 2020): a map of text probability, its connected components, a rectangle around each, grown by
 * the unclip ratio because the network is trained on shrunk regions. Where the lines turn out to be too low for the
 * network, the picture is looked at once more, larger.
 */
export async function detectText(
  session: InferenceSession,
  TensorOf: typeof Tensor,
  raster: Raster,
  options: DetectionOptions,
): Promise<readonly TextRegion[]> {
  const scale = boundedScale(raster, options.areaLimit, options.enlargeLimit);
  const regions = await detectAtScale(session, TensorOf, raster, scale, options);
  const seenHeight = usualHeight(regions) * scale;
  if (regions.length === 0 || seenHeight >= options.leastHeight) return regions;
  const wanted = (scale * options.leastHeight * 1.25) / seenHeight;
  const larger = boundedScale(raster, areaLimitOfSmallPrint, Math.min(wanted, options.enlargeLimit));
  return larger > 1.15 * scale ? await detectAtScale(session, TensorOf, raster, larger, options) : regions;
}

function boundedScale(raster: Raster, area: number, most: number): number {
  return Math.min(
    most,
    Math.sqrt(area / (raster.width * raster.height)),
    sideLimit / Math.max(raster.width, raster.height),
  );
}

/** The median of the shorter sides. */
function usualHeight(regions: readonly TextRegion[]): number {
  const heights = regions.map((region) => Math.min(region.width, region.height)).toSorted((a, b) => a - b);
  return heights[heights.length >> 1] ?? 0;
}

async function detectAtScale(
  session: InferenceSession,
  TensorOf: typeof Tensor,
  raster: Raster,
  scale: number,
  options: DetectionOptions,
): Promise<TextRegion[]> {
  const width = toStride(raster.width * scale);
  const height = toStride(raster.height * scale);
  const scaled = await resizeRaster(raster, width, height, 'linear');
  const map = await probabilityMap(session, TensorOf, scaled);
  return regionsOf(map, width, height, options).map((region) =>
    toRaster(region, raster.width / width, raster.height / height),
  );
}

/** The network halves its input five times. */
function toStride(pixels: number): number {
  return Math.max(32, Math.round(pixels / 32) * 32);
}

/** The text probability of each pixel. */
async function probabilityMap(
  session: InferenceSession,
  TensorOf: typeof Tensor,
  { width, height, data }: Raster,
): Promise<Float32Array> {
  const map = new Float32Array(width * height);
  const bandHeight = toStride(height / Math.ceil((width * height) / bandAreaLimit));
  for (let top = 0; top < height; top += bandHeight) {
    const bottom = Math.min(height, top + bandHeight);
    const from = Math.max(0, top - seenBeyond);
    const to = Math.min(height, bottom + seenBeyond);
    const band = { width, height: to - from, data: data.subarray(from * width * 3, to * width * 3) };
    const input = new TensorOf('float32', normalise(band), [1, 3, band.height, width]);
    const outputs = await session.run({ [session.inputNames[0] as string]: input });
    const seen = outputs[session.outputNames[0] as string]?.data as Float32Array;
    map.set(seen.subarray((top - from) * width, (bottom - from) * width), top * width);
  }
  return map;
}

function normalise(raster: Raster): Float32Array {
  const size = raster.width * raster.height;
  const planes = new Float32Array(size * 3);
  for (let channel = 0; channel < 3; channel++) {
    const factor = 1 / (255 * (deviation[channel] as number));
    const offset = (mean[channel] as number) / (deviation[channel] as number);
    // The network was trained on blue, green, red.
    const source = 2 - channel;
    for (let index = 0; index < size; index++) {
      planes[channel * size + index] = (raster.data[index * 3 + source] as number) * factor - offset;
    }
  }
  return planes;
}

function toRaster(region: TextRegion, scaleX: number, scaleY: number): TextRegion {
  const cosine = Math.cos(region.angle);
  const sine = Math.sin(region.angle);
  return {
    centreX: region.centreX * scaleX,
    centreY: region.centreY * scaleY,
    width: region.width * Math.hypot(cosine * scaleX, sine * scaleY),
    height: region.height * Math.hypot(sine * scaleX, cosine * scaleY),
    angle: Math.atan2(sine * scaleY, cosine * scaleX),
    score: region.score,
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function regionsOf(map: Float32Array, width: number, height: number, options: DetectionOptions): TextRegion[] {
  const seen = new Uint8Array(width * height);
  const stack = new Int32Array(width * height);
  const regions: TextRegion[] = [];
  for (let start = 0; start < map.length && regions.length < regionLimit; start++) {
    if (seen[start] === 1 || (map[start] as number) <= options.pixelThreshold) continue;
    let depth = 0;
    stack[depth++] = start;
    seen[start] = 1;
    let count = 0;
    let sum = 0;
    const left = new Map<number, number>();
    const right = new Map<number, number>();
    while (depth > 0) {
      const at = stack[--depth] as number;
      const x = at % width;
      const y = (at - x) / width;
      count++;
      sum += map[at] as number;
      if (x < (left.get(y) ?? width)) left.set(y, x);
      if (x > (right.get(y) ?? -1)) right.set(y, x);
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          const u = x + dx;
          const v = y + dy;
          if (u < 0 || v < 0 || u >= width || v >= height) continue;
          const neighbour = v * width + u;
          if (seen[neighbour] === 1 || (map[neighbour] as number) <= options.pixelThreshold) continue;
          seen[neighbour] = 1;
          stack[depth++] = neighbour;
        }
      }
    }
    const score = sum / count;
    if (count < 6 || score < options.regionThreshold) continue;
    const corners: Point[] = [];
    for (const [y, x] of left) corners.push({ x, y }, { x, y: y + 1 });
    for (const [y, x] of right) corners.push({ x: x + 1, y }, { x: x + 1, y: y + 1 });
    const rectangle = smallestRectangle(convexHull(corners));
    if (Math.min(rectangle.width, rectangle.height) < 2) continue;
    regions.push({ ...rectangle, score });
  }
  return regions.map((region) => unclip(region, regions, options.unclipRatio));
}

/** Regions are grown to this ratio at least, however close the next line is. */
const leastUnclipRatio = 1.4;
/** How far a region may grow into the space between its core and that of the line above or below. */
const shareOfSpace = 0.55;

/**
 * Grows a shrunk core to the text around it. A generous margin reads better, unless it takes in what belongs to the
 * next line.
 */
function unclip(core: TextRegion, cores: readonly TextRegion[], ratio: number): TextRegion {
  const unit = (core.width * core.height) / (core.width + core.height);
  const cosine = Math.cos(core.angle);
  const sine = Math.sin(core.angle);
  let space = Infinity;
  for (const other of cores) {
    if (other === core) continue;
    const dx = other.centreX - core.centreX;
    const dy = other.centreY - core.centreY;
    const along = Math.abs(dx * cosine + dy * sine);
    if (along > (core.width + other.width) / 2) continue;
    const across = Math.abs(dy * cosine - dx * sine) - (core.height + other.height) / 2;
    if (across >= 0) space = Math.min(space, across);
  }
  const down = Math.min(unit * ratio, Math.max(unit * leastUnclipRatio, 2 * shareOfSpace * space));
  return { ...core, width: core.width + unit * ratio, height: core.height + down };
}

/** Andrew's monotone chain. */
function convexHull(points: Point[]): Point[] {
  points.sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (ordered: readonly Point[]) => {
    const chain: Point[] = [];
    for (const point of ordered) {
      for (;;) {
        const a = chain.at(-2);
        const b = chain.at(-1);
        if (!a || !b || (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) > 0) break;
        chain.pop();
      }
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(points), ...half(points.toReversed())];
}

/** Of the rectangles that share a direction with an edge of the hull, the one with the smallest area. */
function smallestRectangle(hull: readonly Point[]): Omit<TextRegion, 'score'> {
  let best: Omit<TextRegion, 'score'> | null = null;
  let bestArea = Infinity;
  for (let index = 0; index < hull.length; index++) {
    const a = hull[index] as Point;
    const b = hull[(index + 1) % hull.length] as Point;
    // Directions are equal modulo a quarter turn; the line's is the one nearest to the horizontal.
    const quarter = Math.PI / 2;
    const raw = Math.atan2(b.y - a.y, b.x - a.x);
    const angle = raw - Math.round(raw / quarter) * quarter;
    const rectangle = rectangleAlong(hull, angle);
    const area = rectangle.width * rectangle.height;
    if (area < bestArea) {
      best = rectangle;
      bestArea = area;
    }
  }
  return best ?? rectangleAlong(hull, 0);
}

function rectangleAlong(points: readonly Point[], angle: number): Omit<TextRegion, 'score'> {
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  let [u0, u1, v0, v1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    const u = x * cosine + y * sine;
    const v = y * cosine - x * sine;
    u0 = Math.min(u0, u);
    u1 = Math.max(u1, u);
    v0 = Math.min(v0, v);
    v1 = Math.max(v1, v);
  }
  const u = (u0 + u1) / 2;
  const v = (v0 + v1) / 2;
  return { centreX: u * cosine - v * sine, centreY: u * sine + v * cosine, width: u1 - u0, height: v1 - v0, angle };
}

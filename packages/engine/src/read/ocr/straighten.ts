import type { Box, Straightening } from '@millrace/document-model';
import type { TextRegion } from './detection.ts';

/** Bands of a page's height, each with a slope of its own: paper curls, and a photograph's lines fan out. */
const bandCount = 24;
/** Regions less than this many times as wide as high say little of their slope. */
const leastAspect = 4;
/** How far, in page heights, a region's slope speaks for its surroundings. */
const reach = 0.06;
/** The say of the page's own slope beside that of a band's regions, in region widths per page width. */
const priorWeight = 0.3;
/** Less than this is the noise of measuring (0.1 degrees). */
const leastSlope = 0.002;

/**
 * Measures how the lines of a page run from those of its regions that are long enough to tell. Returns null where the
 * page is straight or says nothing.
 */
export function measureSlopes(regions: readonly TextRegion[], width: number, height: number): Straightening | null {
  const samples = regions
    .filter((region) => region.width > leastAspect * region.height)
    .map((region) => ({ y: region.centreY, slope: Math.tan(region.angle), weight: region.width / width }));
  if (samples.length < 3) return null;
  const slope = weightedMedian(samples);
  const near = samples.filter((sample) => Math.abs(sample.slope - slope) < 0.1);
  const slopes = Array.from({ length: bandCount }, (_, band) => {
    const y = ((band + 0.5) / bandCount) * height;
    let sum = slope * priorWeight;
    let total = priorWeight;
    for (const sample of near) {
      const distance = (sample.y - y) / (reach * height);
      const weight = sample.weight * Math.exp(-0.5 * distance * distance);
      sum += sample.slope * weight;
      total += weight;
    }
    return sum / total;
  });
  if (slopes.every((band) => Math.abs(band) < leastSlope)) return null;
  return { slope, slopes };
}

function weightedMedian(samples: readonly { slope: number; weight: number }[]): number {
  const sorted = samples.toSorted((a, b) => a.slope - b.slope);
  const half = sorted.reduce((sum, sample) => sum + sample.weight, 0) / 2;
  let sum = 0;
  for (const sample of sorted) {
    sum += sample.weight;
    if (sum >= half) return sample.slope;
  }
  return 0;
}

/** How the lines of a part of a picture run that is as wide as it: of its rows `from` up to `to`. */
export function straighteningOfBand(
  straightening: Straightening,
  { from, to, height }: { readonly from: number; readonly to: number; readonly height: number },
): Straightening {
  const slopes = Array.from({ length: bandCount }, (_, band) => {
    const y = from + ((band + 0.5) / bandCount) * (to - from);
    return slopeAt(straightening, y / height);
  });
  return { slope: straightening.slope, slopes };
}

/** Where a point of the picture lies once its lines are level. */
export function straightenPoint(
  straightening: Straightening,
  page: { readonly width: number; readonly height: number },
  x: number,
  y: number,
): { x: number; y: number } {
  const dx = x - page.width / 2;
  const dy = y - page.height / 2;
  return { x: x + dy * straightening.slope, y: y - dx * slopeAt(straightening, y / page.height) };
}

/** Where a box of the straightened page lies on the picture, for showing it there. */
export function boxOnPicture(
  page: { readonly width: number; readonly height: number; readonly straightening?: Straightening },
  box: Box,
): Box {
  const { straightening } = page;
  if (!straightening) return box;
  const x = (box.x0 + box.x1) / 2;
  const y = (box.y0 + box.y1) / 2;
  const dx = (y - page.height / 2) * -straightening.slope;
  const dy = (x + dx - page.width / 2) * slopeAt(straightening, y / page.height);
  return { x0: box.x0 + dx, y0: box.y0 + dy, x1: box.x1 + dx, y1: box.y1 + dy };
}

/**
 * Where the pixels of a row of the straightened picture come from: `shift` columns to the right, and down by `slope`
 * for each column right of the middle.
 */
export function pictureRow(
  straightening: Straightening,
  picture: { readonly height: number },
  y: number,
): { shift: number; slope: number } {
  return { shift: (y - picture.height / 2) * -straightening.slope, slope: slopeAt(straightening, y / picture.height) };
}

/** The slope at a share of the page's height, between the bands' middles in proportion. */
function slopeAt(straightening: Straightening, share: number): number {
  const { slopes } = straightening;
  const at = Math.min(slopes.length - 1, Math.max(0, share * slopes.length - 0.5));
  const below = Math.floor(at);
  const first = slopes[below] ?? straightening.slope;
  const second = slopes[below + 1] ?? first;
  return first + (second - first) * (at - below);
}

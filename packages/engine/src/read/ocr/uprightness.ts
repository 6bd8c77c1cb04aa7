import type { Raster } from '../raster.ts';
import type { Turn } from '../turn.ts';
import type { TextRegion } from './detection.ts';
import type { PpOcr } from './ppocr.ts';
import type { RecognisedRegion } from './recognition.ts';
import { meanConfidence } from './words.ts';

/** Lines that are read to find out which way up a page is. */
const sampleSize = 6;
/** A mean confidence that upside-down print does not reach. */
const surelyUpright = 0.88;
/** Below this in both directions the page's other axis is tried, too. */
const doubtful = 0.6;

/** Which way a page is to be turned, clockwise, and what was read to find out if it is to stay as it is. */
export interface Uprightness {
  readonly turn: Turn;
  readonly recognised: readonly RecognisedRegion[];
}

/**
 * Finds out which way up a page is: the axis by the shape of its regions, the direction along it by reading the
 * longest of them; print that stands on its head is read without confidence.
 */
export async function findTurn(ppocr: PpOcr, raster: Raster, regions: readonly TextRegion[]): Promise<Uprightness> {
  const lying = regions.filter((region) => region.width > 2 * region.height);
  const standing = regions.filter((region) => region.height > 2 * region.width);
  const lengthOf = (some: readonly TextRegion[]) =>
    some.reduce((sum, region) => sum + Math.max(region.width, region.height), 0);
  const mostlyStanding = lengthOf(standing) > 1.5 * lengthOf(lying);

  const read = async (turn: Turn) => {
    const sample = longest(turn % 180 === 0 ? lying : standing).map((region) => turnedCrop(region, turn));
    const recognised = await ppocr.recognise(raster, sample);
    return { turn, recognised, confidence: confidenceOf(recognised) };
  };
  const axes: (readonly Turn[])[] = mostlyStanding
    ? [
        [90, 270],
        [0, 180],
      ]
    : [
        [0, 180],
        [90, 270],
      ];
  let best = { turn: 0 as Turn, recognised: [] as readonly RecognisedRegion[], confidence: 0 };
  for (const axis of axes) {
    for (const turn of axis) {
      const attempt = await read(turn);
      if (attempt.confidence > best.confidence) best = attempt;
      if (best.confidence >= surelyUpright) break;
    }
    if (best.confidence >= doubtful) break;
  }
  return { turn: best.turn, recognised: best.turn === 0 ? best.recognised : [] };
}

/** The region as it is cut out so that its text is upright if the page is to be turned by that much. */
export function turnedCrop(region: TextRegion, turn: Turn): TextRegion {
  switch (turn) {
    case 0:
      return region;
    case 180:
      return { ...region, angle: region.angle + Math.PI };
    case 90:
      return { ...region, width: region.height, height: region.width, angle: region.angle - Math.PI / 2 };
    case 270:
      return { ...region, width: region.height, height: region.width, angle: region.angle + Math.PI / 2 };
  }
}

function longest(regions: readonly TextRegion[]): TextRegion[] {
  const length = (region: TextRegion) => Math.max(region.width, region.height);
  return regions.toSorted((a, b) => length(b) - length(a)).slice(0, sampleSize);
}

/** Of words of two characters and more: a stroke on its own reads alike both ways. */
function confidenceOf(recognised: readonly RecognisedRegion[]): number {
  return meanConfidence(recognised.flatMap(({ words }) => words).filter(({ text }) => text.length >= 2));
}

import sharp from 'sharp';
import { EngineError } from '../errors.ts';
import type { IngestedFile } from '../ingest/ingest.ts';
import type { ReadingEngines } from './engines.ts';
import { decodeImage } from './image/decode.ts';
import type { Raster } from './raster.ts';
import { picturesOf } from './read-image.ts';
import { rasterisePages } from './read-pdf.ts';
import type { OnStep } from './step.ts';

/** Which page to draw, and how wide. */
export interface PictureRequest {
  /** From 1. */
  readonly page: number;
  readonly widthPixels: number;
  /** WebP unless it is said; JPEG is for readers that know no newer one. */
  readonly format?: 'webp' | 'jpeg';
}

/** A page much longer than it is wide is drawn narrower than asked. */
const longestAspect = 5;
const heightLimitPixels = 10_000;

/**
 * Draws a page as a viewer of the file shows it: the page that the boxes of an extraction's values lie on,
 * their coordinates divided by the page's size.
 *
 * @throws EngineError `corrupt_document` where there is no such page, or it cannot be drawn.
 */
export async function drawPicture(
  file: IngestedFile,
  request: PictureRequest,
  engines: ReadingEngines,
  onStep: OnStep,
): Promise<Uint8Array> {
  const raster = await rasterOf(file, request, engines, onStep);
  if (!raster) {
    throw new EngineError(
      'corrupt_document',
      'The page cannot be drawn: the file has none of this number, or it is damaged.',
    );
  }
  const { format = 'webp', widthPixels } = request;
  const { width, height, data } = raster;
  const picture = sharp(data, { raw: { width, height, channels: 3 } }).resize({
    width: widthPixels,
    height: Math.min(heightLimitPixels, widthPixels * longestAspect),
    fit: 'inside',
    kernel: 'lanczos3',
  });
  return await (format === 'jpeg'
    ? picture.jpeg({ quality: 80 })
    : picture.webp({ quality: 80, effort: 2 })
  ).toBuffer();
}

async function rasterOf(
  file: IngestedFile,
  { page, widthPixels }: PictureRequest,
  engines: ReadingEngines,
  onStep: OnStep,
): Promise<Raster | null> {
  onStep('decode');
  if (file.mediaType !== 'application/pdf') {
    const pictures = picturesOf(file, { pages: Infinity });
    return page <= pictures.length ? (await decodeImage(file, pictures[page - 1])).raster : null;
  }
  let drawn: Raster | null = null;
  await rasterisePages(
    file,
    [page],
    engines,
    onStep,
    async (_number, raster) => {
      drawn = raster;
    },
    // A quarter more than is asked for, so that shrinking it smooths the letters.
    ({ width }) => ((widthPixels * 1.25) / width) * 72,
  );
  return drawn;
}

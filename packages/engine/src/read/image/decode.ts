import sharp from 'sharp';
import { EngineError } from '../../errors.ts';
import type { IngestedFile } from '../../ingest/ingest.ts';
import type { Raster } from '../raster.ts';
import type { TiffPage } from './tiff.ts';

/** Pixels. A page of A3 at 600 dots per inch has 70 million, a telephone's photograph 12 to 50 million. */
const pixelLimit = 50_000_000;

/**
 * Bars every decoder of libvips but those of JPEG, PNG and TIFF from memory, for the whole process: whatever a file
 * pretends to be, no other can be reached. A TIFF is handed to libtiff only after `tiffPages` has walked its directories.
 */
export function barOtherDecoders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadTiffBuffer'] });
}

sharp.cache(false);
sharp.concurrency(1);

/** Pixels of the longer side beyond which an image gains no text, only memory. */
const sideLimit = 4_000;

/**
 * Decodes a PNG, a JPEG or a page of a TIFF, turned as its EXIF data say, transparency on white, shrunk to what reading
 * it can use. `width` and `height` are the picture's as displayed, with square pixels.
 *
 * @throws EngineError `corrupt_document`.
 */
export async function decodeImage(
  file: IngestedFile,
  page?: TiffPage,
): Promise<{ raster: Raster; width: number; height: number }> {
  const input = { limitInputPixels: pixelLimit, failOn: 'error', ...(page && { page: page.directory }) } as const;
  try {
    const { autoOrient, width: storedWidth } = await sharp(file.bytes, input).metadata();
    const stretch = page?.pixelAspect ?? 1;
    // Only ever enlarged, so that no stroke is lost.
    const [wide, high] = stretch > 1 ? [1, stretch] : [1 / stretch, 1];
    const isTurned = autoOrient.width !== storedWidth;
    const width = Math.round(autoOrient.width * (isTurned ? high : wide));
    const height = Math.round(autoOrient.height * (isTurned ? wide : high));
    const scale = Math.min(1, sideLimit / Math.max(width, height));
    const { data, info } = await sharp(file.bytes, { ...input, sequentialRead: true })
      .autoOrient()
      .resize({
        width: Math.max(1, Math.round(width * scale)),
        height: Math.max(1, Math.round(height * scale)),
        fit: 'fill',
      })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return {
      raster: { width: info.width, height: info.height, data: toRgb(data, info.channels) },
      width,
      height,
    };
  } catch (error) {
    throw new EngineError(
      'corrupt_document',
      'The picture is damaged or too large to be decoded. Export or scan it again.',
      {
        cause: error,
      },
    );
  }
}

function toRgb(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data;
  const pixels = data.length / channels;
  const rgb = new Uint8Array(pixels * 3);
  for (let index = 0; index < pixels; index++) rgb.fill(data[index * channels] ?? 255, index * 3, index * 3 + 3);
  return rgb;
}

/** Scales a raster to a size. */
export async function resizeRaster(
  raster: Raster,
  width: number,
  height: number,
  kernel: 'linear' | 'cubic' | 'lanczos3',
): Promise<Raster> {
  const { data } = await fromRaster(raster)
    .resize({ width, height, fit: 'fill', kernel })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width, height, data };
}

function fromRaster(raster: Raster) {
  return sharp(raster.data, {
    raw: { width: raster.width, height: raster.height, channels: 3 },
    limitInputPixels: pixelLimit,
  });
}

/** A raster as a picture file that Tesseract opens: grey PNG, not compressed, which costs least. */
export async function encodeForTesseract(raster: Raster): Promise<Buffer> {
  return await fromRaster(raster).greyscale().png({ compressionLevel: 0 }).toBuffer();
}

import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import type { GeneratedDocument } from './generated.ts';
import { fold, lamp, perspective, showThrough } from './paper.ts';
import { pdfOf } from './pdf.ts';
import { createRandom, type Random } from './random.ts';
import { type Raster, rasterise } from './raster.ts';

export interface DegradeOptions {
  readonly seed: string | number;
  readonly format: 'jpeg' | 'png';
  /** Resolution of the scan; one of the usual by default. */
  readonly dotsPerInch?: number;
  /**
   * `clean` is the page as rendered; `scan` (default) a flatbed's; `photo` taken by hand over a table; `poor` a bad copy;
   * `camera` taken at an angle, of folded paper under a lamp; `thin` a scan of paper that lets its back shine through.
   */
  readonly look?: 'clean' | 'scan' | 'photo' | 'poor' | 'camera' | 'thin';
  /** Turns the picture clockwise. */
  readonly turnDegrees?: 0 | 90 | 180 | 270;
  /** States the turn that undoes `turnDegrees` in the EXIF data, as a camera held sideways does. JPEG alone. */
  readonly exifTurn?: boolean;
  /** JPEG quality, 1 to 100. */
  readonly quality?: number;
}

export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: 'image/jpeg' | 'image/png';
  readonly width: number;
  readonly height: number;
}

/** Pictures of a document's pages, as a scanner or a camera makes them. The same options give the same pixels. */
export async function degrade(generated: GeneratedDocument, options: DegradeOptions): Promise<Picture[]> {
  const random = createRandom(`degrade/${options.seed}`);
  const narrow = generated.pages[0]!.width < 300;
  const dotsPerInch = options.dotsPerInch ?? (narrow ? random.pick([180, 200, 240]) : random.pick([130, 150, 200]));
  const rasters = await rasterise(await pdfOf(generated), dotsPerInch);
  const pictures: Picture[] = [];
  for (const [index, raster] of rasters.entries())
    pictures.push(await degradeRaster(raster, options, random.fork(String(index))));
  return pictures;
}

/** A PDF whose pages are pictures, as a scanner makes it. */
export async function scannedPdfOf(
  generated: GeneratedDocument,
  options: Omit<DegradeOptions, 'format' | 'exifTurn'>,
): Promise<Uint8Array> {
  const pictures = await degrade(generated, { ...options, format: 'jpeg' });
  const document = await PDFDocument.create();
  const fixedDate = new Date(Date.UTC(2026, 0, 1));
  document.setCreationDate(fixedDate);
  document.setModificationDate(fixedDate);
  for (const [index, picture] of pictures.entries()) {
    const { width, height } = generated.pages[index]!;
    const turned = (options.turnDegrees ?? 0) % 180 === 90;
    const page = document.addPage(turned ? [height, width] : [width, height]);
    page.drawImage(await document.embedJpg(picture.bytes), {
      x: 0,
      y: 0,
      width: page.getWidth(),
      height: page.getHeight(),
    });
  }
  return document.save({ useObjectStreams: false });
}

interface Wear {
  readonly skewDegrees: number;
  readonly blurPixels: number;
  readonly contrast: number;
  readonly brightness: number;
  readonly noise: number;
  /** How much darker one side is than the other, 0 to 1. */
  readonly shade: number;
  /** Width of the table around the paper, as a share of the picture's. */
  readonly border: number;
  readonly quality: number;
}

function wearOf(look: NonNullable<DegradeOptions['look']>, random: Random): Wear {
  const between = (low: number, high: number) => low + random.next() * (high - low);
  switch (look) {
    case 'clean':
      return { skewDegrees: 0, blurPixels: 0, contrast: 1, brightness: 0, noise: 0, shade: 0, border: 0, quality: 90 };
    case 'scan':
    case 'thin':
      return {
        skewDegrees: between(-1.2, 1.2),
        blurPixels: between(0, 0.6),
        contrast: between(0.85, 1),
        brightness: between(-6, 8),
        noise: between(3, 12),
        shade: between(0, 0.05),
        border: 0,
        quality: random.integer(60, 88),
      };
    case 'photo':
    case 'camera':
      return {
        skewDegrees: between(-3.5, 3.5),
        blurPixels: between(0.4, 0.9),
        contrast: between(0.75, 0.92),
        brightness: between(-4, 14),
        noise: between(6, 16),
        shade: between(0.08, 0.22),
        border: between(0.05, 0.12),
        quality: random.integer(62, 82),
      };
    case 'poor':
      return {
        skewDegrees: between(-2.5, 2.5),
        blurPixels: between(0.7, 1.2),
        contrast: between(0.55, 0.8),
        brightness: between(10, 50),
        noise: between(14, 30),
        shade: between(0, 0.12),
        border: 0,
        quality: random.integer(35, 60),
      };
  }
}

async function degradeRaster(rendered: Raster, options: DegradeOptions, random: Random): Promise<Picture> {
  const look = options.look ?? 'scan';
  const wear = wearOf(look, random);
  const table = { r: random.integer(90, 135), g: random.integer(70, 95), b: random.integer(50, 70) };
  const around = look === 'photo' || look === 'camera' ? table : { r: 244, g: 244, b: 242 };
  const raster = await paperOf(rendered, look, random, table);
  let image = sharp(raster.data, { raw: { width: raster.width, height: raster.height, channels: 3 } });
  if (wear.border > 0) {
    const margin = Math.round(raster.width * wear.border);
    image = image.extend({ top: margin, bottom: margin, left: margin, right: margin, background: around });
  }
  // A rotation after `extend` needs an image of its own: sharp rotates before it extends.
  let { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  if (wear.skewDegrees !== 0) {
    ({ data, info } = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
      .rotate(wear.skewDegrees, { background: around })
      .raw()
      .toBuffer({ resolveWithObject: true }));
  }
  if (wear.blurPixels >= 0.3) {
    ({ data, info } = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
      .blur(wear.blurPixels)
      .raw()
      .toBuffer({ resolveWithObject: true }));
  }
  if (look !== 'clean') soil(data, info.width, info.height, wear, random);
  let final = sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } });
  const turn = options.turnDegrees ?? 0;
  if (turn !== 0) final = final.rotate(turn);
  // EXIF orientation 8 is undone by a quarter turn against the clock, 6 by one with it, 3 by half a turn.
  const orientation = { 0: 1, 90: 8, 180: 3, 270: 6 }[turn];
  if (options.exifTurn && options.format === 'jpeg') final = final.withMetadata({ orientation });
  const quality = options.quality ?? wear.quality;
  const encoded =
    options.format === 'png' ? final.png({ compressionLevel: 9, palette: look === 'clean' }) : final.jpeg({ quality });
  const output = await encoded.toBuffer({ resolveWithObject: true });
  return {
    bytes: new Uint8Array(output.data),
    mediaType: options.format === 'png' ? 'image/png' : 'image/jpeg',
    width: output.info.width,
    height: output.info.height,
  };
}

async function paperOf(
  raster: Raster,
  look: DegradeOptions['look'],
  random: Random,
  { r, g, b }: { readonly r: number; readonly g: number; readonly b: number },
): Promise<Raster> {
  if (look === 'thin') return showThrough(raster, random.fork('back'));
  if (look !== 'camera') return raster;
  const own = random.fork('paper');
  return lamp(perspective(fold(raster, own), own, [r, g, b]), own);
}

/** Fades, shades and speckles pixels in place. */
function soil(data: Buffer, width: number, height: number, wear: Wear, random: Random): void {
  let state = random.integer(1, 0x7fffffff);
  const angle = random.next() * 2 * Math.PI;
  const [across, down] = [Math.cos(angle) / width, Math.sin(angle) / height];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      // The sum of two bytes falls off from its middle, as noise does.
      const noise = (((state & 255) + ((state >>> 8) & 255)) / 255 - 1) * wear.noise;
      const light = 1 - wear.shade * (0.5 + (x - width / 2) * across + (y - height / 2) * down);
      const at = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const value = ((data[at + channel]! - 128) * wear.contrast + 128 + wear.brightness) * light + noise;
        data[at + channel] = Math.max(0, Math.min(255, value));
      }
    }
  }
}

import { InvoiceDocumentError } from '../errors.ts';

const limits = { sizeBytes: 1024 * 1024, pixels: 16_000_000 };

/** Pixels that a logo is reduced to: three for each point of the box that it is printed in. */
const largest = { width: 600, height: 150 };

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Checks that a logo can be printed, before it is stored.
 *
 * @throws InvoiceDocumentError `invalid_logo`
 */
export async function checkLogo(png: Uint8Array): Promise<void> {
  await printableLogo(png);
}

/**
 * Decodes a PNG of unknown origin and writes it again: opaque on white, 8-bit RGB, not interlaced, and no larger than
 * it is printed. pdfkit embeds such a file as it is, without transparency, and never meets a broken one.
 *
 * @throws InvoiceDocumentError `invalid_logo`
 */
export async function printableLogo(png: Uint8Array): Promise<Buffer> {
  if (png.byteLength > limits.sizeBytes) {
    throw new InvoiceDocumentError('invalid_logo', 'The logo is larger than 1 MB. Choose a smaller file.');
  }
  if (!signature.equals(png.subarray(0, signature.length))) {
    throw new InvoiceDocumentError('invalid_logo', 'The logo is not a PNG file. Choose a PNG file.');
  }
  // Loaded here: most processes that import this package never print a logo.
  const { default: sharp } = await import('sharp');
  try {
    return await sharp(png, { limitInputPixels: limits.pixels, failOn: 'error' })
      .flatten({ background: '#ffffff' })
      .resize({ ...largest, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .removeAlpha()
      .png({ progressive: false, palette: false })
      .toBuffer();
  } catch {
    throw new InvoiceDocumentError('invalid_logo', 'The logo is damaged or too large. Choose another PNG file.');
  }
}

export { type DegradeOptions, degrade, type Picture, scannedPdfOf } from './degrade.ts';
export { type GenerateRequest, generateDocument, layoutsOf } from './generate.ts';
export type { GeneratedDocument, Truth } from './generated.ts';
export { pdfOf } from './pdf.ts';
export { createRandom, type Random } from './random.ts';

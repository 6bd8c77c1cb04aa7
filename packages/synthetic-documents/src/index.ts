export { type DegradeOptions, degrade, type Picture, scannedPdfOf } from './degrade.ts';
export { type GenerateRequest, generateDocument, layoutsOf, pdfOf } from './generate.ts';
export type { GeneratedDocument, Truth } from './generated.ts';
export { createRandom, type Random } from './random.ts';

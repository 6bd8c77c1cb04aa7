export { type GenerateRequest, generateDocument, layoutsOf, pdfOf } from './generate.ts';
export type { GeneratedDocument, Truth } from './generated.ts';

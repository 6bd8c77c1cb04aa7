export { type GenerateRequest, generateDocument, pdfOf } from './generate.ts';
export type { GeneratedDocument, Truth } from './generated.ts';

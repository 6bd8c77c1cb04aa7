import type { Attachment } from '@millrace/document-model';
import type { PdfDocument } from './document.ts';
import { readUtf16 } from './pdfium.ts';

const countLimit = 32;
const sizeLimitBytes = 8 * 1024 * 1024;
const totalLimitBytes = 16 * 1024 * 1024;

/** The files embedded in a PDF's name tree; those beyond the limits of number and size are left out. */
export function readAttachments(document: PdfDocument): readonly Attachment[] {
  const { pdfium } = document;
  const { call, memory } = pdfium;
  const attachments: Attachment[] = [];
  let totalBytes = 0;
  const count = Math.min(call.FPDFDoc_GetAttachmentCount(document.handle), countLimit);
  for (let index = 0; index < count; index++) {
    const attachment = call.FPDFDoc_GetAttachment(document.handle, index);
    if (attachment === 0) continue;
    const name = readUtf16(pdfium, (pointer, sizeBytes) => call.FPDFAttachment_GetName(attachment, pointer, sizeBytes));
    const length = memory.scratch;
    if (!call.FPDFAttachment_GetFile(attachment, 0, 0, length)) continue;
    const sizeBytes = memory.integer(length);
    if (sizeBytes <= 0 || sizeBytes > sizeLimitBytes || totalBytes + sizeBytes > totalLimitBytes) continue;
    const pointer = memory.allocate(sizeBytes);
    try {
      if (!call.FPDFAttachment_GetFile(attachment, pointer, sizeBytes, length)) continue;
      attachments.push({ name, bytes: memory.bytes(pointer, sizeBytes) });
      totalBytes += sizeBytes;
    } finally {
      memory.free(pointer);
    }
  }
  return attachments;
}

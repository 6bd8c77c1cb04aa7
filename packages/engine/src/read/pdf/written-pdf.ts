/** The parts of a small PDF that tests write: each page's content, and objects that it refers to. */
export interface WrittenPage {
  /** Operators of the content stream. Fonts `F1` (Helvetica) and `F2` (Helvetica-Bold) are there. */
  readonly content: string;
  readonly mediaBox?: readonly [number, number, number, number];
  readonly rotate?: number;
  /** Entries of the page dictionary, such as `/Annots [9 0 R]`. */
  readonly entries?: string;
  /** Entries of the resources, such as `/XObject << /Im1 9 0 R >>`. */
  readonly resources?: string;
}

export interface WrittenPdf {
  readonly pages: readonly WrittenPage[];
  /** Whole objects that the pages or the catalog refer to, by number from 100. */
  readonly objects?: Readonly<Record<number, string | Buffer>>;
  /** Entries of the catalog. */
  readonly catalog?: string;
  /** Entries of the trailer. */
  readonly trailer?: string;
}

/** Writes a PDF with a proper cross-reference table, for tests of what a reader makes of it. */
export function writePdf({ pages, objects = {}, catalog = '', trailer = '' }: WrittenPdf): Buffer {
  const bodies = new Map<number, string | Buffer>();
  const pageNumber = (index: number) => 10 + 2 * index;
  bodies.set(1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`);
  bodies.set(
    2,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')}] >>`,
  );
  bodies.set(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  bodies.set(4, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>');
  pages.forEach((page, index) => {
    const number = pageNumber(index);
    bodies.set(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [${(page.mediaBox ?? [0, 0, 612, 792]).join(' ')}] /Rotate ${page.rotate ?? 0} ` +
        `/Resources << /Font << /F1 3 0 R /F2 4 0 R >> ${page.resources ?? ''} >> /Contents ${number + 1} 0 R ${page.entries ?? ''} >>`,
    );
    bodies.set(number + 1, stream('', Buffer.from(page.content, 'latin1')));
  });
  for (const [number, body] of Object.entries(objects)) bodies.set(Number(number), body);

  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let offset = parts[0]?.length ?? 0;
  const offsets = new Map<number, number>();
  const push = (part: Buffer) => {
    parts.push(part);
    offset += part.length;
  };
  for (const [number, body] of bodies) {
    offsets.set(number, offset);
    push(Buffer.concat([Buffer.from(`${number} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]));
  }
  const start = offset;
  const entries = [...offsets].map(([number, at]) => `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`);
  const size = Math.max(...bodies.keys()) + 1;
  push(Buffer.from(`xref\n0 1\n0000000000 65535 f \n${entries.join('')}`));
  push(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/** A stream object's body. */
export function stream(entries: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** Operators that write a line of text. */
export function textAt(x: number, y: number, text: string, sizePoints = 12, font = 'F1'): string {
  return `BT /${font} ${sizePoints} Tf ${x} ${y} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET\n`;
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page, ReadDocument, Ruling, TextLine, Word } from '@millrace/document-model';
import { layOut } from './layout.ts';
import { neighboursOf, rowOf, visualRows } from './neighbours.ts';
import { typeset, typesetPage } from './typeset.ts';

const texts = (lines: readonly TextLine[]) => lines.map((line) => line.text);

function lineWith(lines: readonly TextLine[], text: string): TextLine {
  const line = lines.find((candidate) => candidate.text === text);
  assert.ok(line, `no line reads "${text}" among ${JSON.stringify(texts(lines))}`);
  return line;
}

function turned(document: ReadDocument, degrees: number): ReadDocument {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const pages = document.pages.map((page): Page => {
    const words = page.words.map((word): Word => {
      const { x0, y0, x1, y1 } = word.box;
      const fall = (slope * (x0 + x1)) / 2;
      return { ...word, box: { x0, x1, y0: y0 + fall, y1: y1 + fall } };
    });
    return { ...page, words };
  });
  return { ...document, pages };
}

const invoiceTable = [
  [
    [40, 'Description'],
    [300, 'Quantity'],
    [400, 'Price'],
    [500, 'Amount'],
  ],
  [
    [40, 'Red paint'],
    [300, '2'],
    [400, '4.00'],
    [500, '8.00'],
  ],
  [
    [40, 'Brush, wide'],
    [300, '1'],
    [400, '3.50'],
    [500, '3.50'],
  ],
  [
    [40, 'Ladder'],
    [300, '1'],
    [400, '60.00'],
    [500, '60.00'],
  ],
] as const;

describe('lines', () => {
  it('have a Canadian postal code behind its province, two blanks apart', () => {
    const words = ['Burlington,', 'ON', 'L7P', '1X8'].map((text, at): Word => {
      const x0 = 40 + [0, 60, 86, 106][at]!;
      return { text, box: { x0, y0: 40, x1: x0 + 5 * text.length, y1: 50 }, source: 'text', confidence: 1 };
    });
    const page: Page = { ...typesetPage(1, []), words, readings: [{ source: 'text', words }] };
    const { lines } = layOut({ mediaType: 'application/pdf', pages: [page], attachments: [] });
    assert.deepEqual(texts(lines), ['Burlington, ON L7P 1X8']);
  });

  it('of a form that is filled in with type of fixed width have its blanks', () => {
    const placed = (text: string, x0: number, pitch: number, y0: number): Word => ({
      text,
      box: { x0, y0, x1: x0 + pitch * text.length, y1: y0 + 6.8 },
      source: 'text',
      confidence: 1,
    });
    let end = 34.6;
    const filled = ['55', 'W', 'RIDGE', 'MILLS', 'PC', 'OF', 'ROANOKE', 'VA', '24018'].map((text, at) => {
      // Boxes are rounded.
      const word = placed(text, end + 5.4, at % 2 === 0 ? 5.4 : 5.43, 60);
      end = word.box.x1;
      return word;
    });
    // Captions in small proportional type around it, as many as make it the usual one.
    const captions = Array.from({ length: 30 }, (_, at) =>
      placed(
        'caption'.slice(0, 2 + (at % 5)),
        40 + 40 * (at % 10),
        2.7 + 0.1 * (at % 7),
        80 + 20 * Math.floor(at / 10),
      ),
    );
    const words = [...filled, ...captions];
    const layout = layOut({
      mediaType: 'application/pdf',
      pages: [{ ...typesetPage(1, []), words, readings: [{ source: 'text', words }] }],
      attachments: [],
    });
    lineWith(layout.lines, '55 W RIDGE MILLS PC OF ROANOKE VA 24018');
  });

  it('of an address whose words stand two blanks apart are whole, and those of a table are not', () => {
    const apart = (texts: readonly string[]): [number, string][] => {
      let x = 300;
      return texts.map((text) => {
        const at = x;
        x += 5 * text.length + 20;
        return [at, text];
      });
    };
    const window = [
      apart(['ROSALIND', 'J.', 'EXAMPLE']),
      apart(['88', 'DANFORTH', 'STREET']),
      apart(['PORTLAND', 'ME', '04101']),
    ];
    const { lines } = layOut(typeset(window));
    assert.deepEqual(texts(lines), ['ROSALIND J. EXAMPLE', '88 DANFORTH STREET', 'PORTLAND ME 04101']);
    const table = [
      [
        [40, 'Town'],
        [80, 'State'],
        [125, 'Code'],
      ],
      [
        [40, 'Dover'],
        [80, 'DE'],
        [125, '19901'],
      ],
    ] as const;
    assert.equal(layOut(typeset(table)).lines.length, 6);
  });

  it('keep a short word of narrow letters, which is higher than it is wide', () => {
    const placed = (text: string, x0: number, x1: number): Word => ({
      text,
      box: { x0, y0: 40, x1, y1: 53.5 },
      source: 'text',
      confidence: 1,
    });
    const words = [placed('Phase', 40, 62), placed('II,', 64, 70.5), placed('GIDC', 73, 92)];
    const page: Page = { ...typesetPage(1, []), words, readings: [{ source: 'text', words }] };
    const { lines } = layOut({ mediaType: 'application/pdf', pages: [page], attachments: [] });
    assert.deepEqual(texts(lines), ['Phase II, GIDC']);
  });

  it('of an address in type of fixed width have its blanks among many words of other types', () => {
    const read = (text: string, x0: number, x1: number, y0: number): Word => ({
      text,
      box: { x0, y0, x1, y1: y0 + 13 },
      source: 'ocr:ppocr:1',
      confidence: 1,
    });
    const cell = 12.2;
    const typed = ['TERRENCE J SAMPLE', 'LYNN M SAMPLE', 'PO BOX 77', 'SAMPLE FALLS OH 45882'].flatMap((line, row) =>
      [...line.matchAll(/\S+/g)].map(({ 0: word, index }) =>
        read(word, 140 + cell * index + 2, 140 + cell * (index + word.length) - 2, 500 + 25 * row),
      ),
    );
    // Words of a proportional type, of which many are as wide.
    const others = Array.from({ length: 80 }, (_, at) => {
      const x0 = 40 + 160 * (at % 5);
      return read(
        'ACCOUNT'.slice(0, 3 + (at % 4)),
        x0,
        x0 + (3 + (at % 4)) * (9 + (at % 5)),
        40 + 25 * Math.floor(at / 5),
      );
    });
    const words = [...others, ...typed];
    const { lines } = layOut({
      mediaType: 'image/jpeg',
      pages: [{ ...typesetPage(1, []), words, readings: [{ source: 'ocr:ppocr:1', words }] }],
      attachments: [],
    });
    for (const text of ['TERRENCE J SAMPLE', 'LYNN M SAMPLE', 'PO BOX 77', 'SAMPLE FALLS OH 45882'])
      lineWith(lines, text);
  });

  it('have no raised sign of a trademark that was read as a letter', () => {
    const read = (text: string, x0: number, x1: number, y1: number): Word => ({
      text,
      box: { x0, y0: 40, x1, y1 },
      source: 'ocr:ppocr:1',
      confidence: 1,
    });
    const words = [read('CASCADIA', 40, 140, 70), read('HEALTH', 150, 220, 70), read('R', 222, 234, 53)];
    const layout = layOut({
      mediaType: 'image/jpeg',
      pages: [{ ...typesetPage(1, []), words, readings: [{ source: 'ocr:ppocr:1', words }] }],
      attachments: [],
    });
    lineWith(layout.lines, 'CASCADIA HEALTH');
  });

  it('have no character twice that OCR read at the end of one part of a line and the beginning of the next', () => {
    const read = (text: string, x0: number, x1: number): Word => ({
      text,
      box: { x0, y0: 40, x1, y1: 54 },
      source: 'ocr:ppocr:1',
      confidence: 1,
    });
    const words = [read('6', 40, 48), read('600418822', 41, 130), read('RUPEES', 140, 200), read('s', 191, 200)];
    const layout = layOut({
      mediaType: 'image/jpeg',
      pages: [{ ...typesetPage(1, []), words, readings: [{ source: 'ocr:ppocr:1', words }] }],
      attachments: [],
    });
    lineWith(layout.lines, '600418822 RUPEES');
  });

  it('go on behind a comma, which takes little of its cell', () => {
    const read = (text: string, x0: number, x1: number, y0: number): Word => ({
      text,
      box: { x0, y0, x1, y1: y0 + 20 },
      source: 'ocr:ppocr:1',
      confidence: 1,
    });
    const words = [
      read('Sampleton,', 40, 140, 40),
      read('IL', 162, 180, 40),
      read('Left', 40, 80, 80),
      read('right', 102, 150, 80),
    ];
    const layout = layOut({
      mediaType: 'image/jpeg',
      pages: [{ ...typesetPage(1, []), words, readings: [{ source: 'ocr:ppocr:1', words }] }],
      attachments: [],
    });
    lineWith(layout.lines, 'Sampleton, IL');
    lineWith(layout.lines, 'right');
  });

  it('of a form that was filled in so and then read have them as well', () => {
    const cell = 13;
    const read = (text: string, x0: number, x1: number, y0: number): Word => ({
      text,
      box: { x0, y0, x1, y1: y0 + 14 },
      source: 'ocr:ppocr:1',
      confidence: 1,
    });
    const filled = ['BLUE RIDGE MILLS PC', '814 BIRCH RUN RD', 'ROANOKE VA 24018'].flatMap((text, row) =>
      [...text.matchAll(/\S+/g)].map(({ 0: word, index }) =>
        read(word, 40 + index * cell, 40 + (index + word.length - 0.3) * cell, 60 + 60 * row),
      ),
    );
    const captions = Array.from({ length: 30 }, (_, at) => {
      const [text, x0] = ['caption'.slice(0, 2 + (at % 5)), 40 + 60 * (at % 10)];
      return read(text, x0, x0 + text.length * (6 + 0.3 * (at % 7)), 300 + 40 * Math.floor(at / 10));
    });
    const words = [...filled, ...captions];
    const layout = layOut({
      mediaType: 'image/jpeg',
      pages: [{ ...typesetPage(1, []), words, readings: [{ source: 'ocr:ppocr:1', words }] }],
      attachments: [],
    });
    lineWith(layout.lines, 'BLUE RIDGE MILLS PC');
    lineWith(layout.lines, 'ROANOKE VA 24018');
  });

  it('of a payslip that is printed so but for its captions have them as well, though its photograph is uneven', () => {
    const cell = 9.6;
    const read = (text: string, x0: number, x1: number, y0: number): Word => ({
      text,
      box: { x0, y0, x1, y1: y0 + 11 },
      source: 'ocr:ppocr:1',
      confidence: 1,
    });
    const filled = ['MUSTER SIMONE OPERAIO', 'RITENUTE IRPEF LORDA', 'FERIE GODUTE ANNO', 'BANCA ESEMPIO FANO'].flatMap(
      (text, row) =>
        [...text.matchAll(/\S+/g)].map(({ 0: word, index }, at) => {
          const middle = 40 + (index + word.length / 2) * cell;
          const half = ((word.length - 0.3) * cell * [0.96, 1, 1.04][(row + at) % 3]!) / 2;
          return read(word, middle - half, middle + half, 60 + 60 * row);
        }),
    );
    const captions = Array.from({ length: 8 }, (_, at) => read('CAPTION', 40 + 70 * at, 72 + 74 * at, 400));
    const words = [...filled, ...captions];
    const layout = layOut({
      mediaType: 'image/jpeg',
      pages: [{ ...typesetPage(1, []), words, readings: [{ source: 'ocr:ppocr:1', words }] }],
      attachments: [],
    });
    lineWith(layout.lines, 'MUSTER SIMONE OPERAIO');
  });

  it('of a till’s type have blanks of one cell, though boxes hug their ink', () => {
    const cell = 13;
    const words = ['LOT 1851-A JALAN CONTOH', 'EXAMPLE HARDWARE MALAYSIA', 'WASH BALL SPONGE PLASTIC'].flatMap(
      (text, row) =>
        [...text.matchAll(/\S+/g)].map(
          ({ 0: word, index }): Word => ({
            text: word,
            box: {
              x0: 40 + cell * (index + 0.15),
              y0: 30 * row,
              x1: 40 + cell * (index + word.length - 0.15),
              y1: 30 * row + 21,
            },
            source: 'ocr:pp-ocr:1',
            confidence: 0.9,
          }),
        ),
    );
    const moved = words.map((word) =>
      word.text === 'LOT' ? { ...word, box: { ...word.box, x0: word.box.x0 - 4, x1: word.box.x1 - 4 } } : word,
    );
    const layout = layOut({
      mediaType: 'image/png',
      pages: [{ ...typesetPage(1, []), words: moved, readings: [{ source: 'ocr:pp-ocr:1', words: moved }] }],
      attachments: [],
    });
    lineWith(layout.lines, 'LOT 1851-A JALAN CONTOH');
  });

  it('part at a wide gap, and the row joins them again', () => {
    const layout = layOut(
      typeset([
        [
          [40, 'Total to pay'],
          [500, '12.00'],
        ],
      ]),
    );
    assert.deepEqual(texts(layout.lines), ['Total to pay', '12.00']);
    const label = lineWith(layout.lines, 'Total to pay');
    assert.deepEqual(texts(rowOf(layout, label)), ['Total to pay', '12.00']);
    assert.equal(neighboursOf(layout, label).right?.text, '12.00');
  });

  it('stay whole on a page that is turned by three degrees', () => {
    const rows = Array.from(
      { length: 30 },
      (_, at) =>
        [
          [40, `row number ${at} of the page`],
          [400, `${at}.00`],
        ] as const,
    );
    const layout = layOut(turned(typeset(rows), 3));
    assert.equal(visualRows(layout).length, 30);
    assert.deepEqual(texts(visualRows(layout)[7] ?? []), ['row number 7 of the page', '7.00']);
  });

  it('keep a raised mark and letters of another size with their words', () => {
    const word = (text: string, x0: number, y0: number, x1: number, y1: number): Word => ({
      text,
      box: { x0, y0, x1, y1 },
      source: 'text',
      confidence: 1,
    });
    const page = {
      ...typesetPage(1, []),
      words: [
        word('Area', 40, 40, 60, 50),
        word('25', 64, 40, 74, 50),
        word('m2', 77, 38, 83, 45),
        word('large', 90, 36, 130, 50),
      ],
    };
    const layout = layOut({ mediaType: 'application/pdf', pages: [page], attachments: [] });
    assert.deepEqual(texts(layout.lines), ['Area 25 m2 large']);
  });

  it('keep a small caption apart from the larger text below it that its box reaches into', () => {
    const word = (text: string, x0: number, y0: number, x1: number, y1: number): Word => ({
      text,
      box: { x0, y0, x1, y1 },
      source: 'text',
      confidence: 1,
    });
    const words = [
      word('Bill', 40, 40, 54, 55),
      word('to', 57, 40, 64, 55),
      word('Maru', 40, 46, 62, 66),
      word('Trading', 66, 46, 100, 66),
    ];
    const page = { ...typesetPage(1, []), words };
    const layout = layOut({ mediaType: 'application/pdf', pages: [page], attachments: [] });
    assert.deepEqual(texts(layout.lines), ['Bill to', 'Maru Trading']);
  });

  it('end at a vertical ruling', () => {
    const ruling: Ruling = { direction: 'vertical', box: { x0: 66, x1: 66.5, y0: 30, y1: 70 } };
    const page = typesetPage(1, [[[40, 'Hours 12']]], [ruling]);
    assert.deepEqual(texts(layOut({ mediaType: 'application/pdf', pages: [page], attachments: [] }).lines), [
      'Hours',
      '12',
    ]);
  });

  it('leave words that run upwards in the margin alone', () => {
    const document = typeset([
      [
        [40, 'Net'],
        [100, '7.00'],
      ],
    ]);
    const [page] = document.pages;
    assert.ok(page);
    const margin: Word = { text: '-Copyright', box: { x0: 10, y0: 30, x1: 16, y1: 60 }, source: 'text', confidence: 1 };
    const layout = layOut({ ...document, pages: [{ ...page, words: [margin, ...page.words] }] });
    assert.deepEqual(visualRows(layout).map(texts), [['Net', '7.00'], ['-Copyright']]);
  });
});

describe('reading order', () => {
  it('reads two columns of prose one after the other', () => {
    const left = ['the first column begins here and', 'goes on with a second line of', 'text until its own last line'];
    const right = ['the second column is read only', 'after the first one has come to', 'its end as a reader would do'];
    const rows = left.map(
      (text, at) =>
        [
          [40, text],
          [320, right[at] as string],
        ] as const,
    );
    assert.deepEqual(texts(layOut(typeset(rows)).lines), [...left, ...right]);
  });

  it('reads a table row by row', () => {
    const layout = layOut(typeset(invoiceTable));
    assert.deepEqual(texts(layout.lines).slice(4, 8), ['Red paint', '2', '4.00', '8.00']);
  });
});

describe('blocks', () => {
  it('hold an address together and apart from what stands beside and below it', () => {
    const layout = layOut(
      typeset([
        [
          [40, 'Acme Limited'],
          [400, 'Invoice 17'],
        ],
        [
          [40, '1 Long Road'],
          [400, '3 May 2024'],
        ],
        [[40, 'London']],
        null,
        null,
        [[40, 'Dear customer']],
      ]),
    );
    assert.deepEqual(
      layout.blocks.map((block) => texts(block.lines)),
      [['Acme Limited', '1 Long Road', 'London'], ['Invoice 17', '3 May 2024'], ['Dear customer']],
    );
  });
});

describe('tables', () => {
  it('are found by alignment, their header apart', () => {
    const [table, ...others] = layOut(typeset(invoiceTable)).tables;
    assert.deepEqual(others, []);
    assert.deepEqual(
      table?.header?.cells.map((cell) => cell.text),
      ['Description', 'Quantity', 'Price', 'Amount'],
    );
    assert.deepEqual(
      table?.rows.map((row) => row.cells.map((cell) => cell.text)),
      [
        ['Red paint', '2', '4.00', '8.00'],
        ['Brush, wide', '1', '3.50', '3.50'],
        ['Ladder', '1', '60.00', '60.00'],
      ],
    );
  });

  it('go on over a page break, the repeated header left out', () => {
    const { tables } = layOut(typeset(invoiceTable, invoiceTable));
    assert.equal(tables.length, 1);
    assert.deepEqual(
      tables[0]?.rows.map((row) => row.page),
      [1, 1, 1, 2, 2, 2],
    );
  });

  it('take their cells from rulings, several lines in one', () => {
    const line = (direction: Ruling['direction'], x0: number, y0: number, x1: number, y1: number): Ruling => ({
      direction,
      box: { x0, y0, x1, y1 },
    });
    const ys = [36, 52, 76, 100, 124];
    const xs = [36, 200, 300];
    const rulings = [
      ...ys.map((y) => line('horizontal', 36, y, 300, y + 0.5)),
      ...xs.map((x) => line('vertical', x, 36, x + 0.5, 124)),
    ];
    const page = typesetPage(
      1,
      [
        [
          [40, 'Item'],
          [210, 'Cost'],
        ],
        [
          [40, 'A long name'],
          [210, '1.00'],
        ],
        [[40, 'on two lines']],
        [
          [40, 'Short'],
          [210, '2.00'],
        ],
        null,
        [
          [40, 'Another'],
          [210, '3.00'],
        ],
      ],
      rulings,
    );
    const [table] = layOut({ mediaType: 'application/pdf', pages: [page], attachments: [] }).tables;
    assert.deepEqual(
      table?.rows.map((row) => row.cells.map((cell) => cell.text)),
      [
        ['A long name on two lines', '1.00'],
        ['Short', '2.00'],
        ['Another', '3.00'],
      ],
    );
  });
});

describe('hostile pages', () => {
  const places: Record<string, (at: number) => readonly [number, number, number, number]> = {
    'all words in one place': () => [10, 10, 20, 20],
    'words as high as the page': (at) => [at % 600, 0, (at % 600) + 5, 800],
    'no size at all': () => [0, 0, 0, 0],
    'no numbers': () => [Number.NaN, 0, 1, 2],
    'one endless row': (at) => [at * 0.01, 10, at * 0.01 + 5, 20],
  };
  for (const [name, place] of Object.entries(places)) {
    it(`are laid out in little time: ${name}`, () => {
      const words = Array.from({ length: 5000 }, (_, at): Word => {
        const [x0, y0, x1, y1] = place(at);
        return { text: 'word', box: { x0, y0, x1, y1 }, source: 'text', confidence: 1 };
      });
      const started = process.threadCpuUsage();
      const layout = layOut({
        mediaType: 'application/pdf',
        pages: [{ ...typesetPage(1, []), words }],
        attachments: [],
      });
      visualRows(layout);
      assert.equal(layout.lines.flatMap((line) => line.words).length, words.length);
      assert.ok(process.threadCpuUsage(started).user < 5_000_000);
    });
  }
});

import type { JsonValue, ReadDocument, Word } from '@millrace/document-model';
import { createRandom, type Random } from '../../packages/synthetic-documents/src/random.ts';

/** An invoice of a house, with the truth of what it says. */
export interface HouseInvoice {
  readonly document: ReadDocument;
  readonly fields: Readonly<Record<string, JsonValue>>;
}

/** Labels that say little, or belong to a house of their own: what a general reader has not seen. */
const labels = {
  invoice_number: [
    'Our sign',
    'Doc. ref',
    'Belegkennung',
    'Vorgang',
    'Folio',
    'Kennziffer',
    'Serial',
    'File',
    'Sheet no',
  ],
  invoice_date: ['Issued', 'Of', 'Ausgestellt', 'Day', 'Posted', 'Made out', 'Drawn up'],
  due_date: ['Settle by', 'Until', 'Closing', 'Final day', 'Respite'],
  purchase_order: ['Your sign', 'Ihr Zeichen', 'Commissioned as', 'Job'],
  customer_id: ['Debtor', 'Konto', 'Account key', 'Reader'],
  subtotal: ['Goods', 'Base', 'Position sum', 'Before duty'],
  tax_amount: ['Levy', 'Duty', 'Abgabe', 'Fiscal part'],
  total_amount: ['We ask for', 'Result', 'Kindly remit', 'Endbetrag', 'In all'],
  // What is no field, and looks like one.
  noise: ['Consignment', 'Dispatch', 'Tour', 'Contract', 'Case', 'Print'],
} as const;

const stems = [
  'Alder',
  'Brook',
  'Copper',
  'Dune',
  'Ember',
  'Fjord',
  'Grove',
  'Harrow',
  'Iris',
  'Juniper',
  'Kestrel',
  'Lunar',
];
const trades = [
  'Fasteners',
  'Catering',
  'Haulage',
  'Timber',
  'Glass',
  'Software',
  'Bakery',
  'Press',
  'Optics',
  'Seeds',
];
const forms = ['Ltd', 'LLC', 'GmbH', 'Limited', 'Inc.', 'BV'];
const streets = ['Quay Street', 'Mill Lane', 'Station Road', 'Harbour Way', 'Chapel Hill', 'Market Square'];
const cities = ['Leeds LS1 4AB', 'Bristol BS1 5TX', 'York YO1 7HH', 'Bath BA1 1SU', 'Exeter EX4 3SB', 'Derby DE1 2QY'];
const wares = [
  'Copy paper A4',
  'Steel bolts M8',
  'Weekly lunch',
  'Window pane 4 mm',
  'Licence, monthly',
  'Oak board',
  'Rye flour',
  'Lens cloth',
];

const page = { width: 595, height: 842 } as const;
const sizePoints = 10;
const characterPoints = 5.1;

/** How a house prints its invoices: the same on each of them. */
interface House {
  readonly name: string;
  readonly address: readonly [string, string];
  readonly taxId: string;
  readonly label: Readonly<Record<keyof typeof labels, string>>;
  readonly colon: string;
  readonly dateForm: 'iso' | 'dotted' | 'named';
  readonly numberForm: string;
  /** Whether the name stands in the letter head, or small at the foot alone. */
  readonly nameAtFoot: boolean;
  /** The block of labels: to the left of their values, or above them. */
  readonly above: boolean;
  readonly blockX: number;
  readonly blockY: number;
  readonly order: readonly (keyof typeof labels)[];
  readonly totalsX: number;
}

function houseOf(random: Random): House {
  const pick = <Name extends keyof typeof labels>(name: Name) => random.pick<string>(labels[name]);
  return {
    name: `${random.pick(stems)} ${random.pick(trades)} ${random.pick(forms)}`,
    address: [`${random.integer(1, 99)} ${random.pick(streets)}`, random.pick(cities)],
    taxId: `GB${random.digits(9)}`,
    label: Object.fromEntries(
      Object.keys(labels).map((name) => [name, pick(name as keyof typeof labels)]),
    ) as House['label'],
    colon: random.pick([':', '', '.']),
    dateForm: random.pick(['iso', 'dotted', 'named']),
    numberForm: random.pick(['A-#', '#/K', 'X#', '#', 'NW/#/26']),
    nameAtFoot: random.chance(0.4),
    above: random.chance(0.3),
    blockX: random.integer(50, 330),
    blockY: random.integer(150, 230),
    order: random.sample(
      ['invoice_number', 'invoice_date', 'due_date', 'purchase_order', 'customer_id', 'noise'] as const,
      6,
    ),
    totalsX: random.integer(330, 400),
  };
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function dateText(iso: string, form: House['dateForm']): string {
  const [year, month, day] = iso.split('-');
  if (form === 'dotted') return `${day}.${month}.${year}`;
  return form === 'named' ? `${Number(day)} ${months[Number(month) - 1]} ${year}` : iso;
}

function money(value: number): string {
  return value.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/**
 * One of a house's invoices, as words on a page. Houses differ in their labels, their order and place, the form of their
 * dates and numbers; invoices of one house in their values, their customer and how many items they have.
 */
export function houseInvoice(house: number, number: number): HouseInvoice {
  const style = houseOf(createRandom(`house ${house}`));
  const random = createRandom(`house ${house} invoice ${number}`);
  const words: Word[] = [];
  const text = (x: number, y: number, line: string) => {
    let at = x;
    for (const word of line.split(' ')) {
      const width = word.length * characterPoints;
      words.push({
        text: word,
        box: { x0: at, y0: y, x1: at + width, y1: y + sizePoints },
        source: 'text',
        confidence: 1,
      });
      at += width + characterPoints * 0.6;
    }
  };
  const right = (x: number, y: number, line: string) =>
    text(x - line.length * characterPoints + (line.split(' ').length - 1) * characterPoints * 0.4, y, line);

  const issued = `2026-${String(random.integer(1, 6)).padStart(2, '0')}-${String(random.integer(1, 28)).padStart(2, '0')}`;
  const due = `2026-${String(random.integer(7, 12)).padStart(2, '0')}-${String(random.integer(1, 28)).padStart(2, '0')}`;
  const numberOf = () => style.numberForm.replace('#', random.digits(5));
  const values: Record<string, string> = {
    invoice_number: numberOf(),
    invoice_date: dateText(issued, style.dateForm),
    due_date: dateText(due, style.dateForm),
    purchase_order: `PO-${random.digits(5)}`,
    customer_id: random.digits(6),
    noise: numberOf(),
  };
  const customer = `${random.pick(stems)} ${random.pick(trades)} ${random.pick(forms)}`;
  const customerStreet = `${random.integer(1, 99)} ${random.pick(streets)}`;
  const customerCity = random.pick(cities);

  if (!style.nameAtFoot) text(50, 50, style.name);
  text(50, style.nameAtFoot ? 50 : 64, style.address[0]);
  text(50, style.nameAtFoot ? 64 : 78, style.address[1]);
  text(330, 100, customer);
  text(330, 114, customerStreet);
  text(330, 128, customerCity);
  style.order.forEach((name, index) => {
    const label = `${style.label[name]}${style.colon}`;
    if (style.above) {
      const x = 50 + (index % 3) * 180;
      const y = style.blockY + Math.floor(index / 3) * 36;
      text(x, y, label);
      text(x, y + 13, values[name]!);
    } else {
      text(style.blockX, style.blockY + index * 15, label);
      text(style.blockX + 110, style.blockY + index * 15, values[name]!);
    }
  });

  let y = 340;
  text(50, y, 'Description');
  right(380, y, 'Quantity');
  right(460, y, 'Price');
  right(545, y, 'Amount');
  let subtotal = 0;
  for (let item = 0, count = random.integer(1, 8); item < count; item++) {
    y += 16;
    const quantity = random.integer(1, 20);
    const price = random.integer(200, 9_000) / 100;
    const amount = Math.round(quantity * price * 100) / 100;
    subtotal = Math.round((subtotal + amount) * 100) / 100;
    text(50, y, random.pick(wares));
    right(380, y, String(quantity));
    right(460, y, money(price));
    right(545, y, money(amount));
  }
  const tax = Math.round(subtotal * 20) / 100;
  const total = Math.round((subtotal + tax) * 100) / 100;
  for (const [name, value] of [
    ['subtotal', subtotal],
    ['tax_amount', tax],
    ['total_amount', total],
  ] as const) {
    y += 20;
    text(style.totalsX, y, `${style.label[name]}${style.colon}`);
    right(545, y, money(value));
  }
  text(50, 800, style.nameAtFoot ? `${style.name} - VAT ${style.taxId}` : `VAT ${style.taxId}`);
  const pageWords = words;
  return {
    document: {
      mediaType: 'application/pdf',
      pages: [
        {
          number: 1,
          ...page,
          unit: 'point',
          words: pageWords,
          readings: [{ source: 'text', words: pageWords }],
          rulings: [],
          turnedDegrees: 0,
        },
      ],
      attachments: [],
    },
    fields: {
      invoice_number: values.invoice_number!,
      invoice_date: issued,
      due_date: due,
      purchase_order: values.purchase_order!,
      customer_id: values.customer_id!,
      vendor_name: style.name,
      vendor_address: style.address.join(', '),
      vendor_tax_id: style.taxId,
      customer_name: customer,
      customer_address: `${customerStreet}, ${customerCity}`,
      subtotal,
      tax_amount: tax,
      total_amount: total,
    },
  };
}

import type { DocType } from '@millrace/document-model';
import {
  type Cells,
  type Column,
  drawLines,
  drawLogo,
  drawPairs,
  drawTable,
  type Pair,
  type PairForm,
  pickTableLook,
  pickTheme,
  type Theme,
  tint,
} from './blocks.ts';
import { Draft, type GeneratedDocument } from './generated.ts';
import { labels } from './labels.ts';
import type { Company, Label, Person, Scene } from './scene.ts';
import { black, gray, type Piece, Sheet, white } from './sheet.ts';
import type { Ware } from './vocabulary/vocabulary.ts';

export type TradeType = Extract<DocType, 'invoice' | 'credit_note' | 'purchase_order' | 'quote' | 'delivery_note'>;

export const tradeLayouts = [
  'classic',
  'letter',
  'columns',
  'banner',
  'boxed',
  'centered',
  'sidebar',
  'minimal',
  'printer',
  'strip',
] as const;
type TradeLayout = (typeof tradeLayouts)[number];

interface Item {
  readonly ware: Ware;
  readonly detail: string | null;
  readonly code: string;
  readonly quantity: number;
  readonly price: number;
  readonly discount: number;
  readonly rate: number;
  readonly tax: number;
  readonly amount: number;
  readonly date: string;
}

interface Totals {
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly rates: readonly { readonly rate: number; readonly base: number; readonly tax: number }[];
  readonly tax: number;
  readonly total: number;
  readonly paid: number;
}

const cents = (value: number) => Math.round(value * 100 + 1e-7) / 100;

/** Draws an invoice, credit note, purchase order, quote or delivery note. */
export function drawTrade(scene: Scene, type: TradeType, layout?: string): GeneratedDocument {
  return new TradeDocument(
    scene,
    type,
    tradeLayouts.find((name) => name === layout) ?? scene.random.pick(tradeLayouts),
  ).draw();
}

/** Party field prefixes: who issues the document, and to whom. */
const roles: Readonly<Record<TradeType, readonly [issuer: string, receiver: string]>> = {
  invoice: ['vendor', 'customer'],
  credit_note: ['vendor', 'customer'],
  purchase_order: ['buyer', 'supplier'],
  quote: ['vendor', 'customer'],
  delivery_note: ['sender', 'recipient'],
};

const titles: Readonly<Record<TradeType, Label>> = {
  invoice: labels.invoiceTitle,
  credit_note: labels.creditNoteTitle,
  purchase_order: labels.purchaseOrderTitle,
  quote: labels.quoteTitle,
  delivery_note: labels.deliveryNoteTitle,
};

class TradeDocument {
  private readonly scene: Scene;
  private readonly type: TradeType;
  private readonly layout: TradeLayout;
  private readonly draft: Draft;
  private readonly sheet: Sheet;
  private readonly theme: Theme;
  private readonly issuer: Company;
  private readonly receiver: Company | null;
  private readonly person: Person;
  private readonly receiverAddress: readonly string[];
  private readonly issued: string;
  private readonly number: string;
  private readonly items: readonly Item[];
  private readonly totals: Totals;
  private readonly title: string;
  private readonly columnKeys: ReadonlySet<string>;
  private readonly left: number;
  private readonly right: number;
  private termsDrawn = false;

  constructor(scene: Scene, type: TradeType, layout: TradeLayout) {
    const { random, region } = scene;
    this.scene = scene;
    this.type = type;
    this.layout = layout;
    this.draft = new Draft(scene, type);
    this.draft.layout = layout;
    const picked = pickTheme(random);
    this.theme = layout === 'printer' ? { ...picked, family: 'mono', sizePoints: 8.5, accent: black } : picked;
    this.sheet = new Sheet(region.paper[0], region.paper[1], {
      family: this.theme.family,
      sizePoints: this.theme.sizePoints,
    });
    this.left = this.theme.margin;
    this.right = this.sheet.width - this.theme.margin;
    this.issuer = scene.company();
    const business = type !== 'invoice' || random.chance(0.75);
    this.receiver = business ? scene.company() : null;
    this.person = scene.person();
    this.receiverAddress = (this.receiver?.address ?? scene.address()).lines;
    this.issued = scene.today();
    this.title = scene.say(titles[type]);
    this.number = scene.documentNumber(prefixes[type], this.issued.slice(0, 4));
    this.items = this.makeItems();
    this.totals = this.makeTotals();
    this.columnKeys = this.pickColumns();
  }

  draw(): GeneratedDocument {
    const { scene, sheet, theme } = this;
    const { random } = scene;
    const footerTop = this.drawFooter();
    let top = this.drawHead();
    const isDelivery = this.type === 'delivery_note';
    if (!isDelivery && this.layout !== 'strip' && random.chance(0.35)) top = this.drawSalutation(top);
    const pageBottom = footerTop - 12;
    const carries = !isDelivery && random.chance(0.35);
    const tableLeft = this.layout === 'sidebar' ? this.left + 142 : this.left;
    const look =
      this.layout === 'printer'
        ? { rules: 'header' as const, zebra: false, header: 'capitals' as const, padding: 3 }
        : this.layout === 'boxed'
          ? { rules: 'grid' as const, zebra: false, header: random.pick(['bold', 'tinted'] as const), padding: 4 }
          : pickTableLook(random);
    let end = drawTable(sheet, {
      x: tableLeft,
      top,
      width: this.right - tableLeft,
      columns: this.columns(),
      rows: this.items.map((item, index) => this.cells(item, index)),
      look,
      theme,
      bottom: pageBottom - (carries ? 18 : 0),
      repeatHeader: random.chance(0.8),
      nextPage: (drawn, y) => {
        const carried = scene.money(this.items.slice(0, drawn).reduce((sum, item) => sum + item.amount, 0));
        const caption = scene.say(labels.carriedForward);
        if (carries)
          sheet.pieces(this.right, y + theme.sizePoints * 1.6, [`${caption}  `, carried.text], {
            align: 'right',
            bold: true,
          });
        sheet.addPage();
        this.drawFooter();
        const next = this.drawContinuation();
        if (!carries) return next;
        sheet.pieces(this.right, next, [`${caption}  `, carried.text], { align: 'right', bold: true });
        return next + theme.sizePoints * 1.2;
      },
    });
    if (isDelivery) {
      if (end + 90 > pageBottom) end = this.turnPage();
      this.drawReceipt(end + 34);
    } else {
      const needed = 120 + this.totals.rates.length * 16;
      if (end + needed > pageBottom) end = this.turnPage();
      const after = this.drawTotals(tableLeft, end + theme.sizePoints * 2);
      this.drawNotes(tableLeft, after + 10, pageBottom);
    }
    this.drawPageNumbers();
    return this.draft.finish(sheet, this.type === 'invoice' ? 'lines' : 'items');
  }

  private turnPage(): number {
    this.sheet.addPage();
    this.drawFooter();
    return this.drawContinuation();
  }

  // What it says

  private makeItems(): Item[] {
    const { scene } = this;
    const { random, region, words } = scene;
    const many = random.chance(0.12);
    const count = many ? random.integer(18, 46) : random.integer(1, random.pick([3, 5, 8, 11]));
    const wares = random.chance(0.5)
      ? words.goods
      : random.chance(0.6)
        ? words.services
        : [...words.goods, ...words.services];
    const goodsOnly = this.type === 'delivery_note' || this.type === 'purchase_order';
    const baseRate = random.pick(region.taxRates);
    const mixed = region.taxRates.length > 2 && random.chance(0.2);
    const discounts = random.chance(0.12);
    const form = random.integer(0, 3);
    return Array.from({ length: count }, (): Item => {
      const ware = random.pick(goodsOnly ? words.goods : wares);
      const [, unit, low, high] = ware;
      const whole = low >= 1;
      const price = whole
        ? random.pick([
            cents(low + random.next() * (high - low)),
            Math.round(low + random.next() * (high - low)),
            Math.ceil(low + random.next() * (high - low)) - 0.05,
            Math.ceil(low + random.next() * (high - low)) - 0.01,
          ])
        : cents(low + random.next() * (high - low));
      const hourly = /^(?:hour|Std\.|heure|hora|h|uur)$/.test(unit);
      const quantity = !whole
        ? random.integer(200, 4000)
        : hourly
          ? random.pick([random.integer(1, 40), random.integer(2, 60) / 4])
          : random.pick([1, 1, 2, random.integer(1, 12), random.integer(5, 120)]);
      const gross = cents(quantity * price);
      const discount = discounts && random.chance(0.5) ? cents(gross * random.pick([0.05, 0.1, 0.15])) : 0;
      const amount = cents(gross - discount);
      const rate = mixed ? random.pick(region.taxRates) : baseRate;
      const code =
        form === 0
          ? random.digits(5)
          : form === 1
            ? `${random.letters(2)}-${random.digits(4)}`
            : form === 2
              ? `${random.letters(3)}${random.digits(3)}`
              : `${random.digits(3)}.${random.digits(3)}`;
      return {
        ware,
        detail: random.chance(0.15)
          ? random.pick(details[region.language].slice(words.goods.includes(ware) ? 0 : 2))
          : null,
        code,
        quantity,
        price,
        discount,
        rate,
        tax: cents((amount * rate) / 100),
        amount,
        date: scene.day(this.issued, -30, 0),
      };
    });
  }

  private makeTotals(): Totals {
    const { random } = this.scene;
    const subtotal = cents(this.items.reduce((sum, item) => sum + item.amount, 0));
    const singleRate = new Set(this.items.map((item) => item.rate)).size === 1;
    const discount = singleRate && random.chance(0.12) ? cents(subtotal * random.pick([0.02, 0.03, 0.05, 0.1])) : 0;
    const shipping = singleRate && random.chance(0.18) ? random.pick([4.9, 5.95, 7.5, 12, 15, 25, 49]) : 0;
    const rates = [...new Set(this.items.map((item) => item.rate))]
      .sort((a, b) => b - a)
      .map((rate) => {
        const base = cents(
          this.items.filter((item) => item.rate === rate).reduce((sum, item) => sum + item.amount, 0) +
            (singleRate ? shipping - discount : 0),
        );
        return { rate, base, tax: cents((base * rate) / 100) };
      });
    const tax = cents(rates.reduce((sum, { tax: part }) => sum + part, 0));
    const total = cents(subtotal - discount + shipping + tax);
    const paid =
      this.type === 'invoice' && random.chance(0.12)
        ? cents(Math.min(total, total * random.pick([0.2, 0.3, 0.5, 1])))
        : 0;
    return { subtotal, discount, shipping, rates, tax, total, paid };
  }

  private pickColumns(): ReadonlySet<string> {
    const { random } = this.scene;
    const keys = new Set(['description', 'quantity']);
    if (random.chance(0.4)) keys.add('position');
    if (random.chance(this.type === 'invoice' ? 0.35 : 0.6)) keys.add('product_code');
    if (random.chance(0.35)) keys.add('unit');
    if (this.type === 'delivery_note') {
      if (random.chance(0.35)) keys.add('ordered');
      return keys;
    }
    if (random.chance(0.92)) keys.add('price_unit');
    keys.add('amount');
    if (this.items.some((item) => item.discount > 0)) keys.add('discount_amount');
    if (this.totals.rates.length > 1 || random.chance(0.3)) keys.add('tax_rate');
    if (random.chance(0.08)) keys.add('tax_amount');
    if (random.chance(0.08)) keys.add('date');
    return keys;
  }

  private columns(): Column[] {
    const { scene, columnKeys } = this;
    const { random } = scene;
    const numeric = random.chance(0.85) ? 'right' : 'center';
    const all: Column[] = [
      {
        key: 'position',
        title: scene.say(labels.position),
        align: random.pick(['left', 'center', 'right']),
        weight: 5,
      },
      { key: 'date', title: scene.say(labels.invoiceDate), align: 'left', weight: 13 },
      { key: 'product_code', title: scene.say(labels.productCode), align: 'left', weight: 13 },
      { key: 'description', title: scene.say(labels.description), align: 'left', weight: 42 },
      { key: 'ordered', title: scene.say(labels.ordered), align: numeric, weight: 12 },
      {
        key: 'quantity',
        title: scene.say(this.type === 'delivery_note' ? labels.delivered : labels.quantity),
        align: numeric,
        weight: 10,
      },
      { key: 'unit', title: scene.say(labels.unit), align: 'left', weight: 9 },
      { key: 'price_unit', title: scene.say(labels.priceUnit), align: 'right', weight: 14 },
      { key: 'discount_amount', title: scene.say(labels.discount), align: 'right', weight: 11 },
      { key: 'tax_rate', title: scene.say(labels.taxRateColumn), align: numeric, weight: 9 },
      { key: 'tax_amount', title: scene.say(labels.taxAmountColumn), align: 'right', weight: 12 },
      { key: 'amount', title: scene.say(labels.amount), align: 'right', weight: 15 },
    ];
    const shown = all.filter((column) => columnKeys.has(column.key));
    if (random.chance(0.2)) {
      const quantity = shown.findIndex((column) => column.key === 'quantity');
      const description = shown.findIndex((column) => column.key === 'description');
      shown.splice(description, 0, ...shown.splice(quantity, 1));
    }
    return shown;
  }

  private cells(item: Item, index: number): Cells {
    const { scene, draft, columnKeys } = this;
    const { region } = scene;
    const bare = this.bareAmounts;
    const amount = (value: number) => scene.money(value, bare ? 'bare' : 'signed');
    const quantityDecimals = Number.isInteger(item.quantity) ? (this.wholeDecimals ? 2 : 0) : 2;
    const unit = item.ware[1];
    const description = item.detail ? `${item.ware[0]}\n${item.detail}` : item.ware[0];
    const separateUnit = columnKeys.has('unit');
    return {
      position: [{ text: String(index + 1) }],
      date: [draft.cell(index, 'date', scene.date(item.date))],
      product_code: [draft.cell(index, 'product_code', item.code)],
      description: [draft.cell(index, 'description', { value: description.replace('\n', ' '), text: description })],
      ordered: [{ text: scene.number(item.quantity, 0) }],
      quantity: [
        draft.cell(index, 'quantity', {
          value: item.quantity,
          text: `${scene.number(item.quantity, quantityDecimals)}${!separateUnit && this.unitWithQuantity ? ` ${unit}` : ''}`,
        }),
      ],
      unit: separateUnit ? [draft.cell(index, 'unit', unit)] : [],
      price_unit: [draft.cell(index, 'price_unit', amount(item.price))],
      discount_amount: item.discount > 0 ? [draft.cell(index, 'discount_amount', amount(item.discount))] : [],
      tax_rate: [
        draft.cell(index, 'tax_rate', {
          value: item.rate,
          text: this.percentSign ? scene.percent(item.rate) : String(item.rate).replace('.', region.decimalSeparator),
        }),
      ],
      tax_amount: [draft.cell(index, 'tax_amount', amount(item.tax))],
      amount: [draft.cell(index, 'amount', amount(item.amount))],
    };
  }

  private readonly bareAmountsChoice: { value?: boolean; decimals?: boolean; unit?: boolean; percent?: boolean } = {};
  private get bareAmounts(): boolean {
    this.bareAmountsChoice.value ??= this.scene.random.chance(0.65);
    return this.bareAmountsChoice.value;
  }
  private get wholeDecimals(): boolean {
    this.bareAmountsChoice.decimals ??= this.scene.random.chance(0.2);
    return this.bareAmountsChoice.decimals;
  }
  private get unitWithQuantity(): boolean {
    this.bareAmountsChoice.unit ??= this.scene.random.chance(0.15);
    return this.bareAmountsChoice.unit;
  }
  private get percentSign(): boolean {
    this.bareAmountsChoice.percent ??= this.scene.random.chance(0.8);
    return this.bareAmountsChoice.percent;
  }

  /** The captions and values at the head of the document. */
  private metaPairs(): Pair[] {
    const { scene, draft, type, issued } = this;
    const { random } = scene;
    const pairs: Pair[] = [];
    const add = (caption: Label, field: string, fact: Parameters<Draft['piece']>[1], bold = false) =>
      pairs.push({ caption: scene.say(caption), value: draft.piece(field, fact), bold });
    const addIf = (probability: number, caption: Label, field: string, fact: () => Parameters<Draft['piece']>[1]) => {
      if (random.chance(probability)) add(caption, field, fact());
    };
    const otherNumber = () => scene.documentNumber(['PO', 'B', 'ORD', '45'], issued.slice(0, 4));
    switch (type) {
      case 'invoice':
        add(labels.invoiceNumber, 'invoice_number', this.number, random.chance(0.3));
        add(labels.invoiceDate, 'invoice_date', scene.date(issued));
        addIf(0.5, labels.dueDate, 'due_date', () => scene.date(scene.day(issued, 7, 60)));
        addIf(0.35, labels.purchaseOrder, 'purchase_order', otherNumber);
        break;
      case 'credit_note':
        add(labels.creditNoteNumber, 'credit_note_number', this.number, random.chance(0.3));
        add(labels.creditNoteDate, 'credit_note_date', scene.date(issued));
        addIf(0.85, labels.originalInvoice, 'original_invoice_number', () =>
          scene.documentNumber(prefixes.invoice, issued.slice(0, 4)),
        );
        break;
      case 'purchase_order':
        add(labels.orderNumber, 'order_number', this.number, random.chance(0.3));
        add(labels.orderDate, 'order_date', scene.date(issued));
        addIf(0.7, labels.deliveryDate, 'delivery_date', () => scene.date(scene.day(issued, 3, 60)));
        break;
      case 'quote':
        add(labels.quoteNumber, 'quote_number', this.number, random.chance(0.3));
        add(labels.quoteDate, 'quote_date', scene.date(issued));
        addIf(0.8, labels.validUntil, 'valid_until', () => scene.date(scene.day(issued, 14, 90)));
        break;
      case 'delivery_note':
        add(labels.deliveryNumber, 'delivery_number', this.number, random.chance(0.3));
        add(labels.deliveryNoteDate, 'delivery_date', scene.date(issued));
        addIf(0.7, labels.orderNumber, 'order_number', otherNumber);
        addIf(
          0.6,
          labels.carrier,
          'carrier',
          () => scene.company([`${random.pick(['Express', 'Cargo', 'Parcel', 'Trans', 'Spedition'])}`]).name,
        );
        addIf(0.5, labels.tracking, 'tracking_number', () =>
          random.pick([
            `${random.digits(2)} ${random.digits(4)} ${random.digits(4)} ${random.digits(4)}`,
            `1Z${random.letters(3)}${random.digits(12)}`,
            random.digits(14),
            `JD${random.digits(16)}`,
          ]),
        );
        break;
    }
    if (type === 'invoice' || type === 'credit_note') {
      addIf(0.4, labels.customerId, 'customer_id', () =>
        random.pick([random.digits(5), `C-${random.digits(4)}`, `K${random.digits(5)}`, random.digits(7)]),
      );
      if (random.chance(0.3)) {
        const start = scene.day(issued, -45, -3);
        if (random.chance(0.45)) {
          add(labels.serviceDate, 'service_start_date', scene.date(start));
        } else {
          const end = scene.day(start, 5, 30);
          pairs.push({
            caption: scene.say(labels.servicePeriod),
            value: [
              draft.piece('service_start_date', scene.date(start)),
              {
                text: random.pick([
                  '-',
                  '–',
                  { en: 'to', de: 'bis', fr: 'au', es: 'al', it: 'al', pt: 'a', nl: 't/m' }[scene.region.language],
                ]),
              },
              draft.piece('service_end_date', scene.date(end)),
            ],
          });
        }
      }
      if (random.chance(0.2)) {
        add(labels.paymentTerms, 'payment_terms', random.pick(termsShort[scene.region.language]));
        this.termsDrawn = true;
      }
      if (random.chance(0.15))
        add(
          labels.paymentReference,
          'payment_reference',
          random.pick([
            random.digits(10),
            `RF${random.digits(2)} ${random.digits(4)} ${random.digits(4)}`,
            `${random.digits(4)}-${random.digits(6)}`,
          ]),
        );
    }
    if (random.chance(0.2)) pairs.push({ caption: scene.say(labels.contact), value: { text: scene.person().full } });
    if (random.chance(0.25)) {
      const [first, second, ...rest] = pairs;
      return [second!, first!, ...rest];
    }
    return pairs;
  }

  // How it looks

  private issuerPieces(): { name: Piece; address: Piece[]; contacts: (Piece | Piece[])[]; taxId: Piece[] } {
    const { draft, issuer, scene } = this;
    const [role] = roles[this.type];
    const { random } = scene;
    const withDetails = this.type !== 'delivery_note';
    const tag = (detail: string, text: string): Piece =>
      withDetails ? draft.piece(`${role}_${detail}`, text) : { text };
    const contacts: (Piece | Piece[])[] = [];
    const captioned = (label: Label, piece: Piece): Piece | Piece[] =>
      random.chance(0.7) ? [{ text: `${scene.say(label)}${random.pick([': ', ' ', ': '])}` }, piece] : piece;
    if (random.chance(0.75)) contacts.push(captioned(labels.phone, tag('phone', issuer.phone)));
    if (random.chance(0.7)) contacts.push(captioned(labels.email, tag('email', issuer.email)));
    if (random.chance(0.6))
      contacts.push(
        this.type === 'purchase_order'
          ? { text: issuer.website }
          : captioned(labels.website, tag('website', issuer.website)),
      );
    return {
      name: draft.piece(`${role}_name`, issuer.name),
      address: draft.lines(`${role}_address`, issuer.address.lines),
      contacts,
      taxId: this.taxIdPieces(issuer, `${role}_tax_id`, withDetails),
    };
  }

  private taxIdPieces(company: Company, field: string, tagged: boolean): Piece[] {
    const { caption, text } = company.taxId;
    return [
      { text: `${caption}${this.theme.colon ? ': ' : ' '}` },
      tagged ? this.draft.piece(field, { value: text.replaceAll(' ', ''), text }) : { text },
    ];
  }

  private receiverLines(): (Piece | Piece[])[] {
    const { draft, receiver, person, scene } = this;
    const { random } = scene;
    const [, role] = roles[this.type];
    const lines: (Piece | Piece[])[] = [];
    if (receiver) {
      lines.push(draft.piece(`${role}_name`, receiver.name));
      if (random.chance(0.3)) lines.push({ text: `${random.pick(attention[scene.region.language])} ${person.full}` });
    } else lines.push(draft.piece(`${role}_name`, person.full));
    lines.push(...draft.lines(`${role}_address`, this.receiverAddress));
    if (receiver && this.type !== 'delivery_note' && random.chance(0.25))
      lines.push(this.taxIdPieces(receiver, `${role}_tax_id`, true));
    return lines;
  }

  private shippingLines(): (Piece | Piece[])[] | null {
    const { scene, draft, type } = this;
    if ((type !== 'invoice' && type !== 'purchase_order') || !scene.random.chance(0.22)) return null;
    const company = scene.company();
    return [{ text: company.name }, ...draft.lines('shipping_address', company.address.lines)];
  }

  private receiverCaption(): string {
    const { scene, type } = this;
    return scene.say(
      {
        invoice: labels.billTo,
        credit_note: labels.billTo,
        purchase_order: labels.supplier,
        quote: labels.preparedFor,
        delivery_note: labels.deliverTo,
      }[type],
    );
  }

  private caption(x: number, baseline: number, text: string): number {
    this.sheet.text(x, baseline, this.theme.colon ? `${text}:` : text, {
      bold: true,
      sizePoints: this.theme.sizePoints * 0.92,
      color: this.theme.accent,
    });
    return baseline + this.theme.sizePoints * 1.45;
  }

  /** Draws everything above the table and returns the table's top. */
  private drawHead(): number {
    switch (this.layout) {
      case 'classic':
        return this.headClassic();
      case 'letter':
        return this.headLetter();
      case 'columns':
      case 'strip':
        return this.headColumns();
      case 'banner':
        return this.headBanner();
      case 'boxed':
        return this.headBoxed();
      case 'centered':
        return this.headCentered();
      case 'sidebar':
        return this.headSidebar();
      case 'minimal':
      case 'printer':
        return this.headMinimal();
    }
  }

  private headClassic(): number {
    const { sheet, theme, scene, left, right } = this;
    const { random } = scene;
    const issuer = this.issuerPieces();
    const size = theme.sizePoints;
    const logo = random.chance(0.7)
      ? drawLogo(sheet, random, left, 40, 34, theme.accent, this.issuer.shortName.slice(0, 2).toUpperCase()) + 10
      : 0;
    sheet.text(left + logo, 54, issuer.name, { sizePoints: size * 1.5, bold: true, color: theme.accent });
    drawLines(
      sheet,
      left + logo,
      68,
      [...issuer.address, ...issuer.contacts, ...(random.chance(0.6) ? [issuer.taxId] : [])],
      { sizePoints: size * 0.92, color: gray },
    );
    sheet.text(right, 62, this.title, {
      sizePoints: size * 2.3,
      bold: true,
      align: 'right',
      color: random.chance(0.5) ? theme.accent : black,
    });
    const metaLeft = right - 210;
    const metaEnd = drawPairs(
      sheet,
      metaLeft,
      92,
      210,
      this.metaPairs(),
      random.pick<PairForm>(['apart', 'left', 'grid']),
      theme,
    );
    let y = this.caption(left, 150, this.receiverCaption());
    y = drawLines(sheet, left, y, this.receiverLines(), {});
    const shipping = this.shippingLines();
    if (shipping) {
      const below = Math.max(y, metaEnd) + 6;
      y = drawLines(sheet, left, this.caption(left, below, scene.say(labels.shipTo)), shipping, {});
    }
    return Math.max(y, metaEnd) + 16;
  }

  /** A letter with an address window, as DIN 5008 places it. */
  private headLetter(): number {
    const { sheet, theme, scene, left, right } = this;
    const { random } = scene;
    const issuer = this.issuerPieces();
    const size = theme.sizePoints;
    const withLogo = random.chance(0.8);
    if (withLogo) {
      const logo = drawLogo(
        sheet,
        random,
        right - 60,
        34,
        38,
        theme.accent,
        this.issuer.shortName.slice(0, 2).toUpperCase(),
      );
      sheet.text(right - 68, 60, random.chance(0.5) ? issuer.name : this.issuer.shortName, {
        sizePoints: size * 1.5,
        bold: true,
        align: 'right',
        color: theme.accent,
      });
      if (logo > 70) sheet.line(left, 84, right, 84, { color: tint(theme.accent, 0.4) });
    } else sheet.text(left, 58, issuer.name, { sizePoints: size * 1.7, bold: true, color: theme.accent });
    const sender = [issuer.name, ...issuer.address].flatMap((piece, index) =>
      index === 0 ? [piece] : [{ text: random.pick([' · ', ', ', ' - ', ' | ']) }, piece],
    );
    sheet.pieces(left, 128, sender, { sizePoints: 6.5, color: gray });
    sheet.line(left, 131, left + 230, 131, { widthPoints: 0.4, color: gray });
    drawLines(sheet, left, 148, this.receiverLines(), { sizePoints: size * 1.05, leading: 1.4 });
    const pairs = this.metaPairs();
    const metaEnd = drawPairs(
      sheet,
      right - 200,
      140,
      200,
      pairs,
      random.pick<PairForm>(['left', 'apart', 'inline', 'grid']),
      theme,
    );
    let y = Math.max(metaEnd + 10, 236);
    if (random.chance(0.5)) {
      const contactEnd = drawLines(sheet, right - 200, metaEnd + 4, [...issuer.contacts, issuer.taxId], {
        sizePoints: size * 0.88,
      });
      y = Math.max(y, contactEnd + 8);
    }
    const titleWithNumber = random.chance(0.3);
    sheet.pieces(
      left,
      y + 14,
      titleWithNumber ? [`${this.title} `, this.draft.piece(numberFields[this.type], this.number)] : [this.title],
      { sizePoints: size * 1.6, bold: true },
    );
    return y + 30;
  }

  private headColumns(): number {
    const { sheet, theme, scene, left, right } = this;
    const { random } = scene;
    const issuer = this.issuerPieces();
    const size = theme.sizePoints;
    const middle = (left + right) / 2;
    sheet.text(left, 66, this.title, { sizePoints: size * 2.6, bold: true, color: theme.accent });
    if (random.chance(0.6))
      drawLogo(sheet, random, right - 52, 38, 36, theme.accent, this.issuer.shortName.slice(0, 2).toUpperCase());
    const form = random.pick<PairForm>(['strip', 'boxed-strip', 'above', 'left']);
    const wide = form === 'strip' || form === 'boxed-strip';
    let y = 92;
    if (wide) y = drawPairs(sheet, left, y + 8, right - left, this.metaPairs(), form, theme) + 10;
    const swapped = random.chance(0.3);
    const [issuerX, receiverX] = swapped ? [middle + 10, left] : [left, middle + 10];
    const issuerTop = this.caption(issuerX, y, scene.say(this.type === 'purchase_order' ? labels.buyer : labels.from));
    const issuerEnd = drawLines(
      sheet,
      issuerX,
      issuerTop,
      [issuer.name, ...issuer.address, issuer.taxId, ...issuer.contacts],
      {},
    );
    const receiverTop = this.caption(receiverX, y, this.receiverCaption());
    let receiverEnd = drawLines(sheet, receiverX, receiverTop, this.receiverLines(), {});
    const shipping = this.shippingLines();
    if (shipping)
      receiverEnd = drawLines(
        sheet,
        receiverX,
        this.caption(receiverX, receiverEnd + 4, scene.say(labels.shipTo)),
        shipping,
        {},
      );
    y = Math.max(issuerEnd, receiverEnd) + 12;
    if (!wide) y = drawPairs(sheet, left, y, (right - left) * 0.55, this.metaPairs(), form, theme) + 8;
    return y;
  }

  private headBanner(): number {
    const { sheet, theme, scene, left, right } = this;
    const { random } = scene;
    const issuer = this.issuerPieces();
    const size = theme.sizePoints;
    sheet.area({ x0: 0, y0: 0, x1: sheet.width, y1: 86 }, { fill: theme.accent });
    sheet.text(left, 50, issuer.name, { sizePoints: size * 1.8, bold: true, color: white });
    if (random.chance(0.6))
      sheet.text(left, 66, random.pick(scene.words.marketing), {
        sizePoints: size * 0.8,
        color: tint(theme.accent, 0.2),
      });
    sheet.text(right, 54, this.title, { sizePoints: size * 2.2, bold: true, color: white, align: 'right' });
    const third = (right - left) / 3;
    let y1 = this.caption(left, 116, this.receiverCaption());
    y1 = drawLines(sheet, left, y1, this.receiverLines(), { width: third - 12 });
    const shipping = this.shippingLines();
    let y2 = 116;
    if (shipping)
      y2 = drawLines(sheet, left + third, this.caption(left + third, 116, scene.say(labels.shipTo)), shipping, {});
    else
      y2 = drawLines(sheet, left + third, 116, [...issuer.address, ...issuer.contacts, issuer.taxId], {
        sizePoints: size * 0.95,
        width: third - 12,
      });
    const y3 = drawPairs(
      sheet,
      left + 2 * third,
      116,
      third,
      this.metaPairs(),
      random.pick<PairForm>(['apart', 'above', 'inline']),
      theme,
    );
    if (shipping) {
      const below = drawLines(
        sheet,
        left,
        Math.max(y1, y2) + 8,
        [
          [...issuer.address.flatMap((piece, index) => (index ? [{ text: ', ' }, piece] : [piece]))],
          ...issuer.contacts,
        ],
        { sizePoints: size * 0.9 },
      );
      return Math.max(below, y3) + 12;
    }
    return Math.max(y1, y2, y3) + 14;
  }

  private headBoxed(): number {
    const { sheet, theme, scene, left, right } = this;
    const { random } = scene;
    const issuer = this.issuerPieces();
    const size = theme.sizePoints;
    const middle = (left + right) / 2;
    const box = (x0: number, y0: number, x1: number, y1: number) =>
      sheet.area({ x0, y0, x1, y1 }, { border: black, widthPoints: 0.8 });
    const issuerEnd = drawLines(sheet, left + 6, 58, [issuer.name], { sizePoints: size * 1.3, bold: true });
    const detailsEnd = drawLines(sheet, left + 6, issuerEnd, [...issuer.address, ...issuer.contacts, issuer.taxId], {
      sizePoints: size * 0.95,
    });
    box(left, 40, middle - 6, detailsEnd + 2);
    sheet.text((middle + right) / 2, 62, this.title, { sizePoints: size * 1.9, bold: true, align: 'center' });
    const receiverTop = this.caption(middle + 12, 84, this.receiverCaption());
    const receiverEnd = drawLines(sheet, middle + 12, receiverTop, this.receiverLines(), {});
    const bottom = Math.max(receiverEnd, detailsEnd) + 2;
    box(middle + 6, 72, right, bottom);
    return (
      drawPairs(
        sheet,
        left,
        bottom + 22,
        right - left,
        this.metaPairs(),
        random.chance(0.7) ? 'boxed-strip' : 'grid',
        theme,
      ) + 10
    );
  }

  private headCentered(): number {
    const { sheet, theme, scene, left, right } = this;
    const { random } = scene;
    const issuer = this.issuerPieces();
    const size = theme.sizePoints;
    const middle = (left + right) / 2;
    sheet.text(middle, 56, issuer.name, { sizePoints: size * 1.8, bold: true, align: 'center', color: theme.accent });
    sheet.pieces(
      middle,
      70,
      issuer.address.flatMap((piece, index) => (index ? [{ text: ', ' }, piece] : [piece])),
      { align: 'center', sizePoints: size * 0.95 },
    );
    sheet.pieces(
      middle,
      83,
      [...issuer.contacts, issuer.taxId].flatMap((line, index) => [
        ...(index ? [{ text: random.pick(['  |  ', '   ', ' · ']) }] : []),
        ...('text' in line ? [line] : line),
      ]),
      { align: 'center', sizePoints: size * 0.85 },
    );
    sheet.line(left, 92, right, 92, { color: theme.accent, widthPoints: 1.2 });
    sheet.text(middle, 120, this.title, { sizePoints: size * 1.9, bold: true, align: 'center' });
    const y = this.caption(left, 148, this.receiverCaption());
    const receiverEnd = drawLines(sheet, left, y, this.receiverLines(), {});
    const metaEnd = drawPairs(
      sheet,
      right - 220,
      148,
      220,
      this.metaPairs(),
      random.pick<PairForm>(['left', 'apart', 'inline']),
      theme,
    );
    const shipping = this.shippingLines();
    if (!shipping) return Math.max(receiverEnd, metaEnd) + 14;
    const shippingEnd = drawLines(
      sheet,
      left,
      this.caption(left, receiverEnd + 6, scene.say(labels.shipTo)),
      shipping,
      {},
    );
    return Math.max(shippingEnd, metaEnd) + 14;
  }

  private headSidebar(): number {
    const { sheet, theme, left, scene } = this;
    const issuer = this.issuerPieces();
    const size = theme.sizePoints;
    sheet.area({ x0: 0, y0: 0, x1: left + 126, y1: sheet.height }, { fill: tint(theme.accent, 0.1) });
    drawLogo(sheet, scene.random, left, 44, 34, theme.accent, this.issuer.shortName.slice(0, 2).toUpperCase());
    const side = left - 14;
    let y = sheet.paragraph(side, 104, 132, issuer.name, { bold: true, sizePoints: size * 1.1 });
    const small = { sizePoints: size * 0.84, width: 132 };
    y = drawLines(sheet, side, y + 2, [...issuer.address, ...issuer.contacts], small);
    y = drawLines(sheet, side, y + 2, [issuer.taxId], small);
    drawPairs(sheet, side, y + 18, 132, this.metaPairs(), 'above', theme);
    const main = left + 142;
    sheet.text(main, 70, this.title, { sizePoints: size * 2.4, bold: true, color: theme.accent });
    const top = this.caption(main, 108, this.receiverCaption());
    const end = drawLines(sheet, main, top, this.receiverLines(), {});
    return Math.max(end + 18, 200);
  }

  private headMinimal(): number {
    const { sheet, theme, scene, left, right } = this;
    const { random } = scene;
    const issuer = this.issuerPieces();
    const size = theme.sizePoints;
    let y = drawLines(sheet, left, 56, [issuer.name], { bold: true, sizePoints: size * 1.15 });
    y = drawLines(sheet, left, y, [...issuer.address, ...issuer.contacts, issuer.taxId], {});
    if (this.layout === 'printer') {
      sheet.line(left, y, right, y, { dashed: true });
      y += 14;
    }
    const atRight = random.chance(0.5);
    sheet.text(atRight ? right : left, y + 12, this.layout === 'printer' ? this.title.toUpperCase() : this.title, {
      bold: true,
      sizePoints: size * 1.5,
      align: atRight ? 'right' : 'left',
    });
    const pairs = this.metaPairs();
    const metaEnd = drawPairs(sheet, left, y + 32, 230, pairs, random.pick<PairForm>(['inline', 'left']), theme);
    const receiverTop = this.caption(left + 270, y + 32, this.receiverCaption());
    const receiverEnd = drawLines(sheet, left + 270, receiverTop, this.receiverLines(), {});
    return Math.max(metaEnd, receiverEnd) + 12;
  }

  /** The head of a further page; returns where the table goes on. */
  private drawContinuation(): number {
    const { sheet, theme, left, right, layout } = this;
    if (layout === 'sidebar')
      sheet.area({ x0: 0, y0: 0, x1: left + 126, y1: sheet.height }, { fill: tint(theme.accent, 0.1) });
    sheet.text(layout === 'sidebar' ? left + 142 : left, 46, `${this.title} ${this.number}`, { bold: true });
    sheet.text(right, 46, this.issuer.shortName, { align: 'right', color: gray });
    return 66;
  }

  private drawSalutation(top: number): number {
    const { sheet, theme, scene, type } = this;
    const x = this.layout === 'sidebar' ? this.left + 142 : this.left;
    const opening = openings[scene.region.language];
    sheet.text(x, top + 4, opening.greeting);
    return (
      sheet.paragraph(
        x,
        top + 4 + theme.sizePoints * 1.6,
        this.right - x,
        opening[type === 'credit_note' || type === 'delivery_note' ? 'invoice' : type],
        {},
      ) + 6
    );
  }

  private drawTotals(tableLeft: number, baseline: number): number {
    const { scene, draft, sheet, theme, totals, right, layout } = this;
    const { random, region } = scene;
    const size = theme.sizePoints;
    const money = (value: number) => scene.money(value);
    const rows: { caption: (string | Piece)[]; value: Piece; bold?: boolean }[] = [];
    const taxName = random.pick(region.taxNames);
    const invoiceLike = this.type === 'invoice' || this.type === 'credit_note';
    const plain = totals.tax === 0 && totals.discount === 0 && totals.shipping === 0;
    if (!plain || random.chance(0.5))
      rows.push({ caption: [scene.say(labels.subtotal)], value: draft.piece('subtotal', money(totals.subtotal)) });
    if (totals.discount > 0)
      rows.push({
        caption: [scene.say(labels.discountTotal)],
        value: draft.piece('discount_amount', {
          value: totals.discount,
          text: random.chance(0.7) ? money(-totals.discount).text : money(totals.discount).text,
        }),
      });
    if (totals.shipping > 0)
      rows.push({
        caption: [scene.say(labels.shipping)],
        value: draft.piece('shipping_amount', money(totals.shipping)),
      });
    const summary = totals.rates.length > 1 && (layout === 'strip' || random.chance(0.35));
    if (totals.rates.length === 1) {
      const [{ rate, tax } = { rate: 0, tax: 0 }] = totals.rates;
      const ratePiece = draft.piece('tax_rate', { value: rate, text: scene.percent(rate) });
      const wordings: Readonly<Record<string, readonly string[]>> = {
        de: ['zzgl. ', '+ ', ''],
        fr: ['', 'Montant ', ''],
        es: ['', 'Cuota ', ''],
        it: ['', 'Totale ', ''],
        en: ['', 'Plus ', ''],
        pt: ['', 'Total ', ''],
        nl: ['', '', ''],
      };
      const prefix = random.pick(wordings[region.language] ?? ['']);
      const caption: (string | Piece)[] = random.chance(0.15)
        ? [`${prefix}${taxName}`]
        : random.pick([
            [`${prefix}${taxName} `, ratePiece],
            [`${prefix}${taxName} (`, ratePiece, ')'],
            [ratePiece, ` ${taxName}`],
            [`${prefix}${taxName} @ `, ratePiece],
          ]);
      if (tax > 0 || random.chance(0.5)) rows.push({ caption, value: draft.piece('tax_amount', money(tax)) });
    } else {
      if (!summary) {
        for (const { rate, base, tax } of totals.rates)
          rows.push({
            caption: [`${taxName} ${scene.percent(rate)}${random.chance(0.4) ? ` (${money(base).text})` : ''}`],
            value: { text: money(tax).text },
          });
      }
      if (summary || random.chance(0.4))
        rows.push({
          caption: [
            `${random.pick({ en: ['Total tax', 'Total VAT', 'Tax'], de: ['Summe MwSt.', 'USt. gesamt'], fr: ['Total TVA'], es: ['Total IVA', 'Cuota total'], it: ['Totale IVA'], pt: ['Total IVA', 'Total do IVA'], nl: ['Totaal btw'] }[region.language])}`,
          ],
          value: draft.piece('tax_amount', money(totals.tax)),
        });
      else draft.set('tax_amount', totals.tax);
    }
    const totalLabel =
      this.type === 'invoice' ? labels.total : this.type === 'credit_note' ? labels.totalCredit : labels.totalOrder;
    const withCode = random.chance(0.2);
    const totalPiece = draft.piece('total_amount', money(totals.total));
    const codePiece = draft.piece('currency', region.currency);
    rows.push({
      caption: withCode ? [`${scene.say(totalLabel)} `, codePiece] : [scene.say(totalLabel)],
      value: totalPiece,
      bold: true,
    });
    if (invoiceLike && totals.paid > 0) {
      rows.push({
        caption: [scene.say(labels.amountPaid)],
        value: draft.piece('amount_paid', {
          value: totals.paid,
          text: random.chance(0.4) ? money(-totals.paid).text : money(totals.paid).text,
        }),
      });
      rows.push({
        caption: [scene.say(labels.amountDue)],
        value: draft.piece('amount_due', money(cents(totals.total - totals.paid))),
        bold: true,
      });
    } else if (this.type === 'invoice' && random.chance(0.18)) {
      rows.push({
        caption: [scene.say(labels.amountDue)],
        value: draft.piece('amount_due', money(totals.total)),
        bold: true,
      });
    }
    draft.set('currency', region.currency);

    if (layout === 'strip' && rows.length <= 6) {
      const width = (right - tableLeft) / rows.length;
      rows.forEach((row, index) => {
        const x0 = tableLeft + index * width;
        sheet.area(
          { x0, y0: baseline - 4, x1: x0 + width, y1: baseline + size * 3.4 },
          { border: gray, ...(row.bold && { fill: tint(theme.accent, 0.12) }) },
        );
        sheet.pieces(x0 + 4, baseline + size * 0.9, row.caption, { sizePoints: size * 0.8 });
        sheet.text(x0 + width - 5, baseline + size * 2.5, row.value, { bold: row.bold ?? false, align: 'right' });
      });
      return this.drawTaxSummary(tableLeft, baseline + size * 5.4, summary);
    }
    const onLeft = layout === 'minimal' && random.chance(0.5);
    const width = random.pick([190, 215, 240]);
    const x0 = onLeft ? tableLeft : right - width;
    const x1 = x0 + width;
    const form = layout === 'boxed' ? 'grid' : random.pick(['plain', 'ruled', 'filled', 'grid']);
    const step = size * (form === 'grid' ? 1.85 : 1.6);
    let y = baseline;
    for (const row of rows) {
      const top = y - size * 1.2;
      const strong = row.bold ?? false;
      if (form === 'grid') sheet.area({ x0, y0: top, x1, y1: top + step }, { border: black });
      if (strong && form === 'filled') sheet.area({ x0, y0: top, x1, y1: top + step }, { fill: theme.accent });
      if (strong && form === 'ruled') sheet.line(x0, top + 1, x1, top + 1);
      const color = strong && form === 'filled' ? white : black;
      sheet.pieces(x0 + 5, y, this.theme.colon ? [...row.caption, ':'] : row.caption, { bold: strong, color });
      sheet.text(x1 - 5, y, row.value, { bold: strong, align: 'right', color });
      if (strong && form === 'ruled' && random.chance(0.5))
        sheet.line(x0, top + step, x1, top + step, { widthPoints: 1.2 });
      y += step;
    }
    if (onLeft) return this.drawTaxSummary(tableLeft, y + 8, summary);
    return Math.max(y + 8, this.drawTaxSummary(tableLeft, baseline, summary));
  }

  private drawTaxSummary(x: number, baseline: number, shown: boolean): number {
    if (!shown) return baseline;
    const { scene, sheet, theme, totals } = this;
    const size = theme.sizePoints * 0.92;
    const columns = [x, x + 74, x + 130, x + 195];
    sheet.text(x, baseline, scene.say(labels.taxTable), { bold: true, sizePoints: size });
    const heads = [scene.say(labels.taxRateColumn), scene.say(labels.taxBase), scene.say(labels.taxAmountColumn)];
    let y = baseline + size * 1.6;
    heads.forEach((head, index) => {
      sheet.text(index === 0 ? columns[0]! : columns[index + 1]! - 4, y, head, {
        sizePoints: size,
        align: index === 0 ? 'left' : 'right',
      });
    });
    sheet.line(x, y + 3, columns[3]!, y + 3, { color: gray });
    for (const { rate, base, tax } of totals.rates) {
      y += size * 1.5;
      sheet.text(columns[0]!, y, scene.percent(rate), { sizePoints: size });
      sheet.text(columns[2]! - 4, y, scene.money(base, 'bare').text, { sizePoints: size, align: 'right' });
      sheet.text(columns[3]! - 4, y, scene.money(tax, 'bare').text, { sizePoints: size, align: 'right' });
    }
    return y + size * 2;
  }

  private drawNotes(x: number, baseline: number, bottom: number): void {
    const { scene, draft, sheet, theme, issuer, type } = this;
    const { random, words } = scene;
    const size = theme.sizePoints;
    const width = this.right - x;
    let y = baseline + size;
    const room = (lines: number) => y + lines * size * 1.4 < bottom;
    const [paymentTerms, ...otherTerms] = words.terms;
    if (type === 'invoice') {
      if (room(3) && random.chance(0.45))
        y =
          sheet.paragraph(x, y, width, this.termsDrawn ? paymentTerms! : draft.piece('payment_terms', paymentTerms!)) +
          3;
      if (room(6) && random.chance(0.5)) {
        y = this.caption(x, y, scene.say(labels.bankDetails));
        const pairs: Pair[] = [{ caption: scene.say(labels.bank), value: { text: issuer.bank } }];
        if (issuer.iban)
          pairs.push({
            caption: 'IBAN',
            value: draft.piece('iban', {
              value: issuer.iban,
              text: random.chance(0.75) ? issuer.iban.replace(/(.{4})(?=.)/g, '$1 ') : issuer.iban,
            }),
          });
        else
          pairs.push({ caption: scene.say(labels.account), value: draft.piece('bank_account_number', issuer.account) });
        if (random.chance(0.75))
          pairs.push({
            caption: random.pick(issuer.iban ? ['BIC', 'BIC/SWIFT', 'SWIFT'] : ['SWIFT', 'SWIFT Code', 'BIC']),
            value: draft.piece('bic', issuer.bic),
          });
        y = drawPairs(sheet, x, y, 300, pairs, random.pick<PairForm>(['inline', 'left']), theme) + 3;
      }
    }
    if (room(3) && random.chance(0.5))
      y = sheet.paragraph(x, y, width, random.pick(otherTerms), { sizePoints: size * 0.9, color: gray }) + 2;
    if (room(2) && random.chance(0.55)) y = sheet.paragraph(x, y, width, random.pick(words.thanks)) + 2;
    if (room(3) && random.chance(0.25))
      sheet.paragraph(x, y, width, random.pick(words.marketing), { italic: true, color: theme.accent });
  }

  /** Where the receiver signs a delivery. */
  private drawReceipt(baseline: number): void {
    const { scene, sheet, left, right } = this;
    const middle = (left + right) / 2;
    sheet.text(
      left,
      baseline,
      `${{ en: 'Packages', de: 'Packstücke', fr: 'Colis', es: 'Bultos', it: 'Colli', pt: 'Volumes', nl: 'Colli' }[scene.region.language]}: ${scene.random.integer(1, 9)}`,
    );
    sheet.text(middle, baseline + 36, scene.say(labels.receivedBy), { sizePoints: this.theme.sizePoints * 0.9 });
    sheet.line(middle, baseline + 24, right, baseline + 24);
  }

  private footerForm: string | null = null;

  /** Draws the page's foot, the same on every page, and returns its top. */
  private drawFooter(): number {
    const { scene, draft, sheet, theme, issuer, type, left, right, layout } = this;
    const { random } = scene;
    this.footerForm ??=
      layout === 'printer'
        ? 'none'
        : layout === 'letter'
          ? random.pick(['columns', 'columns', 'line'])
          : random.pick(['none', 'line', 'columns', 'line']);
    const bottom = sheet.height - 34;
    if (this.footerForm === 'none') return sheet.height - 46;
    const size = 6.8;
    const [role] = roles[type];
    const billing = type === 'invoice' || type === 'credit_note';
    const bankPieces: (string | Piece)[] = issuer.iban
      ? [
          `${issuer.bank}  IBAN `,
          billing
            ? draft.piece('iban', { value: issuer.iban, text: issuer.iban.replace(/(.{4})(?=.)/g, '$1 ') })
            : issuer.iban,
          '  BIC ',
          billing ? draft.piece('bic', issuer.bic) : issuer.bic,
        ]
      : [
          `${issuer.bank}  ${labels.account[scene.region.language][0]} `,
          billing ? draft.piece('bank_account_number', issuer.account) : issuer.account,
        ];
    const detailed = type !== 'delivery_note';
    const tag = (detail: string, text: string): Piece => (detailed ? draft.piece(`${role}_${detail}`, text) : { text });
    const taxId: (string | Piece)[] = [
      `${issuer.taxId.caption} `,
      detailed
        ? draft.piece(`${role}_tax_id`, { value: issuer.taxId.text.replaceAll(' ', ''), text: issuer.taxId.text })
        : issuer.taxId.text,
    ];
    const x0 = layout === 'sidebar' ? left + 142 : left;
    if (this.footerForm === 'line') {
      sheet.line(x0, bottom - 14, right, bottom - 14, { color: tint(gray, 0.6) });
      sheet.pieces((x0 + right) / 2, bottom - 4, bankPieces, { sizePoints: size, align: 'center', color: gray });
      sheet.pieces((x0 + right) / 2, bottom + 6, [...taxId, '   ', issuer.address.lines.join(', ')], {
        sizePoints: size,
        align: 'center',
        color: gray,
      });
      return bottom - 18;
    }
    const third = (right - x0) / 3;
    sheet.line(x0, bottom - 34, right, bottom - 34, { color: theme.accent });
    drawLines(
      sheet,
      x0,
      bottom - 25,
      [draft.piece(`${role}_name`, issuer.name), ...draft.lines(`${role}_address`, issuer.address.lines)],
      { sizePoints: size, color: gray },
    );
    const contact = [
      [{ text: 'Tel. ' }, tag('phone', issuer.phone)],
      [tag('email', issuer.email)],
      type === 'purchase_order' ? [{ text: issuer.website }] : [tag('website', issuer.website)],
    ];
    drawLines(sheet, x0 + third, bottom - 25, contact, { sizePoints: size, color: gray });
    const bankLines: Piece[][] = issuer.iban
      ? [
          [{ text: issuer.bank }],
          [{ text: 'IBAN ' }, bankPieces[1] as Piece].map((piece) =>
            typeof piece === 'string' ? { text: piece } : piece,
          ),
          [{ text: 'BIC ' }, typeof bankPieces[3] === 'string' ? { text: bankPieces[3] } : bankPieces[3]!],
        ]
      : [
          [{ text: issuer.bank }],
          bankPieces.map((piece) => (typeof piece === 'string' ? { text: piece } : piece)).slice(1),
        ];
    drawLines(
      sheet,
      x0 + 2 * third,
      bottom - 25,
      [...bankLines, taxId.map((piece) => (typeof piece === 'string' ? { text: piece } : piece))],
      { sizePoints: size, color: gray },
    );
    return bottom - 38;
  }

  private drawPageNumbers(): void {
    const { scene, sheet, right } = this;
    if (sheet.pages.length === 1 && scene.random.chance(0.6)) return;
    const [page, of] = [scene.say(labels.page), scene.say(labels.of)];
    const form = scene.random.pick(['of', 'slash']);
    sheet.eachPage((number, count) => {
      sheet.text(
        right,
        sheet.height - 16,
        form === 'of' ? `${page} ${number} ${of} ${count}` : `${page} ${number}/${count}`,
        { sizePoints: 7, align: 'right', color: gray },
      );
    });
  }
}

const numberFields: Readonly<Record<TradeType, string>> = {
  invoice: 'invoice_number',
  credit_note: 'credit_note_number',
  purchase_order: 'order_number',
  quote: 'quote_number',
  delivery_note: 'delivery_number',
};

const prefixes: Readonly<Record<TradeType, readonly string[]>> = {
  invoice: ['INV', 'RE', 'R', 'F', 'FA', 'RG', 'IN', 'FT'],
  credit_note: ['CN', 'GS', 'AV', 'NC', 'CR'],
  purchase_order: ['PO', 'B', 'BC', 'OC', 'ORD'],
  quote: ['Q', 'AN', 'QU', 'D', 'OFF', 'EST'],
  delivery_note: ['DN', 'LS', 'BL', 'ALB', 'PB', 'DDT'],
};

const details = {
  en: [
    'incl. installation material',
    'colour: black, warranty 24 months',
    'as discussed on the phone',
    'project phase 2',
    'for head office',
  ],
  de: [
    'inkl. Montagematerial',
    'Farbe: schwarz, Garantie 24 Monate',
    'wie telefonisch besprochen',
    'Projektphase 2',
    'für Hauptsitz',
  ],
  fr: ['y compris petit matériel', 'coloris noir, garantie 24 mois', 'selon notre entretien', 'phase 2 du projet'],
  es: ['incluye material de montaje', 'color negro, garantía 24 meses', 'según lo acordado', 'fase 2 del proyecto'],
  it: ['incluso materiale di montaggio', 'colore nero, garanzia 24 mesi', 'come da accordi', 'fase 2 del progetto'],
  pt: ['inclui material de montagem', 'cor preta, garantia 24 meses', 'conforme acordado', 'fase 2 do projeto'],
  nl: ['incl. montagemateriaal', 'kleur zwart, garantie 24 maanden', 'zoals besproken', 'projectfase 2'],
};

const attention = {
  en: ['Attn:', 'Attn', 'c/o'],
  de: ['z. Hd.', 'Herrn', 'Frau'],
  fr: ["À l'attention de", 'M.', 'Mme'],
  es: ['A la atención de', 'Att.:'],
  it: ['Alla c.a. di', 'c.a.'],
  pt: ['A/C', 'Ao cuidado de'],
  nl: ['t.a.v.', 'T.a.v.'],
};

const termsShort = {
  en: ['Net 30', '30 days net', 'Due on receipt', 'Net 14 days', '2/10 net 30', 'Net 60'],
  de: ['30 Tage netto', '14 Tage netto', 'sofort ohne Abzug', '10 Tage 2 % Skonto, 30 Tage netto', 'zahlbar sofort'],
  fr: ['30 jours net', '30 jours fin de mois', 'À réception', '45 jours'],
  es: ['30 días', 'Al contado', 'Transferencia a 30 días', '60 días fecha factura'],
  it: ['30 gg data fattura', 'Bonifico 30 gg', 'Rimessa diretta', '60 gg d.f.f.m.'],
  pt: ['30 dias', 'Pronto pagamento', 'Transferência 30 dias'],
  nl: ['14 dagen', '30 dagen netto', 'Binnen 14 dagen'],
};

const openings = {
  en: {
    greeting: 'Dear Sir or Madam,',
    invoice: 'we charge you for our deliveries and services as follows:',
    quote: 'thank you for your enquiry. We are pleased to offer you the following:',
    purchase_order: 'please supply the following goods on the terms stated below:',
  },
  de: {
    greeting: 'Sehr geehrte Damen und Herren,',
    invoice: 'für unsere Lieferungen und Leistungen berechnen wir Ihnen wie folgt:',
    quote: 'vielen Dank für Ihre Anfrage. Gerne unterbreiten wir Ihnen folgendes Angebot:',
    purchase_order: 'hiermit bestellen wir bei Ihnen zu den unten genannten Bedingungen:',
  },
  fr: {
    greeting: 'Madame, Monsieur,',
    invoice: 'veuillez trouver ci-dessous le détail de nos prestations :',
    quote: "suite à votre demande, nous vous proposons l'offre suivante :",
    purchase_order: 'nous vous prions de nous livrer les articles suivants :',
  },
  es: {
    greeting: 'Estimados señores:',
    invoice: 'les facturamos los siguientes conceptos:',
    quote: 'agradecemos su solicitud y les ofrecemos lo siguiente:',
    purchase_order: 'rogamos nos suministren los siguientes artículos:',
  },
  it: {
    greeting: 'Gentile Cliente,',
    invoice: 'Le addebitiamo quanto segue:',
    quote: 'ringraziando per la richiesta, Le sottoponiamo la nostra offerta:',
    purchase_order: 'Vi preghiamo di fornirci quanto segue:',
  },
  pt: {
    greeting: 'Exmos. Senhores,',
    invoice: 'faturamos a V. Exas. os seguintes artigos e serviços:',
    quote: 'agradecemos o vosso pedido e propomos o seguinte:',
    purchase_order: 'agradecemos o fornecimento dos seguintes artigos:',
  },
  nl: {
    greeting: 'Geachte heer/mevrouw,',
    invoice: 'hierbij brengen wij u het volgende in rekening:',
    quote: 'hartelijk dank voor uw aanvraag. Wij bieden u graag het volgende aan:',
    purchase_order: 'hierbij bestellen wij de volgende artikelen:',
  },
};

import type {
  BankAccount,
  Buyer,
  InvoiceDocument,
  InvoiceLanguage,
  InvoiceLine,
  Seller,
  TaxCategory,
  TaxTotal,
} from './document.ts';

/** A source of numbers in [0, 1) that is the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

type MinorUnit = InvoiceDocument['minorUnit'];

const currencies: readonly (readonly [currency: string, minorUnit: MinorUnit])[] = [
  ['EUR', 2],
  ['USD', 2],
  ['JPY', 0],
  ['GBP', 2],
  ['KWD', 3],
  ['CHF', 2],
  ['EUR', 2],
  ['KRW', 0],
  ['SEK', 2],
  ['BHD', 3],
  ['PLN', 2],
];

type Rate = readonly [category: TaxCategory, rate: string];

/** What lines of one document are taxed with. */
const taxations: readonly (readonly Rate[])[] = [
  [['S', '19']],
  [
    ['S', '19'],
    ['S', '7'],
  ],
  [['AE', '0']],
  [['S', '8.1']],
  [['Z', '0']],
  [['E', '0']],
  [['G', '0']],
  [['O', '0']],
  [['K', '0']],
  [
    ['S', '20'],
    ['Z', '0'],
    ['E', '0'],
  ],
];

const seller: Seller = {
  name: 'Nordwind Analytics GmbH',
  registration: 'HRB 204518 B',
  vatId: 'DE811907980',
  taxNumber: '27/123/45678',
  email: 'billing@nordwind-analytics.example',
  phone: '+49 30 5550 1420',
  contactName: 'Mara Lindqvist',
  address: { lines: ['Invalidenstraße 117'], postalCode: '10115', city: 'Berlin', countryCode: 'DE' },
  bank: { iban: 'DE75 5121 0800 1245 1261 99', bic: 'SOGEDEFF', accountName: 'Nordwind Analytics GmbH' },
};

const buyers: readonly Buyer[] = [
  {
    name: 'Harbour & Finch Ltd',
    contactName: 'Accounts Payable',
    vatId: 'GB927516248',
    email: 'ap@harbourfinch.example',
    reference: 'PO-77120',
    address: { lines: ['14 Mariner Street', 'Floor 3'], postalCode: 'EH6 6QQ', city: 'Edinburgh', countryCode: 'GB' },
  },
  {
    name: 'Kanzlei Öztürk, Weißmüller & Partner mbB',
    vatId: 'DE129274202',
    email: 'rechnung@oewp.example',
    reference: '04011000-1234512345-06',
    address: { lines: ['Große Elbstraße 9'], postalCode: '22767', city: 'Hamburg', countryCode: 'DE' },
  },
  {
    name: 'Société Générale des Données S.A.',
    vatId: 'FR40303265045',
    email: 'factures@sgd.example',
    address: { lines: ['8 rue de la Paix'], postalCode: '75002', city: 'Paris', countryCode: 'FR' },
  },
  {
    name: 'Łukasz Żółć Usługi Informatyczne',
    contactName: 'Łukasz Żółć',
    vatId: 'PL5252344078',
    email: 'biuro@zolc.example',
    address: { lines: ['ul. Świętokrzyska 18/4'], postalCode: '00-052', city: 'Warszawa', countryCode: 'PL' },
  },
];

type Random = () => number;

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Names by language: group, fee, set-up, requests, packages, tiers, flat fee of a tier, minimum, maximum, late. */
const words = {
  en: {
    groups: ['Document extraction · Growth', 'Geocoding API · Pay as you go', 'Translation API · Tiered'],
    fee: 'Monthly fee',
    setup: 'Set-up fee',
    requests: 'Requests',
    pages: 'Pages',
    package: 'Packages of 1,000 requests',
    tier: 'Requests 10,001 to 100,000',
    flat: 'Flat fee of the tier from 10,001 requests',
    minimum: 'Difference to the minimum spend',
    maximum: 'Reduction to the maximum spend',
    late: 'Requests received late',
    trial: 'Requests within the allowance',
  },
  de: {
    groups: ['Dokumentenauslese · Wachstum', 'Geokodierung · Nach Verbrauch', 'Übersetzung · Staffelpreise'],
    fee: 'Grundgebühr',
    setup: 'Einrichtung',
    requests: 'Anfragen',
    pages: 'Seiten',
    package: 'Pakete zu 1.000 Anfragen',
    tier: 'Anfragen 10.001 bis 100.000',
    flat: 'Pauschale der Staffel ab 10.001 Anfragen',
    minimum: 'Differenz zum Mindestumsatz',
    maximum: 'Minderung auf den Höchstumsatz',
    late: 'Nachgemeldete Anfragen',
    trial: 'Anfragen im Freikontingent',
  },
} as const;

/** Quantity × price, rounded half away from zero, on whole numbers: the price has six decimals at most. */
function amountOf(quantity: number, unitPrice: string, minorUnit: MinorUnit, step: number): number {
  const [whole = '0', fraction = ''] = unitPrice.split('.');
  const micros = BigInt(whole + fraction.padEnd(6, '0'));
  const divisor = 10n ** BigInt(6 - minorUnit) * BigInt(step);
  const product = BigInt(Math.abs(quantity)) * micros * 2n + divisor;
  return Number(product / (divisor * 2n)) * step * Math.sign(quantity);
}

interface LineShape {
  readonly name: string;
  readonly quantity: number;
  readonly unitPrice: string;
  readonly isLate?: boolean;
}

/** Lines as every kind of plan makes them. */
function shapesOf(random: Random, language: InvoiceLanguage, minorUnit: MinorUnit): readonly LineShape[] {
  const word = words[language];
  const fee = minorUnit === 0 ? String(between(random, 900, 90_000)) : `${between(random, 9, 900)}.50`;
  return [
    { name: word.fee, quantity: 1, unitPrice: fee },
    { name: word.setup, quantity: 1, unitPrice: String(between(random, 10, 500)) },
    { name: word.requests, quantity: between(random, 1_000, 9_000_000), unitPrice: '0.0004' },
    { name: word.pages, quantity: between(random, 1, 50_000), unitPrice: '0.067' },
    { name: word.package, quantity: between(random, 1, 40), unitPrice: '12.5' },
    { name: word.tier, quantity: between(random, 1, 90_000), unitPrice: '0.000125' },
    { name: word.flat, quantity: 1, unitPrice: '25' },
    { name: word.minimum, quantity: 1, unitPrice: String(between(random, 1, 99)) },
    { name: word.maximum, quantity: 1, unitPrice: `-${between(random, 1, 9)}` },
    { name: word.late, quantity: between(random, 1, 5_000), unitPrice: '0.01', isLate: true },
    { name: word.trial, quantity: between(random, 1, 1_000), unitPrice: '0' },
  ];
}

function linesOf(
  random: Random,
  rates: readonly Rate[],
  options: { readonly language: InvoiceLanguage; readonly minorUnit: MinorUnit; readonly step: number },
): readonly InvoiceLine[] {
  const { language, minorUnit, step } = options;
  const groups = words[language].groups.slice(0, between(random, 1, 3));
  return groups.flatMap((group) => {
    const shapes = shapesOf(random, language, minorUnit);
    const chosen = shapes.filter((_, index) => index === 0 || random() < 0.5);
    return chosen.map((shape): InvoiceLine => {
      const [taxCategory, taxRate] = pick(random, rates);
      const sign = shape.unitPrice.startsWith('-') ? -1 : 1;
      return {
        group,
        name: shape.name,
        description: random() < 0.3 ? 'POST /v1/documents, GET /v1/documents/{id}' : '',
        quantity: String(shape.quantity),
        unitCode: 'C62',
        unitPrice: shape.unitPrice,
        amountMinor: amountOf(sign * shape.quantity, shape.unitPrice.replace('-', ''), minorUnit, step),
        taxCategory,
        taxRate,
        period: shape.isLate ? { from: '2026-09-01', to: '2026-09-30' } : null,
      };
    });
  });
}

function taxTotalsOf(lines: readonly InvoiceLine[], step: number): readonly TaxTotal[] {
  const totals = new Map<string, TaxTotal>();
  for (const { taxCategory: category, taxRate: rate, amountMinor } of lines) {
    const key = `${category} ${rate}`;
    const basisMinor = (totals.get(key)?.basisMinor ?? 0) + amountMinor;
    const taxMinor = Math.round((basisMinor * Number(rate)) / 100 / step) * step;
    totals.set(key, { category, rate, basisMinor, taxMinor, exemptionReason: null });
  }
  return [...totals.values()];
}

/** Completes a document with its sums; its lines decide them. */
export function withTotals(
  document: Omit<InvoiceDocument, 'taxes' | 'linesMinor' | 'taxMinor' | 'totalMinor' | 'dueMinor'>,
  step = 1,
): InvoiceDocument {
  const taxes = taxTotalsOf(document.lines, step);
  const linesMinor = document.lines.reduce((sum, line) => sum + line.amountMinor, 0);
  const taxMinor = taxes.reduce((sum, tax) => sum + tax.taxMinor, 0);
  const totalMinor = linesMinor + taxMinor;
  return { ...document, taxes, linesMinor, taxMinor, totalMinor, dueMinor: totalMinor - document.paidMinor };
}

/**
 * An invoice or credit note, the same for the same number. Consecutive numbers go through languages, currencies, tax
 * categories, kinds of lines and states of payment in different rhythms, so that they meet in all combinations.
 */
export function generateInvoice(index: number): InvoiceDocument {
  const random = randomNumbers(index + 1);
  const language = index % 2 === 0 ? 'en' : 'de';
  const [currency, minorUnit] = currencies[index % currencies.length]!;
  const rates = taxations[Math.floor(index / 2) % taxations.length]!;
  const isCreditNote = index % 5 === 4;
  // Every second document with three decimals has amounts that two decimals can express.
  const step = minorUnit === 3 && index % 4 < 2 ? 10 : 1;
  const lines = linesOf(random, rates, { language, minorUnit, step });
  const bank: BankAccount | null = index % 7 === 6 ? null : seller.bank;
  const unpaid = withTotals(
    {
      kind: isCreditNote ? 'credit_note' : 'invoice',
      number: `${isCreditNote ? 'CN' : 'INV'}-2026-${String(index + 1).padStart(5, '0')}`,
      issueDate: '2026-11-02',
      dueDate: isCreditNote ? null : '2026-11-16',
      period: index % 6 === 5 ? null : { from: '2026-10-01', to: '2026-10-31' },
      currency,
      minorUnit,
      language,
      seller: { ...seller, bank },
      buyer: buyers[index % buyers.length]!,
      lines,
      paidMinor: 0,
      precedingInvoice: isCreditNote ? { number: 'INV-2026-00001', issueDate: '2026-10-02' } : null,
      notes:
        random() < 0.3 ? [language === 'de' ? 'Vielen Dank für Ihr Vertrauen.' : 'Thank you for your business.'] : [],
      paymentTerms: isCreditNote
        ? language === 'de'
          ? 'Der Betrag wird auf Ihr Konto überwiesen.'
          : 'The amount is transferred to your account.'
        : language === 'de'
          ? 'Zahlbar innerhalb von 14 Tagen ohne Abzug.'
          : 'Payable within 14 days.',
      logo: null,
    },
    step,
  );
  if (isCreditNote) return unpaid;
  const paidShare = [0, 0, 0.5, 1][index % 4]!;
  const paidMinor = Math.floor((unpaid.totalMinor * paidShare) / step) * step;
  return { ...unpaid, paidMinor, dueMinor: unpaid.totalMinor - paidMinor };
}

import { foldText } from '../candidates/date.ts';

const mayNameCurrency = /eur|usd|gbp|chf|myr|rm|dkk|sek|nok|cad|aud/;

/** What OCR makes of a pound's or euro's sign in parentheses: `Paid out(E)`. */
const signReadAsLetter = /\([efc]\)/gu;

/**
 * A text as captions are compared: folded, words of letters, digits, `%` and `#` with one blank between, currencies
 * left out (`Einzel/€` and `Einzel (EUR)` are both `einzel`).
 */
export function captionForm(text: string): string {
  const form = foldText(text)
    .replace(signReadAsLetter, ' ')
    .replace(/[^\p{L}\p{N}%#]+/gu, ' ')
    .trim();
  if (!mayNameCurrency.test(form)) return form;
  return form
    .replace(
      /(?<![\p{L}\p{N}])(?:eur|euro|usd|gbp|chf|myr|rm|dkk|sek|nok|cad|aud|in eur|in euro)(?![\p{L}\p{N}])/gu,
      ' ',
    )
    .replace(/\s+/g, ' ')
    .trim();
}

/** Headings of a column of ordinals, which is no value of an item. */
export const ordinalCaptions = [
  'pos',
  'position',
  'pos.',
  'nr',
  'nr.',
  'no',
  'no.',
  'n°',
  'nº',
  '#',
  'lfd. nr.',
  's. no',
  's.no',
  'sl no',
  'sr no',
  'sr.',
  'line',
  'line no',
  'ln',
  'n.',
  'riga',
  'línea',
  'ligne',
  'regel',
  'linha',
  'item #',
  'pos nr',
  'pos.-nr.',
] as const;

/** Headings of a bank statement's column with both outgoing and incoming amounts, distinguished by sign or mark. */
export const signedAmountCaptions = [
  'amount',
  'transaction amount',
  'betrag',
  'umsatz',
  'umsätze',
  'betrag in eur',
  'montant',
  'importe',
  'importo',
  'movimento importo',
  'valor',
  'montante',
  'bedrag',
  'bedrag (eur)',
  'withdrawals & deposits',
  'withdrawals/deposits',
  'amount (+/-)',
  'af/bij',
] as const;

const totalWords = [
  // en
  'total',
  'totals',
  'sub total',
  'purchase subtotal',
  'subtotal',
  'sub-total',
  'grand total',
  'net total',
  'net amount',
  'amount due',
  'pay this amount',
  'please pay this amount',
  'please pay',
  'balance due',
  'balance',
  'total due',
  'net',
  'gross',
  'tax',
  'sales tax',
  'vat',
  'gst',
  'hst',
  'pst',
  'invoice total',
  'invoice amount',
  'order total',
  'total amount',
  'amount paid',
  'paid',
  'payment',
  'payments',
  'cash',
  'change',
  'change due',
  'tendered',
  'rounding',
  'rounding adj',
  'rounding adjustment',
  'visa',
  'mastercard',
  'master card',
  'amex',
  'card',
  'credit card',
  'debit card',
  'debit',
  'tip',
  'gratuity',
  'fuel sale',
  'fuel total',
  'service charge',
  'svc chg',
  'taxable',
  'tax invoice total',
  'total sales',
  'total excl',
  'total incl',
  'total qty',
  'total quantity',
  'total items',
  'item count',
  'no of items',
  'items',
  'discount total',
  'total discount',
  'total savings',
  'excl',
  'incl',
  'excluding',
  'including',
  'deposit',
  'gst summary',
  'less',
  'amount payable',
  'nett',
  'nett total',
  'cgst',
  'sgst',
  'igst',
  'utgst',
  'round off',
  'nett amount',
  'bill total',
  'bill amount',
  'due',
  'invoice discount',
  'residual',
  'included',
  'postage',
  'shipping',
  'freight',
  'delivery charge',
  'plus gst',
  'plus vat',
  'plus tax',
  'add gst',
  'add vat',
  'incl tax',
  // sv, da, no, pl
  'moms',
  'mva',
  'sum',
  'summa',
  'i alt',
  'å betale',
  'at betale',
  'att betala',
  'totalt',
  'razem',
  'ogółem',
  'do zapłaty',
  'suma',
  'suma ptu',
  'ptu',
  'sprzedaż opodatk',
  'sprzedaż opodatkowana',
  'sprzed opod',
  // de
  'summe',
  'zwischensumme',
  'zwischentotal',
  'gesamt',
  'gesamtbetrag',
  'gesamtbeitrag',
  'rechnungsbeitrag',
  'zu zahlender beitrag',
  'versicherungsteuer',
  'versicherungssteuer',
  'gesamtsumme',
  'gesamtpreis',
  'gesamt netto',
  'gesamt brutto',
  'nettobetrag',
  'nettosumme',
  'netto',
  'brutto',
  'bruttobetrag',
  'bruttosumme',
  'rechnungsbetrag',
  'rechnungssumme',
  'endbetrag',
  'endsumme',
  'zahlbetrag',
  'positionssumme',
  'warenwert',
  'mwst',
  'ust',
  'umsatzsteuer',
  'mehrwertsteuer',
  'zzgl',
  'zuzugl',
  'zuzuglich',
  'inkl',
  'enthaltene',
  'enth',
  'enthalten',
  'darin enthalten',
  'steuerbetrag',
  'steuer',
  'zu zahlen',
  'zahlbar',
  'offener betrag',
  'bar',
  'ruckgeld',
  'trinkgeld',
  'bezahlt',
  'fahrpreis',
  'gegeben',
  'ec karte',
  'kartenzahlung',
  'versandkosten',
  'nettowert',
  'betrag netto',
  'rechnungsrabatt',
  'abzgl',
  'leergutwert',
  'auftragssumme',
  'angebotssumme',
  'betrag',
  // fr
  'total ht',
  'total ttc',
  'sous total',
  'sous-total',
  'montant total',
  'montant ht',
  'montant ttc',
  'net a payer',
  'tva',
  'dont tva',
  'dont',
  'total tva',
  'total general',
  'a payer',
  'reste a payer',
  'acompte',
  'especes',
  'rendu',
  'carte bancaire',
  'frais de port',
  'remise totale',
  // es
  'base imponible',
  'iva',
  'importe total',
  'suma',
  'total a pagar',
  'total factura',
  'a pagar',
  'efectivo',
  'cambio',
  'tarjeta',
  'total bruto',
  'total neto',
  'base',
  'cuota iva',
  'irpf',
  // it
  'totale',
  'subtotale',
  'imponibile',
  'totale imponibile',
  'imposta',
  'totale documento',
  'totale fattura',
  'netto a pagare',
  'da pagare',
  'contanti',
  'resto',
  'totale iva',
  'di cui iva',
  'di cui',
  'totale complessivo',
  // pt
  'subtotal',
  'total iliquido',
  'total liquido',
  'valor total',
  'valor a pagar',
  'total do documento',
  'incidencia',
  'troco',
  'inclui',
  'valor liquido',
  'valor iliquido',
  'valor',
  'iss',
  'dinheiro',
  'multibanco',
  'total iva',
  'total geral',
  'soma',
  // nl
  'subtotaal',
  'totaal',
  'totaalbedrag',
  'btw',
  'te betalen',
  'te voldoen',
  'excl btw',
  'incl btw',
  'totaal excl',
  'totaal incl',
  'contant',
  'wisselgeld',
  'pin',
  'bankpas',
  'verzendkosten',
  'eindtotaal',
].map(captionForm);

const carryOverWords = [
  'carried forward',
  'brought forward',
  'carry over',
  'carried over',
  'continued',
  'page total',
  'page subtotal',
  'balance forward',
  'amount carried forward',
  'ubertrag',
  'seitensumme',
  'zwischensumme',
  'fortsetzung',
  'saldovortrag',
  'vortrag',
  'report',
  'a reporter',
  'sous total',
  'total page',
  'suma y sigue',
  'suma anterior',
  'suma pagina',
  'sigue',
  'riporto',
  'a riportare',
  'totale pagina',
  'transporte',
  'a transportar',
  'transportado',
  'total da pagina',
  'overdracht',
  'over te brengen',
  'transporteren',
].map(captionForm);

/** `TOTAL` as OCR reads it on a faint print. */
const misreadTotal = /^(?:(?:sub ?)?[ti][o0ac][ti1l][aeo4][l1i]|[ti]?[o0]ta[l1i]?)(?!\p{L})/u;
const totalPattern = startsWithOneOf(totalWords);
const carryOverPattern = startsWithOneOf(carryOverWords);
const discountPattern =
  /(?<!\p{L})(?:discount|disc|rebate|rabatt|nachlass|abschlag|skonto|remise|rabais|reduction|descuento|dto|sconto|desconto|korting|promo|promotion|coupon|offer|save|saving|savings|clubcard|nectar|cc(?= £?\d)|multibuy|2 for|3 for)(?!\p{L})/u;

function startsWithOneOf(words: readonly string[]): RegExp {
  const alternatives = [...new Set(words)]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(' ', ' ?'));
  return new RegExp(`^(?:${alternatives.join('|')})(?![\\p{L}])`, 'u');
}

/** Whether a row's label is that of a sum, a tax or a payment, which no item has. */
export function isTotalLabel(label: string): boolean {
  const form = captionForm(label)
    .replace(/^[\d%# ]+/, '')
    .replace(/^(?:output|input|add|plus) (?=\p{L})/u, '');
  return totalPattern.test(form) || misreadTotal.test(form) || carryOverPattern.test(form);
}

/** Whether a row only carries a sum from page to page, so that items follow it. */
export function isCarryOver(label: string): boolean {
  return carryOverPattern.test(captionForm(label));
}

const unpricedPattern =
  /^(?:no charge|n\/c|free(?: of charge)?|included|complimentary|(?:not|non) charged|offerte?s?|incluse?s?|gratuite?s?|kostenlos|kostenfrei|inklusive|gratis|incluid[oa]s?|incluso|omaggio|gratuito)$/u;

/** Whether a text stands where what an item costs does, and says that it costs nothing. */
export function isUnpriced(text: string): boolean {
  return unpricedPattern.test(foldText(text).trim());
}

/** Whether a row names a discount. */
export function namesDiscount(label: string): boolean {
  return discountPattern.test(foldText(label));
}

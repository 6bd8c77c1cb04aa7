import { foldText } from '../candidates/date.ts';

/**
 * Groups of words whose presence in or around a candidate indicates its meaning in several languages. A group matches
 * whole words, after folding; the name is the feature's.
 */
const groups = {
  total:
    'total|totals|tot|ttl|totl|summe|gesamt|gesamtbetrag|gesamtsumme|totaal|totale|jumlah|endbetrag|rechnungsbetrag|amt|amount|montant|importe|importo|valor|bedrag|betrag',
  grand: 'grand|nett|net|final|overall|complessivo|general|brutto|sum',
  sub: 'sub|subtotal|zwischensumme|sous|subtotaal|subtotale|imponible|imponibile|netto|nettobetrag|before|base',
  tax: 'tax|gst|vat|sst|mwst|ust|umsatzsteuer|mehrwertsteuer|tva|iva|btw|cukai|steuer|taxes|cgst|sgst|igst|hst|pst',
  rounding: 'round|rounding|rounded|rnd|rounder|adj|adjustment|pembulatan|atf|aft|after|rounddown',
  cash: 'cash|tunai|bar|especes|efectivo|contanti|contant|dinheiro|tendered|tender|paid|gegeben|payment|received|recd|pay',
  change: 'change|baki|ruckgeld|wechselgeld|rendu|cambio|resto|troco|wisselgeld|balance',
  discount: 'disc|discount|rabatt|skonto|remise|descuento|sconto|desconto|korting|nachlass|less|rebate|voucher',
  inclusive: 'incl|inclusive|inkl|inc|ttc|included|inclusief|compris|incluido|including',
  exclusive: 'excl|exclusive|exkl|ht|excluding|excluded|exclusief|without|excluido|ohne|zzgl',
  quantity: 'qty|quantity|menge|item|items|pcs|unit|units|count|anzahl|qte|cantidad|aantal|pieces',
  due: 'due|payable|zahlbar|payer|pagar|betalen|pagare|outstanding|zahlbetrag|falliger|owing',
  card: 'visa|master|mastercard|card|amex|debit|credit|maestro|girocard|karte|carte|tarjeta|carta|nets|ccard',
  price: 'price|preis|prix|precio|prezzo|preco|prijs|each|rate|rsp|einzelpreis',
  summary: 'summary|code|sr|zr|zrl|zre|srg|zp|taxable|breakdown',
  saving: 'saving|savings|saved|save|points|point|bonus|member',
  shipping:
    'shipping|freight|delivery|versand|versandkosten|porto|livraison|envio|spedizione|trasporto|verzendkosten|handling|carriage|fracht',
  service: 'service|svc|srv|tip|gratuity|trinkgeld|charge|chg',
  company:
    'sdn|bhd|berhad|gmbh|ltd|limited|llc|inc|corp|corporation|enterprise|enterprises|trading|ag|kg|ohg|ug|ek|sarl|sas|sa|srl|spa|bv|nv|lda|ltda|co|company|plc|pte|pty|group|holdings|holding|gbr|sl|sasu|eurl',
  business:
    'restaurant|restoran|restaurante|kedai|mart|store|stores|shop|bakery|bakeries|hardware|stationery|cafe|kopitiam|market|supermarket|pharmacy|clinic|hotel|station|syarikat|perniagaan|pasar|mini|food|foods|seafood|book|cash|carry|sons|motor|electrical|industries|machinery|marketing|distributor|distribution|services|bank|versicherung|verlag|apotheke|house|fresh|pizza|coffee|tea|cake|village|garden|centre|center',
  street:
    'jalan|jln|lorong|street|st|road|rd|avenue|ave|lane|drive|blvd|boulevard|strasse|str|weg|platz|allee|gasse|rue|avenida|calle|via|viale|piazza|rua|straat|laan|plein|lot|no|floor|flr|ground|level|suite|block|blok|unit|box|plaza|mall|tower|menara|batu|km|persiaran|lebuh|leboh|place|square|court|way|chemin|impasse|route|praca|largo|paseo|plaza|gf|lg',
  place:
    'taman|tmn|bandar|bdr|kampung|kg|seksyen|section|selangor|johor|kuala|lumpur|shah|alam|penang|perak|klang|cheras|skudai|bahru|jaya|petaling|puchong|kajang|sentul|setapak|kepong|masai|wilayah|persekutuan|malaysia|darul|ehsan|kawasan|perindustrian|industri|industrial|park|desa|mukim|subang|pj|kl|balakong|seri|sri|melaka|sarawak|sabah|ipoh|dengkil|batu|deutschland|germany|france|espana|italia|portugal|nederland|city|town|state|usa|uk',
  telephone:
    'tel|telephone|telefon|phone|fax|telefax|mobile|hp|tlf|whatsapp|whatsapps|hotline|contact|fon|call|careline|faks',
  registration:
    'reg|registration|roc|co|company|gst|brn|ssm|id|ust|vat|siret|hrb|handelsregister|amtsgericht|uid|kvk|license|licence|permit',
  title:
    'invoice|receipt|bill|rechnung|facture|factura|fattura|fatura|factuur|quittung|slip|statement|simplified|copy|original|duplicate|quote|order|credit|note|gutschrift|resit|reprint|reprinted',
  date: 'date|datum|tarikh|fecha|data|dated|dato|vom|am|on|le',
  due_date:
    'due|fallig|faellig|falligkeit|echeance|vencimiento|scadenza|vencimento|vervaldatum|pay|zahlbar|payable|until|by|bis',
  time: 'time|uhrzeit|masa|heure|hora|zeit|tijd|am|pm|mon|tue|wed|thu|fri|sat|sun',
  delivery:
    'delivery|liefer|lieferung|lieferdatum|leistung|leistungsdatum|period|zeitraum|from|to|von|livraison|entrega|service|start|end|periode',
  birth:
    'birth|dob|geburtsdatum|geboren|naissance|nacimiento|nascita|nascimento|geboorte|born|expiry|expires|issue|issued|valid|gultig|expiration|exp',
  number: 'no|nr|num|number|nummer|numero|ref|reference|id|doc|document|trn|trans|txn|n',
  cashier:
    'cashier|salesperson|sales|server|counter|operator|user|staff|served|bediener|kassierer|caissier|table|tbl|pos|terminal|shift|guest|pax|member|agent',
  customer:
    'bill|sold|billed|customer|client|kunde|kunden|cliente|klant|attn|attention|buyer|kaufer|recipient|payer|patient|employee|name|mr|mrs|ms|dr|herr|frau|kundennummer',
  ship: 'ship|shipping|deliver|lieferadresse|lieferanschrift|consignee|destination|receiver|delivery|versand',
  vendor:
    'from|seller|vendor|supplier|verkaufer|lieferant|remit|payee|issuer|emisor|absender|merchant|owned|verkaeufer',
  bank: 'bank|iban|bic|swift|account|konto|kontonummer|blz|bankverbindung|sparkasse|volksbank|cuenta|conto|compte',
  thanks:
    'thank|thanks|welcome|please|visit|goods|sold|returnable|refundable|exchange|terima|kasih|merci|gracias|grazie|obrigado|bedankt|danke|again|terms|conditions',
  web: 'www|http|https|com|email|mail|facebook|website',
} as const;

export type LexiconGroup = keyof typeof groups;

/** The names of the groups, in the order of their bits. */
export const lexiconGroups = Object.keys(groups) as readonly LexiconGroup[];

/** One bit for each group, over two 31-bit words, that some word of the text belongs to. */
export interface LexiconBits {
  readonly low: number;
  readonly high: number;
}

export const noBits: LexiconBits = { low: 0, high: 0 };

const bitsByWord: ReadonlyMap<string, LexiconBits> = (() => {
  const map = new Map<string, LexiconBits>();
  lexiconGroups.forEach((group, index) => {
    const bit = index < 31 ? { low: 1 << index, high: 0 } : { low: 0, high: 1 << (index - 31) };
    for (const word of groups[group].split('|')) map.set(word, unite(map.get(word) ?? noBits, bit));
  });
  return map;
})();

/** Returns the groups that the words of a text belong to. */
export type Lexicon = (text: string) => LexiconBits;

/** A lexicon that looks each text up once: made for one document, whose lines share their words. */
export function createLexicon(): Lexicon {
  const texts = new Map<string, LexiconBits>();
  return (text) => {
    let bits = texts.get(text);
    if (!bits) {
      bits = noBits;
      for (const word of foldText(text).match(/\p{L}+/gu) ?? []) bits = unite(bits, bitsOfWord(word));
      texts.set(text, bits);
    }
    return bits;
  };
}

/** OCR glues words (`TOTALSALES`), so a long one that is unknown is tried for its beginning. */
function bitsOfWord(word: string): LexiconBits {
  const known = bitsByWord.get(word);
  if (known || word.length < 7) return known ?? noBits;
  let bits = noBits;
  for (let length = 5; length < word.length; length += 1)
    bits = unite(bits, bitsByWord.get(word.slice(0, length)) ?? noBits);
  return bits.low === 0 && bits.high === 0 ? noBits : bits;
}

export function unite(a: LexiconBits, b: LexiconBits): LexiconBits {
  if (a === noBits) return b;
  if (b === noBits) return a;
  return { low: a.low | b.low, high: a.high | b.high };
}

export function hasBit(bits: LexiconBits, index: number): 0 | 1 {
  return (index < 31 ? (bits.low >>> index) & 1 : (bits.high >>> (index - 31)) & 1) as 0 | 1;
}

/** Writes a 1 for each group of the bits into a row of zeros, which begins at `start`. */
export function writeBits({ low, high }: LexiconBits, row: Float32Array, start: number): void {
  for (let left = low; left !== 0; left &= left - 1) row[start + 31 - Math.clz32(left & -left)] = 1;
  for (let left = high; left !== 0; left &= left - 1) row[start + 62 - Math.clz32(left & -left)] = 1;
}

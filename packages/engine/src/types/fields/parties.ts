import { captionsIn } from '../captions.ts';
import type { DocumentType, FieldDefinition } from '../definition.ts';

const captions = captionsIn({
  en: {
    seller: [
      'seller',
      'supplier',
      'vendor',
      'from',
      'bill from',
      'billed by',
      'sold by',
      'issued by',
      'remit to',
      'invoice from',
      'provider',
    ],
    buyer: [
      'bill to',
      'billed to',
      'invoice to',
      'sold to',
      'customer',
      'client',
      'buyer',
      'to',
      'bill to address',
      'billing address',
      'invoice address',
      'customer name',
      'client name',
      'attention',
      'attn',
      'for',
      'account name',
      'invoiced to',
      'issued to',
      'messrs',
      'm/s',
      'payer',
    ],
    tax_id: [
      'vat no',
      'vat number',
      'vat reg no',
      'vat registration number',
      'vat id',
      'vat',
      'tax id',
      'tax number',
      'tax no',
      'tax registration no',
      'ein',
      'fein',
      'federal tax id',
      'gst no',
      'gst reg no',
      'gst id',
      'gst registration no',
      'gstin',
      'gst number',
      'abn',
      'tin',
      'sst no',
      'sst reg no',
      'company tax id',
      'vat reg. no.',
      'gst reg. no',
    ],
    email: ['email', 'e-mail', 'mail', 'e-mail address', 'email address'],
    phone: [
      'phone',
      'tel',
      'tel.',
      'telephone',
      'phone number',
      'ph',
      'mobile',
      'call us',
      'tel no',
      'contact',
      'customer service',
      't',
    ],
    website: ['website', 'web', 'www', 'internet', 'url', 'web site', 'homepage'],
    address: ['address', 'adress', 'street address', 'mailing address', 'office', 'registered office', 'head office'],
  },
  de: {
    seller: ['verkäufer', 'lieferant', 'rechnungssteller', 'rechnungsaussteller', 'absender', 'auftragnehmer', 'von'],
    buyer: [
      'rechnung an',
      'rechnungsempfänger',
      'rechnungsadresse',
      'rechnungsanschrift',
      'kunde',
      'käufer',
      'auftraggeber',
      'empfänger',
      'an',
      'herrn',
      'frau',
      'firma',
    ],
    tax_id: [
      'ust-idnr',
      'ust-idnr.',
      'ust-id',
      'ust-id-nr.',
      'ust.-idnr.',
      'ust. id',
      'umsatzsteuer-id',
      'umsatzsteuer-identifikationsnummer',
      'steuernummer',
      'steuer-nr.',
      'steuer-nr',
      'st.-nr.',
      'st-nr',
      'uid',
      'uid-nr.',
      'mwst-nr.',
    ],
    phone: ['telefon', 'tel.-nr.', 'fon', 'handy', 'mobil', 'rufnummer', 'telefonnummer'],
    website: ['webseite'],
    address: ['adresse', 'anschrift', 'sitz', 'hauptsitz'],
  },
  fr: {
    seller: ['vendeur', 'fournisseur', 'émetteur', 'emetteur', 'prestataire', 'expéditeur', 'de'],
    buyer: [
      'facturé à',
      'facture à',
      'facturer à',
      'destinataire',
      'acheteur',
      'adresse de facturation',
      "à l'attention de",
      'à',
      'nom du client',
    ],
    tax_id: [
      'n° tva',
      'n° de tva',
      'nº tva',
      'n° tva intracommunautaire',
      'tva intracommunautaire',
      'numéro de tva',
      'tva',
      'siret',
      'siren',
      'n° siret',
      'id tva',
    ],
    email: ['courriel', 'mél'],
    phone: ['téléphone', 'tél', 'tél.', 'portable'],
    website: ['site web', 'site internet'],
    address: ['siège social', 'siège'],
  },
  es: {
    seller: ['vendedor', 'proveedor', 'emisor', 'datos del emisor', 'remitente'],
    buyer: [
      'facturar a',
      'facturado a',
      'cliente',
      'datos del cliente',
      'comprador',
      'destinatario',
      'dirección de facturación',
      'señor(es)',
      'a',
    ],
    tax_id: [
      'nif',
      'cif',
      'n.i.f.',
      'c.i.f.',
      'nif/cif',
      'cif/nif',
      'nif-iva',
      'rfc',
      'r.f.c.',
      'cuit',
      'nit',
      'ruc',
      'dni/nif',
    ],
    email: ['correo', 'correo electrónico'],
    phone: ['teléfono', 'tfno', 'tfno.', 'tlf', 'tlf.', 'móvil'],
    website: ['página web', 'sitio web'],
    address: ['dirección', 'domicilio', 'domicilio fiscal'],
  },
  it: {
    seller: ['venditore', 'fornitore', 'cedente', 'cedente/prestatore', 'emittente', 'mittente', 'da'],
    buyer: [
      'fatturare a',
      'fatturato a',
      'spettabile',
      'spett.le',
      'spett. le',
      'cessionario',
      'cessionario/committente',
      'acquirente',
      'intestatario',
      'indirizzo di fatturazione',
    ],
    tax_id: [
      'p.iva',
      'p. iva',
      'partita iva',
      'p.i.',
      'c.f.',
      'codice fiscale',
      'cod. fiscale',
      'cod.fisc.',
      'p.iva/c.f.',
      'c.f./p.iva',
    ],
    phone: ['telefono', 'cell', 'cell.', 'cellulare'],
    website: ['sito web', 'sito'],
    address: ['indirizzo', 'sede', 'sede legale', 'residenza'],
  },
  pt: {
    seller: ['fornecedor', 'emitente', 'prestador', 'vendido por'],
    buyer: [
      'faturar a',
      'faturado a',
      'exmo.(s) sr.(s)',
      'exmo(s) senhor(es)',
      'adquirente',
      'destinatário',
      'nome do cliente',
      'morada de faturação',
      'endereço de cobrança',
    ],
    tax_id: [
      'contribuinte',
      'contribuinte n.º',
      'nº contribuinte',
      'número de contribuinte',
      'nipc',
      'cnpj',
      'cpf',
      'cnpj/cpf',
      'n.º contribuinte',
      'vosso contribuinte',
    ],
    phone: ['telefone', 'telemóvel', 'contacto', 'celular'],
    address: ['morada', 'endereço', 'sede social'],
  },
  nl: {
    seller: ['verkoper', 'leverancier', 'afzender', 'van'],
    buyer: [
      'factuur aan',
      'factuuradres',
      'klant',
      'afnemer',
      'koper',
      'factureren aan',
      't.a.v.',
      'aan',
      'debiteur',
      'klantnaam',
    ],
    tax_id: [
      'btw-nummer',
      'btw nummer',
      'btw nr',
      'btw-nr',
      'btw nr.',
      'btw-nr.',
      'btw',
      'btw-id',
      'btw-identificatienummer',
      'btw id',
      'kvk',
    ],
    phone: ['telefoon', 'telefoonnummer', 'mobiel'],
    address: ['adres', 'vestigingsadres'],
  },
  later: {
    seller: ['verkauft von', 'verkauf durch', 'vendu par', 'venduto da', 'vendido por', 'verkocht door'],
    email: ['e-mailadres', 'e-mail-adresse', 'posta elettronica', 'pec', 'correio eletrónico'],
    website: ['site'],
    tax_id: ['tps', 'tps no', 'no tps', 'tps/tvh', 'gst/hst', 'gst/hst no', 'gst/hst #', 'hst no', 'hst #', 'gst #'],
  },
  sv: {
    seller: ['säljare', 'leverantör'],
    buyer: ['köpare', 'kund', 'faktureras till', 'fakturaadress', 'beställare'],
    tax_id: ['momsreg.nr', 'momsregnr', 'momsreg nr', 'momsregistreringsnummer', 'vat-nr', 'moms nr', 'momsnr'],
    email: ['e-post'],
    phone: ['telefon', 'tfn', 'tel'],
    website: ['hemsida', 'webb'],
    address: ['adress'],
  },
  pl: {
    seller: ['sprzedawca', 'wystawca'],
    buyer: ['nabywca', 'odbiorca', 'kupujący', 'płatnik'],
    tax_id: ['nip'],
    address: ['adres'],
  },
  da: {
    seller: ['sælger', 'leverandør', 'selger'],
    buyer: ['kunde', 'køber', 'faktureres til', 'fakturaadresse', 'kjøper'],
    tax_id: ['cvr', 'cvr-nr', 'cvr-nr.', 'cvr nr', 'cvr nr.', 'se-nr', 'org.nr', 'org nr'],
    address: ['adresse'],
  },
});

/** The side that a document's seller or sender takes, in the captions of several languages. */
export const sellerCaptions = captions('seller');

/** The side that a document's buyer takes. */
export const buyerCaptions = captions('buyer');

export const taxIdCaptions = captions('tax_id');

export const emailCaptions = captions('email');

export const phoneCaptions = captions('phone');

export const websiteCaptions = captions('website');

export const addressCaptions = captions('address');

interface PartyOptions {
  /** What the party is called in the descriptions, such as `vendor`. */
  readonly role: string;
  /** Captions that stand before the party's name or above its block. */
  readonly captions: readonly string[];
  /** Which of the party's details the type has. */
  readonly details: readonly ('name' | 'address' | 'tax_id' | 'email' | 'phone' | 'website')[];
}

/** Whose fields a letter's head and its addressee are where one sells and the other pays. */
export const fromVendorToCustomer = {
  sender: { name: 'vendor_name', address: 'vendor_address' },
  recipient: { name: 'customer_name', address: 'customer_address' },
} as const satisfies DocumentType['letter'];

/** The fields of a party, each named by the prefix and the detail: `vendor_name`, `vendor_tax_id`. */
export function partyFields(prefix: string, options: PartyOptions): FieldDefinition[] {
  const { role, captions, details } = options;
  const definitions: Record<PartyOptions['details'][number], Omit<FieldDefinition, 'name'>> = {
    name: { kind: 'organization', description: `Name of the ${role}.`, captions },
    address: {
      kind: 'address',
      description: `Postal address of the ${role}, its lines joined by commas.`,
      captions: [...captions, ...addressCaptions],
    },
    tax_id: {
      kind: 'tax_id',
      description: `Tax registration of the ${role} (VAT, GST, EIN …) without spaces.`,
      captions: taxIdCaptions,
    },
    email: { kind: 'email', description: `E-mail address of the ${role}.`, captions: emailCaptions },
    phone: { kind: 'phone', description: `Telephone number of the ${role} as printed.`, captions: phoneCaptions },
    website: { kind: 'website', description: `Web address of the ${role}.`, captions: websiteCaptions },
  };
  return details.map((detail) => ({ name: `${prefix}_${detail}`, ...definitions[detail] }));
}

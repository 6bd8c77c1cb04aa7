import {
  austrianVat,
  belgianVat,
  brazilianCnpj,
  britishVat,
  dutchVat,
  frenchVat,
  germanVat,
  ibanOf,
  italianVat,
  portugueseNif,
  sirenOf,
  siretOf,
  spanishCif,
  swissUid,
} from './check-digits.ts';
import type { Random } from './random.ts';

export const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'] as const;
export type Language = (typeof languages)[number];

/** A country as documents show it: how it writes numbers, dates, addresses and registrations. */
export interface Region {
  readonly name: string;
  readonly language: Language;
  /** ISO 3166-1 alpha-2 and alpha-3. */
  readonly country: string;
  readonly countryCode: string;
  readonly currency: string;
  readonly currencySign: string;
  readonly decimalSeparator: '.' | ',';
  readonly groupSeparators: readonly string[];
  readonly dateOrder: 'dmy' | 'mdy' | 'ymd';
  /** `D` and `M` without leading zeros, `MMM` and `MMMM` as names. */
  readonly datePatterns: readonly string[];
  readonly paper: readonly [width: number, height: number];
  readonly taxNames: readonly string[];
  readonly taxRates: readonly number[];
  /** A tax number and the caption that is printed before it. */
  taxId(random: Random): { readonly caption: string; readonly text: string };
  iban(random: Random): string | null;
  bic(random: Random): string;
  phone(random: Random): string;
  cities: readonly (readonly [postalCode: string, city: string])[];
  /** The line of an address that names the place. */
  place(postalCode: string, city: string): string;
  street(name: string, number: number): string;
  readonly countryNames: readonly string[];
  readonly domain: string;
}

const a4 = [595.28, 841.89] as const;
const letter = [612, 792] as const;

const european = {
  currency: 'EUR',
  currencySign: '€',
  decimalSeparator: ',',
  groupSeparators: ['.'],
  dateOrder: 'dmy',
  paper: a4,
} as const;

const after = (name: string, number: number) => `${name} ${number}`;
const before = (name: string, number: number) => `${number} ${name}`;
const postalFirst = (postalCode: string, city: string) => `${postalCode} ${city}`;

const grouped = (text: string, size: number) => text.replace(new RegExp(`(.{${size}})(?=.)`, 'g'), '$1 ');

function dutchNumber(random: Random): string {
  for (;;) {
    const number = dutchVat(random.digits(8), `0${random.integer(1, 3)}`);
    if (number) return number;
  }
}

function swissNumber(random: Random): string {
  for (;;) {
    const number = swissUid(random.digits(8));
    if (number) return number;
  }
}

/** Telephone numbers use the ranges that regulators keep for fiction where there is one, or area codes not in use. */
export const regions: readonly Region[] = [
  {
    name: 'en-US',
    language: 'en',
    country: 'US',
    countryCode: 'USA',
    currency: 'USD',
    currencySign: '$',
    decimalSeparator: '.',
    groupSeparators: [','],
    dateOrder: 'mdy',
    datePatterns: [
      'MM/DD/YYYY',
      'MMMM D, YYYY',
      'MMM D, YYYY',
      'M/D/YYYY',
      'MM-DD-YYYY',
      'MM/DD/YY',
      'YYYY-MM-DD',
      'DD-MMM-YYYY',
    ],
    paper: letter,
    taxNames: ['Sales Tax', 'Tax', 'Sales tax'],
    taxRates: [4, 5.5, 6, 6.25, 7, 7.25, 8.25, 8.875, 9.5, 0],
    taxId: (random) => ({
      caption: random.pick(['EIN', 'Tax ID', 'Federal Tax ID', 'FEIN']),
      text: `${random.integer(10, 98)}-${random.digits(7)}`,
    }),
    iban: () => null,
    bic: (random) => `${random.letters(4)}US33`,
    phone: (random) =>
      random.pick([
        `(${random.pick(areaCodes)}) 555-01${random.digits(2)}`,
        `${random.pick(areaCodes)}-555-01${random.digits(2)}`,
        `+1 ${random.pick(areaCodes)} 555 01${random.digits(2)}`,
        `${random.pick(areaCodes)}.555.01${random.digits(2)}`,
      ]),
    cities: [
      ['80202', 'Denver, CO'],
      ['97205', 'Portland, OR'],
      ['78701', 'Austin, TX'],
      ['55401', 'Minneapolis, MN'],
      ['37203', 'Nashville, TN'],
      ['60607', 'Chicago, IL'],
      ['98101', 'Seattle, WA'],
      ['02110', 'Boston, MA'],
      ['33130', 'Miami, FL'],
      ['84101', 'Salt Lake City, UT'],
      ['43215', 'Columbus, OH'],
      ['27601', 'Raleigh, NC'],
      ['12207', 'Albany, NY'],
      ['73102', 'Oklahoma City, OK'],
    ],
    place: (postalCode, city) => `${city} ${postalCode}`,
    street: before,
    countryNames: ['USA', 'United States'],
    domain: 'example.com',
  },
  {
    name: 'en-GB',
    language: 'en',
    country: 'GB',
    countryCode: 'GBR',
    currency: 'GBP',
    currencySign: '£',
    decimalSeparator: '.',
    groupSeparators: [','],
    dateOrder: 'dmy',
    datePatterns: ['DD/MM/YYYY', 'D MMMM YYYY', 'DD MMM YYYY', 'DD/MM/YY', 'DD-MM-YYYY', 'D MMM YYYY', 'DD.MM.YYYY'],
    paper: a4,
    taxNames: ['VAT'],
    taxRates: [20, 20, 20, 5, 0],
    taxId: (random) => {
      const number = britishVat(random.digits(7));
      return {
        caption: random.pick(['VAT No', 'VAT Reg No', 'VAT Registration Number', 'VAT Number', 'VAT No.']),
        text: random.pick([
          number,
          `${number.slice(0, 2)} ${number.slice(2, 5)} ${number.slice(5, 9)} ${number.slice(9)}`,
        ]),
      };
    },
    iban: (random) => ibanOf('GB', `${random.letters(4)}${random.digits(14)}`),
    bic: (random) => `${random.letters(4)}GB2L`,
    phone: (random) =>
      random.pick([
        `020 7946 0${random.digits(3)}`,
        `0117 496 0${random.digits(3)}`,
        `+44 20 7946 0${random.digits(3)}`,
        `+44 (0)161 496 0${random.digits(3)}`,
        `07700 900${random.digits(3)}`,
      ]),
    cities: [
      ['LS1 4AP', 'Leeds'],
      ['BS1 5TR', 'Bristol'],
      ['M2 3WQ', 'Manchester'],
      ['EH2 2BY', 'Edinburgh'],
      ['NE1 6EE', 'Newcastle upon Tyne'],
      ['SW1A 2AA', 'London'],
      ['EC2V 7NQ', 'London'],
      ['CF10 1DD', 'Cardiff'],
      ['B3 2DL', 'Birmingham'],
      ['YO1 8BN', 'York'],
      ['NG1 5FW', 'Nottingham'],
    ],
    place: (postalCode, city) => `${city} ${postalCode}`,
    street: before,
    countryNames: ['United Kingdom', 'UK'],
    domain: 'example.co.uk',
  },
  {
    name: 'en-AU',
    language: 'en',
    country: 'AU',
    countryCode: 'AUS',
    currency: 'AUD',
    currencySign: '$',
    decimalSeparator: '.',
    groupSeparators: [','],
    dateOrder: 'dmy',
    datePatterns: ['DD/MM/YYYY', 'D MMMM YYYY', 'D MMM YYYY', 'DD-MMM-YYYY'],
    paper: a4,
    taxNames: ['GST'],
    taxRates: [10],
    taxId: (random) => ({
      caption: 'ABN',
      text: `${random.digits(2)} ${random.digits(3)} ${random.digits(3)} ${random.digits(3)}`,
    }),
    iban: () => null,
    bic: (random) => `${random.letters(4)}AU2S`,
    phone: (random) =>
      random.pick([`(02) 5550 ${random.digits(4)}`, `+61 3 7010 ${random.digits(4)}`, `1300 975 ${random.digits(3)}`]),
    cities: [
      ['2000', 'Sydney NSW'],
      ['3000', 'Melbourne VIC'],
      ['4000', 'Brisbane QLD'],
      ['5000', 'Adelaide SA'],
      ['6000', 'Perth WA'],
    ],
    place: (postalCode, city) => `${city} ${postalCode}`,
    street: before,
    countryNames: ['Australia'],
    domain: 'example.com.au',
  },
  {
    name: 'en-MY',
    language: 'en',
    country: 'MY',
    countryCode: 'MYS',
    currency: 'MYR',
    currencySign: 'RM',
    decimalSeparator: '.',
    groupSeparators: [','],
    dateOrder: 'dmy',
    datePatterns: ['DD/MM/YYYY', 'DD-MM-YYYY', 'DD/MM/YY', 'D MMM YYYY', 'DD-MM-YY'],
    paper: a4,
    taxNames: ['GST', 'SST', 'Service Tax'],
    taxRates: [6],
    taxId: (random) => ({
      caption: random.pick(['GST Reg No', 'GST ID', 'GST No', 'SST No']),
      text: `00${random.digits(10)}`,
    }),
    iban: () => null,
    bic: (random) => `${random.letters(4)}MYKL`,
    phone: (random) =>
      random.pick([
        `03-${random.digits(4)} ${random.digits(4)}`,
        `07-${random.digits(3)} ${random.digits(4)}`,
        `012-${random.digits(3)} ${random.digits(4)}`,
        `+603-${random.digits(4)} ${random.digits(4)}`,
      ]),
    cities: [
      ['50450', 'Kuala Lumpur'],
      ['81300', 'Skudai, Johor'],
      ['47300', 'Petaling Jaya, Selangor'],
      ['10200', 'Georgetown, Penang'],
      ['40000', 'Shah Alam, Selangor'],
      ['43300', 'Seri Kembangan, Selangor'],
    ],
    place: postalFirst,
    street: (name, number) => `No. ${number}, ${name}`,
    countryNames: ['Malaysia'],
    domain: 'example.com.my',
  },
  {
    name: 'de-DE',
    language: 'de',
    country: 'DE',
    countryCode: 'DEU',
    ...european,
    datePatterns: ['DD.MM.YYYY', 'D. MMMM YYYY', 'DD.MM.YY', 'D.M.YYYY', 'DD. MMMM YYYY', 'YYYY-MM-DD'],
    taxNames: ['MwSt.', 'USt.', 'Umsatzsteuer', 'Mehrwertsteuer', 'MwSt'],
    taxRates: [19, 19, 19, 7, 0],
    taxId: (random) => {
      const number = germanVat(random.digits(8));
      return random.chance(0.25)
        ? {
            caption: random.pick(['Steuernummer', 'Steuer-Nr.', 'St.-Nr.']),
            text: `${random.digits(2)}/${random.digits(3)}/${random.digits(5)}`,
          }
        : {
            caption: random.pick(['USt-IdNr.', 'USt-ID', 'USt.-IdNr.', 'Ust-IdNr', 'USt-Id-Nr.', 'Umsatzsteuer-ID']),
            text: random.pick([
              number,
              number,
              `${number.slice(0, 2)} ${number.slice(2, 5)} ${number.slice(5, 8)} ${number.slice(8)}`,
            ]),
          };
    },
    iban: (random) => ibanOf('DE', `${random.digits(8)}00${random.digits(8)}`),
    bic: (random) =>
      `${random.letters(4)}DE${random.pick(['FF', 'MM', 'HH', '33', 'KK'])}${random.chance(0.5) ? 'XXX' : ''}`,
    phone: (random) =>
      random.pick([
        `030 23125 ${random.digits(3)}`,
        `+49 30 23125 ${random.digits(3)}`,
        `040 66969 ${random.digits(3)}`,
        `+49 (0)89 99998 ${random.digits(3)}`,
        `0221/4710 ${random.digits(3)}`,
        `0171 39200 ${random.digits(2)}`,
        `+49 69 90009-${random.digits(3)}`,
      ]),
    cities: [
      ['20457', 'Hamburg'],
      ['10115', 'Berlin'],
      ['80331', 'München'],
      ['50667', 'Köln'],
      ['70173', 'Stuttgart'],
      ['04109', 'Leipzig'],
      ['28195', 'Bremen'],
      ['79098', 'Freiburg im Breisgau'],
      ['48143', 'Münster'],
      ['01067', 'Dresden'],
      ['90402', 'Nürnberg'],
      ['24103', 'Kiel'],
      ['45127', 'Essen'],
      ['93047', 'Regensburg'],
    ],
    place: postalFirst,
    street: after,
    countryNames: ['Deutschland', 'Germany'],
    domain: 'example.de',
  },
  {
    name: 'de-AT',
    language: 'de',
    country: 'AT',
    countryCode: 'AUT',
    ...european,
    datePatterns: ['DD.MM.YYYY', 'D. MMMM YYYY', 'D.M.YYYY'],
    taxNames: ['USt.', 'MwSt.', 'Umsatzsteuer'],
    taxRates: [20, 20, 10, 13],
    taxId: (random) => ({
      caption: random.pick(['UID', 'UID-Nr.', 'UID-Nummer']),
      text: austrianVat(random.digits(7)),
    }),
    iban: (random) => ibanOf('AT', random.digits(16)),
    bic: (random) => `${random.letters(4)}ATWW`,
    phone: (random) => `+43 1 90${random.digits(2)} ${random.digits(3)}`,
    cities: [
      ['1010', 'Wien'],
      ['8010', 'Graz'],
      ['4020', 'Linz'],
      ['5020', 'Salzburg'],
      ['6020', 'Innsbruck'],
    ],
    place: postalFirst,
    street: after,
    countryNames: ['Österreich', 'Austria'],
    domain: 'example.at',
  },
  {
    name: 'de-CH',
    language: 'de',
    country: 'CH',
    countryCode: 'CHE',
    ...european,
    currency: 'CHF',
    currencySign: 'CHF',
    decimalSeparator: '.',
    groupSeparators: ["'", '’'],
    datePatterns: ['DD.MM.YYYY', 'D. MMMM YYYY'],
    taxNames: ['MWST', 'MwSt.'],
    taxRates: [8.1, 8.1, 2.6],
    taxId: (random) => ({
      caption: random.pick(['MWST-Nr.', 'UID', 'MwSt-Nr.']),
      text: random.chance(0.5) ? `${swissNumber(random)} MWST` : swissNumber(random),
    }),
    iban: (random) => ibanOf('CH', random.digits(17)),
    bic: (random) => `${random.letters(4)}CHZZ`,
    phone: (random) => `+41 44 ${random.digits(3)} ${random.digits(2)} ${random.digits(2)}`,
    cities: [
      ['8001', 'Zürich'],
      ['3011', 'Bern'],
      ['4051', 'Basel'],
      ['6003', 'Luzern'],
      ['9000', 'St. Gallen'],
    ],
    place: postalFirst,
    street: after,
    countryNames: ['Schweiz', 'Switzerland'],
    domain: 'example.ch',
  },
  {
    name: 'fr-FR',
    language: 'fr',
    country: 'FR',
    countryCode: 'FRA',
    ...european,
    groupSeparators: [' ', '\u00a0', '.'],
    datePatterns: ['DD/MM/YYYY', 'D MMMM YYYY', 'DD/MM/YY', 'DD.MM.YYYY', 'DD-MM-YYYY'],
    taxNames: ['TVA'],
    taxRates: [20, 20, 20, 10, 5.5],
    taxId: (random) => {
      const siren = sirenOf(random.digits(8));
      return random.pick([
        {
          caption: random.pick(['N° TVA', 'TVA intracommunautaire', 'N° TVA intracom.', 'N° de TVA']),
          text: random.pick([
            frenchVat(siren),
            `${frenchVat(siren).slice(0, 2)} ${frenchVat(siren).slice(2, 4)} ${grouped(siren, 3)}`,
          ]),
        },
        {
          caption: random.pick(['SIRET', 'N° SIRET']),
          text: random.pick([siretOf(siren, '0001'), `${grouped(siren, 3)} ${siretOf(siren, '0001').slice(9)}`]),
        },
      ]);
    },
    iban: (random) => ibanOf('FR', `${random.digits(23)}`),
    bic: (random) => `${random.letters(4)}FR${random.pick(['PP', '2A'])}${random.chance(0.5) ? 'XXX' : ''}`,
    phone: (random) =>
      random.pick([
        `01 99 00 ${random.digits(2)} ${random.digits(2)}`,
        `04 65 71 ${random.digits(2)} ${random.digits(2)}`,
        `+33 1 99 00 ${random.digits(2)} ${random.digits(2)}`,
        `06 39 98 ${random.digits(2)} ${random.digits(2)}`,
        `02.61.91.${random.digits(2)}.${random.digits(2)}`,
      ]),
    cities: [
      ['75011', 'Paris'],
      ['69002', 'Lyon'],
      ['33000', 'Bordeaux'],
      ['31000', 'Toulouse'],
      ['44000', 'Nantes'],
      ['59800', 'Lille'],
      ['67000', 'Strasbourg'],
      ['35000', 'Rennes'],
      ['13001', 'Marseille'],
      ['38000', 'Grenoble'],
      ['21000', 'Dijon'],
      ['54000', 'Nancy'],
    ],
    place: postalFirst,
    street: (name, number) => `${number}${number % 3 === 0 ? ',' : ''} ${name}`,
    countryNames: ['France'],
    domain: 'example.fr',
  },
  {
    name: 'fr-BE',
    language: 'fr',
    country: 'BE',
    countryCode: 'BEL',
    ...european,
    datePatterns: ['DD/MM/YYYY', 'D MMMM YYYY', 'DD-MM-YYYY'],
    taxNames: ['TVA'],
    taxRates: [21, 21, 6, 12],
    taxId: (random) => {
      const number = belgianVat(`0${random.digits(7)}`);
      return {
        caption: random.pick(['TVA', 'N° TVA', "N° d'entreprise"]),
        text: random.pick([number, `BE ${number.slice(2, 6)}.${number.slice(6, 9)}.${number.slice(9)}`]),
      };
    },
    iban: (random) => ibanOf('BE', random.digits(12)),
    bic: (random) => `${random.letters(4)}BEBB`,
    phone: (random) => `+32 2 555 ${random.digits(2)} ${random.digits(2)}`,
    cities: [
      ['1000', 'Bruxelles'],
      ['4000', 'Liège'],
      ['5000', 'Namur'],
      ['7000', 'Mons'],
    ],
    place: postalFirst,
    street: after,
    countryNames: ['Belgique', 'Belgium'],
    domain: 'example.be',
  },
  {
    name: 'es-ES',
    language: 'es',
    country: 'ES',
    countryCode: 'ESP',
    ...european,
    datePatterns: ['DD/MM/YYYY', 'D de MMMM de YYYY', 'DD-MM-YYYY', 'DD/MM/YY', 'DD.MM.YYYY'],
    taxNames: ['IVA', 'I.V.A.'],
    taxRates: [21, 21, 21, 10, 4],
    taxId: (random) => ({
      caption: random.pick(['CIF', 'NIF', 'C.I.F.', 'N.I.F.', 'NIF/CIF']),
      text: spanishCif(random.pick(['A', 'B', 'B', 'B']), random.digits(7)),
    }),
    iban: (random) => ibanOf('ES', random.digits(20)),
    bic: (random) => `${random.letters(4)}ES${random.pick(['MM', 'BB', '2A'])}${random.chance(0.4) ? 'XXX' : ''}`,
    phone: (random) =>
      random.pick([
        `910 ${random.digits(3)} ${random.digits(3)}`,
        `93 1${random.digits(2)} ${random.digits(2)} ${random.digits(2)}`,
        `+34 960 ${random.digits(3)} ${random.digits(3)}`,
        `600 ${random.digits(3)} ${random.digits(3)}`,
      ]),
    cities: [
      ['28013', 'Madrid'],
      ['08002', 'Barcelona'],
      ['46001', 'Valencia'],
      ['41001', 'Sevilla'],
      ['50001', 'Zaragoza'],
      ['48001', 'Bilbao'],
      ['29001', 'Málaga'],
      ['15001', 'A Coruña'],
      ['30001', 'Murcia'],
      ['47001', 'Valladolid'],
    ],
    place: postalFirst,
    street: (name, number) => `${name}, ${number}`,
    countryNames: ['España', 'Spain'],
    domain: 'example.es',
  },
  {
    name: 'es-MX',
    language: 'es',
    country: 'MX',
    countryCode: 'MEX',
    currency: 'MXN',
    currencySign: '$',
    decimalSeparator: '.',
    groupSeparators: [','],
    dateOrder: 'dmy',
    datePatterns: ['DD/MM/YYYY', 'D de MMMM de YYYY', 'YYYY-MM-DD'],
    paper: letter,
    taxNames: ['IVA'],
    taxRates: [16],
    taxId: (random) => ({
      caption: random.pick(['RFC', 'R.F.C.']),
      text: `${random.letters(3)}${random.digits(2)}0${random.integer(1, 9)}1${random.integer(0, 9)}${random.letters(2)}${random.integer(1, 9)}`,
    }),
    iban: () => null,
    bic: (random) => `${random.letters(4)}MXMM`,
    phone: (random) => `+52 55 5550 ${random.digits(4)}`,
    cities: [
      ['06600', 'Ciudad de México'],
      ['44100', 'Guadalajara, Jal.'],
      ['64000', 'Monterrey, N.L.'],
      ['72000', 'Puebla, Pue.'],
    ],
    place: (postalCode, city) => `C.P. ${postalCode} ${city}`,
    street: (name, number) => `${name} ${number}`,
    countryNames: ['México'],
    domain: 'example.com.mx',
  },
  {
    name: 'it-IT',
    language: 'it',
    country: 'IT',
    countryCode: 'ITA',
    ...european,
    datePatterns: ['DD/MM/YYYY', 'D MMMM YYYY', 'DD/MM/YY', 'DD-MM-YYYY', 'DD.MM.YYYY'],
    taxNames: ['IVA'],
    taxRates: [22, 22, 22, 10, 4],
    taxId: (random) => {
      const number = italianVat(random.digits(10));
      return {
        caption: random.pick(['P.IVA', 'P. IVA', 'Partita IVA', 'C.F. e P.IVA', 'P.I.']),
        text: random.chance(0.4) ? `IT${number}` : number,
      };
    },
    iban: (random) => ibanOf('IT', `${random.letters(1)}${random.digits(22)}`),
    bic: (random) => `${random.letters(4)}IT${random.pick(['MM', 'TT', 'RR'])}${random.chance(0.5) ? 'XXX' : ''}`,
    phone: (random) =>
      random.pick([
        `02 ${random.digits(4)} ${random.digits(4)}`,
        `+39 06 ${random.digits(7)}`,
        `051 ${random.digits(6)}`,
        `+39 011 ${random.digits(7)}`,
        `347 ${random.digits(7)}`,
      ]),
    cities: [
      ['20121', 'Milano (MI)'],
      ['00184', 'Roma (RM)'],
      ['10121', 'Torino (TO)'],
      ['40121', 'Bologna (BO)'],
      ['50122', 'Firenze (FI)'],
      ['37121', 'Verona (VR)'],
      ['16121', 'Genova (GE)'],
      ['80133', 'Napoli (NA)'],
      ['35121', 'Padova (PD)'],
      ['34121', 'Trieste (TS)'],
    ],
    place: postalFirst,
    street: (name, number) => `${name}${number % 2 ? ',' : ''} ${number}`,
    countryNames: ['Italia', 'Italy'],
    domain: 'example.it',
  },
  {
    name: 'pt-PT',
    language: 'pt',
    country: 'PT',
    countryCode: 'PRT',
    ...european,
    groupSeparators: ['.', ' '],
    datePatterns: ['DD/MM/YYYY', 'DD-MM-YYYY', 'D de MMMM de YYYY', 'YYYY-MM-DD'],
    taxNames: ['IVA'],
    taxRates: [23, 23, 13, 6],
    taxId: (random) => {
      const number = portugueseNif(`5${random.digits(7)}`);
      return {
        caption: random.pick(['NIF', 'Contribuinte', 'NIPC', 'Contribuinte n.º']),
        text: random.pick([number, `PT${number}`, grouped(number, 3)]),
      };
    },
    iban: (random) => ibanOf('PT', random.digits(21)),
    bic: (random) => `${random.letters(4)}PTPL`,
    phone: (random) =>
      random.pick([
        `21 ${random.digits(3)} ${random.digits(2)} ${random.digits(2)}`,
        `+351 22 ${random.digits(3)} ${random.digits(4)}`,
        `91 ${random.digits(3)} ${random.digits(4)}`,
      ]),
    cities: [
      ['1200-109', 'Lisboa'],
      ['4000-322', 'Porto'],
      ['3000-150', 'Coimbra'],
      ['4700-320', 'Braga'],
      ['8000-250', 'Faro'],
      ['3800-120', 'Aveiro'],
    ],
    place: postalFirst,
    street: (name, number) => `${name}, ${number}`,
    countryNames: ['Portugal'],
    domain: 'example.pt',
  },
  {
    name: 'pt-BR',
    language: 'pt',
    country: 'BR',
    countryCode: 'BRA',
    currency: 'BRL',
    currencySign: 'R$',
    decimalSeparator: ',',
    groupSeparators: ['.'],
    dateOrder: 'dmy',
    datePatterns: ['DD/MM/YYYY', 'D de MMMM de YYYY'],
    paper: a4,
    taxNames: ['ISS', 'ICMS'],
    taxRates: [5, 12, 18],
    taxId: (random) => ({ caption: 'CNPJ', text: brazilianCnpj(`${random.digits(8)}0001`) }),
    iban: () => null,
    bic: (random) => `${random.letters(4)}BRSP`,
    phone: (random) => `(11) 5555-${random.digits(4)}`,
    cities: [
      ['01310-100', 'São Paulo - SP'],
      ['20040-020', 'Rio de Janeiro - RJ'],
      ['80010-000', 'Curitiba - PR'],
      ['90010-150', 'Porto Alegre - RS'],
    ],
    place: (postalCode, city) => `${city}, CEP ${postalCode}`,
    street: (name, number) => `${name}, ${number}`,
    countryNames: ['Brasil'],
    domain: 'example.com.br',
  },
  {
    name: 'nl-NL',
    language: 'nl',
    country: 'NL',
    countryCode: 'NLD',
    ...european,
    datePatterns: ['DD-MM-YYYY', 'D MMMM YYYY', 'DD/MM/YYYY', 'DD-MM-YY', 'D-M-YYYY'],
    taxNames: ['btw', 'BTW'],
    taxRates: [21, 21, 21, 9, 0],
    taxId: (random) => ({
      caption: random.pick(['BTW-nummer', 'BTW nr.', 'btw-nr.', 'BTW', 'Btw-id']),
      text: dutchNumber(random),
    }),
    iban: (random) => ibanOf('NL', `${random.letters(4)}${random.digits(10)}`),
    bic: (random) => `${random.letters(4)}NL2A`,
    phone: (random) =>
      random.pick([
        `020 ${random.digits(3)} ${random.digits(4)}`,
        `+31 10 ${random.digits(3)} ${random.digits(4)}`,
        `085 401 ${random.digits(4)}`,
        `06-${random.digits(8)}`,
        `+31 (0)30 ${random.digits(7)}`,
      ]),
    cities: [
      ['1012 JS', 'Amsterdam'],
      ['3011 AD', 'Rotterdam'],
      ['3511 CE', 'Utrecht'],
      ['2511 CV', 'Den Haag'],
      ['5611 EC', 'Eindhoven'],
      ['9711 LM', 'Groningen'],
      ['6211 CM', 'Maastricht'],
      ['4811 DJ', 'Breda'],
      ['7511 HN', 'Enschede'],
    ],
    place: (postalCode, city) => `${postalCode} ${city}`,
    street: after,
    countryNames: ['Nederland', 'The Netherlands'],
    domain: 'example.nl',
  },
  {
    name: 'nl-BE',
    language: 'nl',
    country: 'BE',
    countryCode: 'BEL',
    ...european,
    datePatterns: ['DD/MM/YYYY', 'D MMMM YYYY', 'DD-MM-YYYY'],
    taxNames: ['btw', 'BTW'],
    taxRates: [21, 21, 6],
    taxId: (random) => {
      const number = belgianVat(`0${random.digits(7)}`);
      return {
        caption: random.pick(['BTW', 'BTW-nummer', 'Ondernemingsnr.']),
        text: random.pick([number, `BE ${number.slice(2, 6)}.${number.slice(6, 9)}.${number.slice(9)}`]),
      };
    },
    iban: (random) => ibanOf('BE', random.digits(12)),
    bic: (random) => `${random.letters(4)}BEBB`,
    phone: (random) => `+32 3 555 ${random.digits(2)} ${random.digits(2)}`,
    cities: [
      ['2000', 'Antwerpen'],
      ['9000', 'Gent'],
      ['3000', 'Leuven'],
      ['8000', 'Brugge'],
    ],
    place: postalFirst,
    street: after,
    countryNames: ['België', 'Belgium'],
    domain: 'example.be',
  },
];

const areaCodes = ['212', '303', '415', '503', '512', '612', '615', '617', '702', '813', '916', '206'];

/** The regions of a language; each language's chief country twice as likely as the others. */
export function pickRegion(random: Random, language: Language): Region {
  const own = regions.filter((region) => region.language === language);
  return random.pick([own[0]!, ...own]);
}

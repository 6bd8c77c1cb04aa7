import type { DocType, Locale } from '@millrace/document-model';
import { coinedVocabulary } from './coined.ts';
import { createRandom, type Random } from './random.ts';
import { type Language, pickRegion, type Region, regions } from './regions.ts';
import type { Fact } from './sheet.ts';
import { german } from './vocabulary/de.ts';
import { english } from './vocabulary/en.ts';
import { spanish } from './vocabulary/es.ts';
import { french } from './vocabulary/fr.ts';
import { italian } from './vocabulary/it.ts';
import { dutch } from './vocabulary/nl.ts';
import { portuguese } from './vocabulary/pt.ts';
import type { Vocabulary } from './vocabulary/vocabulary.ts';
import { createRephraser, type Rephraser } from './wording.ts';

const vocabularies: Readonly<Record<Language, Vocabulary>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
};

export interface Person {
  readonly given: string;
  readonly surname: string;
  readonly full: string;
  readonly sex: 'F' | 'M';
}

export interface Company {
  readonly name: string;
  /** The name without its legal form. */
  readonly shortName: string;
  readonly address: Address;
  readonly taxId: { readonly caption: string; readonly text: string };
  readonly email: string;
  readonly phone: string;
  readonly website: string;
  readonly bank: string;
  readonly iban: string | null;
  readonly bic: string;
  readonly account: string;
}

export interface Address {
  readonly lines: readonly string[];
  readonly city: string;
}

/** How one document writes its money. */
interface MoneyStyle {
  readonly group: string;
  readonly sign: 'before' | 'before-spaced' | 'after' | 'code-before' | 'code-after' | 'none';
}

/** Legal forms of countries that share a language with others. */
const legalForms: Readonly<Partial<Record<string, readonly string[]>>> = {
  US: ['LLC', 'Inc.', 'Corp.', 'Co.', 'LLC', 'Inc.'],
  GB: ['Ltd', 'Limited', 'Ltd.', 'LLP', 'Ltd'],
  AU: ['Pty Ltd', 'Pty Ltd', 'Limited'],
  MY: ['Sdn Bhd', 'Sdn. Bhd.', 'Enterprise', 'Trading'],
  AT: ['GmbH', 'AG', 'KG', 'e.U.'],
  CH: ['AG', 'GmbH', 'SA'],
  BE: ['SRL', 'SA', 'BV', 'NV'],
  MX: ['S.A. de C.V.', 'S. de R.L. de C.V.'],
  ES: ['S.L.', 'S.A.', 'S.L.U.', 'SL', 'S. Coop.', 'C.B.'],
  PT: ['Lda.', 'S.A.', 'Unipessoal Lda.', 'Lda', 'SA'],
  BR: ['Ltda.', 'S.A.', 'ME'],
};

/**
 * `usual`: captions, names and companies from the lists of this package. `free`: captions in words that no list has, or
 * none at all, made-up names, and distractors.
 */
export type Wording = 'usual' | 'free';

/** All that one document is made of: its language and region, and a source of choices. */
export class Scene {
  readonly random: Random;
  readonly region: Region;
  readonly words: Vocabulary;
  readonly wording: Wording;
  private readonly rephraser: Rephraser | null;
  private readonly moneyStyle: MoneyStyle;
  private readonly datePattern: string;

  constructor(
    options: {
      readonly type: DocType;
      readonly seed: string | number;
      readonly language?: Language;
      readonly region?: string;
      readonly wording?: Wording;
    },
    englishIsAmerican = false,
  ) {
    this.wording = options.wording ?? 'usual';
    const isFree = this.wording === 'free';
    const seed = `${options.type}/${options.seed}/${options.language ?? ''}/${options.region ?? ''}`;
    this.random = createRandom(isFree ? `${seed}/free` : seed);
    const { random } = this;
    const language =
      options.language ?? random.pick<Language>(['en', 'en', 'en', 'de', 'de', 'fr', 'fr', 'es', 'it', 'pt', 'nl']);
    this.region = regions.find((region) => region.name === options.region) ?? pickRegion(random, language);
    if (englishIsAmerican && this.region.language === 'en') this.region = regions[0]!;
    const words = vocabularies[this.region.language];
    this.words = isFree ? coinedVocabulary(words, this.region.language, random.fork('names')) : words;
    this.rephraser = isFree ? createRephraser(this.region.language, random.fork('wording')) : null;
    const { currencySign, language: own } = this.region;
    this.moneyStyle = {
      group: random.chance(0.12) ? '' : random.pick(this.region.groupSeparators),
      sign: random.chance(0.25)
        ? 'none'
        : random.chance(0.15)
          ? random.pick(['code-before', 'code-after'])
          : currencySign === '$' || currencySign === '£'
            ? 'before'
            : own === 'en' || own === 'nl' || currencySign === 'R$' || currencySign === 'CHF'
              ? 'before-spaced'
              : 'after',
    };
    this.datePattern = random.chance(0.5) ? this.region.datePatterns[0]! : random.pick(this.region.datePatterns);
  }

  get locale(): Locale {
    const { language, decimalSeparator, dateOrder, currency, country } = this.region;
    return { language, decimalSeparator, dateOrder, currency, country };
  }

  /** One of the wordings of a caption in the document's language, the first of them most often. */
  say(label: Label): string {
    const forms = label[this.region.language];
    const form = this.random.chance(0.35) ? forms[0]! : this.random.pick(forms);
    return this.rephraser?.rephrase(form) ?? form;
  }

  person(): Person {
    const { random, words } = this;
    const sex = random.pick(['F', 'M'] as const);
    const given = random.pick(words.givenNames[sex]);
    const surname = random.pick(words.surnames);
    return { given, surname, full: `${given} ${surname}`, sex };
  }

  address(withCountry = false): Address {
    const { random, region, words } = this;
    const [postalCode, city] = random.pick(region.cities);
    const lines = [region.street(random.pick(words.streets), random.integer(1, 189)), region.place(postalCode, city)];
    if (region.language === 'en' && random.chance(0.25))
      lines.splice(1, 0, random.pick(['Suite 4', 'Unit 12', '2nd Floor', 'Building C', 'Apt 5B']));
    if (withCountry) lines.push(random.pick(region.countryNames));
    return { lines, city: city.replace(/[,(].*| -.*/, '').trim() };
  }

  company(given: readonly string[] = this.words.companyKinds): Company {
    const { random, region, words } = this;
    const isFree = this.wording === 'free';
    const kinds = isFree && random.chance(0.5) ? words.companyKinds : given;
    const stem = random.pick(words.companyStems);
    const shortName =
      random.chance(0.15) && kinds === words.companyKinds
        ? `${stem} & ${random.pick(words.surnames)}`
        : `${stem} ${random.pick(kinds)}`;
    const legalForm = random.pick(legalForms[region.country] ?? words.legalForms);
    const host = hostOf(stem, region.domain);
    const mailbox = random.pick(['info', 'office', 'billing', 'accounts', 'contact', 'sales', 'mail']);
    const iban = region.iban(random);
    return {
      name: random.chance(isFree ? 0.5 : 0.9) ? `${shortName} ${legalForm}` : shortName,
      shortName,
      address: this.address(random.chance(0.25)),
      taxId: region.taxId(random),
      email: `${mailbox}@${host}`,
      phone: region.phone(random),
      website: random.chance(0.85) ? `www.${host}` : host,
      bank: random.pick(words.bankKinds).replace('{}', random.pick(words.companyStems)),
      iban,
      bic: region.bic(random),
      account: random.digits(random.integer(8, 11)),
    };
  }

  /** A day as `YYYY-MM-DD`, at most so many days before or after another. */
  day(from: string, earliest: number, latest: number): string {
    return new Date(Date.parse(from) + this.random.integer(earliest, latest) * 86_400_000).toISOString().slice(0, 10);
  }

  /** A day of the last years. */
  today(): string {
    return this.day('2019-01-02', 0, 2700);
  }

  date(iso: string, pattern = this.datePattern): Fact {
    return { value: iso, text: this.writeDate(iso, pattern) };
  }

  writeDate(iso: string, pattern = this.datePattern): string {
    const [year, month, day] = [iso.slice(0, 4), Number(iso.slice(5, 7)), Number(iso.slice(8, 10))];
    const { months, monthsShort } = this.words;
    return pattern.replace(/YYYY|YY|MMMM|MMM|MM|M|DD|D/g, (part) => {
      switch (part) {
        case 'YYYY':
          return year;
        case 'YY':
          return year.slice(2);
        case 'MMMM':
          return months[month - 1]!;
        case 'MMM':
          return monthsShort[month - 1]!;
        case 'MM':
          return String(month).padStart(2, '0');
        case 'M':
          return String(month);
        case 'DD':
          return String(day).padStart(2, '0');
        default:
          return String(day);
      }
    });
  }

  number(value: number, decimals = 2): string {
    const [whole, fraction] = Math.abs(value).toFixed(decimals).split('.');
    const groups = whole!.replace(/\B(?=(\d{3})+$)/g, this.moneyStyle.group);
    const text = fraction === undefined ? groups : `${groups}${this.region.decimalSeparator}${fraction}`;
    return value < 0 ? `-${text}` : text;
  }

  /** An amount as the document writes it; `bare` without sign or code. */
  money(value: number, form: 'signed' | 'bare' = 'signed'): Fact {
    const rounded = Math.round(value * 100) / 100;
    const text = this.number(rounded);
    const { currency, currencySign } = this.region;
    if (form === 'bare') return { value: rounded, text };
    switch (this.moneyStyle.sign) {
      case 'before':
        return { value: rounded, text: rounded < 0 ? `-${currencySign}${text.slice(1)}` : `${currencySign}${text}` };
      case 'before-spaced':
        return { value: rounded, text: `${currencySign} ${text}` };
      case 'after':
        return { value: rounded, text: `${text} ${currencySign}` };
      case 'code-before':
        return { value: rounded, text: `${currency} ${text}` };
      case 'code-after':
        return { value: rounded, text: `${text} ${currency}` };
      case 'none':
        return { value: rounded, text };
    }
  }

  percent(value: number): string {
    const text = String(value).replace('.', this.region.decimalSeparator);
    const decimals =
      Number.isInteger(value) && this.random.chance(0.2) ? `${text}${this.region.decimalSeparator}00` : text;
    return `${decimals}${this.region.language === 'de' || this.region.language === 'fr' ? this.random.pick([' ', '']) : ''}%`;
  }

  /** The number of a document, in one of the forms that programs give them. */
  documentNumber(prefixes: readonly string[], year: string): string {
    const { random } = this;
    const serial = random.integer(1, 9999);
    return random.pick([
      `${random.pick(prefixes)}-${year}-${String(serial).padStart(4, '0')}`,
      `${random.pick(prefixes)}${random.digits(random.integer(4, 8))}`,
      `${year}-${String(serial).padStart(random.integer(3, 5), '0')}`,
      random.digits(random.integer(4, 9)),
      `${random.pick(prefixes)}-${random.digits(random.integer(3, 6))}`,
      `${year}/${String(serial).padStart(3, '0')}`,
      `${year}${String(serial).padStart(5, '0')}`,
      `${random.letters(2)}${random.digits(2)}-${random.digits(5)}`,
      `${random.pick(prefixes)} ${year}/${serial}`,
    ]);
  }
}

/** A caption's wordings by language. */
export type Label = Readonly<Record<Language, readonly string[]>>;

/** Wordings for each language in the order en, de, fr, es, it, pt, nl, separated by `|`. */
export function label(en: string, de: string, fr: string, es: string, it: string, pt: string, nl: string): Label {
  const [english_, german_, french_, spanish_, italian_, portuguese_, dutch_] = [en, de, fr, es, it, pt, nl].map(
    (text) => text.split('|'),
  );
  return { en: english_!, de: german_!, fr: french_!, es: spanish_!, it: italian_!, pt: portuguese_!, nl: dutch_! };
}

function hostOf(stem: string, domain: string): string {
  const plain = stem
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, '');
  return `${plain}.${domain}`;
}

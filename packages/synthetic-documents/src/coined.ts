import type { Random } from './random.ts';
import type { Language } from './regions.ts';
import type { Vocabulary } from './vocabulary/vocabulary.ts';

/** Names are put together from syllables, so that no list of names holds them; each language has its own sounds. */
interface Sounds {
  readonly starts: string;
  readonly vowels: string;
  readonly middles: string;
  readonly surnameEnds: string;
  readonly givenEnds: { readonly F: string; readonly M: string };
  readonly streetEnds: string;
}

const sounds: Readonly<Record<Language, Sounds>> = {
  en: {
    starts: 'b|br|c|cl|d|f|g|gr|h|k|l|m|n|p|r|s|st|t|tr|w|wh',
    vowels: 'a|e|i|o|u|ea|oo|ai',
    middles: 'l|ll|n|nd|r|rr|s|st|t|tt|v|ck|ng|m',
    surnameEnds: 'ton|well|ford|ley|er|son|man|wood|field|by|ham|worth|is|s',
    givenEnds: { F: 'a|ie|elle|y|een|ine', M: 'on|en|er|ard|ick|y' },
    streetEnds: ' Street| Road| Lane| Ave| Drive| Court| Way| Terrace| Pkwy| Crescent| Blvd',
  },
  de: {
    starts: 'b|br|d|f|g|h|k|kl|kr|l|m|n|p|r|sch|st|str|t|tr|w|z',
    vowels: 'a|e|i|o|u|ä|ö|ü|ei|au|ie',
    middles: 'l|ll|n|nn|r|rr|s|ss|t|tt|b|ch|ck|m|mm|lt|nd',
    surnameEnds: 'er|mann|meier|berg|stein|bauer|ing|ke|ler|inger|hardt|en',
    givenEnds: { F: 'a|e|ine|lind|traud', M: 'us|ert|ich|old|mut|an' },
    streetEnds: 'straße|weg|gasse|allee|platz|ring|str.|damm|ufer',
  },
  fr: {
    starts: 'b|br|c|ch|d|f|g|j|l|m|n|p|r|s|t|v',
    vowels: 'a|e|i|o|u|ou|ai|eau|é',
    middles: 'l|ll|n|r|rr|s|ss|t|v|m|ch|gn|rt',
    surnameEnds: 'eau|ier|ard|et|on|in|elle|ois|and|ot',
    givenEnds: { F: 'ine|elle|ie|ette|a', M: 'ien|ard|ic|el|ain' },
    streetEnds: '',
  },
  es: {
    starts: 'b|c|d|f|g|j|l|m|n|p|r|s|t|v|z',
    vowels: 'a|e|i|o|u|ue|ie',
    middles: 'l|ll|n|r|rr|s|t|v|m|ñ|nd|rt',
    surnameEnds: 'ez|ero|ado|ales|osa|ano|ín|eda',
    givenEnds: { F: 'a|ela|ia|ina', M: 'o|el|io|ón' },
    streetEnds: '',
  },
  it: {
    starts: 'b|c|d|f|g|l|m|n|p|r|s|t|v|z',
    vowels: 'a|e|i|o|u|ia|io',
    middles: 'l|ll|n|nn|r|s|ss|t|tt|v|cc|nt|rd',
    surnameEnds: 'ini|etti|oni|ari|elli|ardi|asso|igno',
    givenEnds: { F: 'a|ella|ina|ia', M: 'o|io|ino|ele' },
    streetEnds: '',
  },
  pt: {
    starts: 'b|c|d|f|g|j|l|m|n|p|r|s|t|v',
    vowels: 'a|e|i|o|u|ei|ou',
    middles: 'l|lh|n|nh|r|rr|s|t|v|m|nd',
    surnameEnds: 'eira|ado|es|osa|ão|inho|al|eiro',
    givenEnds: { F: 'a|ia|ina|ete', M: 'o|io|el|im' },
    streetEnds: '',
  },
  nl: {
    starts: 'b|br|d|g|h|j|k|kl|l|m|n|p|r|s|sch|t|v|w',
    vowels: 'a|e|i|o|u|aa|ee|oe|ij|ui',
    middles: 'l|ll|n|nn|r|s|t|tt|k|kk|m|nd|rt',
    surnameEnds: 'stra|sma|ma|en|inga|huis|veld|er|ink|man',
    givenEnds: { F: 'a|je|tje|ke|ine', M: 'us|ert|en|ik|o' },
    streetEnds: 'straat|laan|weg|plein|kade|hof|singel',
  },
};

/** What companies do, and what they call themselves by, in words of this list alone. */
const trades: Readonly<Record<Language, string>> = {
  en: 'Roofing|Orthodontics|Freight Lines|Veterinary|Analytics|Plumbing|Upholstery|Robotics|Landscapes|Cooperative|Signs|Apparel|Fasteners|Diagnostics|Credit Union|Staffing|Towing|Optics|Hospitality|Aviation|Mutual|Outfitters|Labs|Bikes|Brewing|Systems Integration|Pest Control|Seeds',
  de: 'Dachtechnik|Zahntechnik|Speditionsgesellschaft|Gartenbau|Fliesen|Feinmechanik|Reinigung|Medientechnik|Optik|Holzbau|Schilder|Textil|Genossenschaft|Umzüge|Gebäudedienste|Brauerei|Saatgut|Robotik',
  fr: 'Toitures|Orthodontie|Transports|Jardins|Plomberie|Optique|Menuiserie|Traiteur|Nettoyage|Imprimerie|Semences|Mutuelle|Conseil|Robotique',
  es: 'Cubiertas|Ortodoncia|Transportes|Jardinería|Fontanería|Óptica|Carpintería|Limpiezas|Imprenta|Semillas|Cooperativa|Consultores',
  it: 'Coperture|Ortodonzia|Trasporti|Giardini|Idraulica|Ottica|Falegnameria|Pulizie|Tipografia|Sementi|Cooperativa|Consulenze',
  pt: 'Coberturas|Ortodontia|Transportes|Jardins|Canalizações|Ótica|Carpintaria|Limpezas|Tipografia|Sementes|Cooperativa|Consultores',
  nl: 'Dakwerken|Orthodontie|Transport|Hoveniers|Loodgieters|Optiek|Timmerwerken|Schoonmaak|Drukwerk|Zaden|Coöperatie|Advies',
};

/** Slogans: a head, a middle and an end. */
const slogans: Readonly<Record<Language, readonly [string, string, string]>> = {
  en: [
    'Quality|Trust|Care|Comfort|Progress|Service|Excellence|Value|Craft',
    'you can count on|that lasts|delivered daily|made simple|for every home|beyond expectations|since generations',
    '.|!| ®| – always.| – est. 1962',
  ],
  de: [
    'Qualität|Vertrauen|Leistung|Sicherheit|Fortschritt|Handwerk',
    'aus Leidenschaft|für Generationen|mit System|ganz in Ihrer Nähe|die verbindet',
    '.|!| – seit 1962| ®',
  ],
  fr: [
    'La qualité|La confiance|Le savoir-faire|Le service',
    'au quotidien|depuis trois générations|près de chez vous',
    '.| !| ®',
  ],
  es: ['La calidad|La confianza|El servicio|El oficio', 'de siempre|cada día|cerca de usted', '.|!| ®'],
  it: ['La qualità|La fiducia|Il servizio|La passione', 'di sempre|ogni giorno|vicino a voi', '.|!| ®'],
  pt: ['A qualidade|A confiança|O serviço|A arte', 'de sempre|todos os dias|perto de si', '.|!| ®'],
  nl: ['Kwaliteit|Vertrouwen|Vakwerk|Service', 'elke dag|sinds generaties|bij u in de buurt', '.|!| ®'],
};

const parts = (text: string) => text.split('|');

/** A document's own vocabulary: its names, companies, streets and slogans are made up from sounds, its goods are the language's. */
export function coinedVocabulary(base: Vocabulary, language: Language, random: Random): Vocabulary {
  const { starts, vowels, middles, surnameEnds, givenEnds, streetEnds } = sounds[language];
  const capitals = random.chance(0.2);
  const cased = (text: string) => (capitals ? text.toUpperCase() : `${text[0]!.toUpperCase()}${text.slice(1)}`);
  const of = (list: string) => random.pick(parts(list));
  const stem = () => `${of(starts)}${of(vowels)}${of(middles)}`;
  const surname = () => cased(`${stem()}${random.chance(0.2) ? `${of(vowels)}${of(middles)}` : ''}${of(surnameEnds)}`);
  const given = (sex: 'F' | 'M') => {
    const name = cased(`${stem()}${of(givenEnds[sex])}`);
    if (random.chance(0.25)) return `${name} ${random.letters(1)}.`;
    return random.chance(0.12) ? `${name} ${cased(`${stem()}${of(givenEnds[sex])}`)}` : name;
  };
  const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
  const companyStem = () => {
    switch (random.integer(0, 5)) {
      case 0:
        return surname();
      case 1:
        return random.letters(random.integer(2, 4));
      case 2:
        return `${random.pick(random.pick(base.streets).split(' '))}`.replace(/^\p{Ll}/u, (letter) =>
          letter.toUpperCase(),
        );
      case 3:
        return `${surname()}, ${surname()} & ${surname()}`;
      case 4:
        return cased(`${stem()}${of(vowels)}${random.pick(['x', 'via', 'ly', 'tec', 'ora', 'net'])}`);
      default:
        return `${surname()}-${surname()}`;
    }
  };
  const slogan = () => {
    const [head, middle, end] = slogans[language];
    return `${of(head)} ${of(middle)}${of(end)}`;
  };
  const stems = times(12, companyStem);
  return {
    ...base,
    givenNames: { F: times(4, () => given('F')), M: times(4, () => given('M')) },
    surnames: times(8, surname),
    streets:
      streetEnds === '' || random.chance(0.3) ? base.streets : times(6, () => `${cased(stem())}${of(streetEnds)}`),
    companyStems: stems,
    companyKinds: random.sample(parts(trades[language]), 5),
    legalForms: random.chance(0.3) ? [''] : base.legalForms,
    bankKinds: random.chance(0.5) ? base.bankKinds : ['{}', `{} ${random.pick(parts(trades[language]))}`],
    marketing: times(3, slogan),
  };
}

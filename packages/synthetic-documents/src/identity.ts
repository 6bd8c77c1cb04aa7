import { tint } from './blocks.ts';
import { spanishDni, zoneDigit } from './check-digits.ts';
import { Draft, type GeneratedDocument } from './generated.ts';
import { label, type Scene } from './scene.ts';
import { black, type Color, gray, type Piece, Sheet, type TextStyle, white } from './sheet.ts';

type IdentityType = 'passport' | 'id_card' | 'driver_license';

export const identityLayouts = {
  passport: ['page'],
  id_card: ['front', 'zone', 'both'],
  driver_license: ['american', 'european'],
} as const;

const words = {
  passport: label('PASSPORT', 'REISEPASS', 'PASSEPORT', 'PASAPORTE', 'PASSAPORTO', 'PASSAPORTE', 'PASPOORT'),
  identityCard: label(
    'IDENTITY CARD|NATIONAL IDENTITY CARD',
    'PERSONALAUSWEIS',
    "CARTE NATIONALE D'IDENTITÉ|CARTE D'IDENTITÉ",
    'DOCUMENTO NACIONAL DE IDENTIDAD',
    "CARTA D'IDENTITÀ|CARTA DI IDENTITÀ",
    'CARTÃO DE CIDADÃO',
    'IDENTITEITSKAART',
  ),
  license: label(
    'DRIVER LICENSE|DRIVING LICENCE',
    'FÜHRERSCHEIN',
    'PERMIS DE CONDUIRE',
    'PERMISO DE CONDUCCIÓN',
    'PATENTE DI GUIDA',
    'CARTA DE CONDUÇÃO',
    'RIJBEWIJS',
  ),
  surname: label(
    'Surname|Last name',
    'Name|Familienname',
    'Nom',
    'Apellidos',
    'Cognome',
    'Apelidos|Apelido(s)',
    'Naam|Achternaam',
  ),
  given: label(
    'Given names|First name|Given name(s)',
    'Vornamen|Vorname(n)',
    'Prénoms|Prénom(s)',
    'Nombre',
    'Nome',
    'Nomes próprios|Nome(s)',
    'Voornamen|Voorna(a)m(en)',
  ),
  nationality: label(
    'Nationality',
    'Staatsangehörigkeit',
    'Nationalité',
    'Nacionalidad',
    'Cittadinanza',
    'Nacionalidade',
    'Nationaliteit',
  ),
  birth: label(
    'Date of birth',
    'Geburtsdatum|Geburtstag',
    'Date de naissance',
    'Fecha de nacimiento',
    'Data di nascita',
    'Data de nascimento',
    'Geboortedatum',
  ),
  sex: label('Sex', 'Geschlecht', 'Sexe', 'Sexo', 'Sesso', 'Sexo', 'Geslacht'),
  place: label(
    'Place of birth',
    'Geburtsort',
    'Lieu de naissance',
    'Lugar de nacimiento',
    'Luogo di nascita',
    'Local de nascimento',
    'Geboorteplaats',
  ),
  issued: label(
    'Date of issue',
    'Ausstellungsdatum|Datum der Ausstellung',
    'Date de délivrance',
    'Fecha de expedición',
    'Data di rilascio',
    'Data de emissão',
    'Datum van afgifte',
  ),
  expires: label(
    'Date of expiry|Expiry date',
    'Gültig bis',
    "Date d'expiration",
    'Fecha de caducidad|Validez',
    'Data di scadenza|Scadenza',
    'Data de validade|Válido até',
    'Geldig tot|Datum van verval',
  ),
  authority: label(
    'Authority|Issuing authority',
    'Behörde|Ausstellende Behörde',
    'Autorité',
    'Autoridad',
    'Autorità',
    'Autoridade|Entidade emissora',
    'Autoriteit|Instantie',
  ),
  passportNumber: label(
    'Passport No.',
    'Pass-Nr.',
    'Passeport n°',
    'Pasaporte nº',
    'Passaporto n.',
    'Passaporte n.º',
    'Paspoortnummer',
  ),
  documentNumber: label(
    'Document No.|Card No.',
    'Ausweisnummer|Dokumentennummer',
    'N° du document|Carte n°',
    'Num. soporte|Nº documento',
    'Documento n.|N. documento',
    'N.º documento',
    'Documentnummer',
  ),
  personal: label(
    'Personal No.|Personal number',
    'Persönliche Nummer',
    'N° personnel',
    'DNI',
    'Codice fiscale',
    'N.º Id. Civil',
    'Persoonsnummer|BSN',
  ),
  address: label(
    'Address',
    'Anschrift',
    'Adresse|Domicile',
    'Domicilio',
    'Indirizzo di residenza|Residenza',
    'Morada',
    'Adres',
  ),
  type: label('Type', 'Typ', 'Type', 'Tipo', 'Tipo', 'Tipo', 'Type'),
  code: label('Code|Country code', 'Code', 'Code du pays', 'Código', 'Codice paese', 'Código', 'Landcode'),
} as const;

const states: Readonly<Record<string, string>> = {
  USA: 'UNITED STATES OF AMERICA',
  GBR: 'UNITED KINGDOM',
  AUS: 'AUSTRALIA',
  MYS: 'MALAYSIA',
  DEU: 'BUNDESREPUBLIK DEUTSCHLAND',
  AUT: 'REPUBLIK ÖSTERREICH',
  CHE: 'SCHWEIZERISCHE EIDGENOSSENSCHAFT',
  FRA: 'RÉPUBLIQUE FRANÇAISE',
  BEL: 'ROYAUME DE BELGIQUE',
  ESP: 'REINO DE ESPAÑA',
  MEX: 'ESTADOS UNIDOS MEXICANOS',
  ITA: 'REPUBBLICA ITALIANA',
  PRT: 'REPÚBLICA PORTUGUESA',
  BRA: 'REPÚBLICA FEDERATIVA DO BRASIL',
  NLD: 'KONINKRIJK DER NEDERLANDEN',
};
const nationalities: Readonly<Record<string, string>> = {
  USA: 'UNITED STATES OF AMERICA',
  GBR: 'BRITISH CITIZEN',
  AUS: 'AUSTRALIAN',
  MYS: 'MALAYSIAN',
  DEU: 'DEUTSCH',
  AUT: 'ÖSTERREICH',
  CHE: 'SCHWEIZ',
  FRA: 'FRANÇAISE',
  BEL: 'BELGE',
  ESP: 'ESPAÑOLA',
  MEX: 'MEXICANA',
  ITA: 'ITALIANA',
  PRT: 'PORTUGUESA',
  BRA: 'BRASILEIRA',
  NLD: 'NEDERLANDSE',
};

/** A name in the letters of a machine-readable zone (ICAO 9303-3, section 6). */
function zoneName(text: string): string {
  return text
    .toUpperCase()
    .replaceAll('Ä', 'AE')
    .replaceAll('Ö', 'OE')
    .replaceAll('Ü', 'UE')
    .replaceAll('ß', 'SS')
    .replaceAll('SS', 'SS')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/['’]/g, '')
    .replace(/[^A-Z]+/g, '<');
}

interface Holder {
  readonly surname: string;
  readonly given: string;
  readonly sex: 'F' | 'M';
  readonly born: string;
  readonly issued: string;
  readonly expires: string;
  readonly number: string;
  readonly personal: string;
  readonly nation: string;
}

const short = (iso: string) => iso.slice(2).replaceAll('-', '');

/** The two lines of 44 characters of a passport (ICAO 9303-4). */
function passportZone(holder: Holder): string[] {
  const nation = holder.nation === 'DEU' ? 'D<<' : holder.nation;
  const number = holder.number.padEnd(9, '<');
  const personal = holder.personal.padEnd(14, '<');
  const body = `${number}${zoneDigit(number)}${nation}${short(holder.born)}${zoneDigit(short(holder.born))}${holder.sex}${short(holder.expires)}${zoneDigit(short(holder.expires))}${personal}${/[^<]/.test(personal) ? zoneDigit(personal) : '<'}`;
  const composite = zoneDigit(`${body.slice(0, 10)}${body.slice(13, 20)}${body.slice(21, 43)}`);
  return [
    `P<${nation}${zoneName(holder.surname)}<<${zoneName(holder.given)}`.padEnd(44, '<').slice(0, 44),
    `${body}${composite}`,
  ];
}

/** The three lines of 30 characters of a card (ICAO 9303-5). */
function cardZone(holder: Holder): string[] {
  const nation = holder.nation === 'DEU' ? 'D<<' : holder.nation;
  const number = holder.number.padEnd(9, '<').slice(0, 9);
  const upper = `I<${nation}${number}${zoneDigit(number)}${holder.personal}`.padEnd(30, '<').slice(0, 30);
  const middle =
    `${short(holder.born)}${zoneDigit(short(holder.born))}${holder.sex}${short(holder.expires)}${zoneDigit(short(holder.expires))}${nation}`.padEnd(
      29,
      '<',
    );
  const composite = zoneDigit(
    `${upper.slice(5, 30)}${middle.slice(0, 7)}${middle.slice(8, 15)}${middle.slice(18, 29)}`,
  );
  return [
    upper,
    `${middle}${composite}`,
    `${zoneName(holder.surname)}<<${zoneName(holder.given)}`.padEnd(30, '<').slice(0, 30),
  ];
}

function makeHolder(scene: Scene, type: IdentityType): Holder {
  const { random, region } = scene;
  const person = scene.person();
  const second = random.chance(0.4) ? ` ${random.pick(scene.words.givenNames[person.sex])}` : '';
  const issued = scene.day('2015-01-02', 0, 4000);
  const years = type === 'passport' ? 10 : random.pick([5, 10]);
  const expires = new Date(
    Date.UTC(Number(issued.slice(0, 4)) + years, Number(issued.slice(5, 7)) - 1, Number(issued.slice(8, 10)) - 1),
  )
    .toISOString()
    .slice(0, 10);
  const number = random.pick([
    `${random.letters(2)}${random.digits(7)}`,
    random.digits(9),
    `C${random.digits(2)}${random.letters(2)}${random.digits(4)}`,
  ]);
  const personal = random.chance(0.4)
    ? region.country === 'ES'
      ? spanishDni(random.digits(8))
      : random.digits(random.pick([8, 9, 10]))
    : '';
  return {
    surname: person.surname,
    given: `${person.given}${second}`,
    sex: person.sex,
    born: scene.day('1945-01-01', 0, 22000),
    issued,
    expires,
    number,
    personal,
    nation: region.countryCode,
  };
}

/** Draws a passport's data page, an identity card or a driving licence. */
export function drawIdentity(scene: Scene, type: IdentityType, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const draft = new Draft(scene, type);
  const holder = makeHolder(scene, type);
  if (type === 'driver_license') {
    const chosen = layout ?? (region.country === 'US' ? 'american' : 'european');
    draft.layout = chosen;
    return chosen === 'american'
      ? drawAmericanLicense(scene, draft, holder)
      : drawEuropeanLicense(scene, draft, holder);
  }
  const chosen = type === 'passport' ? 'page' : (layout ?? random.pick(identityLayouts.id_card));
  draft.layout = chosen;
  const isPassport = type === 'passport';
  const withZone = isPassport || chosen !== 'front';
  const withFront = isPassport || chosen !== 'zone';
  const width = isPassport ? 360 : 300;
  const frontHeight = isPassport ? 200 : 190;
  const zoneHeight = isPassport ? 56 : chosen === 'both' ? 120 : 190;
  const sheet = new Sheet(width, withFront ? frontHeight + (withZone ? zoneHeight : 0) : zoneHeight, { sizePoints: 8 });
  const base: Color = random.pick([
    [0.35, 0.55, 0.7],
    [0.5, 0.6, 0.45],
    [0.7, 0.5, 0.5],
    [0.55, 0.5, 0.65],
    [0.6, 0.58, 0.45],
  ]);
  sheet.area({ x0: 0, y0: 0, x1: width, y1: sheet.height }, { fill: tint(base, 0.16) });
  drawGuilloche(sheet, base, sheet.height);
  const bilingual = random.chance(0.55) && region.language !== 'en';
  const caption = (key: keyof typeof words) =>
    bilingual ? `${scene.say(words[key])}/${words[key].en[0]}` : scene.say(words[key]);
  const captionStyle: TextStyle = { sizePoints: 5.6, color: gray };
  const valueStyle: TextStyle = {
    sizePoints: random.pick([8, 8.5, 9]),
    family: random.pick(['sans', 'mono'] as const),
    bold: random.chance(0.4),
  };
  const pattern = random.pick(['DD.MM.YYYY', 'DD MMM YYYY', 'DD/MM/YYYY', 'DD MM YYYY']);
  const date = (iso: string) => ({ value: iso, text: scene.writeDate(iso, pattern).toUpperCase() });
  if (withFront) {
    sheet.text(14, 20, states[region.countryCode] ?? '', { sizePoints: 9.5, bold: true, color: base });
    sheet.text(width - 14, 20, scene.say(isPassport ? words.passport : words.identityCard), {
      sizePoints: isPassport ? 9.5 : 8,
      bold: true,
      align: 'right',
      color: base,
    });
    drawPortrait(sheet, 14, 32, isPassport ? 78 : 66, isPassport ? 98 : 84, base);
    const x = isPassport ? 106 : 92;
    let y = 36;
    const put = (column: number, text: string, piece: Piece) => {
      sheet.text(x + column, y, text, captionStyle);
      sheet.text(x + column, y + 10, piece, valueStyle);
    };
    const row = () => {
      y += 22.5;
    };
    if (isPassport) {
      put(0, caption('type'), { text: 'P' });
      put(
        50,
        caption('code'),
        draft.piece('issuing_country', {
          value: region.country,
          text: region.countryCode === 'DEU' ? 'D' : region.countryCode,
        }),
      );
      put(140, caption('passportNumber'), draft.piece('document_number', holder.number));
      row();
    } else {
      put(0, caption('documentNumber'), draft.piece('document_number', holder.number));
      row();
    }
    const upper = random.chance(0.8);
    const shown = (text: string) => (upper ? text.toUpperCase() : text);
    put(0, caption('surname'), draft.piece('surname', shown(holder.surname)));
    row();
    put(0, caption('given'), draft.piece('given_names', shown(holder.given)));
    row();
    put(
      0,
      caption('nationality'),
      draft.piece('nationality', {
        value: region.country,
        text: nationalities[region.countryCode] ?? region.countryCode,
      }),
    );
    put(120, caption('birth'), draft.piece('date_of_birth', date(holder.born)));
    row();
    put(0, caption('sex'), draft.piece('sex', holder.sex));
    put(50, caption('place'), draft.piece('place_of_birth', shown(scene.address().city)));
    row();
    put(0, caption('issued'), draft.piece('issue_date', date(holder.issued)));
    put(120, caption('expires'), draft.piece('expiry_date', date(holder.expires)));
    row();
    if (random.chance(0.8)) put(0, caption('authority'), draft.piece('issuing_authority', shown(authorityOf(scene))));
    if (holder.personal !== '' && random.chance(0.8))
      put(135, caption('personal'), draft.piece('personal_number', holder.personal));
    if (!isPassport && random.chance(0.6)) {
      const lines = draft.lines('address', scene.address().lines.map(shown));
      sheet.text(14, 132, caption('address'), captionStyle);
      lines.forEach((piece, index) => {
        sheet.text(14, 142 + index * 9, piece, { sizePoints: 7 });
      });
    }
  }
  if (withZone) {
    const lines = isPassport ? passportZone(holder) : cardZone(holder);
    const top = sheet.height - (isPassport ? 56 : 82);
    sheet.area({ x0: 0, y0: top, x1: width, y1: sheet.height }, { fill: white });
    // Full passports write 44 characters of OCR-B over the width of the page.
    const size = (width - 28) / (lines[0]!.length * 0.6);
    // OCR-B, the zones' own font, is heavier than Courier.
    const bold = random.chance(0.7);
    const zone = draft.piece('mrz', { value: lines.join('\n'), text: '' });
    lines.forEach((text, index) => {
      sheet.text(14, top + 22 + index * (size + 7), { ...zone, text }, { family: 'mono', sizePoints: size, bold });
    });
    // The zone alone states these.
    const stated: Record<string, string> = {
      document_number: holder.number,
      surname: zoneName(holder.surname).replaceAll('<', ' '),
      given_names: zoneName(holder.given).replaceAll('<', ' '),
      nationality: region.country,
      issuing_country: region.country,
      date_of_birth: holder.born,
      sex: holder.sex,
      expiry_date: holder.expires,
      ...(holder.personal !== '' && { personal_number: holder.personal }),
    };
    for (const [field, value] of Object.entries(stated)) if (!sheet.places.has(field)) draft.set(field, value);
  }
  return draft.finish(sheet);
}

function authorityOf(scene: Scene): string {
  const city = scene.address().city;
  return scene.random.pick(
    {
      en: [`Passport Office ${city}`, 'Department of State', 'HM Passport Office'],
      de: [`Stadt ${city}`, `Landeshauptstadt ${city}`],
      fr: [`Préfecture de ${city}`, `Mairie de ${city}`],
      es: [`Comisaría de ${city}`, `Equipo ${city}`],
      it: [`Questura di ${city}`, `Comune di ${city}`],
      pt: [`SEF - ${city}`, `Conservatória de ${city}`],
      nl: [`Burg. van ${city}`, `Gemeente ${city}`],
    }[scene.region.language],
  );
}

function drawGuilloche(sheet: Sheet, base: Color, height: number): void {
  for (let index = 0; index < 7; index++) {
    sheet.ellipse(sheet.width * 0.7, height * 0.45, 30 + index * 16, 22 + index * 9, {
      border: tint(base, 0.3),
      widthPoints: 0.35,
    });
  }
}

/** A head and shoulders in a frame, in place of a photograph. */
function drawPortrait(sheet: Sheet, x: number, y: number, width: number, height: number, base: Color): void {
  sheet.area(
    { x0: x, y0: y, x1: x + width, y1: y + height },
    { fill: tint(base, 0.35), border: gray, widthPoints: 0.4 },
  );
  sheet.ellipse(x + width / 2, y + height * 0.95, width * 0.4, height * 0.26, { fill: tint(black, 0.55) });
  sheet.area({ x0: x, y0: y + height, x1: x + width, y1: y + height * 1.22 }, { fill: tint(base, 0.16) });
  sheet.ellipse(x + width / 2, y + height * 0.44, width * 0.22, height * 0.24, { fill: [0.87, 0.74, 0.64] });
  sheet.ellipse(x + width / 2, y + height * 0.29, width * 0.23, height * 0.13, { fill: [0.3, 0.22, 0.18] });
}

function drawAmericanLicense(scene: Scene, draft: Draft, holder: Holder): GeneratedDocument {
  const { random } = scene;
  const sheet = new Sheet(320, 202, { sizePoints: 8 });
  const base: Color = random.pick([
    [0.3, 0.5, 0.75],
    [0.75, 0.45, 0.3],
    [0.4, 0.6, 0.4],
  ]);
  sheet.area({ x0: 0, y0: 0, x1: 320, y1: 202 }, { fill: tint(base, 0.14) });
  drawGuilloche(sheet, base, 202);
  const state = random.pick(['ARIZONA', 'WASHINGTON', 'OREGON', 'TEXAS', 'COLORADO', 'OHIO', 'NEW YORK', 'VIRGINIA']);
  sheet.text(14, 22, state, { sizePoints: 13, bold: true, color: base });
  sheet.text(306, 22, random.pick(['DRIVER LICENSE', 'DRIVER’S LICENSE', 'Driver License']), {
    sizePoints: 9,
    bold: true,
    align: 'right',
    color: base,
  });
  draft.set('issuing_country', 'US');
  drawPortrait(sheet, 12, 34, 76, 96, base);
  const numbered = random.chance(0.6);
  const x = 98;
  let y = 42;
  const date = (iso: string) => ({ value: iso, text: `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(0, 4)}` });
  const put = (column: number, number: string, caption: string, piece: Piece, style: TextStyle = {}) => {
    const end = sheet.text(x + column, y, numbered && number !== '' ? `${number} ${caption} ` : `${caption} `, {
      sizePoints: 6,
      color: gray,
    });
    sheet.text(end, y, piece, { sizePoints: 8.5, bold: true, ...style });
  };
  const license = random.pick([
    `${random.letters(1)}${random.digits(8)}`,
    random.digits(8),
    `WDL${random.letters(4)}${random.digits(3)}${random.letters(2)}`,
  ]);
  put(0, '4d', random.pick(['DL', 'LIC#', 'DLN']), draft.piece('document_number', license), { color: [0.7, 0.1, 0.1] });
  put(120, '9', 'CLASS', draft.piece('vehicle_classes', random.pick(['C', 'D', 'A', 'M'])));
  y += 14;
  put(0, '4b', 'EXP', draft.piece('expiry_date', date(holder.expires)));
  put(120, '9a', 'END', draft.piece('endorsements', random.pick(['NONE', 'M', 'L', 'P'])));
  y += 14;
  put(0, '1', random.chance(0.6) ? 'LN' : '', draft.piece('surname', holder.surname.toUpperCase()));
  y += 12;
  put(0, '2', random.chance(0.6) ? 'FN' : '', draft.piece('given_names', holder.given.toUpperCase()));
  y += 13;
  const lines = draft.lines(
    'address',
    scene.address().lines.map((line) => line.toUpperCase()),
  );
  put(0, '8', '', lines[0]!, { bold: false });
  for (const piece of lines.slice(1)) {
    y += 10;
    sheet.text(x + 8, y, piece, { sizePoints: 8.5 });
  }
  y += 14;
  put(0, '3', 'DOB', draft.piece('date_of_birth', date(holder.born)), { color: [0.7, 0.1, 0.1] });
  put(
    120,
    '12',
    random.pick(['REST', 'RSTR']),
    draft.piece('restrictions', random.pick(['NONE', 'B', 'A', 'CORR LENS'])),
  );
  y += 14;
  put(0, '15', 'SEX', draft.piece('sex', holder.sex));
  put(60, '18', 'EYES', { text: random.pick(['BRO', 'BLU', 'GRN', 'HAZ']) });
  put(120, '16', 'HGT', { text: `${random.integer(5, 6)}'-${String(random.integer(0, 11)).padStart(2, '0')}"` });
  y += 13;
  put(0, '17', 'WGT', { text: `${random.integer(110, 230)} lb` });
  put(60, '4a', 'ISS', draft.piece('issue_date', date(holder.issued)));
  if (random.chance(0.6))
    sheet.text(14, 190, `5 DD ${random.digits(10)}${random.letters(2)}${random.digits(6)}`, { sizePoints: 6 });
  if (random.chance(0.4))
    sheet.text(306, 190, 'DONOR', { sizePoints: 7, bold: true, align: 'right', color: [0.75, 0.1, 0.1] });
  return draft.finish(sheet);
}

/** The numbered fields of the European model (Directive 2006/126/EC, annex I). */
function drawEuropeanLicense(scene: Scene, draft: Draft, holder: Holder): GeneratedDocument {
  const { random, region } = scene;
  const sheet = new Sheet(320, 202, { sizePoints: 8.5 });
  const base: Color = [0.8, 0.55, 0.6];
  sheet.area({ x0: 0, y0: 0, x1: 320, y1: 202 }, { fill: tint(base, 0.2) });
  drawGuilloche(sheet, base, 202);
  sheet.area({ x0: 10, y0: 8, x1: 38, y1: 30 }, { fill: [0.1, 0.25, 0.6] });
  sheet.text(24, 23, region.country === 'DE' ? 'D' : region.country, {
    color: white,
    bold: true,
    sizePoints: 10,
    align: 'center',
  });
  draft.set('issuing_country', region.country);
  sheet.text(48, 22, scene.say(words.license), { bold: true, sizePoints: 11 });
  sheet.text(310, 22, states[region.countryCode] ?? '', { sizePoints: 6.5, align: 'right' });
  drawPortrait(sheet, 12, 44, 74, 92, base);
  const x = 98;
  const date = (iso: string) => ({
    value: iso,
    text: scene.writeDate(iso, random.pick(['DD.MM.YY', 'DD.MM.YYYY', 'DD/MM/YYYY'])),
  });
  const upper = (text: string) => text.toUpperCase();
  const pattern = date(holder.issued).text.includes('/') ? 'DD/MM/YYYY' : 'DD.MM.YYYY';
  const day = (iso: string) => ({ value: iso, text: scene.writeDate(iso, pattern) });
  let y = 52;
  const put = (number: string, pieces: (string | Piece)[], column = 0) => {
    sheet.text(x + column, y, `${number}.`, { sizePoints: 7, color: gray });
    sheet.pieces(x + column + 16, y, pieces, { bold: true });
  };
  put('1', [draft.piece('surname', upper(holder.surname))]);
  y += 14;
  put('2', [draft.piece('given_names', upper(holder.given))]);
  y += 14;
  put('3', [
    draft.piece('date_of_birth', day(holder.born)),
    ' ',
    draft.piece('place_of_birth', upper(scene.address().city)),
  ]);
  y += 14;
  put('4a', [draft.piece('issue_date', day(holder.issued))]);
  put(
    '4c',
    [
      draft.piece(
        'issuing_authority',
        random.pick([authorityOf(scene), 'DVLA', 'Ministerio del Interior', 'MIT-UCO', 'IMT']),
      ),
    ],
    90,
  );
  y += 14;
  put('4b', [draft.piece('expiry_date', day(holder.expires))]);
  y += 14;
  put('5', [
    draft.piece(
      'document_number',
      random.pick([
        `${random.letters(1)}${random.digits(9)}`,
        `${random.letters(5)}${random.digits(6)}${random.letters(2)}9`,
        random.digits(10),
      ]),
    ),
  ]);
  y += 18;
  sheet.text(x + 40, y, '7.', { sizePoints: 7, color: gray });
  sheet.shape(
    x + 58,
    y - 8,
    'M 0 10 C 10 0 15 20 25 8 S 40 18 55 4 L 55 5 C 45 20 30 10 25 10 S 12 22 0 11 Z',
    [0.15, 0.15, 0.4],
  );
  y += 16;
  if (random.chance(0.4)) {
    put('8', [draft.piece('address', scene.address().lines.join(', '))]);
    y += 14;
  }
  put('9', [
    draft.piece('vehicle_classes', random.pick(['AM, B', 'B', 'A1, B, BE', 'AM/B/L', 'B, C, CE'].map((text) => text))),
  ]);
  return draft.finish(sheet);
}

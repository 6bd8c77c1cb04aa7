import { drawLogo, tint } from './blocks.ts';
import { routingNumber } from './check-digits.ts';
import { Draft, type GeneratedDocument } from './generated.ts';
import { label, type Scene } from './scene.ts';
import { black, type Color, gray, type Piece, Sheet, type TextStyle, white } from './sheet.ts';

export const businessCardLayouts = ['left', 'centered', 'split', 'right'] as const;
export const insuranceCardLayouts = ['american', 'european'] as const;
export const checkLayouts = ['american', 'other'] as const;

const palette: readonly Color[] = [
  [0.08, 0.3, 0.5],
  [0.5, 0.1, 0.2],
  [0.1, 0.4, 0.3],
  [0.2, 0.2, 0.22],
  [0.75, 0.35, 0.1],
  [0.35, 0.2, 0.5],
];

/** Draws a business card. */
export function drawBusinessCard(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const chosen = businessCardLayouts.find((name) => name === layout) ?? random.pick(businessCardLayouts);
  const draft = new Draft(scene, 'business_card');
  draft.layout = chosen;
  const sheet = new Sheet(252, 144, { family: random.pick(['sans', 'sans', 'serif'] as const), sizePoints: 7.5 });
  const color = random.pick(palette);
  const company = scene.company();
  const person = scene.person();
  const title = random.chance(0.15)
    ? { en: 'Dr. ', de: 'Dr. ', fr: 'Dr ', es: 'Dr. ', it: 'Ing. ', pt: 'Eng. ', nl: 'ir. ' }[region.language]
    : '';
  const fullName = `${title}${person.full}`;
  const name = draft.piece('name', random.chance(0.2) ? fullName.toUpperCase() : fullName);
  const job = draft.piece('job_title', random.pick(scene.words.jobs));
  const shown = random.chance(0.6) ? company.name : company.shortName;
  const companyPiece = draft.piece('company_name', random.chance(0.25) ? shown.toUpperCase() : shown);
  const host = company.email.split('@')[1]!;
  const plain = (text: string) =>
    text
      .toLowerCase()
      .normalize('NFD')
      .replace(/[^a-z ]/g, '')
      .replaceAll(' ', '');
  const email = `${random.pick([`${plain(person.given)}.${plain(person.surname)}`, `${plain(person.given).slice(0, 1)}${plain(person.surname)}`, plain(person.given)])}@${host}`;
  const phones: string[] = [];
  const numbers: (string | Piece)[][] = [];
  const captions = random.pick([
    {
      en: ['T', 'M', 'F'],
      de: ['T', 'M', 'F'],
      fr: ['T', 'M', 'F'],
      es: ['T', 'M', 'F'],
      it: ['T', 'M', 'F'],
      pt: ['T', 'M', 'F'],
      nl: ['T', 'M', 'F'],
    },
    {
      en: ['Tel:', 'Mobile:', 'Fax:'],
      de: ['Tel.', 'Mobil', 'Fax'],
      fr: ['Tél.', 'Mob.', 'Fax'],
      es: ['Tel.', 'Móvil', 'Fax'],
      it: ['Tel.', 'Cell.', 'Fax'],
      pt: ['Tel.', 'Telem.', 'Fax'],
      nl: ['Tel.', 'Mob.', 'Fax'],
    },
  ])[region.language];
  const count = random.pick([1, 1, 2, 2, 3]);
  for (let index = 0; index < count; index++) {
    const phone = scene.region.phone(random);
    // The third is a fax number, which is no telephone.
    if (index < 2) phones.push(phone);
    numbers.push([`${captions[index]!} `, index < 2 ? { text: phone, field: 'phones' } : { text: phone }]);
  }
  draft.piece('phones', { value: phones, text: '' });
  draft.piece('emails', { value: [email], text: '' });
  const lines: (string | Piece)[][] = [
    ...numbers,
    [...(random.chance(0.4) ? ['E '] : []), { text: email, field: 'emails' }],
  ];
  if (random.chance(0.85)) lines.push([draft.piece('website', company.website)]);
  const addressLines = draft.lines('address', company.address.lines);
  const withAddress = random.chance(0.85);
  const oneLine = random.chance(0.4);
  const address: (string | Piece)[][] = withAddress
    ? oneLine
      ? [addressLines.flatMap((piece, index) => (index ? [', ', piece] : [piece]))]
      : addressLines.map((piece) => [piece])
    : [];
  const stack = (x: number, y: number, rows: readonly (readonly (string | Piece)[])[], style: TextStyle = {}) => {
    const room = style.align === 'center' ? 236 : style.align === 'right' ? x - 70 : 244 - x;
    for (const row of rows) {
      const width = sheet.measure(row.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''), style);
      sheet.pieces(x, y, row, { ...style, sizePoints: Math.min(7.5, (7.5 * room) / width) });
      y += 10;
    }
    return y;
  };
  const dark = random.chance(0.2);
  const ink = dark ? white : black;
  if (dark) sheet.area({ x0: 0, y0: 0, x1: 252, y1: 144 }, { fill: color });
  switch (chosen) {
    case 'left':
      if (random.chance(0.6))
        drawLogo(sheet, random, 208, 14, 24, dark ? tint(color, 0.4) : color, company.shortName.slice(0, 1));
      sheet.text(16, 24, companyPiece, { bold: true, sizePoints: 9, color: dark ? white : color });
      sheet.text(16, 50, name, { bold: true, sizePoints: 11, color: ink });
      sheet.text(16, 61, job, { italic: random.chance(0.5), color: ink });
      stack(16, 134 - 10 * (lines.length + address.length - 1), [...lines, ...address], { color: ink });
      break;
    case 'centered':
      sheet.text(126, 26, companyPiece, { bold: true, sizePoints: 10, align: 'center', color: dark ? white : color });
      sheet.text(126, 48, name, { bold: true, sizePoints: 11, align: 'center', color: ink });
      sheet.text(126, 59, job, { align: 'center', color: ink });
      stack(126, 134 - 10 * (lines.length + address.length - 1), [...lines, ...address], {
        align: 'center',
        color: ink,
      });
      break;
    case 'split':
      sheet.text(14, 26, name, { bold: true, sizePoints: 11, color: ink });
      sheet.text(14, 37, job, { color: ink });
      sheet.line(14, 46, 238, 46, { color: dark ? white : color, widthPoints: 1 });
      stack(14, 64, [[companyPiece], ...address], { color: ink });
      stack(138, 64, lines, { color: ink });
      break;
    case 'right':
      drawLogo(sheet, random, 18, 40, 44, dark ? tint(color, 0.4) : color, company.shortName.slice(0, 2).toUpperCase());
      sheet.text(18, 108, companyPiece, { bold: true, sizePoints: 7.5, color: dark ? white : color });
      sheet.text(238, 30, name, { bold: true, sizePoints: 11, align: 'right', color: ink });
      sheet.text(238, 41, job, { align: 'right', color: ink });
      stack(238, 60, [...lines, ...address], { align: 'right', color: ink });
      break;
  }
  return draft.finish(sheet);
}

const insurance = {
  insurers: label(
    'Health Plan|Mutual Health|Care Insurance|HealthFirst',
    'Krankenkasse|Krankenversicherung',
    'Mutuelle|Assurance Santé',
    'Seguros de Salud|Salud',
    'Assicurazione Salute|Salute',
    'Seguros Saúde|Saúde',
    'Zorgverzekeringen|Zorg',
  ),
  title: label(
    'Health Insurance Card|Member Card',
    'Gesundheitskarte|Versichertenkarte',
    "Carte d'assuré|Carte de tiers payant",
    'Tarjeta sanitaria|Tarjeta de seguro médico',
    'Tessera sanitaria|Tessera assicurativa',
    'Cartão de saúde|Cartão de seguro',
    'Zorgpas|Zorgverzekeringspas',
  ),
  name: label(
    'Member Name|Member|Subscriber Name|Name',
    'Name|Versicherter',
    "Nom|Nom de l'assuré",
    'Asegurado|Titular',
    'Assicurato|Nome',
    'Segurado|Nome',
    'Verzekerde|Naam',
  ),
  id: label(
    'Member ID|ID Number|Subscriber ID|Identification Number',
    'Versichertennummer|Versicherten-Nr.',
    "N° d'assuré|N° adhérent",
    'Nº de asegurado|Nº póliza',
    'N. tessera|Numero assicurato',
    'N.º de beneficiário|N.º apólice',
    'Polisnummer|Verzekerdennummer',
  ),
  group: label(
    'Group Number|Group No.|Group|GRP',
    'Kassennummer|Kassen-Nr.',
    'N° de groupe',
    'Nº grupo',
    'Gruppo',
    'N.º grupo',
    'Collectiviteitsnummer|Groepsnummer',
  ),
  plan: label(
    'Plan|Plan Name|Plan Type',
    'Tarif',
    'Formule|Contrat',
    'Modalidad|Plan',
    'Piano|Copertura',
    'Plano',
    'Pakket|Verzekering',
  ),
  effective: label(
    'Effective Date|Effective|Coverage Effective',
    'Gültig ab|Versichert seit',
    "Date d'effet|Valable à partir du",
    'Fecha de efecto|Válida desde',
    'Decorrenza|Valida dal',
    'Data de início|Válido desde',
    'Ingangsdatum|Geldig vanaf',
  ),
  plans: label(
    'PPO Gold|HMO Silver 2000|Choice Plus PPO|EPO Bronze|Health Savings Plan',
    'Komfort Plus|Classic',
    'Essentielle|Confort',
    'Salud Total|Básico',
    'Salute Plus|Base',
    'Saúde Mais|Essencial',
    'Zorg Compleet|Basis Plus',
  ),
} as const;

/** Draws a health insurance card. */
export function drawInsuranceCard(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const american = layout
    ? layout === 'american'
    : region.country === 'US' || (region.language === 'en' && random.chance(0.7));
  const draft = new Draft(scene, 'insurance_card');
  draft.layout = american ? 'american' : 'european';
  const sheet = new Sheet(300, 190, { sizePoints: 8 });
  const color = random.pick(palette);
  sheet.area({ x0: 0, y0: 0, x1: 300, y1: 190 }, { fill: tint(color, 0.06), border: gray });
  if (random.chance(0.6)) sheet.area({ x0: 0, y0: 0, x1: 300, y1: 34 }, { fill: tint(color, 0.18) });
  const insurer =
    region.language === 'en' || region.language === 'nl' || region.language === 'de'
      ? `${random.pick(scene.words.companyStems)} ${random.pick(insurance.insurers[region.language])}`
      : `${random.pick(insurance.insurers[region.language])} ${random.pick(scene.words.companyStems)}`;
  const logo = random.chance(0.6) ? drawLogo(sheet, random, 12, 8, 20, color, insurer.slice(0, 1)) + 8 : 0;
  sheet.text(12 + logo, 23, draft.piece('insurer_name', insurer), { bold: true, sizePoints: 11, color });
  if (!american || random.chance(0.3))
    sheet.text(288, 22, scene.say(insurance.title), { align: 'right', sizePoints: 7, color: gray });
  const person = scene.person();
  const shown = random.chance(0.5) ? person.full.toUpperCase() : person.full;
  const id = american
    ? random.pick([
        `${random.letters(3)}${random.digits(9)}`,
        random.digits(9),
        `W${random.digits(8)} 01`,
        `${random.letters(2)} ${random.digits(8)}`,
      ])
    : random.pick([`${random.letters(1)}${random.digits(9)}`, random.digits(10), random.digits(8)]);
  const form = random.pick(['above', 'inline', 'below'] as const);
  const captionStyle: TextStyle = { sizePoints: 6.2, color: gray };
  const put = (x: number, y: number, caption: string, piece: Piece) => {
    if (form === 'inline') {
      const end = sheet.text(x, y, `${caption}${random.chance(0.6) ? ': ' : ' '}`, { sizePoints: 7, color: gray });
      sheet.text(end, y, piece, { bold: true });
    } else {
      sheet.text(x, y, caption, captionStyle);
      sheet.text(x, y + 10, piece, { bold: true });
    }
  };
  const step = form === 'inline' ? 15 : 24;
  let y = 52;
  put(14, y, scene.say(insurance.name), draft.piece('member_name', shown));
  const effective = scene.today();
  if (random.chance(0.7))
    put(165, y, scene.say(insurance.effective), draft.piece('effective_date', scene.date(effective)));
  y += step;
  put(14, y, scene.say(insurance.id), draft.piece('member_id', id));
  if (random.chance(0.75))
    put(165, y, scene.say(insurance.plan), draft.piece('plan_name', random.pick(insurance.plans[region.language])));
  y += step;
  if (random.chance(0.85))
    put(
      14,
      y,
      scene.say(insurance.group),
      draft.piece(
        'group_number',
        random.pick([random.digits(6), random.digits(9), `${random.digits(5)}-${random.digits(3)}`]),
      ),
    );
  y += step;
  if (american) {
    if (random.chance(0.85)) {
      put(14, y, random.pick(['RxBIN', 'Rx BIN', 'BIN', 'RXBIN']), draft.piece('rx_bin', random.digits(6)));
      put(
        100,
        y,
        random.pick(['RxPCN', 'Rx PCN', 'PCN', 'RXPCN']),
        draft.piece(
          'rx_pcn',
          random.pick([random.letters(3), random.digits(8), `${random.letters(2)}${random.digits(4)}`, 'ADV']),
        ),
      );
      if (random.chance(0.7)) put(186, y, random.pick(['RxGrp', 'Rx Group']), { text: `RX${random.digits(4)}` });
      y += step;
    }
    if (random.chance(0.7)) {
      sheet.text(14, y, random.pick(['Copays', 'Copayments']), { bold: true, sizePoints: 7 });
      sheet.text(
        14,
        y + 10,
        `Office Visit $${random.integer(2, 6) * 5}   Specialist $${random.integer(6, 12) * 5}   Emergency Room $${random.integer(10, 30) * 10}`,
        { sizePoints: 7 },
      );
    }
    sheet.text(14, 182, `Member Services 1-800-555-01${random.digits(2)}   Payer ID ${random.digits(5)}`, {
      sizePoints: 6.2,
      color: gray,
    });
  } else sheet.text(14, 180, `${region.phone(random)}   ${scene.company().website}`, { sizePoints: 6.5, color: gray });
  return draft.finish(sheet);
}

const small = [
  'Zero',
  'One',
  'Two',
  'Three',
  'Four',
  'Five',
  'Six',
  'Seven',
  'Eight',
  'Nine',
  'Ten',
  'Eleven',
  'Twelve',
  'Thirteen',
  'Fourteen',
  'Fifteen',
  'Sixteen',
  'Seventeen',
  'Eighteen',
  'Nineteen',
];
const tens = ['', '', 'Twenty', 'Thirty', 'Forty', 'Fifty', 'Sixty', 'Seventy', 'Eighty', 'Ninety'];

/** A whole number below one million in English words. */
function inWords(value: number): string {
  if (value < 20) return small[value]!;
  if (value < 100) return `${tens[Math.floor(value / 10)]}${value % 10 ? `-${small[value % 10]}` : ''}`;
  if (value < 1000) return `${small[Math.floor(value / 100)]} Hundred${value % 100 ? ` ${inWords(value % 100)}` : ''}`;
  return `${inWords(Math.floor(value / 1000))} Thousand${value % 1000 ? ` ${inWords(value % 1000)}` : ''}`;
}

const cheque = {
  pay: label(
    'Pay to the order of|PAY TO THE ORDER OF|Pay to the Order of',
    'Zahlen Sie an|an',
    "Payez contre ce chèque à|à l'ordre de",
    'Páguese por este cheque a',
    'A vista pagate per questo assegno bancario a',
    'Pague por este cheque a|À ordem de',
    'Betaal aan|Aan de order van',
  ),
  sum: label(
    'the sum of',
    'Betrag in Worten',
    'la somme de',
    'la cantidad de',
    "l'importo di",
    'a quantia de',
    'de som van',
  ),
  date: label('Date|DATE', 'Datum', 'Date|Le', 'Fecha', 'Data', 'Data', 'Datum'),
  memo: label('Memo|MEMO|For', 'Verwendungszweck', 'Objet', 'Concepto', 'Causale', 'Descrição', 'Omschrijving'),
  number: label('No.|Check No.', 'Scheck-Nr.', 'Chèque n°', 'Cheque nº', 'Assegno n.', 'Cheque n.º', 'Chequenummer'),
  purposes: label(
    'Rent March|Invoice 2041|Consulting fee|Gift|Deposit|Services',
    'Miete|Rechnung 2041|Honorar',
    'Loyer|Facture 2041',
    'Alquiler|Factura 2041',
    'Affitto|Fattura 2041',
    'Renda|Fatura 2041',
    'Huur|Factuur 2041',
  ),
} as const;

/** Draws a check. Amounts in words are written in English on American ones, and in figures of words left out elsewhere. */
export function drawCheck(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const draft = new Draft(scene, 'check');
  const american = layout ? layout === 'american' : region.language === 'en';
  draft.layout = american ? 'american' : 'other';
  const sheet = new Sheet(432, 198, { sizePoints: 9, family: random.pick(['sans', 'serif'] as const) });
  const color = random.pick(palette);
  sheet.area({ x0: 0, y0: 0, x1: 432, y1: 198 }, { fill: tint(color, 0.08), border: gray });
  draft.set('currency', region.currency);
  const payer = random.chance(0.6) ? scene.person().full : scene.company().name;
  const payerAddress = scene.address().lines;
  const payee = random.chance(0.5) ? scene.person().full : scene.company().name;
  const bank = random.pick(scene.words.bankKinds).replace('{}', random.pick(scene.words.companyStems));
  const value = 20 + random.next() * random.pick([300, 2500, 18000]);
  const rounded = random.chance(0.4) ? Math.round(value) : Math.round(value * 100) / 100;
  const number = random.pick([random.digits(4), random.digits(3), random.digits(6)]);
  const routing = routingNumber(`${random.pick(['0', '1', '2', '3'])}${random.integer(1, 9)}${random.digits(6)}`);
  const account = random.digits(random.integer(8, 12));
  const hand: TextStyle = {
    italic: random.chance(0.6),
    family: random.pick(['serif', 'sans'] as const),
    sizePoints: 11,
    color: [0.1, 0.1, 0.4],
  };
  sheet.text(18, 24, draft.piece('payer_name', random.chance(0.4) ? payer.toUpperCase() : payer), {
    bold: true,
    sizePoints: 10,
  });
  payerAddress.forEach((line, index) => {
    sheet.text(18, 35 + index * 10, line, { sizePoints: 8 });
  });
  if (american || random.chance(0.6)) {
    if (random.chance(0.4))
      sheet.pieces(414, 24, ['No. ', draft.piece('check_number', number)], { align: 'right', bold: true });
    else sheet.text(414, 24, draft.piece('check_number', number), { align: 'right', bold: true });
  }
  sheet.text(286, 48, scene.say(cheque.date), { sizePoints: 7.5 });
  sheet.text(318, 48, draft.piece('date', scene.date(scene.today())), hand);
  sheet.line(314, 51, 414, 51, { widthPoints: 0.5 });
  const payEnd = sheet.text(18, 84, scene.say(cheque.pay), { sizePoints: 7.5 });
  sheet.text(Math.max(payEnd + 8, 70), 84, draft.piece('payee_name', payee), hand);
  sheet.line(payEnd + 4, 87, 322, 87, { widthPoints: 0.5 });
  const figures = scene.number(rounded);
  const sign = region.currencySign;
  sheet.area({ x0: 328, y0: 70, x1: 414, y1: 92 }, { fill: white, border: gray });
  const after = ['de', 'fr', 'es', 'it', 'pt'].includes(region.language);
  sheet.pieces(
    334,
    85,
    after
      ? [draft.piece('amount', { value: rounded, text: figures }), ` ${sign}`]
      : [`${sign} `, draft.piece('amount', { value: rounded, text: `${random.chance(0.3) ? '**' : ''}${figures}` })],
    { ...hand, bold: true },
  );
  const centsPart = String(Math.round((rounded % 1) * 100)).padStart(2, '0');
  if (american) {
    const spelled = `${inWords(Math.floor(rounded))} and ${centsPart}/100`;
    const end = sheet.text(18, 108, draft.piece('amount_words', random.chance(0.2) ? spelled.toUpperCase() : spelled), {
      ...hand,
      sizePoints: 10,
    });
    sheet.line(18, 111, 366, 111, { widthPoints: 0.5 });
    if (end < 360) sheet.text(370, 110, region.country === 'GB' ? 'POUNDS' : 'DOLLARS', { sizePoints: 8, bold: true });
  } else {
    sheet.text(18, 108, scene.say(cheque.sum), { sizePoints: 7.5 });
    sheet.line(90, 111, 414, 111, { widthPoints: 0.5 });
  }
  sheet.text(18, 134, draft.piece('bank_name', bank), { bold: true, sizePoints: 10, color });
  if (random.chance(0.6)) sheet.text(18, 145, scene.address().lines.join(', '), { sizePoints: 6.5, color: gray });
  if (random.chance(0.75)) {
    const memoEnd = sheet.text(18, 164, scene.say(cheque.memo), { sizePoints: 7.5 });
    sheet.text(memoEnd + 6, 164, draft.piece('memo', random.pick(cheque.purposes[region.language])), {
      ...hand,
      sizePoints: 9.5,
    });
    sheet.line(memoEnd + 3, 167, 200, 167, { widthPoints: 0.5 });
  }
  sheet.line(260, 164, 414, 164, { widthPoints: 0.5 });
  sheet.shape(
    280,
    148,
    'M 0 12 C 10 0 18 22 30 6 S 46 20 60 6 S 80 16 96 2 L 96 3 C 82 20 66 9 60 9 S 42 24 30 9 S 12 20 0 13 Z',
    [0.1, 0.1, 0.4],
  );
  // The magnetic line's signs are not in the standard fonts; readers see them as colons, bars and quotes.
  const micr: TextStyle = { family: 'mono', sizePoints: 11 };
  if (american) {
    const [transit, onUs] = random.pick([
      [':', '"'],
      ['|:', '||'],
      [':', '||'],
      ['¦:', '"'],
    ]);
    const padded = number.padStart(random.pick([4, 6]), '0');
    sheet.pieces(
      30,
      188,
      random.chance(0.5)
        ? [
            `${onUs}${padded}${onUs} ${transit}`,
            draft.piece('routing_number', routing),
            `${transit} `,
            draft.piece('account_number', account),
            onUs,
          ]
        : [
            transit,
            draft.piece('routing_number', routing),
            `${transit} `,
            draft.piece('account_number', account),
            `${onUs} ${padded}`,
          ],
      micr,
    );
  } else
    sheet.pieces(
      30,
      188,
      [
        `${scene.say(cheque.number)} `,
        draft.piece('check_number', number),
        '    ',
        draft.piece('account_number', account),
      ],
      { ...micr, sizePoints: 9.5 },
    );
  return draft.finish(sheet);
}

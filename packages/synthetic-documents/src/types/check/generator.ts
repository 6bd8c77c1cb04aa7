import { tint } from '../../blocks.ts';
import { cardColors } from '../../card-colors.ts';
import { routingNumber } from '../../check-digits.ts';
import { Draft, type GeneratedDocument } from '../../generated.ts';
import { label, type Scene } from '../../scene.ts';
import { gray, Sheet, type TextStyle, white } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const checkLayouts = ['american', 'other'] as const;

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
function drawCheck(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const draft = new Draft(scene, 'check');
  const american = layout ? layout === 'american' : region.language === 'en';
  draft.layout = american ? 'american' : 'other';
  const sheet = new Sheet(432, 198, { sizePoints: 9, family: random.pick(['sans', 'serif'] as const) });
  const color = random.pick(cardColors);
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

export const checkGenerator: Generator = { draw: drawCheck, layouts: checkLayouts };

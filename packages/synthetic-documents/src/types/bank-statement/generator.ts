import {
  type Column,
  drawLines,
  drawLogo,
  drawPairs,
  drawTable,
  type Pair,
  type PairForm,
  pickTableLook,
  pickTheme,
  tint,
} from '../../blocks.ts';
import { Draft, type GeneratedDocument } from '../../generated.ts';
import { labels } from '../../labels.ts';
import type { Language } from '../../regions.ts';
import { label, type Scene } from '../../scene.ts';
import { gray, Sheet, white } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const bankStatementLayouts = ['two-columns', 'signed', 'summary', 'american'] as const;

const words = {
  title: label(
    'Account Statement|Bank Statement|Statement of Account|STATEMENT',
    'Kontoauszug|KONTOAUSZUG|Auszug',
    'Relevé de compte|RELEVÉ DE COMPTE|Extrait de compte',
    'Extracto de cuenta|EXTRACTO BANCARIO|Extracto',
    'Estratto conto|ESTRATTO CONTO|Lista movimenti',
    'Extrato de conta|EXTRATO BANCÁRIO|Extrato',
    'Rekeningafschrift|Bankafschrift|REKENINGAFSCHRIFT',
  ),
  holder: label(
    'Account Holder|Account Name|Customer|Name',
    'Kontoinhaber|Inhaber|Kontoinhaberin',
    'Titulaire|Titulaire du compte|Client',
    'Titular|Titular de la cuenta',
    'Intestatario|Intestato a',
    'Titular|Titular da conta',
    'Rekeninghouder|Ten name van|Tenaamstelling',
  ),
  account: label(
    'Account Number|Account No.|Account #|Account',
    'Kontonummer|Konto-Nr.|Konto',
    'Numéro de compte|N° de compte|Compte n°',
    'Número de cuenta|Nº de cuenta|Cuenta',
    'Conto corrente n.|Numero di conto|C/C n.',
    'Número da conta|Conta n.º',
    'Rekeningnummer|Rekening',
  ),
  number: label(
    'Statement No.|Statement Number|Sheet Number',
    'Auszug-Nr.|Auszugsnummer|Auszug Nr.',
    'Relevé n°|N° de relevé',
    'Extracto nº|Nº extracto',
    'Estratto conto n.|N. estratto',
    'Extrato n.º',
    'Afschriftnummer|Volgnummer|Afschrift nr.',
  ),
  period: label(
    'Statement Period|Period|Statement period',
    'Zeitraum|Abrechnungszeitraum|Auszugszeitraum',
    'Période|Période du',
    'Periodo|Período',
    'Periodo|Periodo di riferimento',
    'Período',
    'Periode',
  ),
  opening: label(
    'Opening Balance|Beginning Balance|Previous Balance|Balance brought forward',
    'Anfangssaldo|Alter Saldo|Alter Kontostand|Saldovortrag',
    'Solde initial|Solde précédent|Ancien solde',
    'Saldo inicial|Saldo anterior',
    'Saldo iniziale|Saldo precedente',
    'Saldo inicial|Saldo anterior|Saldo de abertura',
    'Beginsaldo|Vorig saldo|Oud saldo',
  ),
  closing: label(
    'Closing Balance|Ending Balance|New Balance|Balance carried forward',
    'Endsaldo|Neuer Saldo|Neuer Kontostand|Schlusssaldo',
    'Solde final|Nouveau solde|Solde de clôture',
    'Saldo final|Nuevo saldo',
    'Saldo finale|Nuovo saldo',
    'Saldo final|Saldo de fecho',
    'Eindsaldo|Nieuw saldo',
  ),
  credits: label(
    'Total Credits|Total Paid In|Deposits|Money In|Total Deposits',
    'Summe Gutschriften|Gutschriften|Summe Haben',
    'Total des crédits|Total crédits',
    'Total abonos|Abonos|Total haber',
    'Totale accrediti|Totale entrate|Totale avere',
    'Total de créditos|Total créditos',
    'Totaal bijgeschreven|Totaal bij',
  ),
  debits: label(
    'Total Debits|Total Paid Out|Withdrawals|Money Out|Total Withdrawals',
    'Summe Lastschriften|Belastungen|Summe Soll',
    'Total des débits|Total débits',
    'Total cargos|Cargos|Total debe',
    'Totale addebiti|Totale uscite|Totale dare',
    'Total de débitos|Total débitos',
    'Totaal afgeschreven|Totaal af',
  ),
  date: label(
    'Date|Transaction Date|Posting Date',
    'Datum|Buchungstag|Buchung|Bu.-Tag',
    'Date|Date opération',
    'Fecha|Fecha operación|F. operación',
    'Data|Data operazione|Data contabile',
    'Data|Data mov.|Data movimento',
    'Datum|Boekdatum',
  ),
  valueDate: label(
    'Value Date|Value',
    'Valuta|Wert|Wertstellung',
    'Date valeur|Valeur',
    'Fecha valor|Valor|F. valor',
    'Valuta|Data valuta',
    'Data valor|Data-valor',
    'Rentedatum|Valutadatum',
  ),
  description: label(
    'Description|Transaction|Details|Transaction Description',
    'Verwendungszweck|Buchungstext|Vorgang|Beschreibung',
    "Libellé|Opération|Nature de l'opération",
    'Concepto|Descripción|Operación',
    'Descrizione|Operazione|Causale',
    'Descrição|Descritivo|Movimento',
    'Omschrijving|Naam / Omschrijving',
  ),
  reference: label(
    'Ref|Reference|Ref No',
    'Referenz|Ref.',
    'Réf.|Référence',
    'Referencia',
    'Rif.|Riferimento',
    'Referência',
    'Kenmerk|Referentie',
  ),
  debit: label(
    'Debit|Paid Out|Withdrawals|Money Out|Debits',
    'Soll|Lastschrift|Belastung',
    'Débit|DÉBIT',
    'Debe|Cargo|Cargos',
    'Dare|Addebiti|Uscite',
    'Débito|Débitos',
    'Af|Afgeschreven|Debet',
  ),
  credit: label(
    'Credit|Paid In|Deposits|Money In|Credits',
    'Haben|Gutschrift',
    'Crédit|CRÉDIT',
    'Haber|Abono|Abonos',
    'Avere|Accrediti|Entrate',
    'Crédito|Créditos',
    'Bij|Bijgeschreven|Credit',
  ),
  amount: label('Amount', 'Betrag|Umsatz', 'Montant', 'Importe', 'Importo', 'Montante|Valor', 'Bedrag'),
  balance: label('Balance|Running Balance', 'Saldo|Kontostand', 'Solde', 'Saldo', 'Saldo', 'Saldo', 'Saldo'),
} as const;

const transactions: Readonly<Record<Language, readonly (readonly [kind: string, detail: string])[]>> = {
  en: [
    ['Direct Debit', 'Rent {name}'],
    ['Card Payment', '{company}'],
    ['Salary', '{company}'],
    ['Transfer from', '{name}'],
    ['ATM Withdrawal', '{city}'],
    ['Standing Order', '{company}'],
    ['Online Transfer', 'Savings'],
    ['Check', ''],
    ['Monthly Service Fee', ''],
    ['Interest Paid', ''],
    ['Purchase', '{company}'],
  ],
  de: [
    ['Lastschrift', '{company}'],
    ['Kartenzahlung', '{company}'],
    ['Gehalt', '{company}'],
    ['Überweisung', '{name}'],
    ['Geldautomat', '{city}'],
    ['Dauerauftrag', 'Miete {name}'],
    ['Gutschrift', '{name}'],
    ['Entgeltabschluss', ''],
    ['SEPA-Basislastschrift', '{company}'],
    ['Zinsen', ''],
  ],
  fr: [
    ['Prélèvement', '{company}'],
    ['Paiement CB', '{company}'],
    ['Virement salaire', '{company}'],
    ['Virement', '{name}'],
    ['Retrait DAB', '{city}'],
    ['Virement permanent', 'Loyer'],
    ['Chèque n°', ''],
    ['Frais de tenue de compte', ''],
  ],
  es: [
    ['Recibo', '{company}'],
    ['Compra tarjeta', '{company}'],
    ['Nómina', '{company}'],
    ['Transferencia', '{name}'],
    ['Cajero', '{city}'],
    ['Bizum', '{name}'],
    ['Comisión mantenimiento', ''],
    ['Alquiler', ''],
  ],
  it: [
    ['Addebito SDD', '{company}'],
    ['Pagamento POS', '{company}'],
    ['Stipendio', '{company}'],
    ['Bonifico', '{name}'],
    ['Prelievo ATM', '{city}'],
    ['Canone mensile', ''],
    ['Imposta di bollo', ''],
  ],
  pt: [
    ['Débito direto', '{company}'],
    ['Compra', '{company}'],
    ['Ordenado', '{company}'],
    ['Transferência', '{name}'],
    ['Levantamento', '{city}'],
    ['Comissão de manutenção', ''],
    ['Pagamento de serviços', '{company}'],
  ],
  nl: [
    ['Incasso', '{company}'],
    ['Betaalautomaat', '{company}'],
    ['Salaris', '{company}'],
    ['Overboeking', '{name}'],
    ['Geldautomaat', '{city}'],
    ['Huur', '{name}'],
    ['Kosten betaalpakket', ''],
  ],
};

const cents = (value: number) => Math.round(value * 100 + 1e-7) / 100;

/** Draws a bank statement with running balances. */
function drawBankStatement(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const chosen = bankStatementLayouts.find((name) => name === layout) ?? random.pick(bankStatementLayouts);
  const draft = new Draft(scene, 'bank_statement');
  draft.layout = chosen;
  const theme = pickTheme(random);
  const sheet = new Sheet(region.paper[0], region.paper[1], { family: theme.family, sizePoints: theme.sizePoints });
  const left = theme.margin;
  const right = sheet.width - theme.margin;
  const size = theme.sizePoints;
  const bank = {
    ...scene.company(),
    name: random.pick(scene.words.bankKinds).replace('{}', random.pick(scene.words.companyStems)),
  };
  const holder = random.chance(0.65) ? scene.person().full : scene.company().name;
  const holderAddress = scene.address().lines;
  const start = `${random.integer(2019, 2026)}-${String(random.integer(1, 12)).padStart(2, '0')}-01`;
  const end = new Date(Date.UTC(Number(start.slice(0, 4)), Number(start.slice(5, 7)), 0)).toISOString().slice(0, 10);
  const iban = region.iban(random);
  const account = random.pick([
    random.digits(10),
    random.digits(8),
    `${random.digits(3)}-${random.digits(6)}-${random.digits(1)}`,
    `${random.digits(4)} ${random.digits(4)} ${random.digits(2)}`,
  ]);

  const opening = cents(random.integer(-500, 9000) + random.next());
  let balance = opening;
  const count = chosen === 'summary' ? random.integer(30, 70) : random.integer(4, random.pick([10, 24, 45]));
  const days = Array.from({ length: count }, () => random.integer(0, 27)).sort((a, b) => a - b);
  const rows = days.map((offset) => {
    const [kind, detail] = random.pick(transactions[region.language]);
    const income =
      /Salar|Gehalt|salaire|Nómina|Stipendio|Ordenado|Salaris|Gutschrift|Interest|from|Zinsen/.test(kind) ||
      (/Transfer|Überweisung|Virement$|Bonifico|Overboeking|Bizum/.test(kind) && random.chance(0.4));
    const amount = cents(income ? 50 + random.next() * 3200 : 2 + random.next() * random.pick([40, 180, 900]));
    balance = cents(balance + (income ? amount : -amount));
    const date = scene.day(start, offset, offset);
    const description =
      `${kind} ${detail.replace('{company}', scene.company().shortName).replace('{name}', scene.person().full).replace('{city}', scene.address().city)}`.trim();
    return {
      date,
      valueDate: scene.day(date, 0, 2),
      description,
      reference: random.digits(random.pick([6, 8, 10])),
      debit: income ? 0 : amount,
      credit: income ? amount : 0,
      balance,
    };
  });
  const credits = cents(rows.reduce((sum, row) => sum + row.credit, 0));
  const debits = cents(rows.reduce((sum, row) => sum + row.debit, 0));

  // Head
  const logo = random.chance(0.8)
    ? drawLogo(sheet, random, left, 36, 32, theme.accent, bank.name.slice(0, 1).toUpperCase()) + 10
    : 0;
  const namePiece = draft.piece('bank_name', bank.name);
  if (chosen === 'american') sheet.area({ x0: 0, y0: 0, x1: sheet.width, y1: 6 }, { fill: theme.accent });
  sheet.text(left + logo, 54, namePiece, { sizePoints: size * 1.7, bold: true, color: theme.accent });
  const bankAddress = draft.lines('bank_address', bank.address.lines);
  if (random.chance(0.75))
    sheet.pieces(
      left + logo,
      67,
      bankAddress.flatMap((piece, index) => (index ? [', ', piece] : [piece])),
      { sizePoints: size * 0.85, color: gray },
    );
  sheet.text(right, 54, scene.say(words.title), { sizePoints: size * 1.8, bold: true, align: 'right' });

  const pairs: Pair[] = [];
  const holderInPairs = random.chance(0.4);
  if (holderInPairs) pairs.push({ caption: scene.say(words.holder), value: draft.piece('account_holder', holder) });
  if (!iban || random.chance(0.7))
    pairs.push({ caption: scene.say(words.account), value: draft.piece('account_number', account) });
  if (iban && random.chance(0.85)) {
    pairs.push({
      caption: 'IBAN',
      value: draft.piece('iban', {
        value: iban,
        text: random.chance(0.75) ? iban.replace(/(.{4})(?=.)/g, '$1 ') : iban,
      }),
    });
    if (random.chance(0.6)) pairs.push({ caption: 'BIC', value: draft.piece('bic', bank.bic) });
  }
  if (random.chance(0.6))
    pairs.push({
      caption: scene.say(words.number),
      value: draft.piece(
        'statement_number',
        random.pick([
          String(random.integer(1, 24)),
          `${random.integer(1, 12)}/${start.slice(0, 4)}`,
          `${start.slice(0, 4)}-${String(random.integer(1, 60)).padStart(3, '0')}`,
        ]),
      ),
    });
  pairs.push({
    caption: scene.say(words.period),
    value: [
      draft.piece('statement_start_date', scene.date(start)),
      {
        text: random.pick([
          '-',
          '–',
          { en: 'to', de: 'bis', fr: 'au', es: 'al', it: 'al', pt: 'a', nl: 't/m' }[region.language],
        ]),
      },
      draft.piece('statement_end_date', scene.date(end)),
    ],
  });
  draft.set('currency', region.currency);
  const money = (value: number, form: 'signed' | 'bare' = 'signed') => scene.money(value, form);
  const sums: Pair[] = [
    { caption: scene.say(words.opening), value: draft.piece('opening_balance', money(opening)) },
    { caption: scene.say(words.credits), value: draft.piece('total_credits', money(credits)) },
    {
      caption: scene.say(words.debits),
      value: draft.piece('total_debits', {
        value: debits,
        text: random.chance(0.3) ? money(-debits).text : money(debits).text,
      }),
    },
    { caption: scene.say(words.closing), value: draft.piece('closing_balance', money(balance)), bold: true },
  ];
  let y = 112;
  const addressEnd = holderInPairs
    ? y
    : drawLines(sheet, left, y, [draft.piece('account_holder', holder), ...holderAddress.map((text) => ({ text }))], {
        sizePoints: size * 1.05,
      });
  const pairsEnd = drawPairs(
    sheet,
    right - 235,
    y,
    235,
    pairs,
    random.pick<PairForm>(['left', 'apart', 'inline', 'grid']),
    theme,
  );
  y = Math.max(addressEnd, pairsEnd, 170) + 14;
  const summaryAtTop = chosen === 'summary' || chosen === 'american' || random.chance(0.3);
  if (summaryAtTop) {
    if (chosen === 'american') {
      sheet.area({ x0: left, y0: y - 4, x1: right, y1: y + 13 }, { fill: theme.accent });
      sheet.text(
        left + 6,
        y + 8,
        random.pick(
          {
            en: ['Account Summary', 'Summary'],
            de: ['Übersicht'],
            fr: ['Synthèse'],
            es: ['Resumen'],
            it: ['Riepilogo'],
            pt: ['Resumo'],
            nl: ['Overzicht'],
          }[region.language],
        ),
        { bold: true, color: white },
      );
      y = drawPairs(sheet, left + 6, y + 28, 260, sums, 'apart', theme) + 12;
    } else
      y =
        drawPairs(
          sheet,
          left,
          y + 4,
          right - left,
          sums,
          random.pick<PairForm>(['strip', 'boxed-strip', 'apart']),
          theme,
        ) + 8;
  }

  // Transactions
  const signed = chosen === 'signed' || (chosen !== 'two-columns' && random.chance(0.3));
  const withValueDate = random.chance(region.language === 'en' ? 0.15 : 0.5);
  const withReference = random.chance(0.25);
  const withBalance = random.chance(0.75);
  const columns: Column[] = [
    { key: 'date', title: scene.say(words.date), align: 'left', weight: 14 },
    ...(withValueDate
      ? [{ key: 'value_date', title: scene.say(words.valueDate), align: 'left' as const, weight: 14 }]
      : []),
    { key: 'description', title: scene.say(words.description), align: 'left', weight: 44 },
    ...(withReference
      ? [{ key: 'reference', title: scene.say(words.reference), align: 'left' as const, weight: 14 }]
      : []),
    ...(signed
      ? [
          {
            key: 'amount',
            title: `${scene.say(words.amount)}${random.chance(0.4) ? ` ${region.currency}` : ''}`,
            align: 'right' as const,
            weight: 16,
          },
        ]
      : [
          { key: 'debit', title: scene.say(words.debit), align: 'right' as const, weight: 15 },
          { key: 'credit', title: scene.say(words.credit), align: 'right' as const, weight: 15 },
        ]),
    ...(withBalance ? [{ key: 'balance', title: scene.say(words.balance), align: 'right' as const, weight: 16 }] : []),
  ];
  const openingRow = !summaryAtTop || random.chance(0.2);
  if (!summaryAtTop) {
    sheet.text(left, y + 4, sums[0]!.caption, { bold: true });
    sheet.text(right, y + 4, sums[0]!.value as never, { bold: true, align: 'right' });
    y += 14;
  }
  const short = region.datePatterns[0]!.replace(/[-/. ]*YYYY[-/ ]*/, '');
  const shortDates = random.chance(0.2) && /^[DM/.-]+$/.test(short);
  const dateText = (iso: string) => (shortDates ? { value: iso, text: scene.writeDate(iso, short) } : scene.date(iso));
  const cells = rows.map((row, index) => ({
    date: [draft.cell(index, 'date', dateText(row.date))],
    value_date: [draft.cell(index, 'value_date', dateText(row.valueDate))],
    description: [draft.cell(index, 'description', row.description)],
    reference: [draft.cell(index, 'reference', row.reference)],
    debit: row.debit ? [draft.cell(index, 'debit', money(row.debit, 'bare'))] : [],
    credit: row.credit ? [draft.cell(index, 'credit', money(row.credit, 'bare'))] : [],
    amount: signed
      ? [
          draft.cell(index, row.debit ? 'debit' : 'credit', {
            value: row.debit || row.credit,
            text: row.debit ? money(-row.debit, 'bare').text : `${plus(scene)}${money(row.credit, 'bare').text}`,
          }),
        ]
      : [],
    balance: [draft.cell(index, 'balance', money(row.balance, 'bare'))],
  }));
  const bottom = sheet.height - 60;
  const foot = () =>
    sheet.text((left + right) / 2, sheet.height - 26, `${bank.name} · ${bank.website} · ${bank.phone}`, {
      sizePoints: 7,
      align: 'center',
      color: gray,
    });
  foot();
  y = drawTable(sheet, {
    x: left,
    top: y,
    width: right - left,
    columns,
    rows: cells,
    look: pickTableLook(random),
    theme,
    bottom,
    repeatHeader: random.chance(0.9),
    nextPage: () => {
      sheet.addPage();
      foot();
      sheet.text(left, 46, `${bank.name} - ${holder}`, { color: gray });
      return 62;
    },
  });
  if (!summaryAtTop || openingRow) {
    if (y + 60 > bottom) {
      sheet.addPage();
      foot();
      y = 60;
    }
    if (!summaryAtTop)
      drawPairs(
        sheet,
        right - 240,
        y + 18,
        240,
        sums.slice(random.chance(0.6) ? 1 : 3),
        random.pick<PairForm>(['apart', 'grid']),
        theme,
      );
    else sheet.line(left, y + 6, right, y + 6, { color: tint(theme.accent, 0.5) });
  }
  const page = scene.say(labels.page);
  sheet.eachPage((number, total) => {
    if (total > 1)
      sheet.text(right, sheet.height - 16, `${page} ${number} / ${total}`, {
        sizePoints: 7,
        align: 'right',
        color: gray,
      });
  });
  return draft.finish(sheet, 'lines');
}

function plus(scene: Scene): string {
  return scene.region.language === 'de' ? '+' : '';
}

export const bankStatementGenerator: Generator = {
  draw: drawBankStatement,
  layouts: bankStatementLayouts,
  samples: [
    {
      file: 'bank-statement.pdf',
      description: 'Bank statement of several pages with running balances',
      seed: 'sample 29',
      region: 'en-GB',
      layout: 'summary',
    },
  ],
};

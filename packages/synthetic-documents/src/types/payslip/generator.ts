import {
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
import { cents } from '../../cents.ts';
import { Draft, type GeneratedDocument } from '../../generated.ts';
import { label, type Scene } from '../../scene.ts';
import { gray, type Piece, Sheet, white } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const payslipLayouts = ['columns', 'table', 'stub'] as const;

const pay = {
  title: label(
    'Payslip|PAY SLIP|Earnings Statement|Pay Stub',
    'Gehaltsabrechnung|Lohnabrechnung|Entgeltabrechnung|Verdienstabrechnung',
    'Bulletin de paie|BULLETIN DE SALAIRE|Fiche de paie',
    'Nómina|Recibo de salarios|RECIBO INDIVIDUAL DE SALARIOS',
    'Busta paga|Cedolino paga|PROSPETTO PAGA',
    'Recibo de vencimento|RECIBO DE VENCIMENTOS',
    'Salarisstrook|Loonstrook|Salarisspecificatie',
  ),
  employee: label(
    'Employee|Employee Name|Name',
    'Mitarbeiter|Arbeitnehmer|Name',
    'Salarié|Nom et prénom|Nom du salarié',
    'Trabajador|Empleado|Nombre',
    'Dipendente|Cognome e nome|Lavoratore',
    'Trabalhador|Colaborador|Nome',
    'Werknemer|Naam|Medewerker',
  ),
  id: label(
    'Employee ID|Employee No.|Payroll No.|Emp. No',
    'Personalnummer|Personal-Nr.|Pers.-Nr.',
    'Matricule|N° matricule',
    'Nº empleado|Código trabajador|Nº trabajador',
    'Matricola|Codice dipendente',
    'N.º de trabalhador|N.º mecanográfico',
    'Personeelsnummer|Werknemersnummer',
  ),
  employer: label(
    'Employer|Company',
    'Arbeitgeber|Firma',
    'Employeur|Entreprise',
    'Empresa',
    'Datore di lavoro|Azienda',
    'Entidade empregadora|Empresa',
    'Werkgever',
  ),
  period: label(
    'Pay Period|Period',
    'Abrechnungszeitraum|Zeitraum|Abrechnungsmonat',
    'Période|Période de paie',
    'Periodo de liquidación|Periodo',
    'Periodo di paga|Periodo di retribuzione',
    'Período|Período de processamento',
    'Loonperiode|Periode|Tijdvak',
  ),
  payDate: label(
    'Pay Date|Payment Date|Check Date',
    'Zahltag|Auszahlungsdatum|Überweisung am',
    'Date de paiement|Payé le',
    'Fecha de pago|Fecha de abono',
    'Data pagamento|Data di pagamento',
    'Data de pagamento',
    'Betaaldatum|Datum uitbetaling',
  ),
  gross: label(
    'Gross Pay|Total Gross Pay|Gross Earnings|Gross',
    'Gesamtbrutto|Bruttolohn|Bruttogehalt|Gesamt-Brutto',
    'Salaire brut|Total brut|Brut',
    'Total devengado|Salario bruto',
    'Totale competenze|Retribuzione lorda|Lordo',
    'Total ilíquido|Vencimento bruto|Total de abonos',
    'Brutoloon|Bruto salaris|Totaal bruto',
  ),
  deductions: label(
    'Total Deductions|Deductions',
    'Gesamtabzüge|Abzüge gesamt|Summe Abzüge',
    'Total des retenues|Total cotisations',
    'Total a deducir|Total deducciones',
    'Totale trattenute|Trattenute',
    'Total de descontos|Total descontos',
    'Totaal inhoudingen|Inhoudingen',
  ),
  net: label(
    'Net Pay|NET PAY|Net Salary|Take home pay',
    'Auszahlungsbetrag|Nettolohn|Auszahlung|Überweisungsbetrag',
    'Net à payer|NET À PAYER|Net payé',
    'Líquido a percibir|Líquido total a percibir|Neto a percibir',
    'Netto in busta|Netto a pagare|Netto del mese',
    'Líquido a receber|Total líquido|Valor líquido',
    'Nettoloon|Netto salaris|Netto te betalen',
  ),
  tax: label(
    'Income Tax|Federal Income Tax|PAYE Tax|Tax',
    'Lohnsteuer',
    'Impôt sur le revenu|Prélèvement à la source',
    'Retención IRPF|IRPF',
    'IRPEF|Ritenuta IRPEF',
    'IRS|Retenção IRS',
    'Loonheffing',
  ),
  basic: label(
    'Basic Pay|Salary|Regular Hours|Basic Salary',
    'Grundgehalt|Gehalt|Monatslohn',
    'Salaire de base',
    'Salario base',
    'Retribuzione base|Stipendio',
    'Vencimento base',
    'Salaris|Basissalaris',
  ),
  extra: label(
    'Overtime|Bonus|Car Allowance',
    'Überstunden|Prämie|Fahrtkostenzuschuss',
    'Heures supplémentaires|Prime',
    'Horas extras|Plus transporte',
    'Straordinario|Premio',
    'Horas extra|Subsídio de alimentação',
    'Overuren|Reiskostenvergoeding|Vakantiegeld',
  ),
  social: label(
    'Social Security|National Insurance|Medicare',
    'Krankenversicherung|Rentenversicherung|Arbeitslosenversicherung',
    'Sécurité sociale|Retraite complémentaire|CSG/CRDS',
    'Contingencias comunes|Desempleo',
    'INPS|Contributi IVS',
    'Segurança Social',
    'Pensioenpremie|WGA-premie',
  ),
  pension: label(
    'Pension|401(k)|Health Insurance',
    'Pflegeversicherung|Solidaritätszuschlag',
    'Mutuelle|Prévoyance',
    'Formación profesional',
    'Addizionale regionale',
    'Seguro',
    'Bijdrage zorg',
  ),
  earnings: label('Earnings|Payments', 'Bezüge', 'Rémunération', 'Devengos', 'Competenze', 'Abonos', 'Loon'),
  description: label(
    'Description',
    'Bezeichnung|Lohnart',
    'Libellé|Rubrique',
    'Concepto',
    'Voce|Descrizione',
    'Descrição',
    'Omschrijving',
  ),
  amount: label('Amount|Current', 'Betrag', 'Montant', 'Importe', 'Importo', 'Valor', 'Bedrag'),
  year: label('YTD|Year to Date', 'Jahressumme', 'Cumul', 'Acumulado', 'Progressivo', 'Acumulado', 'Cumulatief'),
} as const;

/** Draws a payslip. */
function drawPayslip(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const chosen = payslipLayouts.find((name) => name === layout) ?? random.pick(payslipLayouts);
  const draft = new Draft(scene, 'payslip');
  draft.layout = chosen;
  const theme = pickTheme(random);
  const sheet = new Sheet(region.paper[0], region.paper[1], { family: theme.family, sizePoints: theme.sizePoints });
  const [left, right] = [theme.margin, sheet.width - theme.margin];
  const size = theme.sizePoints;
  const employer = scene.company();
  const person = scene.person();
  const start = `${random.integer(2019, 2026)}-${String(random.integer(1, 12)).padStart(2, '0')}-01`;
  const end = new Date(Date.UTC(Number(start.slice(0, 4)), Number(start.slice(5, 7)), 0)).toISOString().slice(0, 10);
  const paid = scene.day(end, -3, 5);
  const basic = cents(1200 + random.next() * 5200);
  const earnings: (readonly [string, number])[] = [[scene.say(pay.basic), basic]];
  if (random.chance(0.5)) earnings.push([scene.say(pay.extra), cents(40 + random.next() * 400)]);
  const gross = cents(earnings.reduce((sum, [, value]) => sum + value, 0));
  const tax = cents(gross * (0.08 + random.next() * 0.17));
  const deductions: (readonly [string, number])[] = [
    [scene.say(pay.tax), tax],
    [scene.say(pay.social), cents(gross * (0.04 + random.next() * 0.08))],
  ];
  if (random.chance(0.7)) deductions.push([scene.say(pay.pension), cents(gross * (0.01 + random.next() * 0.04))]);
  const withheld = cents(deductions.reduce((sum, [, value]) => sum + value, 0));
  const net = cents(gross - withheld);
  draft.set('currency', region.currency);
  const employerPiece = draft.piece('employer_name', employer.name);
  const employerAddress = draft.lines('employer_address', employer.address.lines);

  let y = 52;
  if (random.chance(0.4)) drawLogo(sheet, random, right - 44, 32, 30, theme.accent, employer.shortName.slice(0, 1));
  const title = scene.say(pay.title);
  if (chosen === 'stub') {
    sheet.area({ x0: left, y0: 34, x1: right, y1: 56 }, { fill: theme.accent });
    sheet.text((left + right) / 2, 49, title, { bold: true, sizePoints: size * 1.3, color: white, align: 'center' });
    y = drawLines(sheet, left, 74, [employerPiece, ...employerAddress], {});
  } else {
    sheet.text(left, y, employerPiece, { bold: true, sizePoints: size * 1.3 });
    y = drawLines(sheet, left, y + size * 1.6, employerAddress, { color: gray });
    sheet.text(left, y + 16, title, { bold: true, sizePoints: size * 1.7, color: theme.accent });
    y += 34;
  }
  const pairs: Pair[] = [
    {
      caption: scene.say(pay.employee),
      value: draft.piece('employee_name', random.chance(0.25) ? `${person.surname}, ${person.given}` : person.full),
    },
  ];
  if (random.chance(0.85))
    pairs.push({
      caption: scene.say(pay.id),
      value: draft.piece(
        'employee_id',
        random.pick([
          random.digits(5),
          `E${random.digits(4)}`,
          random.digits(8),
          `${random.digits(2)}-${random.digits(3)}`,
        ]),
      ),
    });
  pairs.push({
    caption: scene.say(pay.period),
    value: [
      draft.piece('period_start_date', scene.date(start)),
      {
        text: random.pick([
          '-',
          '–',
          { en: 'to', de: 'bis', fr: 'au', es: 'al', it: 'al', pt: 'a', nl: 't/m' }[region.language],
        ]),
      },
      draft.piece('period_end_date', scene.date(end)),
    ],
  });
  if (random.chance(0.85))
    pairs.push({ caption: scene.say(pay.payDate), value: draft.piece('pay_date', scene.date(paid)) });
  y =
    drawPairs(
      sheet,
      left,
      y + 6,
      random.chance(0.5) ? right - left : 280,
      pairs,
      random.pick<PairForm>(['left', 'inline', 'boxed-strip', 'grid', 'strip']),
      theme,
    ) + 14;

  const money = (value: number, form: 'bare' | 'signed' = 'bare') => scene.money(value, form);
  const grossPiece = draft.piece('gross_pay', money(gross));
  const withheldPiece = draft.piece('total_deductions', {
    value: withheld,
    text: random.chance(0.2) ? money(-withheld).text : money(withheld).text,
  });
  const taxPiece = draft.piece('tax_amount', money(tax));
  const netPiece = draft.piece('net_pay', money(net, 'signed'));
  const look = pickTableLook(random);
  const nextPage = () => {
    sheet.addPage();
    return 60;
  };
  if (chosen === 'columns') {
    const half = (right - left) / 2 - 8;
    const list = (
      x: number,
      title: string,
      rows: readonly (readonly [string, Piece])[],
      total: readonly [string, Piece],
    ) => {
      const cells = [...rows, total].map(([name, value]) => ({ name: [{ text: name }], value: [value] }));
      return drawTable(sheet, {
        x,
        top: y,
        width: half,
        columns: [
          { key: 'name', title, align: 'left', weight: 65 },
          { key: 'value', title: scene.say(pay.amount), align: 'right', weight: 35 },
        ],
        rows: cells,
        look,
        theme,
        bottom: sheet.height - 80,
        repeatHeader: true,
        nextPage,
      });
    };
    const firstEnd = list(
      left,
      scene.say(pay.earnings),
      earnings.map(([name, value]) => [name, { text: money(value).text }] as const),
      [scene.say(pay.gross), grossPiece],
    );
    const secondEnd = list(
      left + half + 16,
      scene.say(pay.deductions),
      deductions.map(([name, value], index) => [name, index === 0 ? taxPiece : { text: money(value).text }] as const),
      [scene.say(pay.deductions), withheldPiece],
    );
    y = Math.max(firstEnd, secondEnd) + 24;
  } else {
    const months = random.integer(1, 12);
    const withYear = chosen === 'stub';
    const row = (name: string, value: Piece, amount: number) => ({
      name: [{ text: name }],
      value: [value],
      year: [{ text: money(cents(amount * months)).text }],
    });
    const rows = [
      ...earnings.map(([name, value]) => row(name, { text: money(value).text }, value)),
      row(scene.say(pay.gross), grossPiece, gross),
      ...deductions.map(([name, value], index) =>
        row(name, index === 0 ? taxPiece : { text: money(value).text }, value),
      ),
      row(scene.say(pay.deductions), withheldPiece, withheld),
    ];
    y =
      drawTable(sheet, {
        x: left,
        top: y,
        width: right - left,
        columns: [
          { key: 'name', title: scene.say(pay.description), align: 'left', weight: 60 },
          { key: 'value', title: scene.say(pay.amount), align: 'right', weight: 22 },
          ...(withYear ? [{ key: 'year', title: scene.say(pay.year), align: 'right' as const, weight: 22 }] : []),
        ],
        rows,
        look,
        theme,
        bottom: sheet.height - 80,
        repeatHeader: true,
        nextPage,
      }) + 24;
  }
  const boxed = random.chance(0.5);
  if (boxed)
    sheet.area(
      { x0: right - 230, y0: y - 14, x1: right, y1: y + 10 },
      { border: theme.accent, fill: tint(theme.accent, 0.1) },
    );
  sheet.text(right - 222, y, scene.say(pay.net), { bold: true, sizePoints: size * 1.15 });
  sheet.text(right - 8, y, netPiece, { bold: true, sizePoints: size * 1.15, align: 'right' });
  const iban = region.iban(random);
  if (iban && random.chance(0.5))
    sheet.text(left, y + 34, `${employer.bank}  ${iban.replace(/(.{4})(?=.)/g, '$1 ')}`, {
      color: gray,
      sizePoints: size * 0.9,
    });
  return draft.finish(sheet);
}

export const payslipGenerator: Generator = {
  draw: drawPayslip,
  layouts: payslipLayouts,
  samples: [
    { file: 'payslip.pdf', description: 'Payslip, German', seed: 'sample 12', region: 'de-DE', layout: 'columns' },
  ],
};

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
} from './blocks.ts';
import { Draft, type GeneratedDocument } from './generated.ts';
import { label, type Scene } from './scene.ts';
import { gray, type Piece, Sheet, white } from './sheet.ts';

export const utilityBillLayouts = ['banner', 'letter', 'blocks'] as const;
export const payslipLayouts = ['columns', 'table', 'stub'] as const;

const bill = {
  electricity: label(
    'Electricity Bill|Your electricity bill|Electric Bill',
    'Stromrechnung|Ihre Stromrechnung|Jahresabrechnung Strom',
    "Facture d'électricité|Votre facture d'électricité",
    'Factura de electricidad|Factura de luz',
    'Bolletta energia elettrica|Bolletta della luce',
    'Fatura de eletricidade',
    'Energierekening|Energienota|Jaarnota elektriciteit',
  ),
  gas: label(
    'Gas Bill|Natural Gas Bill',
    'Gasrechnung|Abrechnung Erdgas',
    'Facture de gaz',
    'Factura de gas',
    'Bolletta gas',
    'Fatura de gás',
    'Gasrekening',
  ),
  water: label(
    'Water Bill|Water and Sewer Bill',
    'Wasserrechnung|Gebührenbescheid Wasser',
    "Facture d'eau",
    'Factura de agua',
    'Bolletta acqua',
    'Fatura de água',
    'Waterrekening',
  ),
  account: label(
    'Account Number|Customer Number|Account No.',
    'Kundennummer|Vertragskonto|Vertragsnummer',
    'N° client|Référence client|N° de contrat',
    'Nº de contrato|Número de contrato|Nº cliente',
    'Codice cliente|Numero cliente|N. contratto',
    'N.º de cliente|N.º de conta',
    'Klantnummer|Contractnummer',
  ),
  customer: label(
    'Customer|Account Holder|Name',
    'Kunde|Vertragspartner',
    'Titulaire du contrat|Client',
    'Titular|Titular del contrato',
    'Intestatario|Cliente',
    'Titular do contrato|Cliente',
    'Contracthouder|Klant',
  ),
  service: label(
    'Service Address|Supply Address|Service Location',
    'Verbrauchsstelle|Lieferstelle|Abnahmestelle',
    'Lieu de consommation|Adresse de fourniture',
    'Dirección de suministro|Punto de suministro',
    'Indirizzo di fornitura|Fornitura',
    'Local de consumo|Morada de fornecimento',
    'Leveringsadres|Verbruiksadres',
  ),
  period: label(
    'Billing Period|Service Period|Bill period',
    'Abrechnungszeitraum|Lieferzeitraum|Zeitraum',
    'Période de facturation|Période',
    'Periodo de facturación|Periodo',
    'Periodo di fatturazione|Periodo di riferimento',
    'Período de faturação|Período',
    'Factuurperiode|Periode|Verbruiksperiode',
  ),
  meter: label(
    'Meter Number|Meter No.|Meter #',
    'Zählernummer|Zähler-Nr.',
    'N° de compteur|Compteur',
    'Nº de contador|Contador',
    'Matricola contatore|N. contatore',
    'N.º do contador|Contador n.º',
    'Meternummer|Meter nr.',
  ),
  consumption: label(
    'Consumption|Usage|Total usage|Energy used',
    'Verbrauch|Gesamtverbrauch|Ihr Verbrauch',
    'Consommation|Consommation totale',
    'Consumo|Consumo total',
    'Consumi|Consumo totale',
    'Consumo|Consumo faturado',
    'Verbruik|Totaal verbruik',
  ),
  previous: label(
    'Previous reading',
    'Zählerstand alt',
    'Ancien index',
    'Lectura anterior',
    'Lettura precedente',
    'Leitura anterior',
    'Beginstand',
  ),
  current: label(
    'Current reading',
    'Zählerstand neu',
    'Nouvel index',
    'Lectura actual',
    'Lettura attuale',
    'Leitura atual',
    'Eindstand',
  ),
  total: label(
    'Total Amount Due|Amount Due|Total due|Total Current Charges|Please pay',
    'Rechnungsbetrag|Gesamtbetrag|Zu zahlen',
    'Montant total TTC|Total TTC|Total à payer',
    'Importe total|Total factura|Total a pagar',
    'Totale da pagare|Totale bolletta',
    'Total a pagar|Valor a pagar',
    'Totaalbedrag|Te betalen|Totaal incl. btw',
  ),
  due: label(
    'Due Date|Pay by|Payment due',
    'Fällig am|Zahlbar bis',
    "Date limite de paiement|À payer avant le|Date d'échéance",
    'Fecha de vencimiento|Fecha de cargo|Vencimiento',
    'Scadenza|Da pagare entro',
    'Data limite de pagamento|Vencimento',
    'Vervaldatum|Uiterste betaaldatum',
  ),
  number: label(
    'Bill Number|Invoice Number|Bill No.',
    'Rechnungsnummer|Rechnungs-Nr.',
    'N° de facture|Facture n°',
    'Nº factura|Número de factura',
    'Numero fattura|Bolletta n.',
    'Fatura n.º|N.º da fatura',
    'Factuurnummer|Factuurnr.',
  ),
  date: label(
    'Bill Date|Statement Date|Invoice Date',
    'Rechnungsdatum|Datum',
    'Date de facture|Date',
    'Fecha de factura|Fecha de emisión',
    'Data emissione|Data fattura',
    'Data de emissão|Data da fatura',
    'Factuurdatum|Datum',
  ),
  companies: label(
    'Power|Energy|Utilities|Water|Gas & Electric',
    'Stadtwerke|Energie|Netz|Wasserwerke',
    'Énergie|Électricité|Eaux',
    'Energía|Eléctrica|Aguas',
    'Energia|Luce e Gas|Acque',
    'Energia|Águas',
    'Energie|Water|Netbeheer',
  ),
  item: label('Charge', 'Position', 'Libellé', 'Concepto', 'Voce', 'Descrição', 'Omschrijving'),
  amount: label('Amount', 'Betrag', 'Montant', 'Importe', 'Importo', 'Valor', 'Bedrag'),
  charges: label(
    'Standing charge|Energy charge|Delivery charge',
    'Grundpreis|Arbeitspreis|Netzentgelt',
    'Abonnement|Consommation|Acheminement',
    'Término de potencia|Término de energía|Alquiler de equipos',
    'Quota fissa|Quota energia|Trasporto e gestione',
    'Potência contratada|Consumo|Acesso às redes',
    'Vastrecht|Verbruikskosten|Netbeheerkosten',
  ),
} as const;

const cents = (value: number) => Math.round(value * 100 + 1e-7) / 100;

/** Draws a bill for electricity, gas or water. */
export function drawUtilityBill(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const chosen = utilityBillLayouts.find((name) => name === layout) ?? random.pick(utilityBillLayouts);
  const draft = new Draft(scene, 'utility_bill');
  draft.layout = chosen;
  const theme = pickTheme(random);
  const sheet = new Sheet(region.paper[0], region.paper[1], { family: theme.family, sizePoints: theme.sizePoints });
  const [left, right] = [theme.margin, sheet.width - theme.margin];
  const size = theme.sizePoints;
  const supply = random.pick(['electricity', 'electricity', 'gas', 'water'] as const);
  const company = scene.company(bill.companies[region.language]);
  const provider =
    region.language === 'de' && /Stadtwerke/.test(company.shortName)
      ? `Stadtwerke ${random.pick(scene.words.companyStems)} GmbH`
      : company.name;
  const customer = scene.person().full;
  const address = scene.address().lines;
  const issued = scene.today();
  const end = scene.day(issued, -20, -3);
  const start = scene.day(end, -random.pick([30, 60, 90, 365]), -28);
  const unit = supply === 'water' ? 'm³' : supply === 'gas' && random.chance(0.3) ? 'm³' : 'kWh';
  const consumption = unit === 'm³' ? random.integer(4, 180) : random.integer(90, 6400);
  const previous = random.integer(1000, 60000);
  const rate = random.pick(region.taxRates);
  const parts = [
    cents(4 + random.next() * 20),
    cents(consumption * (unit === 'm³' ? 1.2 + random.next() : 0.08 + random.next() * 0.25)),
    cents(3 + random.next() * 30),
  ];
  const net = cents(parts.reduce((sum, part) => sum + part, 0));
  const tax = cents((net * rate) / 100);
  const total = cents(net + tax);
  draft.set('currency', region.currency);

  const providerPiece = draft.piece('provider_name', provider);
  let y = 60;
  if (chosen === 'banner') {
    sheet.area({ x0: 0, y0: 0, x1: sheet.width, y1: 74 }, { fill: theme.accent });
    sheet.text(left, 44, providerPiece, { sizePoints: size * 1.9, bold: true, color: white });
    sheet.text(right, 44, scene.say(bill[supply]), { sizePoints: size * 1.5, color: white, align: 'right' });
    y = 104;
  } else {
    const logo = drawLogo(sheet, random, left, 34, 32, theme.accent, provider.slice(0, 1)) + 10;
    sheet.text(left + logo, 54, providerPiece, { sizePoints: size * 1.6, bold: true, color: theme.accent });
    sheet.text(left + logo, 66, `${company.address.lines.join(', ')} · ${company.phone}`, {
      sizePoints: size * 0.82,
      color: gray,
    });
    sheet.text(chosen === 'letter' ? left : right, chosen === 'letter' ? 196 : 54, scene.say(bill[supply]), {
      sizePoints: size * 1.7,
      bold: true,
      align: chosen === 'letter' ? 'left' : 'right',
    });
    y = 108;
  }
  const pairs: Pair[] = [
    {
      caption: scene.say(bill.account),
      value: draft.piece(
        'account_number',
        random.pick([
          random.digits(9),
          random.digits(12),
          `${random.digits(3)}-${random.digits(3)}-${random.digits(4)}`,
          `${random.digits(4)} ${random.digits(4)} ${random.digits(2)}`,
        ]),
      ),
    },
  ];
  if (random.chance(0.7))
    pairs.push({
      caption: scene.say(bill.number),
      value: draft.piece('bill_number', scene.documentNumber(['EB', 'R', 'F', 'UB'], issued.slice(0, 4))),
    });
  if (random.chance(0.9))
    pairs.push({ caption: scene.say(bill.date), value: draft.piece('bill_date', scene.date(issued)) });
  pairs.push({
    caption: scene.say(bill.period),
    value: [
      draft.piece('period_start_date', scene.date(start)),
      {
        text: random.pick([
          '-',
          '–',
          { en: 'to', de: 'bis', fr: 'au', es: 'a', it: 'al', pt: 'a', nl: 't/m' }[region.language],
        ]),
      },
      draft.piece('period_end_date', scene.date(end)),
    ],
  });
  if (random.chance(0.75))
    pairs.push({ caption: scene.say(bill.due), value: draft.piece('due_date', scene.date(scene.day(issued, 10, 30))) });
  const captionedName = random.chance(0.3);
  const nameLines: Piece[] = captionedName ? [] : [draft.piece('customer_name', customer)];
  if (captionedName) pairs.push({ caption: scene.say(bill.customer), value: draft.piece('customer_name', customer) });
  const addressEnd = drawLines(sheet, left, y, [...nameLines, ...address.map((text) => ({ text }))], {
    sizePoints: size * 1.05,
  });
  const pairsEnd = drawPairs(
    sheet,
    right - 240,
    y,
    240,
    pairs,
    random.pick<PairForm>(['left', 'apart', 'grid', 'inline']),
    theme,
  );
  y = Math.max(addressEnd, pairsEnd, chosen === 'letter' ? 206 : 0) + 12;
  if (random.chance(0.7)) {
    const other = random.chance(0.7) ? address : scene.address().lines;
    sheet.text(left, y, theme.colon ? `${scene.say(bill.service)}:` : scene.say(bill.service), { bold: true });
    if (random.chance(0.5)) {
      y = drawLines(sheet, left, y + size * 1.5, draft.lines('service_address', other), {}) + 6;
    } else {
      const tab = left + 130;
      y = drawLines(sheet, tab, y, draft.lines('service_address', other), {}) + 6;
    }
  }
  if (chosen === 'blocks' || random.chance(0.3)) {
    sheet.area({ x0: left, y0: y, x1: right, y1: y + 44 }, { fill: tint(theme.accent, 0.12) });
    sheet.text(left + 12, y + 18, scene.say(bill.total), { sizePoints: size * 1.1 });
    sheet.text(left + 12, y + 36, draft.piece('total_amount', scene.money(total)), {
      sizePoints: size * 1.7,
      bold: true,
      color: theme.accent,
    });
    y += 64;
  } else y += 10;
  const meter: Pair[] = [];
  if (random.chance(0.85))
    meter.push({
      caption: scene.say(bill.meter),
      value: draft.piece(
        'meter_number',
        random.pick([
          random.digits(8),
          `${random.letters(2)}${random.digits(7)}`,
          `1${random.letters(3)}${random.digits(10)}`,
        ]),
      ),
    });
  if (random.chance(0.7))
    meter.push(
      { caption: scene.say(bill.previous), value: { text: scene.number(previous, 0) } },
      { caption: scene.say(bill.current), value: { text: scene.number(previous + consumption, 0) } },
    );
  meter.push({
    caption: scene.say(bill.consumption),
    value: [
      draft.piece('consumption', { value: consumption, text: scene.number(consumption, 0) }),
      draft.piece('consumption_unit', unit),
    ],
  });
  y =
    drawPairs(
      sheet,
      left,
      y + 4,
      right - left,
      meter,
      random.pick<PairForm>(['strip', 'boxed-strip', 'left', 'apart']),
      theme,
    ) + 10;
  const money = (value: number) => scene.money(value).text;
  const rows = bill.charges[region.language].map((name, index) => ({
    item: [{ text: name }],
    amount: [{ text: money(parts[index]!) }],
  }));
  rows.push({
    item: [{ text: `${random.pick(region.taxNames)} ${scene.percent(rate)}` }],
    amount: [{ text: money(tax) }],
  });
  y = drawTable(sheet, {
    x: left,
    top: y,
    width: right - left,
    columns: [
      { key: 'item', title: scene.say(bill.item), align: 'left', weight: 70 },
      { key: 'amount', title: scene.say(bill.amount), align: 'right', weight: 30 },
    ],
    rows,
    look: pickTableLook(random),
    theme,
    bottom: sheet.height - 80,
    repeatHeader: true,
    nextPage: () => {
      sheet.addPage();
      return 60;
    },
  });
  sheet.text(left + 4, y + size * 2, scene.say(bill.total), { bold: true, sizePoints: size * 1.1 });
  sheet.text(right - 4, y + size * 2, draft.piece('total_amount', scene.money(total)), {
    bold: true,
    sizePoints: size * 1.1,
    align: 'right',
  });
  y += size * 5;
  sheet.paragraph(left, y, right - left, random.pick(scene.words.marketing), { color: gray });
  return draft.finish(sheet);
}

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
export function drawPayslip(scene: Scene, layout?: string): GeneratedDocument {
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

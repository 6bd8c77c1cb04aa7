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

const utilityBillLayouts = ['banner', 'letter', 'blocks'] as const;

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

/** Draws a bill for electricity, gas or water. */
function drawUtilityBill(scene: Scene, layout?: string): GeneratedDocument {
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

export const utilityBillGenerator: Generator = { draw: drawUtilityBill, layouts: utilityBillLayouts };

import { Draft, type GeneratedDocument } from '../../generated.ts';
import type { Scene } from '../../scene.ts';
import { label } from '../../scene.ts';
import { type Piece, Sheet, type TextStyle } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const receiptLayouts = ['till', 'restaurant', 'fuel', 'card', 'sheet', 'malaysia'] as const;
type ReceiptLayout = (typeof receiptLayouts)[number];

const words = {
  title: label(
    'RECEIPT|SALES RECEIPT|Receipt|TAX INVOICE|CASH RECEIPT',
    'KASSENBON|Quittung|RECHNUNG|Beleg',
    'TICKET|TICKET DE CAISSE|REÇU',
    'FACTURA SIMPLIFICADA|TICKET|RECIBO',
    'DOCUMENTO COMMERCIALE|SCONTRINO|RICEVUTA',
    'FATURA SIMPLIFICADA|TALÃO|FATURA-RECIBO',
    'KASSABON|BON|KLANTTICKET',
  ),
  number: label(
    'Receipt No|Receipt #|Trans #|Ticket|Bill No|Invoice No|Check #|Order #',
    'Bon-Nr.|Bon|Beleg-Nr.|Rechnungs-Nr.|Belegnr.',
    'Ticket n°|N° ticket|Reçu n°|Ticket',
    'Ticket nº|Nº ticket|Factura nº|Fra. simplificada',
    'Doc. n.|Documento n.|Scontrino n.',
    'Recibo n.º|Fatura n.º|Talão n.º',
    'Bonnr|Bon nr|Ticket nr|Transactie',
  ),
  date: label('Date|DATE|Date', 'Datum|Datum', 'Date|Le', 'Fecha', 'Data', 'Data', 'Datum'),
  time: label('Time|TIME', 'Uhrzeit|Zeit', 'Heure|à', 'Hora', 'Ora', 'Hora', 'Tijd'),
  cashier: label(
    'Cashier|Served by|Server|Clerk|Operator',
    'Kassierer|Es bediente Sie|Bediener',
    'Caissier|Servi par',
    'Cajero|Le atendió',
    'Cassiere|Operatore',
    'Operador|Atendido por',
    'Kassamedewerker|U werd geholpen door',
  ),
  table: label('Table', 'Tisch', 'Table', 'Mesa', 'Tavolo', 'Mesa', 'Tafel'),
  guests: label('Guests|Covers', 'Gäste|Pers.', 'Couverts', 'Comensales|Pax', 'Coperti', 'Pessoas', 'Personen'),
  subtotal: label(
    'SUBTOTAL|Subtotal|Sub Total|Sub-total',
    'Zwischensumme|Netto|Nettobetrag',
    'Sous-total|Total HT',
    'Subtotal|Base imponible',
    'Subtotale|Imponibile',
    'Subtotal|Total ilíquido',
    'Subtotaal|Totaal excl.',
  ),
  total: label(
    'TOTAL|Total|Grand Total|AMOUNT DUE|Total Amount|BALANCE DUE',
    'SUMME|Summe EUR|GESAMT|Total|Gesamtbetrag|Zu zahlen',
    'TOTAL|TOTAL TTC|A PAYER|NET À PAYER',
    'TOTAL|Total a pagar|TOTAL EUR|IMPORTE TOTAL',
    'TOTALE COMPLESSIVO|TOTALE|TOTALE EURO',
    'TOTAL|TOTAL A PAGAR|Total EUR',
    'TOTAAL|TE BETALEN|Totaal EUR',
  ),
  cash: label(
    'CASH|Cash|Cash Tendered|Tendered',
    'BAR|Gegeben|Bar gegeben|Gegeben Bar',
    'ESPÈCES|Espèces|Reçu',
    'EFECTIVO|Efectivo|Entregado',
    'CONTANTI|Pagamento contante',
    'NUMERÁRIO|Dinheiro|Entregue',
    'CONTANT|Contant|Ontvangen',
  ),
  change: label(
    'CHANGE|Change|Change Due',
    'Rückgeld|Zurück|RÜCKGELD',
    'RENDU|Monnaie rendue|A rendre',
    'CAMBIO|Cambio|A devolver',
    'RESTO|Resto',
    'TROCO|Troco',
    'WISSELGELD|Wisselgeld|Terug',
  ),
  tip: label('Tip|TIP|Gratuity|Service Charge', 'Trinkgeld', 'Pourboire', 'Propina', 'Mancia', 'Gratificação', 'Fooi'),
  card: label(
    'CARD|Card',
    'Kartenzahlung|Girocard',
    'CARTE BANCAIRE|CB',
    'TARJETA|Tarjeta',
    'PAGAMENTO ELETTRONICO|Carta',
    'MULTIBANCO|Cartão',
    'PIN|Pinpas',
  ),
  cardNumber: label(
    'Card No|Acct|Card Number|Card #|Account',
    'Karten-Nr.|Kartennr.|PAN',
    'N° carte|Carte',
    'Nº tarjeta|Tarjeta',
    'N. carta|PAN',
    'Cartão n.º',
    'Kaartnr|Kaart',
  ),
  approval: label(
    'Approval Code|Auth Code|APPROVED|Auth',
    'Genehmigungs-Nr.|Autorisierung',
    'N° autorisation',
    'Autorización',
    'Cod. aut.',
    'Autorização',
    'Autorisatiecode',
  ),
  paymentMethod: label(
    'Payment Method|Paid by|Tender|Payment',
    'Zahlungsart|Bezahlt mit',
    'Mode de paiement|Règlement',
    'Forma de pago|Pago',
    'Pagamento|Mod. pagamento',
    'Forma de pagamento|Pagamento',
    'Betaalwijze|Betaald met',
  ),
  thanks: label(
    'THANK YOU FOR SHOPPING|Thank you, please come again!|Thank You!|Have a nice day',
    'Vielen Dank für Ihren Einkauf|Auf Wiedersehen|Vielen Dank für Ihren Besuch!',
    'Merci de votre visite|Merci et à bientôt',
    'Gracias por su visita|Gracias por su compra',
    'Grazie e arrivederci|Arrivederci e grazie',
    'Obrigado pela sua visita|Volte sempre',
    'Bedankt en tot ziens|Tot ziens',
  ),
  goods: label(
    'Goods sold are not returnable.|Returns within 14 days with receipt.|Keep this receipt for your records.',
    'Umtausch innerhalb von 14 Tagen mit Bon.|Bitte Beleg aufbewahren.',
    'Échange sous 14 jours avec ticket.|Conservez ce ticket.',
    'Cambios en 15 días con ticket.|Conserve este ticket.',
    'Conservare lo scontrino.|Cambio entro 14 giorni.',
    'Trocas até 15 dias com talão.',
    'Ruilen binnen 14 dagen met bon.|Bewaar deze bon.',
  ),
  items: label(
    'Items|Total Items|Item count',
    'Artikel|Anzahl Artikel',
    'Articles|Nb articles',
    'Artículos',
    'Articoli|N. pezzi',
    'Artigos',
    'Artikelen|Aantal artikelen',
  ),
  fuel: label(
    'Unleaded 95|Diesel|Regular|Super Unleaded',
    'Super E10|Diesel|Super 95',
    'SP95-E10|Gazole',
    'Sin plomo 95|Gasóleo A',
    'Benzina|Gasolio',
    'Gasolina 95|Gasóleo',
    'Euro 95 E10|Diesel',
  ),
  pump: label('Pump', 'Säule', 'Pompe', 'Surtidor', 'Pompa', 'Bomba', 'Pomp'),
} as const;

interface Line {
  readonly name: string;
  readonly quantity: number;
  readonly price: number;
  readonly amount: number;
  readonly rate: number;
  readonly code: string;
}

const cents = (value: number) => Math.round(value * 100 + 1e-7) / 100;

/** Draws a till slip, a restaurant's or filling station's bill, a card slip, or a receipt on a sheet of paper. */
function drawReceipt(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const chosen: ReceiptLayout =
    receiptLayouts.find((name) => name === layout) ??
    random.pick(region.name === 'en-MY' ? (['malaysia', 'till', 'restaurant'] as const) : receiptLayouts.slice(0, 5));
  const draft = new Draft(scene, 'receipt');
  draft.layout = chosen;
  const issued = scene.today();
  const vocabulary = scene.words;
  const kinds =
    chosen === 'restaurant'
      ? vocabulary.restaurantKinds
      : chosen === 'fuel'
        ? [vocabulary.shopKinds.find((kind) => /Fuel|Tank|Station|Estación|Stazione|Posto/.test(kind)) ?? 'Station']
        : vocabulary.shopKinds;
  const merchant = scene.company(kinds);
  const stem = random.pick(vocabulary.companyStems);
  const name = random.chance(0.4)
    ? merchant.name
    : chosen === 'restaurant' && random.chance(0.6)
      ? `${random.pick(kinds)} ${stem}`
      : merchant.shortName;

  const family = random.pick(['mono', 'mono', 'sans'] as const);
  const sizePoints = chosen === 'sheet' ? 10 : random.pick([7.5, 8, 8.5, 9]);
  const width = chosen === 'sheet' ? region.paper[0] : random.pick([165, 180, 204, 226]);
  const margin = chosen === 'sheet' ? 150 : random.pick([8, 11, 14]);
  const sheet = new Sheet(width, chosen === 'sheet' ? region.paper[1] : 2400, { family, sizePoints });
  const left = margin;
  const right = width - margin;
  const middle = width / 2;
  const step = sizePoints * random.pick([1.25, 1.35, 1.45]);
  let y = chosen === 'sheet' ? 80 : 22;

  const capitals = random.chance(0.4);
  const shown = (text: string) => (capitals ? text.toUpperCase() : text);
  const centered = (piece: string | Piece, style: TextStyle = {}) => {
    const { text, field } = typeof piece === 'string' ? { text: piece, field: undefined } : piece;
    for (const line of sheet.wrap(text, right - left, style)) {
      sheet.text(middle, y, field === undefined ? line : { text: line, field }, { ...style, align: 'center' });
      y += (style.sizePoints ?? sizePoints) * (step / sizePoints);
    }
  };
  const pair = (caption: string | (string | Piece)[], value: Piece | string, style: TextStyle = {}) => {
    sheet.pieces(left, y, typeof caption === 'string' ? [caption] : caption, style);
    sheet.text(right, y, value, { ...style, align: 'right' });
    y += (style.sizePoints ?? sizePoints) * (step / sizePoints);
  };
  const inline = (pieces: (string | Piece)[], style: TextStyle = {}) => {
    sheet.pieces(left, y, pieces, style);
    y += step;
  };
  const ruleForm = random.pick(['dashes', 'line', 'stars', 'blank', 'equals']);
  const rule = () => {
    if (ruleForm === 'line') sheet.line(left, y - step * 0.4, right, y - step * 0.4, { dashed: random.chance(0.4) });
    else if (ruleForm !== 'blank') {
      const mark = ruleForm === 'dashes' ? '-' : ruleForm === 'stars' ? '*' : '=';
      sheet.text(left, y, mark.repeat(Math.floor((right - left) / sheet.measure(mark))));
    }
    y += step * 0.9;
  };

  // The merchant
  centered(draft.piece('merchant_name', shown(name)), {
    bold: random.chance(0.75),
    sizePoints: sizePoints * random.pick([1, 1.2, 1.5]),
  });
  const addressLines = merchant.address.lines.map(shown);
  const addressPieces = draft.lines('merchant_address', addressLines);
  if (random.chance(0.92)) for (const piece of addressPieces) centered(piece);
  if (random.chance(0.65)) {
    const phone = draft.piece('merchant_phone', merchant.phone);
    const caption = random.pick(
      {
        en: ['Tel: ', 'Phone: ', 'Tel ', 'TEL: ', ''],
        de: ['Tel. ', 'Tel.: '],
        fr: ['Tél. ', 'Tél : '],
        es: ['Tel. ', 'Tlf. '],
        it: ['Tel. '],
        pt: ['Tel. '],
        nl: ['Tel. '],
      }[region.language],
    );
    sheet.pieces(middle, y, [caption, phone], { align: 'center' });
    y += step;
  }
  const taxIdPiece = draft.piece('merchant_tax_id', {
    value: merchant.taxId.text.replaceAll(' ', ''),
    text: merchant.taxId.text,
  });
  const taxIdAtTop = random.chance(0.6);
  if (taxIdAtTop) {
    sheet.pieces(middle, y, [`${merchant.taxId.caption}: `, taxIdPiece], { align: 'center' });
    y += step;
  }
  y += step * 0.4;
  if (random.chance(0.55) || chosen === 'malaysia') centered(scene.say(words.title), { bold: true });
  rule();

  // Number, date and time
  const time = `${String(random.integer(6, 22)).padStart(2, '0')}:${String(random.integer(0, 59)).padStart(2, '0')}`;
  const seconds = random.chance(0.3) ? `:${String(random.integer(0, 59)).padStart(2, '0')}` : '';
  const twelve = region.language === 'en' && random.chance(0.35);
  const hour = Number(time.slice(0, 2));
  const timeText = twelve
    ? `${hour % 12 || 12}${time.slice(2)}${seconds} ${hour < 12 ? 'AM' : 'PM'}`
    : `${time}${seconds}`;
  const datePiece = draft.piece('transaction_date', scene.date(issued));
  const timePiece = draft.piece('transaction_time', { value: `${time}${seconds}`, text: timeText });
  const number = random.pick([
    random.digits(random.integer(4, 6)),
    `${random.digits(4)}-${random.digits(4)}`,
    `CS${random.digits(8)}`,
    `${random.letters(1)}${random.digits(6)}`,
    `${random.digits(3)}/${random.digits(4)}`,
    random.digits(10),
  ]);
  const numberPiece = draft.piece('receipt_number', number);
  const withNumber = random.chance(0.75);
  const dateAtEnd = random.chance(0.2);
  const drawDate = () => {
    const withTime = random.chance(0.8);
    switch (random.integer(0, 3)) {
      case 0:
        pair([datePiece], withTime ? timePiece : '');
        break;
      case 1:
        inline([`${scene.say(words.date)}: `, datePiece, ...(withTime ? ['  ', timePiece] : [])]);
        break;
      case 2:
        pair(`${scene.say(words.date)}:`, datePiece);
        if (withTime) pair(`${scene.say(words.time)}:`, timePiece);
        break;
      default:
        inline(
          [`${scene.say(words.date)} : `, datePiece, ...(withTime ? [` ${scene.say(words.time)} : `, timePiece] : [])],
          { sizePoints: sizePoints * 0.92 },
        );
    }
  };
  if (withNumber) {
    if (random.chance(0.5)) inline([`${scene.say(words.number)}${random.pick([': ', ' ', ' : '])}`, numberPiece]);
    else pair(`${scene.say(words.number)}:`, numberPiece);
  }
  if (!dateAtEnd) drawDate();
  if (random.chance(0.5))
    inline([
      `${scene.say(words.cashier)}: ${random.chance(0.5) ? scene.person().given.toUpperCase() : random.digits(2)}`,
    ]);
  if (chosen === 'restaurant' && random.chance(0.7))
    inline([`${scene.say(words.table)} ${random.integer(1, 40)}   ${scene.say(words.guests)} ${random.integer(1, 8)}`]);
  rule();

  // What was bought
  const rate = random.pick(region.taxRates);
  const inclusive =
    region.language !== 'en' ||
    region.country === 'GB' ||
    region.country === 'AU' ||
    (region.country === 'MY' && random.chance(0.5));
  const source =
    chosen === 'restaurant'
      ? vocabulary.dishes
      : chosen === 'sheet' || random.chance(0.15)
        ? vocabulary.goods
        : vocabulary.groceries;
  const count = chosen === 'card' ? 0 : chosen === 'fuel' ? 1 : random.integer(1, random.pick([3, 6, 10, 16]));
  const lines = Array.from({ length: count }, (): Line => {
    const [ware, , low, high] = random.pick(source);
    if (chosen === 'fuel') {
      const quantity = random.integer(800, 6000) / 100;
      const price = random.integer(1299, 1999) / 1000;
      return { name: scene.say(words.fuel), quantity, price, amount: cents(quantity * price), rate, code: '' };
    }
    const quantity = random.chance(0.75) ? 1 : random.integer(2, 6);
    const price = cents(low + random.next() * (high - low));
    return {
      name: shown(ware),
      quantity,
      price,
      amount: cents(quantity * price),
      rate,
      code: random.digits(random.pick([5, 8, 13])),
    };
  });
  const lineForm =
    chosen === 'fuel' ? 'below' : random.pick(['plain', 'plain', 'quantity-first', 'below', 'code', 'columns']);
  const money = (value: number, form: 'signed' | 'bare' = random.chance(0.8) ? 'bare' : 'signed') =>
    scene.money(value, form);
  const suffix = region.language === 'de' && random.chance(0.5) ? [' A', ' B'] : [''];
  const amountForm = random.chance(0.85) ? 'bare' : 'signed';
  if (lineForm === 'columns' && lines.length > 0) {
    const heads = {
      en: ['Item', 'Qty', 'Price', 'Amt'],
      de: ['Artikel', 'Mg', 'Preis', 'EUR'],
      fr: ['Article', 'Qté', 'P.U.', 'Total'],
      es: ['Artículo', 'Ud', 'Precio', 'Imp.'],
      it: ['Articolo', 'Qtà', 'Prezzo', 'Imp.'],
      pt: ['Artigo', 'Qtd', 'Preço', 'Valor'],
      nl: ['Artikel', 'St', 'Prijs', 'Totaal'],
    }[region.language];
    sheet.text(left, y, heads[0]!);
    sheet.text(left + (right - left) * 0.6, y, heads[1]!, { align: 'right' });
    sheet.text(left + (right - left) * 0.8, y, heads[2]!, { align: 'right' });
    sheet.text(right, y, heads[3]!, { align: 'right' });
    y += step;
  }
  lines.forEach((line, index) => {
    const amount = draft.cell(index, 'amount', {
      value: line.amount,
      text: `${money(line.amount, amountForm).text}${random.pick(suffix)}`,
    });
    const name = (room: number): Piece => {
      let text = line.name;
      while (sheet.measure(text) > room) text = text.slice(0, -1).trimEnd();
      return draft.cell(index, 'description', text);
    };
    const quantity = (text: string) => draft.cell(index, 'quantity', { value: line.quantity, text });
    const price = () =>
      draft.cell(index, 'price_unit', {
        value: line.price,
        text: chosen === 'fuel' ? scene.number(line.price, 3) : money(line.price, amountForm).text,
      });
    const wide = right - left;
    const amountRoom = sheet.measure(amount.text) + 6;
    switch (lineForm) {
      case 'quantity-first':
        pair([quantity(String(line.quantity)), random.pick([' ', ' x ', 'x ']), name(wide - amountRoom - 24)], amount);
        break;
      case 'below':
        inline([name(wide)]);
        pair(
          [
            '  ',
            quantity(chosen === 'fuel' ? `${scene.number(line.quantity)} L` : String(line.quantity)),
            random.pick([' x ', ' @ ', ' X ']),
            price(),
          ],
          amount,
        );
        break;
      case 'code':
        inline([draft.cell(index, 'product_code', line.code), ' ', name(wide - sheet.measure(`${line.code} `))]);
        pair(['   ', quantity(String(line.quantity)), ' x ', price()], amount);
        break;
      case 'columns':
        sheet.text(left, y, name(wide * 0.5));
        sheet.text(left + wide * 0.6, y, quantity(String(line.quantity)), { align: 'right' });
        sheet.text(left + wide * 0.8, y, price(), { align: 'right' });
        sheet.text(right, y, amount, { align: 'right' });
        y += step;
        break;
      default:
        if (line.quantity > 1) {
          inline([name(wide)]);
          pair(['   ', quantity(String(line.quantity)), ' x ', price()], amount);
        } else pair([name(wide - amountRoom)], amount);
    }
  });
  if (chosen === 'fuel') inline([`${scene.say(words.pump)} ${random.integer(1, 12)}`]);
  if (lines.length > 0) rule();

  // Totals
  const sum =
    lines.length > 0 ? cents(lines.reduce((total, line) => total + line.amount, 0)) : cents(5 + random.next() * 140);
  const tax = inclusive ? cents(sum - sum / (1 + rate / 100)) : cents((sum * rate) / 100);
  const subtotal = inclusive ? cents(sum - tax) : sum;
  const beforeTip = inclusive ? sum : cents(sum + tax);
  const tip =
    (chosen === 'restaurant' || chosen === 'card') && region.country === 'US' && random.chance(0.6)
      ? cents(beforeTip * random.pick([0.1, 0.15, 0.18, 0.2]))
      : 0;
  const total = cents(beforeTip + tip);
  draft.set('currency', region.currency);
  const taxName = random.pick(region.taxNames);
  const rounding = region.country === 'MY' && random.chance(0.5);
  const payable = rounding ? Math.round(total * 20) / 20 : total;
  const big = random.chance(0.5);
  const drawTax = () => {
    const value = draft.piece('tax_amount', money(tax));
    pair(
      `${inclusive ? random.pick({ en: ['Incl. ', 'Includes ', ''], de: ['enth. ', 'inkl. ', ''], fr: ['dont ', ''], es: ['', 'Incl. '], it: ['di cui ', ''], pt: ['Inclui ', ''], nl: ['Waarvan ', ''] }[region.language]) : ''}${taxName}${random.chance(0.6) ? ` ${scene.percent(rate)}` : ''}`,
      value,
    );
  };
  if (!inclusive || random.chance(0.35)) pair(scene.say(words.subtotal), draft.piece('subtotal', money(subtotal)));
  const taxFirst = !inclusive || random.chance(0.3);
  if (taxFirst && rate > 0) drawTax();
  if (tip > 0) pair(scene.say(words.tip), draft.piece('tip_amount', money(tip)));
  if (rounding) {
    pair(random.pick(['Total Sales', 'Total (Incl. GST)', 'Total']), money(total).text);
    pair(random.pick(['Rounding', 'Rounding Adj', 'Rounding Adjustment']), scene.number(cents(payable - total)));
  }
  pair(
    rounding
      ? random.pick(['Rounded Total (RM)', 'Total Rounded', 'NETT TOTAL', 'Total Payable'])
      : scene.say(words.total),
    draft.piece('total_amount', money(payable, random.chance(0.5) ? 'signed' : 'bare')),
    big ? { bold: true, sizePoints: sizePoints * 1.25 } : { bold: random.chance(0.5) },
  );
  if (big) y += 3;

  // Payment
  const brand = random.pick(
    ['VISA', 'MASTERCARD', 'Visa', 'Mastercard', 'Maestro', 'AMEX', 'Girocard'].slice(
      0,
      region.language === 'de' ? 7 : 6,
    ),
  );
  const byCard = chosen === 'card' || random.chance(0.5);
  if (!byCard && random.chance(0.85)) {
    const given = random.chance(0.3)
      ? payable
      : ([5, 10, 20, 50, 100, 200, 500].find((note) => note >= payable) ?? Math.ceil(payable / 100) * 100);
    const label = scene.say(words.cash);
    const isMethod = /^(?:cash$|bar$|esp|efectivo|contanti|contant$|numer|dinheiro)/i.test(label);
    sheet.pieces(left, y, [isMethod ? draft.piece('payment_method', label) : label]);
    sheet.text(right, y, draft.piece('cash_received', money(given)), { align: 'right' });
    y += step;
    if (given > payable || random.chance(0.5))
      pair(scene.say(words.change), draft.piece('change_amount', money(cents(given - payable))));
  } else if (byCard) {
    const last4 = random.digits(4);
    if (random.chance(0.5)) pair([draft.piece('payment_method', brand)], money(payable).text);
    else pair(`${scene.say(words.paymentMethod)}:`, draft.piece('payment_method', brand));
    if (random.chance(0.75)) {
      const mask = random.pick([
        '************',
        'XXXX XXXX XXXX ',
        '**** **** **** ',
        'xxxx-xxxx-xxxx-',
        '####',
        '...',
      ]);
      inline([`${scene.say(words.cardNumber)}${random.pick([': ', ' '])}${mask}`, draft.piece('card_last4', last4)]);
    }
    if (random.chance(0.5)) inline([`${scene.say(words.approval)}: ${random.digits(6)}`]);
    if (random.chance(0.3))
      inline([`Terminal-ID ${random.digits(8)}  TA-Nr ${random.digits(6)}`.slice(0, 40)], {
        sizePoints: sizePoints * 0.85,
      });
  }
  if (random.chance(0.25))
    inline([`${scene.say(words.items)}: ${lines.reduce((pieces, line) => pieces + Math.ceil(line.quantity), 0) || 1}`]);
  rule();
  if (!taxFirst && rate > 0) {
    if (random.chance(0.5)) drawTax();
    else {
      const heads = {
        en: ['Tax', 'Net', 'Amount'],
        de: ['MwSt', 'Netto', 'Steuer'],
        fr: ['TVA', 'HT', 'Montant'],
        es: ['IVA', 'Base', 'Cuota'],
        it: ['IVA', 'Imponibile', 'Imposta'],
        pt: ['IVA', 'Base', 'Valor'],
        nl: ['BTW', 'Over', 'Bedrag'],
      }[region.language];
      const columns = [left, left + (right - left) * 0.6, right];
      const row = (cells: (string | Piece)[]) => {
        cells.forEach((cell, index) => {
          sheet.text(columns[index]!, y, cell, { align: index === 0 ? 'left' : 'right' });
        });
        y += step;
      };
      row(heads);
      row([scene.percent(rate), money(cents(sum - tax), 'bare').text, draft.piece('tax_amount', money(tax, 'bare'))]);
    }
    y += step * 0.3;
  }
  if (dateAtEnd) drawDate();
  if (!taxIdAtTop && random.chance(0.7)) {
    sheet.pieces(middle, y, [`${merchant.taxId.caption}: `, taxIdPiece], { align: 'center' });
    y += step;
  }
  y += step * 0.3;
  if (random.chance(0.75)) centered(scene.say(words.thanks));
  if (random.chance(0.4)) centered(scene.say(words.goods), { sizePoints: sizePoints * 0.9 });
  if (random.chance(0.25)) centered(merchant.website);
  if (random.chance(0.3)) {
    y += 4;
    let x = middle - 50;
    while (x < middle + 50) {
      const bar = random.pick([0.8, 1.6, 2.4]);
      sheet.area({ x0: x, y0: y - 6, x1: x + bar, y1: y + 18 }, { fill: [0, 0, 0] });
      x += bar + random.pick([0.9, 1.8]);
    }
    y += 30;
  }
  return draft.finish(chosen === 'sheet' ? sheet : cropped(sheet, y + 10), 'lines');
}

/** The sheet, its first page cut to a height. */
function cropped(sheet: Sheet, height: number): Sheet {
  const [page] = sheet.pages;
  sheet.pages[0] = { ...page!, height };
  return sheet;
}

export const receiptGenerator: Generator = {
  draw: drawReceipt,
  layouts: receiptLayouts,
  samples: [
    {
      file: 'receipt.jpg',
      description: 'Till receipt, photographed on a table',
      seed: 'sample 324',
      region: 'en-GB',
      layout: 'till',
      as: { picture: { seed: 'sample', format: 'jpeg', look: 'photo', dotsPerInch: 220, quality: 70 } },
    },
    {
      file: 'receipt-turned.jpg',
      description: 'Restaurant bill, German, photographed with the camera held sideways',
      seed: 'sample 32',
      region: 'de-DE',
      layout: 'restaurant',
      as: {
        picture: {
          seed: 'sample turned',
          format: 'jpeg',
          look: 'photo',
          dotsPerInch: 200,
          turnDegrees: 90,
          exifTurn: true,
          quality: 70,
        },
      },
    },
  ],
};

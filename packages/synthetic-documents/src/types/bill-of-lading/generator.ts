import { containerNumber } from '../../check-digits.ts';
import { Draft, type GeneratedDocument } from '../../generated.ts';
import { label, type Scene } from '../../scene.ts';
import { black, gray, type Piece, Sheet } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const billOfLadingLayouts = ['form', 'open'] as const;

const words = {
  title: label(
    'BILL OF LADING|Bill of Lading|OCEAN BILL OF LADING|SEA WAYBILL',
    'KONNOSSEMENT|Konnossement',
    'CONNAISSEMENT|Connaissement maritime',
    'CONOCIMIENTO DE EMBARQUE',
    'POLIZZA DI CARICO',
    'CONHECIMENTO DE EMBARQUE',
    'COGNOSSEMENT|Cognossement',
  ),
  shipper: label(
    'Shipper|Shipper/Exporter|SHIPPER',
    'Verlader|Ablader|Absender',
    'Chargeur|Expéditeur',
    'Embarcador|Cargador',
    'Caricatore|Mittente',
    'Carregador|Expedidor',
    'Afzender|Verlader',
  ),
  consignee: label(
    'Consignee|CONSIGNEE',
    'Empfänger',
    'Destinataire|Réceptionnaire',
    'Consignatario',
    'Ricevitore|Destinatario',
    'Consignatário|Destinatário',
    'Geadresseerde|Ontvanger',
  ),
  notify: label(
    'Notify Party|NOTIFY PARTY|Notify address',
    'Meldeadresse|Notify-Adresse',
    'Partie à notifier|Notifier',
    'Notificar a|Parte a notificar',
    'Notificare a',
    'Parte a notificar|Notificar',
    'Notify-adres|Te verwittigen partij',
  ),
  number: label(
    'B/L No.|Bill of Lading No.|B/L Number',
    'B/L-Nr.|Konnossement-Nr.',
    'Connaissement n°|B/L n°',
    'Nº de B/L|Conocimiento de embarque nº',
    'Polizza di carico n.|B/L n.',
    'N.º do B/L|Conhecimento de embarque n.º',
    'Cognossement nr|B/L nr.',
  ),
  vessel: label(
    'Vessel|Ocean Vessel|Vessel Name',
    'Schiff|Seeschiff',
    'Navire',
    'Buque',
    'Nave',
    'Navio',
    'Schip|Zeeschip',
  ),
  voyage: label(
    'Voyage No.|Voyage|Voy. No.',
    'Reise|Reise-Nr.',
    'Voyage n°|Voyage',
    'Viaje nº|Viaje',
    'Viaggio n.|Viaggio',
    'Viagem n.º|Viagem',
    'Reis|Reisnummer',
  ),
  loading: label(
    'Port of Loading|PORT OF LOADING',
    'Ladehafen|Verladehafen',
    'Port de chargement',
    'Puerto de carga',
    'Porto di carico',
    'Porto de carga',
    'Laadhaven',
  ),
  discharge: label(
    'Port of Discharge|PORT OF DISCHARGE',
    'Löschhafen|Bestimmungshafen',
    'Port de déchargement',
    'Puerto de descarga',
    'Porto di scarico',
    'Porto de descarga',
    'Loshaven',
  ),
  containers: label(
    'Container No.|Container Nos',
    'Container-Nr.',
    'N° de conteneur',
    'Nº contenedor',
    'N. container',
    'N.º contentor',
    'Containernummer',
  ),
  packages: label(
    'No. of Packages',
    'Anzahl Packstücke',
    'Nombre de colis',
    'Nº de bultos',
    'N. colli',
    'N.º volumes',
    'Aantal colli',
  ),
  goods: label(
    'Description of Goods',
    'Warenbezeichnung',
    'Désignation des marchandises',
    'Descripción de la mercancía',
    'Descrizione della merce',
    'Descrição da mercadoria',
    'Omschrijving goederen',
  ),
  weight: label(
    'Gross Weight|Gross Weight (KG)|Gross Weight KGS',
    'Bruttogewicht|Bruttogewicht (kg)',
    'Poids brut|Poids brut (kg)',
    'Peso bruto|Peso bruto (kg)',
    'Peso lordo|Peso lordo (kg)',
    'Peso bruto|Peso bruto (kg)',
    'Brutogewicht|Brutogewicht (kg)',
  ),
  measurement: label('Measurement', 'Maß', 'Volume', 'Medidas', 'Misure', 'Medidas', 'Maat'),
  date: label(
    'Place and date of issue|Date of Issue|Shipped on board date',
    'Ort und Datum der Ausstellung|Ausstellungsdatum',
    "Lieu et date d'émission|Date d'émission",
    'Lugar y fecha de emisión|Fecha de emisión',
    'Luogo e data di emissione|Data di emissione',
    'Local e data de emissão|Data de emissão',
    'Plaats en datum van afgifte|Datum van afgifte',
  ),
  freight: label(
    'FREIGHT PREPAID|FREIGHT COLLECT',
    'FRACHT VORAUSBEZAHLT',
    'FRET PAYÉ',
    'FLETE PAGADO',
    'NOLO PAGATO',
    'FRETE PAGO',
    'VRACHT VOORUITBETAALD',
  ),
} as const;

const ports = [
  'Hamburg',
  'Rotterdam',
  'Antwerp',
  'Valencia',
  'Le Havre',
  'Genoa',
  'Lisbon',
  'Felixstowe',
  'New York',
  'Shanghai',
  'Singapore',
  'Santos',
  'Port Klang',
  'Busan',
  'Los Angeles',
  'Mumbai (Nhava Sheva)',
  'Veracruz',
];
const vessels = [
  'MV NORDLICHT STAR',
  'ATLANTIC HERON',
  'MSV CORAL BAY',
  'PACIFIC LANTERN',
  'MV ELBE TRADER',
  'SEA FALCON',
  'OCEAN MERIDIAN',
  'MV SILVER TIDE',
  'BALTIC PIONEER',
];

/** Draws a bill of lading. */
function drawBillOfLading(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const chosen = billOfLadingLayouts.find((name) => name === layout) ?? random.pick(['form', 'form', 'open'] as const);
  const draft = new Draft(scene, 'bill_of_lading');
  draft.layout = chosen;
  const family = random.pick(['sans', 'serif', 'sans'] as const);
  const sheet = new Sheet(region.paper[0], region.paper[1], { sizePoints: 9, family });
  const boxed = chosen === 'form';
  const [left, right] = [40, sheet.width - 40];
  const middle = (left + right) / 2;
  const typed = { family: random.pick(['mono', 'sans'] as const), sizePoints: 9 };
  const cell = (
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    caption: string,
    lines: readonly (Piece | readonly (string | Piece)[])[],
  ) => {
    if (boxed) sheet.area({ x0, y0, x1, y1 }, { border: black });
    sheet.text(x0 + 4, y0 + 9, caption, { sizePoints: 6.8, color: boxed ? gray : black, bold: !boxed });
    lines.forEach((line, index) => {
      const pieces = 'text' in line ? [line] : line;
      const needed = pieces.reduce(
        (sum, piece) => sum + sheet.measure(typeof piece === 'string' ? piece : piece.text, typed),
        0,
      );
      sheet.pieces(x0 + 5, y0 + 21 + index * 11, pieces, {
        ...typed,
        sizePoints: Math.min(9, (9 * (x1 - x0 - 8)) / needed),
      });
    });
  };
  const issued = scene.today();
  const capitals = random.chance(0.6);
  const shown = (text: string) => (capitals ? text.toUpperCase() : text);
  const partyLines = (field: string) => {
    const company = scene.company();
    return [draft.piece(field, shown(company.name)), ...company.address.lines.map((text) => ({ text: shown(text) }))];
  };
  const carrier = `${random.pick(['Northstar', 'Bluewave', 'Meridian', 'Oceanic', 'Transmar'])} ${random.pick(['Line', 'Shipping', 'Maritime', 'Container Lines'])}`;
  sheet.text(left, 42, carrier, { bold: true, sizePoints: 13 });
  sheet.text(right, 42, scene.say(words.title), { bold: true, sizePoints: 14, align: 'right' });
  const number = random.pick([
    `${random.letters(4)}${random.digits(8)}`,
    `${random.letters(3)}-${random.digits(6)}`,
    random.digits(9),
    `${random.letters(4)}${random.digits(4)}${random.letters(1)}${random.digits(3)}`,
  ]);
  let y = 56;
  cell(left, y, middle, y + 66, scene.say(words.shipper), partyLines('shipper'));
  cell(middle, y, right, y + 33, scene.say(words.number), [draft.piece('bl_number', number)]);
  cell(
    middle,
    y + 33,
    right,
    y + 66,
    {
      en: 'Export References',
      de: 'Referenzen',
      fr: 'Références',
      es: 'Referencias',
      it: 'Riferimenti',
      pt: 'Referências',
      nl: 'Referenties',
    }[region.language],
    [{ text: random.digits(8) }],
  );
  y += 66;
  cell(left, y, middle, y + 66, scene.say(words.consignee), partyLines('consignee'));
  cell(
    middle,
    y,
    right,
    y + 66,
    {
      en: 'Forwarding Agent',
      de: 'Spediteur',
      fr: 'Transitaire',
      es: 'Transitario',
      it: 'Spedizioniere',
      pt: 'Transitário',
      nl: 'Expediteur',
    }[region.language],
    [{ text: shown(scene.company().name) }],
  );
  y += 66;
  const same = random.chance(0.2);
  cell(
    left,
    y,
    middle,
    y + 66,
    scene.say(words.notify),
    same
      ? [
          draft.piece(
            'notify_party',
            {
              en: 'SAME AS CONSIGNEE',
              de: 'WIE EMPFÄNGER',
              fr: 'MÊME QUE LE DESTINATAIRE',
              es: 'MISMO CONSIGNATARIO',
              it: 'COME IL RICEVITORE',
              pt: 'O MESMO',
              nl: 'ZELFDE ALS ONTVANGER',
            }[region.language],
          ),
        ]
      : partyLines('notify_party'),
  );
  if (boxed) sheet.area({ x0: middle, y0: y, x1: right, y1: y + 66 }, { border: black });
  sheet.paragraph(
    middle + 5,
    y + 12,
    middle - left - 12,
    region.language === 'en'
      ? 'Received in apparent good order and condition unless otherwise noted the total number of containers or other packages enumerated below for transportation from the place of receipt to the place of delivery.'
      : '',
    { sizePoints: 6.2, color: gray },
  );
  y += 66;
  const third = (right - left) / 4;
  const [from, to] = random.sample(ports, 2);
  const joined = random.chance(0.25);
  const vesselPiece = draft.piece('vessel', random.pick(vessels));
  const voyagePiece = draft.piece(
    'voyage',
    random.pick([
      `${random.digits(3)}W`,
      `${random.digits(3)}E`,
      `${random.letters(2)}${random.digits(3)}`,
      random.digits(4),
    ]),
  );
  if (joined) {
    cell(left, y, left + 2 * third, y + 30, `${scene.say(words.vessel)} / ${scene.say(words.voyage)}`, [
      [vesselPiece, random.pick([' / ', '  ', ' V.']), voyagePiece],
    ]);
  } else {
    cell(left, y, left + third, y + 30, scene.say(words.vessel), [vesselPiece]);
    cell(left + third, y, left + 2 * third, y + 30, scene.say(words.voyage), [voyagePiece]);
  }
  cell(left + 2 * third, y, left + 3 * third, y + 30, scene.say(words.loading), [
    draft.piece('port_of_loading', shown(from!)),
  ]);
  cell(left + 3 * third, y, right, y + 30, scene.say(words.discharge), [draft.piece('port_of_discharge', shown(to!))]);
  y += 30;
  const count = random.integer(1, 4);
  const containers = Array.from({ length: count }, () => containerNumber(`${random.letters(3)}U`, random.digits(6)));
  const weights = containers.map(() => random.integer(3200, 27500));
  const columns = [left, left + 118, left + 178, left + 342, left + 438, right];
  const heads = [
    scene.say(words.containers),
    scene.say(words.packages),
    scene.say(words.goods),
    scene.say(words.weight),
    scene.say(words.measurement),
  ];
  const bottom = y + 40 + count * 26;
  if (boxed) {
    sheet.area({ x0: left, y0: y, x1: right, y1: bottom }, { border: black });
    sheet.line(left, y + 16, right, y + 16);
    for (const x of columns.slice(1, -1)) sheet.line(x, y, x, bottom);
  } else sheet.line(left, y + 16, right, y + 16);
  heads.forEach((head, index) => {
    const room = columns[index + 1]! - columns[index]! - 8;
    const width = sheet.measure(head, { sizePoints: 6.8, bold: true });
    sheet.text(columns[index]! + 4, y + 11, head, { sizePoints: Math.min(6.8, (6.8 * room) / width), bold: true });
  });
  const spacedForm = random.chance(0.35);
  draft.piece('container_numbers', { value: containers, text: '' });
  const single = count === 1;
  containers.forEach((container, index) => {
    const row = y + 30 + index * 26;
    sheet.text(
      columns[0]! + 4,
      row,
      {
        text: spacedForm ? `${container.slice(0, 4)} ${container.slice(4, 10)}-${container.slice(10)}` : container,
        field: 'container_numbers',
      },
      typed,
    );
    sheet.text(columns[0]! + 4, row + 10, `SEAL ${random.letters(2)}${random.digits(6)}`, {
      ...typed,
      sizePoints: 7.5,
    });
    sheet.text(columns[1]! + 4, row, `${random.integer(4, 900)} ${random.pick(['CTNS', 'PLTS', 'BAGS', 'PKGS'])}`, {
      ...typed,
      sizePoints: 8,
    });
    sheet.text(columns[2]! + 4, row, shown(random.pick(scene.words.goods)[0]), { ...typed, sizePoints: 7.5 });
    const text = scene.number(weights[index]!, random.chance(0.3) ? 2 : 0);
    sheet.pieces(
      columns[4]! - 4,
      row,
      single ? [draft.piece('gross_weight', { value: weights[index]!, text }), ' KGS'] : [text, ' KGS'],
      { ...typed, sizePoints: 8, align: 'right' },
    );
    sheet.text(right - 4, row, `${scene.number(random.integer(10, 66) + 0.5, 3)} M3`, {
      ...typed,
      sizePoints: 7.5,
      align: 'right',
    });
  });
  y = bottom;
  if (!single) {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    sheet.pieces(
      columns[4]! - 4,
      y + 12,
      [
        `${{ en: 'TOTAL', de: 'GESAMT', fr: 'TOTAL', es: 'TOTAL', it: 'TOTALE', pt: 'TOTAL', nl: 'TOTAAL' }[region.language]} ${scene.say(words.weight)} `,
        draft.piece('gross_weight', { value: total, text: scene.number(total, 0) }),
        ' KGS',
      ],
      { ...typed, sizePoints: 8, align: 'right' },
    );
    y += 18;
  }
  sheet.text(left + 4, y + 20, scene.say(words.freight), typed);
  y += 34;
  const place = scene.address().city;
  const dateCaption = scene.say(words.date);
  const withPlace = /Place|Ort|Lieu|Lugar|Luogo|Local|Plaats/.test(dateCaption);
  cell(left, y, middle, y + 32, dateCaption, [
    [...(withPlace ? [`${shown(place)}, `] : []), draft.piece('date', scene.date(issued))],
  ]);
  cell(
    middle,
    y,
    right,
    y + 32,
    {
      en: 'Signed for the Carrier',
      de: 'Unterschrift des Frachtführers',
      fr: 'Signature du transporteur',
      es: 'Firma del transportista',
      it: 'Firma del vettore',
      pt: 'Assinatura do transportador',
      nl: 'Handtekening vervoerder',
    }[region.language],
    [{ text: carrier }],
  );
  return draft.finish(sheet);
}

export const billOfLadingGenerator: Generator = { draw: drawBillOfLading, layouts: billOfLadingLayouts };

import type { Box } from '@millrace/document-model';
import type { Language } from './regions.ts';
import type { Scene } from './scene.ts';
import { gray, type Sheet, type TextStyle } from './sheet.ts';

/**
 * What stands on real pages and is no field's value: stamps, slogans, a second address, last year's and last month's
 * figures, the line that a fax machine adds, and the slip at the foot that repeats what is above.
 */

/** Texts by language, alternatives parted by `|`. */
type Said = Readonly<Record<Language, string>>;

const stamps: Said = {
  en: 'PAID|RECEIVED|COPY|POSTED|CHECKED|ENTERED|ORIGINAL|VOID WITHOUT SEAL',
  de: 'BEZAHLT|EINGEGANGEN|KOPIE|GEBUCHT|GEPRÜFT|ERLEDIGT',
  fr: 'PAYÉ|REÇU LE|COPIE|COMPTABILISÉ|VU',
  es: 'PAGADO|RECIBIDO|COPIA|CONTABILIZADO|VISTO BUENO',
  it: 'PAGATO|RICEVUTO|COPIA|REGISTRATO|VISTO',
  pt: 'PAGO|RECEBIDO|CÓPIA|LANÇADO|VISTO',
  nl: 'BETAALD|ONTVANGEN|KOPIE|GEBOEKT|GEZIEN',
};

const places: Said = {
  en: 'Head office|Registered office|If undelivered return to|Questions? Write to|Our warehouse|Correspondence',
  de: 'Hauptsitz|Sitz der Gesellschaft|Rückantwort an|Fragen? Schreiben Sie|Unser Lager',
  fr: 'Siège social|Retour à|Une question ? Écrivez à|Notre entrepôt',
  es: 'Sede central|Domicilio social|Devolver a|¿Dudas? Escriba a',
  it: 'Sede legale|Sede operativa|Restituire a|Domande? Scrivere a',
  pt: 'Sede social|Devolver a|Dúvidas? Escreva para',
  nl: 'Hoofdkantoor|Retouradres|Vragen? Schrijf naar',
};

const earlier: Said = {
  en: 'Year to date|Same month last year|Prior bill|Paid, thank you|Average per day|Late after|Budget plan|Last 12 months',
  de: 'Seit Jahresbeginn|Vorjahresmonat|Letzte Abrechnung|Dankend erhalten|Im Mittel täglich|Vormonat',
  fr: 'Depuis janvier|Même mois l’an passé|Relevé précédent|Reçu, merci|Moyenne par jour',
  es: 'Desde enero|Mismo mes del año pasado|Recibo anterior|Recibido, gracias|Media diaria',
  it: 'Da inizio anno|Stesso mese anno scorso|Bolletta precedente|Ricevuto, grazie|Media giornaliera',
  pt: 'Desde janeiro|Mesmo mês do ano passado|Conta anterior|Recebido, obrigado|Média diária',
  nl: 'Sinds januari|Zelfde maand vorig jaar|Vorige nota|Ontvangen, dank u|Gemiddeld per dag',
};

const slips: Said = {
  en: 'Detach and return this portion with your payment|Please return stub|REMITTANCE',
  de: 'Bitte abtrennen und der Zahlung beifügen|Abschnitt für die Zahlung',
  fr: 'À détacher et à joindre à votre règlement|Talon',
  es: 'Recorte y adjunte con su pago|Talón',
  it: 'Staccare e allegare al pagamento|Cedola',
  pt: 'Destaque e junte ao pagamento|Talão',
  nl: 'Afscheuren en bijvoegen bij betaling|Strook',
};

/** Draws distractors where the page has room. `said` are the printed values by field, which a slip repeats. */
export function drawDistractors(sheet: Sheet, scene: Scene, said: ReadonlyMap<string, readonly string[]>): void {
  const { random, region } = scene;
  const sizePoints = sheet.base.sizePoints ?? 9;
  const pick = (texts: Said) => random.pick(texts[region.language].split('|'));
  const block = (lines: readonly string[], style: TextStyle) => {
    const size = style.sizePoints ?? sizePoints;
    const width = Math.max(...lines.map((line) => sheet.measure(line, style)));
    const spot = freeSpot(sheet, scene, width, size * 1.35 * lines.length);
    if (!spot) return;
    for (const [index, line] of lines.entries()) sheet.text(spot.x0, spot.y0 + size * (1 + 1.35 * index), line, style);
  };
  if (random.chance(0.25)) {
    const { width } = sheet;
    const time = `${random.integer(7, 19)}:${random.digits(2)}`;
    const line = `${scene.date(scene.today()).text} ${time}   ${random.pick([region.phone(random), 'page 1/1', scene.words.companyStems[0]!])}`;
    sheet.text(random.pick([24, width / 3]), 12, line, { sizePoints: Math.min(7, sizePoints), family: 'mono' });
  }
  if (random.chance(0.35))
    block([random.pick(scene.words.marketing)], {
      italic: true,
      sizePoints: sizePoints * random.pick([0.9, 1.1, 1.5]),
    });
  if (random.chance(0.3)) {
    const dated = random.chance(0.6) ? [scene.date(scene.today()).text] : [];
    block([pick(stamps), ...dated], { bold: true, sizePoints: sizePoints * 1.5, color: [0.7, 0.1, 0.15] });
  }
  if (random.chance(0.35)) {
    const company = random.chance(0.5) ? [scene.company().name] : [];
    block([...(random.chance(0.7) ? [pick(places)] : []), ...company, ...scene.address().lines], {
      sizePoints: sizePoints * random.pick([0.75, 0.9, 1]),
    });
  }
  if (random.chance(0.35)) {
    const rows = Array.from(
      { length: random.integer(1, 3) },
      () => `${pick(earlier)}  ${scene.money(Math.round(random.next() * 900000) / 100).text}`,
    );
    block(rows, { sizePoints: sizePoints * 0.9 });
  }
  if (random.chance(0.3)) drawSlip(sheet, scene, said, pick(slips));
}

/** A slip under a dashed line: who pays, what, for which number, and where it is sent, without captions or with. */
function drawSlip(sheet: Sheet, scene: Scene, said: ReadonlyMap<string, readonly string[]>, title: string): void {
  const { random } = scene;
  const sizePoints = (sheet.base.sizePoints ?? 9) * 0.95;
  const bottom = Math.max(0, ...sheet.page.words.map(({ box }) => box.y1));
  const top = Math.max(bottom + 14, sheet.height - 150);
  if (top + 100 > sheet.height) return;
  sheet.line(20, top, sheet.width - 20, top, { dashed: true, color: gray });
  sheet.text(sheet.width / 2, top + sizePoints * 1.4, title, {
    sizePoints: sizePoints * 0.85,
    align: 'center',
    color: gray,
  });
  const repeated = random.sample(
    [...said].filter(
      ([field]) => /number|total|due|account|name/.test(field) && !/address|vendor|provider/.test(field),
    ),
    random.integer(1, 4),
  );
  let y = top + sizePoints * 3;
  for (const [, texts] of repeated) {
    sheet.text(40, y, texts[0]!, { sizePoints });
    y += sizePoints * 1.5;
  }
  y = top + sizePoints * 3;
  const company = scene.company();
  for (const line of [company.name, ...company.address.lines]) {
    sheet.text(sheet.width * 0.58, y, line, { sizePoints });
    y += sizePoints * 1.35;
  }
}

/** A place on the present page that no word or ruling is in; null where none is found. */
function freeSpot(sheet: Sheet, { random }: Scene, width: number, height: number): Box | null {
  const margin = 18;
  const room = { x: sheet.width - width - 2 * margin, y: sheet.height - height - 2 * margin };
  if (room.x <= 0 || room.y <= 0) return null;
  const taken = [...sheet.page.words, ...sheet.page.rulings].map(({ box }) => box);
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const x0 = margin + random.next() * room.x;
    const y0 = margin + random.next() * room.y;
    const box = { x0: x0 - 8, y0: y0 - 4, x1: x0 + width + 8, y1: y0 + height + 4 };
    const isFree = taken.every(
      (other) => other.x1 < box.x0 || other.x0 > box.x1 || other.y1 < box.y0 || other.y0 > box.y1,
    );
    if (isFree) return { x0, y0, x1: x0 + width, y1: y0 + height };
  }
  return null;
}

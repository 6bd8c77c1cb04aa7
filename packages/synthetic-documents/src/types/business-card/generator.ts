import { drawLogo, tint } from '../../blocks.ts';
import { cardColors } from '../../card-colors.ts';
import { Draft, type GeneratedDocument } from '../../generated.ts';
import type { Scene } from '../../scene.ts';
import { black, type Piece, Sheet, type TextStyle, white } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const businessCardLayouts = ['left', 'centered', 'split', 'right'] as const;

/** Draws a business card. */
function drawBusinessCard(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const chosen = businessCardLayouts.find((name) => name === layout) ?? random.pick(businessCardLayouts);
  const draft = new Draft(scene, 'business_card');
  draft.layout = chosen;
  const sheet = new Sheet(252, 144, { family: random.pick(['sans', 'sans', 'serif'] as const), sizePoints: 7.5 });
  const color = random.pick(cardColors);
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

export const businessCardGenerator: Generator = { draw: drawBusinessCard, layouts: businessCardLayouts };

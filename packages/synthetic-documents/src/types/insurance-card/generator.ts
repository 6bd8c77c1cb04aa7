import { drawLogo, tint } from '../../blocks.ts';
import { cardColors } from '../../card-colors.ts';
import { Draft, type GeneratedDocument } from '../../generated.ts';
import { label, type Scene } from '../../scene.ts';
import { gray, type Piece, Sheet, type TextStyle } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const insuranceCardLayouts = ['american', 'european'] as const;

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
function drawInsuranceCard(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const american = layout
    ? layout === 'american'
    : region.country === 'US' || (region.language === 'en' && random.chance(0.7));
  const draft = new Draft(scene, 'insurance_card');
  draft.layout = american ? 'american' : 'european';
  const sheet = new Sheet(300, 190, { sizePoints: 8 });
  const color = random.pick(cardColors);
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

export const insuranceCardGenerator: Generator = { draw: drawInsuranceCard, layouts: insuranceCardLayouts };

import type { JsonValue } from '@millrace/document-model';
import { drawLogo, drawPairs, drawTable, pickTableLook, pickTheme } from '../../blocks.ts';
import { Flow } from '../../flow.ts';
import { Draft, type GeneratedDocument } from '../../generated.ts';
import type { Language } from '../../regions.ts';
import type { Scene } from '../../scene.ts';
import { black, gray, type Piece, Sheet } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const generalLayouts = ['letter', 'memo', 'form', 'minutes', 'report'] as const;

interface LetterWords {
  readonly subject: string;
  readonly greeting: readonly string[];
  readonly closing: readonly string[];
  readonly subjects: readonly string[];
  readonly paragraphs: readonly string[];
  readonly captions: readonly string[];
  readonly minutes: string;
  readonly memo: string;
  readonly report: string;
  readonly attendees: string;
}

const letters: Readonly<Record<Language, LetterWords>> = {
  en: {
    subject: 'Subject',
    greeting: ['Dear Sir or Madam,', 'Dear {surname},'],
    closing: ['Yours sincerely,', 'Kind regards,', 'Yours faithfully,'],
    subjects: [
      'Confirmation of our appointment',
      'Change of address',
      'Your application as accountant',
      'Invitation to the annual meeting',
      'Notice of rent increase',
      'Confirmation of employment',
    ],
    paragraphs: [
      'We refer to our telephone conversation and are pleased to confirm the points that we agreed.',
      'Please find enclosed the documents you asked for. Kindly return a signed copy within two weeks.',
      'Should you have any questions, do not hesitate to contact our office.',
      'We look forward to working with you and thank you for your interest in our organization.',
      'Our new premises are within walking distance of the station and open on weekdays.',
    ],
    captions: ['Reference', 'Department', 'Status', 'Location', 'Phone', 'Category', 'Priority', 'Approved by'],
    minutes: 'Minutes of the Meeting',
    memo: 'MEMORANDUM',
    report: 'Progress Report',
    attendees: 'Attendees',
  },
  de: {
    subject: 'Betreff',
    greeting: ['Sehr geehrte Damen und Herren,', 'Sehr geehrte Frau {surname},'],
    closing: ['Mit freundlichen Grüßen', 'Freundliche Grüße'],
    subjects: [
      'Bestätigung unseres Termins',
      'Änderung unserer Anschrift',
      'Ihre Bewerbung als Buchhalter',
      'Einladung zur Jahresversammlung',
      'Kündigung des Mietverhältnisses',
      'Arbeitsbescheinigung',
    ],
    paragraphs: [
      'wir nehmen Bezug auf unser Telefonat und bestätigen gerne die besprochenen Punkte.',
      'Anbei erhalten Sie die gewünschten Unterlagen. Bitte senden Sie uns ein unterschriebenes Exemplar zurück.',
      'Für Rückfragen stehen wir Ihnen gerne zur Verfügung.',
      'Wir freuen uns auf die Zusammenarbeit und danken für Ihr Interesse.',
    ],
    captions: ['Aktenzeichen', 'Abteilung', 'Status', 'Ort', 'Telefon', 'Kategorie', 'Sachbearbeiter'],
    minutes: 'Protokoll der Sitzung',
    memo: 'AKTENNOTIZ',
    report: 'Sachstandsbericht',
    attendees: 'Teilnehmer',
  },
  fr: {
    subject: 'Objet',
    greeting: ['Madame, Monsieur,', 'Cher Monsieur,'],
    closing: ["Veuillez agréer, Madame, Monsieur, l'expression de nos salutations distinguées.", 'Cordialement,'],
    subjects: [
      'Confirmation de notre rendez-vous',
      "Changement d'adresse",
      'Votre candidature',
      "Invitation à l'assemblée générale",
      'Attestation de travail',
    ],
    paragraphs: [
      'Suite à notre entretien téléphonique, nous avons le plaisir de vous confirmer les points convenus.',
      'Vous trouverez ci-joint les documents demandés. Merci de nous retourner un exemplaire signé.',
      'Nous restons à votre disposition pour tout renseignement complémentaire.',
    ],
    captions: ['Référence', 'Service', 'Statut', 'Lieu', 'Téléphone', 'Catégorie'],
    minutes: 'Compte rendu de réunion',
    memo: 'NOTE DE SERVICE',
    report: "Rapport d'avancement",
    attendees: 'Participants',
  },
  es: {
    subject: 'Asunto',
    greeting: ['Estimados señores:', 'Estimada Sra. {surname}:'],
    closing: ['Atentamente,', 'Un cordial saludo,'],
    subjects: [
      'Confirmación de nuestra cita',
      'Cambio de domicilio',
      'Su candidatura',
      'Invitación a la junta anual',
      'Certificado de trabajo',
    ],
    paragraphs: [
      'En relación con nuestra conversación telefónica, confirmamos los puntos acordados.',
      'Adjuntamos los documentos solicitados y rogamos nos devuelvan una copia firmada.',
      'Quedamos a su disposición para cualquier consulta.',
    ],
    captions: ['Referencia', 'Departamento', 'Estado', 'Lugar', 'Teléfono', 'Categoría'],
    minutes: 'Acta de reunión',
    memo: 'MEMORÁNDUM',
    report: 'Informe de situación',
    attendees: 'Asistentes',
  },
  it: {
    subject: 'Oggetto',
    greeting: ['Gentili Signori,', 'Gentile Signora {surname},'],
    closing: ['Distinti saluti', 'Cordiali saluti'],
    subjects: [
      'Conferma del nostro appuntamento',
      'Cambio di indirizzo',
      'La Sua candidatura',
      "Invito all'assemblea annuale",
      'Attestato di servizio',
    ],
    paragraphs: [
      'con riferimento alla nostra telefonata, confermiamo i punti concordati.',
      'In allegato trova i documenti richiesti. La preghiamo di restituirci una copia firmata.',
      'Restiamo a disposizione per ogni chiarimento.',
    ],
    captions: ['Riferimento', 'Reparto', 'Stato', 'Luogo', 'Telefono', 'Categoria'],
    minutes: 'Verbale della riunione',
    memo: 'PROMEMORIA',
    report: 'Relazione sullo stato dei lavori',
    attendees: 'Partecipanti',
  },
  pt: {
    subject: 'Assunto',
    greeting: ['Exmos. Senhores,', 'Exma. Senhora {surname},'],
    closing: ['Com os melhores cumprimentos,', 'Atentamente,'],
    subjects: [
      'Confirmação da nossa reunião',
      'Mudança de morada',
      'A sua candidatura',
      'Convite para a assembleia anual',
    ],
    paragraphs: [
      'na sequência da nossa conversa telefónica, confirmamos os pontos acordados.',
      'Junto enviamos os documentos solicitados. Agradecemos a devolução de um exemplar assinado.',
      'Estamos ao dispor para qualquer esclarecimento.',
    ],
    captions: ['Referência', 'Departamento', 'Estado', 'Local', 'Telefone', 'Categoria'],
    minutes: 'Ata da reunião',
    memo: 'MEMORANDO',
    report: 'Relatório de progresso',
    attendees: 'Participantes',
  },
  nl: {
    subject: 'Betreft',
    greeting: ['Geachte heer/mevrouw,', 'Geachte mevrouw {surname},'],
    closing: ['Met vriendelijke groet,', 'Hoogachtend,'],
    subjects: [
      'Bevestiging van onze afspraak',
      'Adreswijziging',
      'Uw sollicitatie',
      'Uitnodiging voor de jaarvergadering',
      'Werkgeversverklaring',
    ],
    paragraphs: [
      'naar aanleiding van ons telefoongesprek bevestigen wij de besproken punten.',
      'Bijgaand ontvangt u de gevraagde documenten. Graag ontvangen wij een ondertekend exemplaar retour.',
      'Voor vragen kunt u contact met ons opnemen.',
    ],
    captions: ['Kenmerk', 'Afdeling', 'Status', 'Plaats', 'Telefoon', 'Categorie'],
    minutes: 'Notulen van de vergadering',
    memo: 'MEMO',
    report: 'Voortgangsrapport',
    attendees: 'Aanwezigen',
  },
};

/** Draws a document of no particular type: a letter, memo, form, minutes or report. */
function drawGeneral(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const chosen = generalLayouts.find((name) => name === layout) ?? random.pick(generalLayouts);
  const draft = new Draft(scene, 'general');
  draft.layout = chosen;
  const words = letters[region.language];
  const theme = pickTheme(random);
  const sizePoints = random.pick([9.5, 10, 10.5, 11]);
  const sheet = new Sheet(region.paper[0], region.paper[1], { family: theme.family, sizePoints });
  const company = scene.company();
  const [writer, reader] = [scene.person(), scene.person()];
  const issued = scene.today();
  const [left, right] = [60, sheet.width - 60];
  const flow = new Flow(sheet, left, right, 66);
  const people: string[] = [];
  const organizations = [company.name];
  const named = (full: string): Piece => {
    if (!people.includes(full)) people.push(full);
    return { text: full, field: 'people' };
  };
  const date = draft.piece('date', scene.date(issued));
  const keyValues: Record<string, JsonValue> = {};
  const keyed = (caption: string, piece: Piece): Piece => {
    keyValues[caption] = piece.text;
    return piece;
  };
  const subject = random.pick(words.subjects);
  const body = (count: number) => {
    for (const text of random.sample(words.paragraphs, count)) flow.paragraph([text]);
  };
  const letterhead = () => {
    drawLogo(sheet, random, left, 34, 26, theme.accent, company.shortName.slice(0, 1));
    sheet.text(
      left + 46,
      52,
      { text: company.name, field: 'organizations' },
      { bold: true, sizePoints: sizePoints * 1.3, color: theme.accent },
    );
    sheet.text(left + 46, 64, `${company.address.lines.join(', ')} · ${company.phone}`, {
      sizePoints: 7.5,
      color: gray,
    });
    flow.y = 104;
  };
  switch (chosen) {
    case 'letter':
      letterhead();
      sheet.text(left, flow.y, named(reader.full));
      for (const line of scene.address().lines) {
        flow.y += sizePoints * 1.35;
        sheet.text(left, flow.y, line);
      }
      flow.y += 36;
      sheet.pieces(right, flow.y, [...(random.chance(0.6) ? [`${company.address.city}, `] : []), date], {
        align: 'right',
      });
      flow.y += 28;
      if (random.chance(0.5)) {
        const end = sheet.text(left, flow.y, `${words.subject}: `, { bold: true });
        sheet.text(end, flow.y, keyed(words.subject, draft.piece('title', subject)), { bold: true });
      } else sheet.text(left, flow.y, draft.piece('title', subject), { bold: true });
      flow.y += 24;
      flow.paragraph([random.pick(words.greeting).replace('{surname}', reader.surname)]);
      body(3);
      flow.y += 8;
      flow.paragraph([random.pick(words.closing)]);
      flow.y += 26;
      flow.paragraph([named(writer.full)]);
      if (random.chance(0.6)) flow.paragraph([random.pick(scene.words.jobs)]);
      break;
    case 'memo': {
      flow.heading(draft.piece('title', words.memo), { sizePoints: sizePoints * 1.7 });
      flow.y += 8;
      const [to, from, when, about] = {
        en: ['To', 'From', 'Date', 'Subject'],
        de: ['An', 'Von', 'Datum', 'Betreff'],
        fr: ['À', 'De', 'Date', 'Objet'],
        es: ['Para', 'De', 'Fecha', 'Asunto'],
        it: ['A', 'Da', 'Data', 'Oggetto'],
        pt: ['Para', 'De', 'Data', 'Assunto'],
        nl: ['Aan', 'Van', 'Datum', 'Betreft'],
      }[region.language] as [string, string, string, string];
      flow.y =
        drawPairs(
          sheet,
          left,
          flow.y,
          right - left,
          [
            { caption: to, value: keyed(to, named(reader.full)) },
            { caption: from, value: keyed(from, named(writer.full)) },
            { caption: when, value: keyed(when, date) },
            { caption: about, value: keyed(about, { text: subject }) },
          ],
          'left',
          { ...theme, sizePoints, colon: true },
        ) + 8;
      organizations.length = 0;
      sheet.line(left, flow.y - 6, right, flow.y - 6);
      flow.y += 14;
      body(3);
      break;
    }
    case 'form': {
      letterhead();
      flow.heading(draft.piece('title', subject), { sizePoints: sizePoints * 1.5 });
      const values = [
        random.digits(6),
        random.pick(['Open', 'A-12', 'B2', 'OK']),
        scene.address().city,
        scene.region.phone(random),
        `${random.letters(2)}-${random.digits(3)}`,
        named(reader.full).text,
      ];
      const captions = random.sample(words.captions, Math.min(values.length, words.captions.length));
      const dateCaption = { en: 'Date', de: 'Datum', fr: 'Date', es: 'Fecha', it: 'Data', pt: 'Data', nl: 'Datum' }[
        region.language
      ];
      const pairs = [
        { caption: dateCaption, value: keyed(dateCaption, date) },
        ...captions.map((caption, index) => ({
          caption,
          value: keyed(caption, { text: values[index]!, field: index === values.length - 1 ? 'people' : 'key_values' }),
        })),
      ];
      flow.y =
        drawPairs(
          sheet,
          left,
          flow.y + 10,
          right - left,
          pairs,
          random.pick(['left', 'inline', 'grid', 'boxed-strip'] as const),
          { ...theme, sizePoints, colon: random.chance(0.7) },
        ) + 12;
      if (captions.length < values.length) people.length = 0;
      body(1);
      break;
    }
    case 'minutes': {
      organizations.length = 0;
      flow.heading(draft.piece('title', words.minutes), { sizePoints: sizePoints * 1.5 });
      const dateCaption = { en: 'Date', de: 'Datum', fr: 'Date', es: 'Fecha', it: 'Data', pt: 'Data', nl: 'Datum' }[
        region.language
      ];
      flow.paragraph([`${dateCaption}: `, keyed(dateCaption, date)]);
      const present = [writer.full, reader.full, scene.person().full];
      keyValues[words.attendees] = present.join(', ');
      flow.paragraph([
        `${words.attendees}: `,
        ...present.flatMap((full, index) => [...(index ? [', '] : []), named(full)]),
      ]);
      random.sample(words.paragraphs, 3).forEach((text, index) => {
        flow.heading(`${index + 1}. ${random.pick(words.subjects)}`);
        flow.paragraph([text]);
      });
      break;
    }
    case 'report': {
      letterhead();
      flow.heading(draft.piece('title', words.report), { sizePoints: sizePoints * 1.8, color: theme.accent });
      flow.paragraph([date], { color: gray });
      body(2);
      const rows = Array.from({ length: random.integer(3, 7) }, (_, index) => ({
        name: [{ text: `${random.pick(words.captions)} ${index + 1}` }],
        first: [{ text: scene.number(random.integer(10, 9000), 0) }],
        second: [{ text: scene.number(random.integer(10, 9000), 0) }],
      }));
      flow.y =
        drawTable(sheet, {
          x: left,
          top: flow.y,
          width: right - left,
          columns: [
            { key: 'name', title: '', align: 'left', weight: 50 },
            { key: 'first', title: String(Number(issued.slice(0, 4)) - 1), align: 'right', weight: 25 },
            { key: 'second', title: issued.slice(0, 4), align: 'right', weight: 25 },
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
        }) + 26;
      if (random.chance(0.5))
        flow.paragraph([named(writer.full), `, ${random.pick(scene.words.jobs)}`], { color: black });
      break;
    }
  }
  if (people.length > 0) draft.set('people', people);
  if (organizations.length > 0) draft.set('organizations', organizations);
  if (Object.keys(keyValues).length > 0) draft.set('key_values', keyValues);
  return draft.finish(sheet);
}

export const generalGenerator: Generator = {
  draw: drawGeneral,
  layouts: generalLayouts,
  samples: [
    {
      file: 'letter.pdf',
      description: 'Letter, for the type `general`',
      seed: 'sample 7',
      region: 'en-GB',
      layout: 'letter',
    },
  ],
};

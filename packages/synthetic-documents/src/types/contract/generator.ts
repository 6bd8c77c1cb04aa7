import { drawLogo, pickTheme } from '../../blocks.ts';
import { Flow } from '../../flow.ts';
import { Draft, type GeneratedDocument } from '../../generated.ts';
import type { Language } from '../../regions.ts';
import type { Scene } from '../../scene.ts';
import { gray, type Piece, Sheet } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const contractLayouts = ['numbered', 'articles'] as const;

interface ContractWords {
  readonly titles: readonly string[];
  /** Marks: {a} {b} parties, {aa} {bb} addresses, {date} effective, {end}, {term}, {law}, {amount}, {city}. */
  readonly intro: string;
  readonly recital: string;
  readonly sections: readonly (readonly [heading: string, text: string])[];
  readonly terms: readonly string[];
  readonly laws: readonly string[];
  readonly closing: string;
  readonly signature: string;
  readonly name: string;
}

const contracts: Readonly<Record<Language, ContractWords>> = {
  en: {
    titles: [
      'SERVICE AGREEMENT',
      'Consulting Agreement',
      'MASTER SERVICES AGREEMENT',
      'Software License Agreement',
      'Supply Agreement',
      'NON-DISCLOSURE AGREEMENT',
    ],
    intro:
      'This {title} (the "Agreement") is entered into as of {date} by and between {a}, having its principal place of business at {aa} (the "Client"), and {b}, having its principal place of business at {bb} (the "Provider").',
    recital:
      'WHEREAS, the Client wishes to engage the Provider, and the Provider agrees to perform the services described below; NOW, THEREFORE, the parties hereby agree as follows:',
    sections: [
      [
        'Services',
        'The Provider shall perform the services set out in Schedule A with due skill and care and in accordance with the reasonable instructions of the Client.',
      ],
      [
        'Fees',
        'In consideration of the services the Client shall pay the Provider a total of {amount}, payable within thirty days of receipt of an invoice.',
      ],
      [
        'Term',
        'This Agreement shall commence on the effective date and continue for a period of {term}, until {end}, unless terminated earlier in accordance with its terms.',
      ],
      [
        'Confidentiality',
        'Each party shall keep confidential all information of the other party that is marked as confidential or that a reasonable person would understand to be so, and shall use it solely for the purposes of this Agreement.',
      ],
      [
        'Termination',
        'Either party may terminate this Agreement for material breach upon written notice if the breach is not cured within thirty days.',
      ],
      [
        'Indemnification',
        'Each party shall indemnify and hold harmless the other against third-party claims arising out of its gross negligence or wilful misconduct.',
      ],
      [
        'Governing Law',
        'This Agreement shall be governed by and construed in accordance with the laws of {law}, without regard to its conflict of laws principles.',
      ],
      [
        'Entire Agreement',
        'This Agreement constitutes the entire agreement between the parties and supersedes all prior negotiations and understandings.',
      ],
    ],
    terms: ['two (2) years', '12 months', 'one (1) year', '36 months', 'five years'],
    laws: [
      'the State of Washington',
      'the State of New York',
      'England and Wales',
      'the State of Delaware',
      'California',
    ],
    closing: 'IN WITNESS WHEREOF, the parties have executed this Agreement as of the date first written above.',
    signature: 'Signature',
    name: 'Name',
  },
  de: {
    titles: ['DIENSTLEISTUNGSVERTRAG', 'Werkvertrag', 'Rahmenvertrag', 'Wartungsvertrag', 'Liefervertrag'],
    intro:
      'Zwischen {a}, {aa}, nachfolgend "Auftraggeber" genannt, und {b}, {bb}, nachfolgend "Auftragnehmer" genannt, wird folgender Vertrag geschlossen:',
    recital: 'Die Vertragsparteien vereinbaren, was folgt.',
    sections: [
      [
        'Vertragsgegenstand',
        'Der Auftragnehmer erbringt die in Anlage 1 beschriebenen Leistungen mit der Sorgfalt eines ordentlichen Kaufmanns.',
      ],
      [
        'Vergütung',
        'Der Auftraggeber zahlt für die Leistungen eine Gesamtvergütung von {amount} zuzüglich der gesetzlichen Umsatzsteuer.',
      ],
      [
        'Laufzeit und Kündigung',
        'Der Vertrag tritt am {date} in Kraft, hat eine Laufzeit von {term} und endet am {end}, ohne dass es einer Kündigung bedarf.',
      ],
      [
        'Vertraulichkeit',
        'Die Parteien verpflichten sich, alle vertraulichen Informationen der jeweils anderen Partei geheim zu halten.',
      ],
      ['Haftung', 'Der Auftragnehmer haftet unbeschränkt bei Vorsatz und grober Fahrlässigkeit.'],
      [
        'Anwendbares Recht, Gerichtsstand',
        'Es gilt das Recht der {law} unter Ausschluss des UN-Kaufrechts. Gerichtsstand ist {city}.',
      ],
      [
        'Schlussbestimmungen',
        'Änderungen und Ergänzungen dieses Vertrages bedürfen der Schriftform. Sollte eine Bestimmung unwirksam sein, bleibt die Wirksamkeit der übrigen unberührt.',
      ],
    ],
    terms: ['24 Monaten', 'zwei Jahren', '12 Monaten', '36 Monaten'],
    laws: ['Bundesrepublik Deutschland'],
    closing: 'Die Parteien haben diesen Vertrag in zwei Ausfertigungen unterzeichnet.',
    signature: 'Unterschrift',
    name: 'Name',
  },
  fr: {
    titles: [
      'CONTRAT DE PRESTATION DE SERVICES',
      'Contrat de maintenance',
      'Contrat de fourniture',
      'Contrat de conseil',
    ],
    intro:
      'Entre les soussignés : {a}, dont le siège social est situé {aa}, ci-après dénommée « le Client », et {b}, dont le siège social est situé {bb}, ci-après dénommée « le Prestataire »,',
    recital: 'Il a été convenu et arrêté ce qui suit :',
    sections: [
      ['Objet du contrat', "Le Prestataire s'engage à réaliser pour le Client les prestations décrites en annexe 1."],
      [
        'Prix',
        'En contrepartie des prestations, le Client versera au Prestataire un montant total de {amount} hors taxes.',
      ],
      ['Durée', 'Le présent contrat prend effet le {date} pour une durée de {term} et prend fin le {end}.'],
      ['Confidentialité', "Chaque partie s'engage à garder confidentielles les informations reçues de l'autre partie."],
      [
        'Résiliation',
        'En cas de manquement grave, le contrat pourra être résilié de plein droit trente jours après mise en demeure.',
      ],
      [
        'Droit applicable',
        'Le présent contrat est soumis au {law}. Tout litige sera porté devant les tribunaux de {city}.',
      ],
    ],
    terms: ['deux ans', '12 mois', '24 mois', 'trois ans'],
    laws: ['droit français'],
    closing: 'Fait en deux exemplaires originaux.',
    signature: 'Signature',
    name: 'Nom',
  },
  es: {
    titles: [
      'CONTRATO DE PRESTACIÓN DE SERVICIOS',
      'Contrato de suministro',
      'Contrato de mantenimiento',
      'Contrato de consultoría',
    ],
    intro:
      'REUNIDOS: De una parte, {a}, con domicilio en {aa}, en adelante "el Cliente", y de otra parte, {b}, con domicilio en {bb}, en adelante "el Proveedor".',
    recital: 'Las partes se reconocen capacidad legal suficiente y acuerdan las siguientes cláusulas:',
    sections: [
      ['Objeto', 'El Proveedor prestará al Cliente los servicios descritos en el Anexo I.'],
      ['Precio', 'El Cliente abonará al Proveedor un importe total de {amount} más el IVA correspondiente.'],
      [
        'Duración',
        'El presente contrato entrará en vigor el {date}, tendrá una duración de {term} y finalizará el {end}.',
      ],
      ['Confidencialidad', 'Las partes se obligan a mantener la confidencialidad de la información recibida.'],
      ['Resolución', 'Cualquiera de las partes podrá resolver el contrato por incumplimiento grave de la otra.'],
      ['Ley aplicable', 'El presente contrato se regirá por la {law}. Las partes se someten a los juzgados de {city}.'],
    ],
    terms: ['dos años', '12 meses', 'un año', '24 meses'],
    laws: ['ley española'],
    closing: 'Y en prueba de conformidad, firman el presente contrato por duplicado.',
    signature: 'Firma',
    name: 'Nombre',
  },
  it: {
    titles: [
      'CONTRATTO DI PRESTAZIONE DI SERVIZI',
      'Contratto di fornitura',
      'Contratto di consulenza',
      'Contratto di manutenzione',
    ],
    intro:
      'Tra {a}, con sede legale in {aa}, di seguito denominata "Committente", e {b}, con sede legale in {bb}, di seguito denominata "Fornitore",',
    recital:
      'Premesso che il Committente intende avvalersi dei servizi del Fornitore, le parti convengono quanto segue:',
    sections: [
      ['Oggetto del contratto', "Il Fornitore si obbliga a prestare i servizi descritti nell'Allegato 1."],
      ['Corrispettivo', 'Il Committente verserà al Fornitore un corrispettivo totale di {amount} oltre IVA.'],
      ['Durata', 'Il presente contratto decorre dal {date}, ha una durata di {term} e termina il {end}.'],
      ['Riservatezza', 'Le parti si impegnano a mantenere riservate le informazioni ricevute.'],
      ['Recesso', 'Ciascuna parte può recedere con preavviso scritto di trenta giorni.'],
      [
        'Legge applicabile e foro competente',
        'Il presente contratto è regolato dalla {law}. Foro competente è quello di {city}.',
      ],
    ],
    terms: ['due anni', '12 mesi', '24 mesi', 'tre anni'],
    laws: ['legge italiana'],
    closing: 'Letto, confermato e sottoscritto.',
    signature: 'Firma',
    name: 'Nome',
  },
  pt: {
    titles: ['CONTRATO DE PRESTAÇÃO DE SERVIÇOS', 'Contrato de fornecimento', 'Contrato de manutenção'],
    intro:
      'Entre {a}, com sede em {aa}, adiante designada por "Primeira Outorgante", e {b}, com sede em {bb}, adiante designada por "Segunda Outorgante",',
    recital: 'É celebrado o presente contrato, que as partes se obrigam a cumprir nos termos das cláusulas seguintes:',
    sections: [
      ['Objeto', 'A Segunda Outorgante obriga-se a prestar os serviços descritos no Anexo I.'],
      ['Preço', 'A Primeira Outorgante pagará um valor total de {amount}, acrescido de IVA.'],
      ['Vigência', 'O presente contrato entra em vigor em {date}, tem a duração de {term} e termina em {end}.'],
      ['Confidencialidade', 'As partes obrigam-se a manter confidencial a informação recebida.'],
      ['Lei aplicável', 'O presente contrato rege-se pela {law}. É competente o foro de {city}.'],
    ],
    terms: ['dois anos', '12 meses', '24 meses'],
    laws: ['lei portuguesa'],
    closing: 'Feito em duplicado, ficando um exemplar na posse de cada uma das partes.',
    signature: 'Assinatura',
    name: 'Nome',
  },
  nl: {
    titles: [
      'OVEREENKOMST VAN OPDRACHT',
      'Dienstverleningsovereenkomst',
      'Leveringsovereenkomst',
      'Onderhoudsovereenkomst',
    ],
    intro:
      'De ondergetekenden: {a}, gevestigd te {aa}, hierna te noemen "Opdrachtgever", en {b}, gevestigd te {bb}, hierna te noemen "Opdrachtnemer",',
    recital: 'komen het volgende overeen:',
    sections: [
      ['Onderwerp van de overeenkomst', 'Opdrachtnemer verricht de werkzaamheden die in bijlage 1 zijn beschreven.'],
      ['Vergoeding', 'Opdrachtgever betaalt een totale vergoeding van {amount} exclusief btw.'],
      ['Duur', 'Deze overeenkomst treedt in werking op {date}, heeft een looptijd van {term} en eindigt op {end}.'],
      ['Geheimhouding', 'Partijen verplichten zich tot geheimhouding van alle vertrouwelijke informatie.'],
      [
        'Beëindiging',
        'Ieder der partijen kan de overeenkomst schriftelijk opzeggen met een opzegtermijn van een maand.',
      ],
      [
        'Toepasselijk recht',
        'Op deze overeenkomst is {law} van toepassing. Geschillen worden voorgelegd aan de rechter te {city}.',
      ],
    ],
    terms: ['twee jaar', '12 maanden', '24 maanden'],
    laws: ['Nederlands recht'],
    closing: 'Aldus overeengekomen en in tweevoud ondertekend.',
    signature: 'Handtekening',
    name: 'Naam',
  },
};

/** Draws a contract between two companies. */
function drawContract(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const chosen = contractLayouts.find((name) => name === layout) ?? random.pick(contractLayouts);
  const draft = new Draft(scene, 'contract');
  draft.layout = chosen;
  const words = contracts[region.language];
  const theme = pickTheme(random);
  const family = random.pick(['serif', 'serif', 'sans'] as const);
  const sizePoints = random.pick([10, 10.5, 11]);
  const sheet = new Sheet(region.paper[0], region.paper[1], { family, sizePoints });
  const [left, right] = [64, sheet.width - 64];
  const [first, second] = [scene.company(), scene.company()];
  const title = random.pick(words.titles);
  const start = scene.today();
  const months = random.pick([12, 24, 36]);
  const end = new Date(
    Date.UTC(Number(start.slice(0, 4)), Number(start.slice(5, 7)) - 1 + months, Number(start.slice(8, 10)) - 1),
  )
    .toISOString()
    .slice(0, 10);
  const datePattern = {
    en: ['MMMM D, YYYY', 'D MMMM YYYY'][region.country === 'US' ? 0 : 1]!,
    de: 'DD.MM.YYYY',
    fr: 'D MMMM YYYY',
    es: 'D de MMMM de YYYY',
    it: 'D MMMM YYYY',
    pt: 'D de MMMM de YYYY',
    nl: 'D MMMM YYYY',
  }[region.language];
  const amount = Math.round(4000 + random.next() * 180000);
  draft.set('currency', region.currency);
  const parties = [first.name, second.name];
  draft.piece('parties', { value: parties, text: '' });
  const law = region.country === 'DE' ? 'Bundesrepublik Deutschland' : random.pick(words.laws);
  const marks: Readonly<Record<string, () => Piece>> = {
    title: () => ({ text: title }),
    a: () => ({ text: first.name, field: 'parties' }),
    b: () => ({ text: second.name, field: 'parties' }),
    aa: () => ({ text: first.address.lines.join(', ') }),
    bb: () => ({ text: second.address.lines.join(', ') }),
    date: () => draft.piece('effective_date', scene.date(start, datePattern)),
    end: () => draft.piece('end_date', scene.date(end, datePattern)),
    term: () => draft.piece('term', random.pick(words.terms)),
    law: () => draft.piece('governing_law', { value: law.replace(/^the /, ''), text: law }),
    amount: () => draft.piece('total_amount', scene.money(amount)),
    city: () => ({ text: scene.address().city }),
  };
  const filled = (text: string) =>
    text
      .split(/(\{\w+\})/)
      .filter((part) => part !== '')
      .map((part) => (/^\{\w+\}$/.test(part) ? marks[part.slice(1, -1)]!() : part));
  if (random.chance(0.25)) drawLogo(sheet, random, left, 30, 26, theme.accent, first.shortName.slice(0, 1));
  const flow = new Flow(sheet, left, right, 84);
  const titlePiece = draft.piece('title', title);
  flow.heading(titlePiece, { sizePoints: sizePoints * 1.55, align: random.chance(0.7) ? 'center' : 'left' });
  flow.y += 8;
  flow.paragraph(filled(words.intro));
  flow.paragraph(filled(words.recital));
  const optional = words.sections.filter(([, text]) => /\{/.test(text) || random.chance(0.75));
  const numberForm =
    chosen === 'articles'
      ? { en: 'Article ', de: '§ ', fr: 'Article ', es: 'Cláusula ', it: 'Art. ', pt: 'Cláusula ', nl: 'Artikel ' }[
          region.language
        ]
      : '';
  optional.forEach(([heading, text], index) => {
    flow.heading(`${numberForm}${index + 1}${numberForm === '' ? '.' : random.pick([':', ' -', ''])} ${heading}`);
    flow.paragraph(filled(text));
  });
  flow.room(130);
  flow.paragraph([words.closing]);
  const signers = [scene.person().full, scene.person().full];
  draft.piece('signatories', { value: signers, text: '' });
  const y = flow.y + 40;
  const middle = (left + right) / 2;
  [left, middle + 16].forEach((x, index) => {
    sheet.line(x, y, x + 190, y);
    sheet.text(x, y + 12, words.signature, { sizePoints: 7.5, color: gray });
    sheet.pieces(x, y + 26, [`${words.name}: `, { text: signers[index]!, field: 'signatories' }]);
    sheet.text(x, y + 40, parties[index]!, { sizePoints: sizePoints * 0.9 });
  });
  sheet.eachPage((number, count) => {
    if (count > 1)
      sheet.text(middle, sheet.height - 30, `${number} / ${count}`, { sizePoints: 8, align: 'center', color: gray });
  });
  return draft.finish(sheet);
}

export const contractGenerator: Generator = {
  draw: drawContract,
  layouts: contractLayouts,
  samples: [
    { file: 'contract.pdf', description: 'Service contract between two companies', seed: 'sample 17', region: 'en-US' },
  ],
};

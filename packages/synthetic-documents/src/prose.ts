import type { JsonValue } from '@millrace/document-model';
import { drawLogo, drawPairs, drawTable, pickTableLook, pickTheme } from './blocks.ts';
import { Draft, type GeneratedDocument } from './generated.ts';
import type { Language } from './regions.ts';
import { label, type Scene } from './scene.ts';
import { black, gray, type Piece, Sheet, type TextStyle } from './sheet.ts';

export const contractLayouts = ['numbered', 'articles'] as const;
export const resumeLayouts = ['single', 'sidebar'] as const;
export const generalLayouts = ['letter', 'memo', 'form', 'minutes', 'report'] as const;

/** Draws text with marked stretches over as many lines and pages as it needs. */
class Flow {
  readonly sheet: Sheet;
  readonly left: number;
  readonly right: number;
  y: number;
  private readonly onPage: () => void;

  constructor(sheet: Sheet, left: number, right: number, top: number, onPage: () => void = () => {}) {
    this.sheet = sheet;
    this.left = left;
    this.right = right;
    this.y = top;
    this.onPage = onPage;
  }

  private need(height: number): void {
    if (this.y + height <= this.sheet.height - 60) return;
    this.sheet.addPage();
    this.onPage();
    this.y = 64;
  }

  /** Pieces set as one paragraph; a marked piece may break over lines. */
  paragraph(pieces: readonly (string | Piece)[], style: TextStyle & { readonly indent?: number } = {}): void {
    const sizePoints = style.sizePoints ?? this.sheet.base.sizePoints ?? 10;
    const left = this.left + (style.indent ?? 0);
    const tokens = pieces.flatMap((piece) => {
      const { text, field } = typeof piece === 'string' ? { text: piece, field: undefined } : piece;
      return text.split(/(?<= )/).map((token) => (field === undefined ? { text: token } : { text: token, field }));
    });
    let line: Piece[] = [];
    let width = 0;
    const flush = () => {
      this.need(sizePoints * 1.4);
      const merged: Piece[] = [];
      for (const piece of line) {
        const last = merged.at(-1);
        if (last && last.field === piece.field) merged[merged.length - 1] = { ...last, text: last.text + piece.text };
        else merged.push(piece);
      }
      this.sheet.pieces(left, this.y, merged, style);
      this.y += sizePoints * 1.42;
      line = [];
      width = 0;
    };
    for (const token of tokens) {
      const tokenWidth = this.sheet.measure(token.text.trimEnd(), style);
      if (line.length > 0 && width + tokenWidth > this.right - left && !/^[.,;:)]/.test(token.text)) flush();
      line.push(token);
      width += this.sheet.measure(token.text, style);
    }
    if (line.length > 0) flush();
    this.y += sizePoints * 0.55;
  }

  heading(text: string | Piece, style: TextStyle = {}): void {
    const sizePoints = style.sizePoints ?? this.sheet.base.sizePoints ?? 10;
    this.need(sizePoints * 3.4);
    this.y += sizePoints * 0.4;
    this.sheet.text(style.align === 'center' ? (this.left + this.right) / 2 : this.left, this.y, text, {
      bold: true,
      ...style,
    });
    this.y += sizePoints * 1.6;
  }

  room(height: number): void {
    this.need(height);
  }
}

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
        'Le présent contrat est soumis au droit {law}. Tout litige sera porté devant les tribunaux de {city}.',
      ],
    ],
    terms: ['deux ans', '12 mois', '24 mois', 'trois ans'],
    laws: ['français'],
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
      [
        'Ley aplicable',
        'El presente contrato se regirá por la ley {law}. Las partes se someten a los juzgados de {city}.',
      ],
    ],
    terms: ['dos años', '12 meses', 'un año', '24 meses'],
    laws: ['española'],
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
        'Il presente contratto è regolato dalla legge {law}. Foro competente è quello di {city}.',
      ],
    ],
    terms: ['due anni', '12 mesi', '24 mesi', 'tre anni'],
    laws: ['italiana'],
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
      ['Lei aplicável', 'O presente contrato rege-se pela lei {law}. É competente o foro de {city}.'],
    ],
    terms: ['dois anos', '12 meses', '24 meses'],
    laws: ['portuguesa'],
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
        'Op deze overeenkomst is {law} recht van toepassing. Geschillen worden voorgelegd aan de rechter te {city}.',
      ],
    ],
    terms: ['twee jaar', '12 maanden', '24 maanden'],
    laws: ['Nederlands'],
    closing: 'Aldus overeengekomen en in tweevoud ondertekend.',
    signature: 'Handtekening',
    name: 'Naam',
  },
};

/** Draws a contract between two companies. */
export function drawContract(scene: Scene, layout?: string): GeneratedDocument {
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

const cv = {
  title: label(
    'Curriculum Vitae|Resume|CURRICULUM VITAE',
    'Lebenslauf|LEBENSLAUF',
    'Curriculum Vitae|CV',
    'Currículum Vitae|Curriculum Vitae',
    'Curriculum Vitae',
    'Curriculum Vitae',
    'Curriculum Vitae',
  ),
  summary: label(
    'Professional Summary|Profile|Summary|About Me',
    'Profil|Kurzprofil|Über mich',
    'Profil|Profil professionnel|À propos',
    'Perfil|Perfil profesional|Sobre mí',
    'Profilo|Profilo professionale',
    'Perfil|Perfil profissional|Resumo',
    'Profiel|Samenvatting|Over mij',
  ),
  experience: label(
    'Work Experience|Professional Experience|Experience|Employment History',
    'Berufserfahrung|Beruflicher Werdegang',
    'Expérience professionnelle|Expériences professionnelles',
    'Experiencia profesional|Experiencia laboral',
    'Esperienza professionale|Esperienze lavorative',
    'Experiência profissional',
    'Werkervaring',
  ),
  education: label(
    'Education|Education and Training',
    'Ausbildung|Studium',
    'Formation|Formations',
    'Formación|Formación académica|Educación',
    'Istruzione|Istruzione e formazione',
    'Formação académica|Educação',
    'Opleiding|Opleidingen',
  ),
  skills: label(
    'Skills|Technical Skills|Key Skills',
    'Kenntnisse|Fähigkeiten',
    'Compétences',
    'Habilidades|Competencias',
    'Competenze',
    'Competências',
    'Vaardigheden',
  ),
  languages: label(
    'Languages|Language Skills',
    'Sprachen|Sprachkenntnisse',
    'Langues',
    'Idiomas',
    'Lingue',
    'Línguas|Idiomas',
    'Talen|Talenkennis',
  ),
  present: label('Present', 'heute', "aujourd'hui", 'actualidad', 'oggi', 'presente', 'heden'),
  skillSet: label(
    'Project management|TypeScript|SQL|Data analysis|Negotiation|Python|Budgeting|Public speaking|AutoCAD|Excel',
    'Projektmanagement|Java|SQL|Datenanalyse|Verhandlungsführung|SAP|MS Office|Teamleitung|AutoCAD',
    'Gestion de projet|Java|SQL|Analyse de données|Négociation|Excel|AutoCAD|Management',
    'Gestión de proyectos|Java|SQL|Análisis de datos|Negociación|Excel|AutoCAD',
    'Gestione progetti|Java|SQL|Analisi dati|Negoziazione|Excel|AutoCAD',
    'Gestão de projetos|Java|SQL|Análise de dados|Negociação|Excel',
    'Projectmanagement|Java|SQL|Data-analyse|Onderhandelen|Excel',
  ),
  languageSet: label(
    'English (native)|German (B2)|Spanish (fluent)|French (basic)',
    'Deutsch (Muttersprache)|Englisch (C1)|Französisch (B1)',
    'Français (langue maternelle)|Anglais (C1)|Allemand (A2)',
    'Español (nativo)|Inglés (B2)|Francés (A2)',
    'Italiano (madrelingua)|Inglese (B2)|Tedesco (A2)',
    'Português (nativo)|Inglês (C1)|Espanhol (B2)',
    'Nederlands (moedertaal)|Engels (C1)|Duits (B1)',
  ),
  degrees: label(
    'Bachelor of Science in Economics|Master of Engineering|B.A. in Business Administration|M.Sc. Computer Science',
    'Bachelor of Science Wirtschaftsinformatik|Master Maschinenbau|Diplom-Betriebswirt|Abitur',
    "Master en gestion|Licence informatique|Diplôme d'ingénieur|Baccalauréat scientifique",
    'Grado en Economía|Máster en Ingeniería|Licenciatura en Derecho',
    'Laurea in Economia|Laurea magistrale in Ingegneria|Diploma di maturità',
    'Licenciatura em Economia|Mestrado em Engenharia',
    'Bachelor Bedrijfskunde|Master Informatica',
  ),
  school: label(
    'University of {}|{} College|{} State University',
    'Universität {}|Hochschule {}',
    'Université de {}|École supérieure de {}',
    'Universidad de {}',
    'Università di {}',
    'Universidade de {}',
    'Universiteit {}|Hogeschool {}',
  ),
  duties: label(
    'Led a team of six and introduced weekly reporting.|Cut delivery times by a fifth within a year.|Responsible for customers in three countries.|Planned and ran projects worth up to two million.',
    'Leitung eines sechsköpfigen Teams.|Verkürzung der Lieferzeiten um 20 Prozent.|Betreuung von Kunden in drei Ländern.|Planung und Durchführung von Projekten.',
    "Encadrement d'une équipe de six personnes.|Réduction des délais de livraison de 20 %.|Suivi de clients dans trois pays.",
    'Dirección de un equipo de seis personas.|Reducción de los plazos de entrega.|Atención a clientes en tres países.',
    'Coordinamento di un gruppo di sei persone.|Riduzione dei tempi di consegna.|Gestione di clienti in tre paesi.',
    'Coordenação de uma equipa de seis pessoas.|Redução dos prazos de entrega.|Gestão de clientes em três países.',
    'Leiding gegeven aan een team van zes.|Levertijden met een vijfde verkort.|Verantwoordelijk voor klanten in drie landen.',
  ),
  summaries: label(
    'Experienced professional with ten years in industry and a record of delivering projects on time and within budget.|Detail-minded specialist who enjoys turning complex problems into simple solutions.',
    'Erfahrene Fachkraft mit zehn Jahren Berufspraxis und nachweislichen Erfolgen in der Projektleitung.|Strukturierte Persönlichkeit mit Freude an neuen Aufgaben und Verantwortung.',
    'Professionnel expérimenté avec dix ans dans le secteur et un goût prononcé pour le travail en équipe.',
    'Profesional con diez años de experiencia y capacidad demostrada para dirigir proyectos.',
    'Professionista con dieci anni di esperienza e comprovata capacità di gestire progetti complessi.',
    'Profissional com dez anos de experiência e capacidade comprovada de liderança.',
    'Ervaren professional met tien jaar praktijk en oog voor detail en resultaat.',
  ),
} as const;

/** Draws a resume. */
export function drawResume(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const chosen = resumeLayouts.find((name) => name === layout) ?? random.pick(resumeLayouts);
  const draft = new Draft(scene, 'resume');
  draft.layout = chosen;
  const theme = pickTheme(random);
  const sizePoints = random.pick([9, 9.5, 10]);
  const sheet = new Sheet(region.paper[0], region.paper[1], { family: theme.family, sizePoints });
  const person = scene.person();
  const email = `${person.given
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '')}.${person.surname
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '')}@example.${random.pick(['com', 'net', 'org'])}`;
  const address = scene.address().lines;
  const capitals = random.chance(0.4);
  const heading = (flow: Flow, caption: string) => {
    flow.heading(capitals ? caption.toUpperCase() : caption, { sizePoints: sizePoints * 1.2, color: theme.accent });
    if (theme.colon)
      sheet.line(flow.left, flow.y - sizePoints * 1.2, flow.right, flow.y - sizePoints * 1.2, { color: theme.accent });
  };
  const name = draft.piece('name', random.chance(0.25) ? person.full.toUpperCase() : person.full);
  const contact: (string | Piece)[][] = [
    [draft.piece('email', email)],
    [draft.piece('phone', region.phone(random))],
    draft.lines('address', address).flatMap((piece, index) => (index ? [', ', piece] : [piece])),
  ];
  const side = chosen === 'sidebar';
  const mainLeft = side ? 216 : 56;
  if (side) sheet.area({ x0: 0, y0: 0, x1: 196, y1: sheet.height }, { fill: [0.93, 0.94, 0.96] });
  const flow = new Flow(sheet, mainLeft, sheet.width - 50, 66);
  if (!side && random.chance(0.4)) flow.heading(scene.say(cv.title), { sizePoints: sizePoints * 1.1, color: gray });
  flow.heading(name, { sizePoints: sizePoints * 2.1 });
  if (random.chance(0.6)) flow.heading(random.pick(scene.words.jobs), { bold: false, color: gray });
  const narrow = new Flow(sheet, side ? 24 : mainLeft, side ? 184 : sheet.width - 50, side ? 90 : flow.y);
  if (side) for (const line of contact) narrow.paragraph(line, { sizePoints: sizePoints * 0.9 });
  else {
    const separator = random.pick(['  |  ', ' · ', '   ']);
    flow.paragraph(
      contact.flatMap((line, index) => (index ? [separator, ...line] : line)),
      { sizePoints: sizePoints * 0.95 },
    );
  }
  const minor = side ? narrow : flow;
  const listSkills = () => {
    heading(minor, scene.say(cv.skills));
    const skills = random.sample(cv.skillSet[region.language], random.integer(3, 6));
    draft.piece('skills', { value: skills, text: '' });
    if (side || random.chance(0.4))
      for (const skill of skills)
        minor.paragraph([random.chance(0.5) || side ? '• ' : '- ', { text: skill, field: 'skills' }]);
    else
      minor.paragraph(skills.flatMap((skill, index) => [...(index ? [', '] : []), { text: skill, field: 'skills' }]));
  };
  const listLanguages = () => {
    heading(minor, scene.say(cv.languages));
    const spoken = cv.languageSet[region.language].slice(0, random.integer(2, 3));
    draft.piece('languages', { value: [...spoken], text: '' });
    if (side) for (const item of spoken) minor.paragraph([{ text: item, field: 'languages' }]);
    else
      minor.paragraph(spoken.flatMap((item, index) => [...(index ? [', '] : []), { text: item, field: 'languages' }]));
  };
  if (random.chance(0.8)) {
    heading(flow, scene.say(cv.summary));
    flow.paragraph([draft.piece('summary', random.pick(cv.summaries[region.language]))]);
  }
  heading(flow, scene.say(cv.experience));
  let year = random.integer(2022, 2025);
  const experience: JsonValue[] = [];
  const periodFirst = random.chance(0.4);
  const count = random.integer(1, 4);
  for (let index = 0; index < count; index++) {
    const begin = year - random.integer(1, 5);
    const period = `${random.chance(0) ? '' : begin} ${random.pick(['–', '-'])} ${index === 0 ? scene.say(cv.present) : year}`;
    const job = random.pick(scene.words.jobs);
    const employer = scene.company().name;
    const duty = random.pick(cv.duties[region.language]);
    const mark = (text: string): Piece => ({ text, field: 'experience' });
    if (periodFirst) {
      flow.paragraph([mark(period), '   ', mark(job), ', ', mark(employer)], { bold: true });
    } else {
      flow.room(40);
      sheet.text(flow.right, flow.y, mark(period), { align: 'right', color: gray });
      flow.paragraph([mark(job)], { bold: true });
      flow.y -= sizePoints * 0.5;
      flow.paragraph([mark(employer)], { italic: true });
    }
    flow.paragraph([random.pick(['• ', '']), mark(duty)], { indent: 6 });
    experience.push({ title: job, organization: employer, period, description: duty });
    year = begin;
  }
  draft.piece('experience', { value: experience, text: '' });
  heading(flow, scene.say(cv.education));
  const education: JsonValue[] = [];
  for (let index = 0; index < random.integer(1, 2); index++) {
    const period = `${year - 4} ${random.pick(['–', '-'])} ${year}`;
    const degree = random.pick(cv.degrees[region.language]);
    const school = scene.say(cv.school).replace('{}', scene.address().city);
    const mark = (text: string): Piece => ({ text, field: 'education' });
    if (periodFirst) flow.paragraph([mark(period), '   ', mark(degree), ', ', mark(school)]);
    else {
      sheet.text(flow.right, flow.y, mark(period), { align: 'right', color: gray });
      flow.paragraph([mark(degree)], { bold: true });
      flow.y -= sizePoints * 0.5;
      flow.paragraph([mark(school)], { italic: true });
    }
    education.push({ title: degree, organization: school, period });
    year -= 4;
  }
  draft.piece('education', { value: education, text: '' });
  listSkills();
  if (random.chance(0.75)) listLanguages();
  return draft.finish(sheet);
}

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
export function drawGeneral(scene: Scene, layout?: string): GeneratedDocument {
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

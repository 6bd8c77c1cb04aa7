import type { JsonValue } from '@millrace/document-model';
import { pickTheme } from '../../blocks.ts';
import { Flow } from '../../flow.ts';
import { Draft, type GeneratedDocument } from '../../generated.ts';
import { label, type Scene } from '../../scene.ts';
import { gray, type Piece, Sheet } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const resumeLayouts = ['single', 'sidebar'] as const;

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
function drawResume(scene: Scene, layout?: string): GeneratedDocument {
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

export const resumeGenerator: Generator = { draw: drawResume, layouts: resumeLayouts };

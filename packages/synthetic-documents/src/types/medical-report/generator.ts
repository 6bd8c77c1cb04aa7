import {
  type Column,
  drawLines,
  drawLogo,
  drawPairs,
  drawTable,
  type Pair,
  type PairForm,
  pickTableLook,
  pickTheme,
} from '../../blocks.ts';
import { Draft, type GeneratedDocument } from '../../generated.ts';
import { label, type Scene } from '../../scene.ts';
import { gray, Sheet } from '../../sheet.ts';
import type { Generator } from '../generator.ts';

const medicalReportLayouts = ['laboratory', 'boxed', 'letter'] as const;

const words = {
  title: label(
    'Laboratory Report|LABORATORY REPORT|Test Results|Medical Report',
    'Laborbefund|LABORBEFUND|Befundbericht',
    "Résultats d'analyses|Compte rendu d'analyses médicales|RÉSULTATS D'ANALYSES",
    'Informe de laboratorio|Resultados de laboratorio|INFORME MÉDICO',
    'Referto di laboratorio|Referto|ESAMI DI LABORATORIO',
    'Boletim de análises|Relatório de análises clínicas',
    'Laboratoriumuitslag|Medisch verslag|LABORATORIUMONDERZOEK',
  ),
  letter: label(
    'Medical Report|Discharge Summary|Consultation Report',
    'Arztbrief|Befundbericht|Entlassungsbrief',
    'Compte rendu médical|Compte rendu de consultation',
    'Informe médico|Informe de alta',
    'Relazione clinica|Lettera di dimissione|Referto medico',
    'Relatório médico|Relatório clínico',
    'Medisch rapport|Ontslagbrief|Medisch verslag',
  ),
  patient: label(
    'Patient Name|Patient|Name',
    'Patient|Name|Patientenname',
    'Patient|Nom du patient|Nom et prénom',
    'Paciente|Nombre del paciente',
    'Paziente|Cognome e nome',
    'Utente|Nome do paciente|Paciente',
    'Patiënt|Naam patiënt',
  ),
  patientId: label(
    'Patient ID|MRN|Medical Record No.|Patient No.',
    'Patienten-ID|Patientennummer|Pat.-Nr.|Fallnummer',
    'N° patient|N° de dossier|IPP',
    'Nº historia|Nº paciente|Historia clínica',
    'ID paziente|Codice paziente',
    'N.º utente|N.º processo',
    'Patiëntnummer|Patiënt-ID',
  ),
  birth: label(
    'Date of Birth|DOB|D.O.B.',
    'Geburtsdatum|Geb.-Datum|geb. am',
    'Date de naissance|Né(e) le',
    'Fecha de nacimiento|F. nacimiento',
    'Data di nascita|Nato/a il',
    'Data de nascimento',
    'Geboortedatum|Geb.datum',
  ),
  sex: label('Sex|Gender', 'Geschlecht', 'Sexe', 'Sexo', 'Sesso', 'Sexo', 'Geslacht'),
  reportDate: label(
    'Report Date|Date of Report|Reported',
    'Befunddatum|Berichtsdatum|Datum',
    'Date du rapport|Édité le',
    'Fecha de informe|Fecha del informe|Fecha',
    'Data referto|Refertato il|Data',
    'Data do relatório|Data do resultado',
    'Rapportdatum|Datum rapport|Datum',
  ),
  sampleDate: label(
    'Collected|Sample Date|Date Collected|Collection Date',
    'Entnahmedatum|Entnommen am|Probenentnahme|Abnahmedatum',
    'Prélevé le|Date de prélèvement',
    'Fecha de extracción|Fecha de muestra',
    'Data prelievo|Prelievo del',
    'Data da colheita|Colheita',
    'Afnamedatum|Datum afname',
  ),
  physician: label(
    'Physician|Referring Physician|Ordering Physician|Doctor',
    'Arzt|Einsender|Behandelnder Arzt|Überweisender Arzt',
    'Médecin|Médecin prescripteur|Prescripteur',
    'Médico|Médico solicitante|Solicitado por',
    'Medico|Medico richiedente|Medico curante',
    'Médico|Médico prescritor|Requisitado por',
    'Arts|Aanvragend arts|Huisarts',
  ),
  diagnosis: label(
    'Diagnosis|Impression|Assessment',
    'Diagnose|Diagnosen|Beurteilung',
    'Diagnostic',
    'Diagnóstico|Juicio clínico',
    'Diagnosi',
    'Diagnóstico',
    'Diagnose',
  ),
  summary: label(
    'Summary|Comment|Conclusion|Interpretation|Findings',
    'Zusammenfassung|Kommentar|Befund',
    'Conclusion|Commentaire|Synthèse',
    'Conclusión|Comentario|Resumen',
    'Conclusioni|Commento|Sintesi',
    'Conclusão|Comentário|Resumo',
    'Conclusie|Samenvatting|Opmerkingen',
  ),
  test: label(
    'Test|Test Name|Analyte|Investigation',
    'Untersuchung|Parameter|Analyse',
    'Analyse|Examen|Paramètre',
    'Prueba|Determinación|Parámetro',
    'Esame|Analisi',
    'Análise|Exame',
    'Bepaling|Onderzoek|Test',
  ),
  value: label(
    'Result|Value|Results',
    'Ergebnis|Wert|Messwert',
    'Résultat|Résultats|Valeur',
    'Resultado|Valor',
    'Risultato|Esito|Valore',
    'Resultado|Valor',
    'Uitslag|Resultaat|Waarde',
  ),
  unit: label('Unit|Units', 'Einheit', 'Unité', 'Unidad|Unidades', 'U.M.|Unità', 'Unidade', 'Eenheid'),
  range: label(
    'Reference Range|Normal Range|Ref. Range|Reference Interval',
    'Referenzbereich|Normbereich|Referenz',
    'Valeurs de référence|Valeurs usuelles|Normes',
    'Valores de referencia|Rango de referencia',
    'Valori di riferimento|Intervallo di riferimento',
    'Valores de referência|Intervalo de referência',
    'Referentiewaarden|Referentie|Normaalwaarden',
  ),
  flag: label(
    'Flag|H/L|Abnormal',
    'Bewertung|Hinweis|+/-',
    'Alerte',
    'Indicador|Alarma',
    'Segnalazione|*',
    'Alerta',
    'Afwijkend|Vlag',
  ),
  facilities: label(
    'Laboratory|Medical Center|Diagnostics|Clinic|Hospital',
    'Labor|Klinikum|Gemeinschaftspraxis|Medizinisches Versorgungszentrum',
    'Laboratoire|Clinique|Centre hospitalier',
    'Laboratorio|Clínica|Hospital',
    'Laboratorio Analisi|Ospedale|Poliambulatorio',
    'Laboratório|Clínica|Hospital',
    'Laboratorium|Ziekenhuis|Kliniek',
  ),
  doctor: label('Dr. |Dr. ', 'Dr. med. |Dr. ', 'Dr |Dr ', 'Dr. |Dra. ', 'Dott. |Dr. ', 'Dr. |Dra. ', 'dr. |Dr. '),
} as const;

/** Name by language (en, de, fr, es, it, pt, nl), unit, normal range, decimals. */
const tests: readonly (readonly [names: string, unit: string, low: number, high: number, decimals: number])[] = [
  ['Hemoglobin|Hämoglobin|Hémoglobine|Hemoglobina|Emoglobina|Hemoglobina|Hemoglobine', 'g/dL', 12, 16, 1],
  ['White Blood Cells|Leukozyten|Leucocytes|Leucocitos|Leucociti|Leucócitos|Leukocyten', '10³/µL', 4, 10, 1],
  ['Platelets|Thrombozyten|Plaquettes|Plaquetas|Piastrine|Plaquetas|Trombocyten', '10³/µL', 150, 400, 0],
  ['Hematocrit|Hämatokrit|Hématocrite|Hematocrito|Ematocrito|Hematócrito|Hematocriet', '%', 36, 48, 1],
  [
    'Glucose, fasting|Glukose nüchtern|Glycémie à jeun|Glucosa basal|Glicemia|Glicose em jejum|Glucose nuchter',
    'mg/dL',
    70,
    99,
    0,
  ],
  ['Creatinine|Kreatinin|Créatinine|Creatinina|Creatinina|Creatinina|Kreatinine', 'mg/dL', 0.6, 1.2, 2],
  [
    'Total Cholesterol|Gesamtcholesterin|Cholestérol total|Colesterol total|Colesterolo totale|Colesterol total|Cholesterol totaal',
    'mg/dL',
    120,
    200,
    0,
  ],
  [
    'HDL Cholesterol|HDL-Cholesterin|Cholestérol HDL|Colesterol HDL|Colesterolo HDL|Colesterol HDL|HDL-cholesterol',
    'mg/dL',
    40,
    80,
    0,
  ],
  [
    'LDL Cholesterol|LDL-Cholesterin|Cholestérol LDL|Colesterol LDL|Colesterolo LDL|Colesterol LDL|LDL-cholesterol',
    'mg/dL',
    50,
    130,
    0,
  ],
  [
    'Triglycerides|Triglyceride|Triglycérides|Triglicéridos|Trigliceridi|Triglicéridos|Triglyceriden',
    'mg/dL',
    40,
    150,
    0,
  ],
  ['Sodium|Natrium|Sodium|Sodio|Sodio|Sódio|Natrium', 'mmol/L', 135, 145, 0],
  ['Potassium|Kalium|Potassium|Potasio|Potassio|Potássio|Kalium', 'mmol/L', 3.5, 5.1, 1],
  ['Calcium|Calcium|Calcium|Calcio|Calcio|Cálcio|Calcium', 'mmol/L', 2.1, 2.6, 2],
  ['ALT (SGPT)|GPT (ALT)|ALAT (TGP)|GPT (ALT)|ALT (GPT)|ALT (TGP)|ALAT', 'U/L', 7, 45, 0],
  ['AST (SGOT)|GOT (AST)|ASAT (TGO)|GOT (AST)|AST (GOT)|AST (TGO)|ASAT', 'U/L', 8, 40, 0],
  ['TSH|TSH|TSH|TSH|TSH|TSH|TSH', 'mIU/L', 0.4, 4, 2],
  ['HbA1c|HbA1c|HbA1c|HbA1c|HbA1c|HbA1c|HbA1c', '%', 4, 5.6, 1],
  [
    'C-Reactive Protein|CRP|Protéine C réactive|Proteína C reactiva|Proteina C reattiva|Proteína C reativa|CRP',
    'mg/L',
    0,
    5,
    1,
  ],
  ['Ferritin|Ferritin|Ferritine|Ferritina|Ferritina|Ferritina|Ferritine', 'ng/mL', 20, 250, 0],
  ['Vitamin D|Vitamin D|Vitamine D|Vitamina D|Vitamina D|Vitamina D|Vitamine D', 'ng/mL', 30, 100, 0],
  ['Uric Acid|Harnsäure|Acide urique|Ácido úrico|Acido urico|Ácido úrico|Urinezuur', 'mg/dL', 3.4, 7, 1],
];

const diagnoses = {
  en: [
    'Iron deficiency anemia',
    'Type 2 diabetes mellitus, well controlled',
    'Essential hypertension',
    'Acute bronchitis (J20.9)',
    'Hyperlipidemia',
    'Hypothyroidism',
    'No abnormal findings',
  ],
  de: [
    'Eisenmangelanämie',
    'Diabetes mellitus Typ 2',
    'Arterielle Hypertonie (I10.90)',
    'Akute Bronchitis (J20.9)',
    'Hypercholesterinämie',
    'Hypothyreose',
    'Kein pathologischer Befund',
  ],
  fr: [
    'Anémie ferriprive',
    'Diabète de type 2 équilibré',
    'Hypertension artérielle essentielle',
    'Bronchite aiguë',
    'Hypercholestérolémie',
  ],
  es: [
    'Anemia ferropénica',
    'Diabetes mellitus tipo 2',
    'Hipertensión arterial esencial',
    'Bronquitis aguda',
    'Hipercolesterolemia',
  ],
  it: [
    'Anemia sideropenica',
    'Diabete mellito di tipo 2',
    'Ipertensione arteriosa',
    'Bronchite acuta',
    'Ipercolesterolemia',
  ],
  pt: [
    'Anemia ferropénica',
    'Diabetes mellitus tipo 2',
    'Hipertensão arterial',
    'Bronquite aguda',
    'Hipercolesterolemia',
  ],
  nl: [
    'IJzergebreksanemie',
    'Diabetes mellitus type 2',
    'Essentiële hypertensie',
    'Acute bronchitis',
    'Hypercholesterolemie',
  ],
};
const summaries = {
  en: [
    'All other values are within normal limits. A follow-up in three months is recommended.',
    'Mildly abnormal lipid profile. Dietary advice was given; please repeat in six weeks.',
    'The patient is in good general condition. No further treatment is required at present.',
  ],
  de: [
    'Übrige Werte im Normbereich. Kontrolle in drei Monaten empfohlen.',
    'Der Patient befindet sich in gutem Allgemeinzustand. Eine weitere Behandlung ist derzeit nicht erforderlich.',
    'Leicht erhöhte Blutfettwerte. Diätetische Beratung erfolgt, Kontrolle in sechs Wochen.',
  ],
  fr: [
    'Les autres paramètres sont dans les limites de la normale. Un contrôle est conseillé dans trois mois.',
    'Bilan lipidique légèrement perturbé. Conseils diététiques donnés.',
  ],
  es: [
    'El resto de los valores está dentro de la normalidad. Se recomienda control en tres meses.',
    'Perfil lipídico ligeramente alterado. Se aconseja dieta y repetir en seis semanas.',
  ],
  it: [
    'I restanti valori sono nella norma. Si consiglia un controllo tra tre mesi.',
    'Profilo lipidico lievemente alterato. Si consiglia dieta e controllo tra sei settimane.',
  ],
  pt: [
    'Os restantes valores estão dentro da normalidade. Recomenda-se controlo dentro de três meses.',
    'Perfil lipídico ligeiramente alterado. Aconselha-se dieta e repetição em seis semanas.',
  ],
  nl: [
    'Overige waarden zijn normaal. Controle over drie maanden wordt geadviseerd.',
    'Licht verhoogd lipidenprofiel. Dieetadvies gegeven, herhalen over zes weken.',
  ],
};
const history = {
  en: [
    'Dear colleague,',
    'thank you for referring the above patient, who presented with fatigue and shortness of breath on exertion. On examination the lungs were clear and the abdomen was soft.',
  ],
  de: [
    'Sehr geehrte Frau Kollegin, sehr geehrter Herr Kollege,',
    'wir berichten über den oben genannten Patienten, der sich mit Müdigkeit und Belastungsdyspnoe vorstellte. Klinisch Lunge frei, Abdomen weich, keine Ödeme.',
  ],
  fr: [
    'Cher confrère,',
    "je vous remercie de m'avoir adressé ce patient pour une asthénie et une dyspnée d'effort. L'examen clinique est sans particularité.",
  ],
  es: [
    'Estimado compañero:',
    'le informamos sobre el paciente arriba indicado, que consulta por cansancio y disnea de esfuerzo. Exploración física sin hallazgos.',
  ],
  it: [
    'Gentile collega,',
    'si trasmette la relazione sul paziente sopra indicato, giunto per astenia e dispnea da sforzo. Esame obiettivo nella norma.',
  ],
  pt: [
    'Caro colega,',
    'envio informação sobre o doente acima referido, observado por cansaço e dispneia de esforço. Exame objetivo sem alterações.',
  ],
  nl: [
    'Geachte collega,',
    'hierbij bericht ik u over bovengenoemde patiënt, gezien in verband met vermoeidheid en kortademigheid bij inspanning. Lichamelijk onderzoek zonder afwijkingen.',
  ],
};
const languageOrder = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];

/** Draws a laboratory's report or a physician's letter. */
function drawMedicalReport(scene: Scene, layout?: string): GeneratedDocument {
  const { random, region } = scene;
  const chosen =
    medicalReportLayouts.find((name) => name === layout) ??
    random.pick(['laboratory', 'laboratory', 'boxed', 'letter'] as const);
  const draft = new Draft(scene, 'medical_report');
  draft.layout = chosen;
  const theme = pickTheme(random);
  const sheet = new Sheet(region.paper[0], region.paper[1], { family: theme.family, sizePoints: theme.sizePoints });
  const [left, right] = [theme.margin, sheet.width - theme.margin];
  const size = theme.sizePoints;
  const facilityKinds = words.facilities[region.language];
  const stem = random.pick(scene.words.companyStems);
  const facility =
    region.language === 'en' || region.language === 'nl'
      ? `${stem} ${random.pick(facilityKinds)}`
      : `${random.pick(facilityKinds)} ${stem}`;
  const contact = scene.company();
  const person = scene.person();
  const patient = random.chance(0.3) ? `${person.surname}, ${person.given}` : person.full;
  const physician = `${scene.say(words.doctor)}${scene.person().full}`;
  const born = scene.day('1935-01-01', 0, 30000);
  const reported = scene.today();
  const sampled = scene.day(reported, -5, 0);
  const sexes = {
    en: { F: ['F', 'Female'], M: ['M', 'Male'] },
    de: { F: ['weiblich', 'W', 'w'], M: ['männlich', 'M', 'm'] },
    fr: { F: ['F', 'Féminin'], M: ['M', 'Masculin'] },
    es: { F: ['Mujer', 'F'], M: ['Hombre', 'M'] },
    it: { F: ['F', 'Femmina'], M: ['M', 'Maschio'] },
    pt: { F: ['F', 'Feminino'], M: ['M', 'Masculino'] },
    nl: { F: ['Vrouw', 'V'], M: ['Man', 'M'] },
  }[region.language];

  const logo = random.chance(0.7) ? drawLogo(sheet, random, left, 36, 32, theme.accent, stem.slice(0, 1)) + 10 : 0;
  sheet.text(left + logo, 52, draft.piece('facility_name', facility), {
    sizePoints: size * 1.6,
    bold: true,
    color: theme.accent,
  });
  drawLines(
    sheet,
    left + logo,
    66,
    [{ text: contact.address.lines.join(', ') }, { text: `Tel. ${contact.phone}   ${contact.website}` }],
    { sizePoints: size * 0.85, color: gray },
  );
  sheet.line(left, 86, right, 86, { color: theme.accent });
  let y = 112;
  sheet.text(
    random.chance(0.5) ? (left + right) / 2 : left,
    y,
    scene.say(chosen === 'letter' ? words.letter : words.title),
    { sizePoints: size * 1.6, bold: true, align: random.chance(0.5) ? 'left' : 'left' },
  );
  y += 26;
  const own: Pair[] = [
    { caption: scene.say(words.patient), value: draft.piece('patient_name', patient), bold: random.chance(0.3) },
  ];
  if (random.chance(0.75))
    own.push({
      caption: scene.say(words.patientId),
      value: draft.piece(
        'patient_id',
        random.pick([
          random.digits(7),
          `MRN-${random.digits(6)}`,
          `P${random.digits(6)}`,
          `${random.digits(4)}-${random.digits(4)}`,
        ]),
      ),
    });
  if (random.chance(0.9))
    own.push({ caption: scene.say(words.birth), value: draft.piece('date_of_birth', scene.date(born)) });
  if (random.chance(0.75))
    own.push({
      caption: scene.say(words.sex),
      value: draft.piece('sex', { value: person.sex, text: random.pick(sexes[person.sex]) }),
    });
  const order: Pair[] = [];
  if (random.chance(0.85))
    order.push({ caption: scene.say(words.physician), value: draft.piece('physician_name', physician) });
  if (chosen !== 'letter' && random.chance(0.75))
    order.push({ caption: scene.say(words.sampleDate), value: draft.piece('sample_date', scene.date(sampled)) });
  order.push({ caption: scene.say(words.reportDate), value: draft.piece('report_date', scene.date(reported)) });
  const half = (right - left) / 2 - 10;
  if (chosen === 'boxed' || random.chance(0.2))
    y =
      drawPairs(
        sheet,
        left,
        y,
        right - left,
        [...own, ...order],
        random.pick<PairForm>(['boxed-strip', 'grid']),
        theme,
      ) + 12;
  else {
    const form = random.pick<PairForm>(['left', 'inline', 'apart']);
    y =
      Math.max(
        drawPairs(sheet, left, y, half, own, form, theme),
        drawPairs(sheet, left + half + 20, y, half, order, form, theme),
      ) + 14;
  }
  const section = (caption: string, field: string, text: string) => {
    const inline = random.chance(0.3);
    if (inline) {
      const start = sheet.text(left, y, `${caption}: `, { bold: true });
      if (sheet.measure(text) < right - start) {
        sheet.text(start, y, draft.piece(field, text));
        y += size * 2;
        return;
      }
      y += size * 1.5;
    } else {
      sheet.text(left, y, theme.colon ? `${caption}:` : caption, { bold: true });
      y += size * 1.6;
    }
    y = sheet.paragraph(left, y, right - left, draft.piece(field, text)) + size;
  };
  const diagnosis = random.pick(diagnoses[region.language]);
  const summary = random.pick(summaries[region.language]);
  if (chosen === 'letter') {
    const [greeting, text] = history[region.language] as [string, string];
    sheet.text(left, y, greeting);
    y = sheet.paragraph(left, y + size * 1.8, right - left, text) + size;
    section(scene.say(words.diagnosis), 'diagnosis', diagnosis);
    section(scene.say(words.summary), 'summary', summary);
  } else if (random.chance(0.25)) section(scene.say(words.diagnosis), 'diagnosis', diagnosis);

  const count = chosen === 'letter' ? random.pick([0, 3, 5]) : random.integer(4, 18);
  const index = languageOrder.indexOf(region.language);
  const picked = random.sample(tests, count).map(([names, unit, low, high, decimals]) => {
    const abnormal = random.chance(0.2);
    const value = abnormal
      ? random.chance(0.6)
        ? high * (1.05 + random.next() * 0.5)
        : low * (0.6 + random.next() * 0.35)
      : low + random.next() * (high - low);
    return { name: names.split('|')[index]!, unit, low, high, decimals, value: Number(value.toFixed(decimals)) };
  });
  if (picked.length > 0) {
    const withFlag = random.chance(0.6);
    const columns: Column[] = [
      { key: 'test', title: scene.say(words.test), align: 'left', weight: 34 },
      { key: 'value', title: scene.say(words.value), align: random.pick(['right', 'center']), weight: 14 },
      ...(withFlag ? [{ key: 'flag', title: scene.say(words.flag), align: 'center' as const, weight: 10 }] : []),
      { key: 'unit', title: scene.say(words.unit), align: 'left', weight: 14 },
      { key: 'reference_range', title: scene.say(words.range), align: random.pick(['left', 'center']), weight: 22 },
    ];
    const [highMark, lowMark] = random.pick(
      [
        ['H', 'L'],
        ['+', '-'],
        ['*', '*'],
        ['high', 'low'],
      ].slice(0, region.language === 'en' ? 4 : 3),
    );
    const dash = random.pick([' - ', '-', ' – ']);
    const decimal = (value: number, decimals: number) => value.toFixed(decimals).replace('.', region.decimalSeparator);
    const rows = picked.map((result, row) => {
      const flag = result.value > result.high ? highMark! : result.value < result.low ? lowMark! : '';
      const range =
        result.low === 0
          ? `< ${decimal(result.high, result.decimals)}`
          : `${decimal(result.low, result.decimals)}${dash}${decimal(result.high, result.decimals)}`;
      return {
        test: [draft.cell(row, 'test', result.name)],
        value: [draft.cell(row, 'value', { value: result.value, text: decimal(result.value, result.decimals) })],
        unit: [draft.cell(row, 'unit', result.unit)],
        reference_range: [draft.cell(row, 'reference_range', range)],
        flag: flag ? [draft.cell(row, 'flag', flag)] : [],
      };
    });
    y =
      drawTable(sheet, {
        x: left,
        top: y,
        width: right - left,
        columns,
        rows,
        look: pickTableLook(random),
        theme,
        bottom: sheet.height - 70,
        repeatHeader: true,
        nextPage: () => {
          sheet.addPage();
          sheet.text(left, 44, `${facility} - ${patient}`, { color: gray });
          return 60;
        },
      }) +
      size * 2.4;
  }
  if (chosen !== 'letter' && y < sheet.height - 120 && random.chance(0.55))
    section(scene.say(words.summary), 'summary', summary);
  if (y < sheet.height - 80) {
    sheet.text(
      right,
      y + 26,
      random.chance(0.5)
        ? `${scene.say(words.doctor)}${scene.person().full}`
        : {
            en: 'Electronically signed',
            de: 'Elektronisch freigegeben',
            fr: 'Validé électroniquement',
            es: 'Firmado electrónicamente',
            it: 'Firmato digitalmente',
            pt: 'Assinado eletronicamente',
            nl: 'Elektronisch geautoriseerd',
          }[region.language],
      { align: 'right', italic: true },
    );
  }
  return draft.finish(sheet, 'lines');
}

export const medicalReportGenerator: Generator = {
  draw: drawMedicalReport,
  layouts: medicalReportLayouts,
  samples: [
    {
      file: 'medical-report.pdf',
      description: 'Laboratory report with a table of values',
      seed: 'sample 28',
      region: 'en-US',
      layout: 'laboratory',
    },
  ],
};

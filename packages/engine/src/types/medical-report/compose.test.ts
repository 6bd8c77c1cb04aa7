import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractFromWords } from '../../extract.ts';
import { type PrintedRow, typeset, typesetPage } from '../../layout/typeset.ts';

test('who requests or attends is the physician', () => {
  for (const caption of ['Requesting: DR. SUSAN PARK', 'Attending: DR. SUSAN PARK']) {
    const { fields } = extractFromWords(
      typeset([
        [[40, 'Tri-Rivers Pathology Laboratory']],
        [[40, 'Patient: HUGHES, MARTIN L']],
        [
          [40, 'DOB: 07/30/1968'],
          [240, caption],
        ],
        [[40, 'Collected: 06/28/2023']],
      ]),
      { docType: 'medical_report', fields: null },
    ).extraction;
    assert.equal(fields.physician_name?.value, 'DR. SUSAN PARK', caption);
  }
});

const extracted = (...rows: PrintedRow[]) =>
  extractFromWords(typeset(rows), { docType: 'medical_report', fields: null }).extraction;

test('a patient is named without what a letter says of them, and no word of a sentence names one', () => {
  const { fields } = extracted(
    [[40, 'Patient: Jan Example, geb. 08.11.1957, wohnhaft Grüntenweg 9, 87534 Oberstaufen']],
    [[40, 'Befund: 67-jähriger Patient in leicht reduziertem Allgemeinzustand.']],
  );
  assert.equal(fields.patient_name?.value, 'Jan Example');
});

test('a section’s heading is no physician, who signs in one of the last lines', () => {
  const { fields } = extracted(
    [[40, 'HOSPITAL COMARCAL SIERRA NORTE']],
    [[40, 'INFORME DE ALTA']],
    [[40, 'Paciente: MANUELA EJEMPLO VARGAS']],
    null,
    [[40, 'MOTIVO DE INGRESO']],
    [[40, 'Disnea progresiva de 5 días de evolución.']],
    null,
    [[40, 'ANTECEDENTES PERSONALES']],
    [[40, 'HTA. Fibrilación auricular permanente.']],
    null,
    [[40, 'Cazalla, 8 de mayo de 2024']],
    null,
    [[40, 'Dra. Inés Caballero Muestra']],
    [[40, 'F.E.A. Medicina Interna']],
  );
  assert.equal(fields.physician_name?.value, 'Dra. Inés Caballero Muestra');
});

test('the number of tests in a group is no result', () => {
  const { lines } = extracted(
    [
      [40, 'Test'],
      [200, 'Result'],
      [300, 'Units'],
      [400, 'Reference range'],
    ],
    [[40, 'Basic Metabolic Panel (8)']],
    [
      [40, 'Glucose'],
      [200, '104'],
      [300, 'mg/dL'],
      [400, '70-99'],
    ],
    [
      [40, 'Potassium'],
      [200, '4.4'],
      [300, 'mmol/L'],
      [400, '3.5-5.2'],
    ],
  );
  assert.deepEqual(
    lines.map(({ test: name, value }) => [name?.value, value?.value]),
    [
      ['Glucose', 104],
      ['Potassium', 4.4],
    ],
  );
});

test('a letter is about whom its subject names, of the day it was typed, and signed below its valediction', () => {
  const { fields } = extracted(
    [[40, 'Clinic date: 14/05/2025']],
    [[40, 'Typed: 19/05/2025']],
    [[40, 'Dear Dr Example']],
    [[40, 'Re: Mr Richard Roe, DOB 02/06/1949']],
    [[40, 'I reviewed this gentleman in clinic.']],
    [[40, 'Yours sincerely']],
    [[40, 'Dr S Muster']],
  );
  assert.equal(fields.patient_name?.value, 'Mr Richard Roe');
  assert.equal(fields.report_date?.value, '2025-05-19');
  assert.equal(fields.physician_name?.value, 'Dr S Muster');
});

test('the day of an examination is not that of its report, nor what it is compared with', () => {
  const { fields } = extracted(
    [[40, 'EXAM DATE: 09/08/2025']],
    [[40, 'COMPARISON: Radiographs 07/14/2025.']],
    [[40, 'Date of report: 09/09/2025 10:14 AM']],
  );
  assert.equal(fields.report_date?.value, '2025-09-09');
  assert.equal(fields.sample_date, undefined);
});

test('a German report has the sex in one letter', () => {
  const { fields } = extracted([[40, 'Patient: Muster, Gisela']], [[40, 'geb.: 23.12.1944 Geschlecht: w']]);
  assert.equal(fields.sex?.value, 'F');
});

test('a report is of the day on which it was signed rather than of the examination', () => {
  const { fields } = extracted(
    [[40, 'SAMPLE IMAGING CENTER']],
    [
      [40, 'PATIENT: Sample, Yvonne'],
      [300, 'EXAM DATE: 06/21/2024'],
    ],
    [[40, 'IMPRESSION: No acute abnormality.']],
    [[40, 'Electronically signed by: Arjun Example, MD']],
    [[40, 'Signed on: 06/22/2024 09:04']],
  );
  assert.equal(fields.report_date?.value, '2024-06-22');
});

test('a patient stands below the heading of their details', () => {
  const { fields } = extracted(
    [[40, 'Sample Clinical Labs']],
    null,
    [
      [40, 'Patient Details'],
      [300, 'Physician Details'],
    ],
    [
      [40, 'Rutherford, Blake'],
      [300, 'Ordering: F SAMPLE'],
    ],
    [[40, 'DOB: 12/21/1988']],
  );
  assert.equal(fields.patient_name?.value, 'Rutherford, Blake');
});

test('an order’s number is not the patient’s', () => {
  const { fields } = extracted(
    [
      [40, 'MVZ Labor Dr. Beispiel'],
      [320, 'Auftrags-Nr.: 2402194471'],
    ],
    [[40, 'Patient: Muster, Bettina']],
    [[40, 'Geb.-Datum: 08.03.1966 Geschlecht: W']],
  );
  assert.equal(fields.patient_id, undefined);
});

test('a letter is of the day behind the place where it was written', () => {
  const { fields } = extracted(
    [[40, 'Klinikum Beispielwinkel']],
    [[300, 'Bad Beispiel, 08.11.2024 / wi']],
    [[40, 'Patientin: Ulrike Muster, geb. 30.09.1949, wohnhaft Ludwigstr. 3, 83661 Lenggries']],
    [[40, 'Stationärer Aufenthalt vom 29.10.2024 bis 07.11.2024']],
  );
  assert.equal(fields.report_date?.value, '2024-11-08');
});

test('a German or Dutch letter of the sex stands in a cell of its own', () => {
  const { fields } = extracted(
    [[40, 'Laborbefund']],
    [
      [40, 'Patient'],
      [240, 'Geschlecht'],
    ],
    [
      [40, 'Muster, Maria'],
      [240, 'W'],
    ],
  );
  assert.equal(fields.sex?.value, 'F');
});

test('a discharge summary is of the day on which it was signed, and has a principal diagnosis', () => {
  const { fields } = extracted(
    [[40, 'DISCHARGE SUMMARY']],
    [
      [40, 'Admitted: 02/15/2024'],
      [300, 'Discharged: 02/18/2024'],
    ],
    [[40, 'PRINCIPAL DIAGNOSIS:']],
    [[40, 'Community-acquired pneumonia, right lower lobe']],
    [[40, 'HOSPITAL COURSE:']],
    [[40, 'The patient was treated and improved.']],
    null,
    [[40, 'Electronically signed by Jane Doe, MD on 02/19/2024 14:32']],
  );
  assert.equal(fields.diagnosis?.value, 'Community-acquired pneumonia, right lower lobe');
  assert.equal(fields.report_date?.value, '2024-02-19');
});

test('a heading whose height was read too small has its text no further below', () => {
  const page = typesetPage(1, [[[40, 'PRINCIPAL DIAGNOSIS:']], null, [[40, 'Pneumonia of the right lobe']]]);
  const words = page.words.map((word) =>
    word.text === 'PRINCIPAL' || word.text === 'DIAGNOSIS:'
      ? { ...word, box: { ...word.box, y1: word.box.y0 + 6 } }
      : word,
  );
  const document = { ...typeset([]), pages: [{ ...page, words }] };
  const { fields } = extractFromWords(document, { docType: 'medical_report', fields: null }).extraction;
  assert.equal(fields.diagnosis?.value, 'Pneumonia of the right lobe');
});

test('a caption’s physician may have an address behind the name', () => {
  const { fields } = extracted(
    [[40, 'Laborbefund']],
    [[40, 'Einsender: Dr. med. U. Muster, Osterweg 4, 31785 Hameln']],
    [[40, 'Patient: Muster, Maria']],
  );
  assert.equal(fields.physician_name?.value, 'Dr. med. U. Muster');
});

test('sex stands beside the age, a title says who is the physician, and a filed name stands over its street', () => {
  const { fields } = extracted(
    [[40, 'Example Imaging Center']],
    [
      [40, 'Doe, Jane'],
      [320, 'Sample Family Physicians PA'],
    ],
    [
      [40, '771 Sycamore Ct'],
      [320, '1150 SE Maynard Rd'],
    ],
    [
      [40, 'APEX NC 27502'],
      [320, 'CARY NC 27511'],
    ],
    null,
    [
      [40, 'DOB:'],
      [140, '08/30/1966 (55Y F)'],
    ],
    [
      [40, 'REFERRING:'],
      [140, 'Dr. Lena Sample'],
    ],
  );
  assert.deepEqual(
    [fields.sex?.value, fields.physician_name?.value, fields.patient_name?.value],
    ['F', 'Dr. Lena Sample', 'Doe, Jane'],
  );
});

test('a German letter is about whom its subject names with the day of birth, and a heading ends a diagnosis', () => {
  const { fields } = extracted(
    [[300, 'Klinikum Beispiel Nord']],
    [[40, 'Betr.: Herr Lorenz Muster,geb.09.02.1948,wohnhaft Am Beispielbach 8']],
    [[40, 'Sehr geehrter Herr Kollege,']],
    [[40, 'wir berichten über den Patienten, der sich vom 15.08.2022 bis 19.08.2022 in unserer Behandlung befand.']],
    [[40, 'Diagnosen:']],
    [[40, 'Hypertensive Herzkrankheit']],
    [[40, 'Anamnese:']],
    [[40, 'Die Aufnahme erfolgte bei seit zwei Tagen bestehenden Palpitationen.']],
    [[40, 'Mit freundlichen kollegialen GruBen']],
    [[40, 'Prof.Dr.med.H. Beispiel']],
  );
  assert.deepEqual(
    [fields.date_of_birth?.value, fields.diagnosis?.value, fields.physician_name?.value, fields.sex?.value],
    ['1948-02-09', 'Hypertensive Herzkrankheit', 'Prof.Dr.med.H. Beispiel', 'M'],
  );
});

test('whom a letter is about is the patient, and not the physician it is written to', () => {
  const written = (...about: string[]): PrintedRow[] => [
    [[40, 'Kardiologie am Stadtgarten']],
    null,
    [[40, 'Dr. med. Ruprecht Niehues']],
    [[40, 'Kamener Str. 112']],
    [[40, '59192 Lünen']],
    null,
    ...about.map((text): PrintedRow => [[40, text]]),
    null,
    [[40, 'Sehr geehrter Herr Kollege Niehues,']],
  ];
  const nameIn = (rows: readonly PrintedRow[]) =>
    extractFromWords(typeset(rows), { docType: 'medical_report', fields: null }).extraction.fields.patient_name?.value;
  assert.equal(nameIn(written('Re: Mr Desmond Ackroyd, DOB 21/05/1951')), 'Mr Desmond Ackroyd');
  assert.equal(nameIn(written('Ihre Patientin Frau Jane Doe, geb. 23.09.1957')), 'Frau Jane Doe');
});

test('a radiologist’s report is one, whatever its title', () => {
  const rows: PrintedRow[] = [
    [[40, 'CENTRE D’IMAGERIE MÉDICALE DES REMPARTS']],
    [[40, 'Radiologues']],
    [[40, 'Patient : Mme EXEMPLE Maëlle']],
    [[40, 'Prescripteur : Dr Jean EXEMPLE']],
    [[40, 'ÉCHOGRAPHIE ABDOMINALE']],
    [[40, 'Conclusion : échographie sans anomalie décelable.']],
    [[40, 'Bien confraternellement']],
  ];
  assert.equal(extracted(...rows).classification.docType, 'medical_report');
});

test('a diagnosis is that of the discharge', () => {
  const { fields } = extracted(
    [[40, 'LETTERA DI DIMISSIONE']],
    [[40, 'Diagnosi di dimissione: Scompenso cardiaco congestizio']],
    [[40, 'Anamnesi: ipertensione arteriosa.']],
  );
  assert.equal(fields.diagnosis?.value, 'Scompenso cardiaco congestizio');
});

test('a patient’s name stands right above when they were born', () => {
  const { fields } = extracted(
    [[40, 'LABORATOIRE DE BIOLOGIE MÉDICALE']],
    null,
    null,
    [[300, 'Madame EXEMPLE Capucine']],
    [[300, 'née le 08/09/1983 (41 ans)']],
    [[300, '18 rue du Port']],
    [[300, '26400 CREST']],
    null,
    [[40, 'Prélevé le 14/03/2025']],
  );
  assert.equal(fields.patient_name?.value, 'Madame EXEMPLE Capucine');
});

test('what a radiologist concludes sums a report up before what was found', () => {
  const { fields } = extracted(
    [[40, 'Radiologie am Beispielplatz']],
    [[40, 'Befund:']],
    [[40, 'Höhenminderung des Bandscheibenfaches mit Prolaps.']],
    null,
    [[40, 'Beurteilung:']],
    [[40, 'Bandscheibenvorfall mit Kontakt zur Nervenwurzel.']],
    [[40, 'Vielen Dank für die Überweisung.']],
  );
  assert.equal(fields.summary?.value, 'Bandscheibenvorfall mit Kontakt zur Nervenwurzel.');
});

test('a letter names its patient in its first sentence, and a diagnosis beside its heading', () => {
  const german = extracted(
    [[40, 'Klinikum Beispielstadt']],
    [[40, 'Frau Dr. med. Henrike Muster']],
    [[40, 'Sehr geehrte Frau Kollegin Muster,']],
    [[40, 'wir berichten über Ihren Patienten Herrn Eckehard Beispiel, geb. 30.08.1952, der sich vorstellte.']],
  );
  assert.equal(german.fields.patient_name?.value, 'Herrn Eckehard Beispiel');
  const british = extracted(
    [[300, 'NHS']],
    [[300, 'South Calder Hospitals NHS Foundation Trust']],
    null,
    [
      [40, 'Diagnosis:'],
      [120, 'Example’s oesophagus without dysplasia'],
    ],
    null,
    [[40, 'I reviewed this lady in clinic today. She remains well.']],
  );
  assert.equal(british.fields.facility_name?.value, 'South Calder Hospitals NHS Foundation Trust');
  assert.equal(british.fields.diagnosis?.value, 'Example’s oesophagus without dysplasia');
});

test('a French letter names whom it concerns behind a colon set apart, and who signs it by a whole title', () => {
  const { fields } = extracted(
    [[40, 'Centre Hospitalier du Pays d’Exemple']],
    [[300, 'Docteur Paul Modèle']],
    [[300, '3 place Courbet']],
    [[300, '25290 ORNANS']],
    null,
    [[40, 'Concerne : Madame GRANDJEAN Odile, née le 23/11/1946 (77 ans)']],
    null,
    [[40, 'Cher confrère,']],
    [[40, 'Votre patiente a été hospitalisée dans notre service pour dyspnée.']],
    null,
    [[40, 'Je vous prie de croire, cher confrère, en l’assurance de mes sentiments les meilleurs.']],
    null,
    [[300, 'Docteur Mehdi SAADOUNI']],
  );
  assert.equal(fields.patient_name?.value, 'Madame GRANDJEAN Odile');
  assert.match(String(fields.physician_name?.value), /Mehdi SAADOUNI$/);
});

test('a patient leaves with another diagnosis than they came with, and is filed by the number of their record', () => {
  const { fields } = extracted(
    [[40, 'Sampleton Community Hospital']],
    [[40, 'DISCHARGE SUMMARY']],
    [
      [40, 'Patient Name: Jan Example'],
      [300, 'Medical Record #: 00731844'],
    ],
    [
      [40, 'Date of Birth: 12/03/1948'],
      [300, 'Account #: V44810029'],
    ],
    null,
    [[40, 'ADMITTING DIAGNOSIS: Shortness of breath.']],
    [[40, 'DISCHARGE DIAGNOSIS: Acute heart failure.']],
  );
  assert.equal(fields.diagnosis?.value, 'Acute heart failure.');
  assert.equal(fields.patient_id?.value, '00731844');
});

test('a mark without a column of its own stands before the range', () => {
  const columns = (...texts: readonly string[]): PrintedRow =>
    texts.map((text, at) => [[40, 160, 240, 460][at]!, text] as const);
  const { lines } = extracted(
    [[40, 'Example Diagnostics']],
    columns('Investigation', 'Result', 'Reference Value', 'Unit'),
    columns('Glucose', '112', 'High 70-100', 'mg/dL'),
    columns('Creatinine', '0.9', '0.6 - 1.1', 'mg/dL'),
  );
  assert.equal(lines?.[0]?.reference_range?.value, '70-100');
  assert.equal(lines?.[0]?.flag?.value, 'High');
});

test('a mark without a column of its own stands behind the range', () => {
  const columns = (...texts: readonly string[]): PrintedRow =>
    texts.map((text, at) => [[40, 160, 240, 320][at]!, text] as const);
  const { lines } = extracted(
    [[40, 'Example Pathology']],
    columns('Test', 'Result', 'Units', 'Reference Range'),
    columns('ALP', '118', 'U/L', '30-110 H'),
    columns('Albumin', '41', 'g/L', '35-50'),
  );
  assert.equal(lines?.[0]?.reference_range?.value, '30-110');
  assert.equal(lines?.[0]?.flag?.value, 'H');
  assert.equal(lines?.[1]?.flag, undefined);
});

test('who attends is the physician, and not the patient’s family physician', () => {
  const { fields } = extracted(
    [[40, 'SAMPLETON MEDICAL CENTER']],
    [[40, 'DISCHARGE SUMMARY']],
    [
      [40, 'PATIENT NAME:'],
      [160, 'Jane M. Example'],
    ],
    [
      [40, 'ATTENDING PHYSICIAN:'],
      [160, 'Samuel R. Mustow, MD'],
      [320, 'PRIMARY CARE PHYSICIAN:'],
      [460, 'Grace Otherby, DO'],
    ],
  );
  assert.match(String(fields.physician_name?.value), /^Samuel R. Mustow/);
});

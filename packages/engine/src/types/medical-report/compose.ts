import type { ExtractedValue, Layout, TextLine } from '@millrace/document-model';
import { hasPlace, isStreetLine } from '../../candidates/address-lines.ts';
import type { PlacedCandidate } from '../../candidates/placed.ts';
import { textsAtCaption } from '../../compose/captioned.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { isPersonName, letterHeight, titleCased, withoutTitles } from '../../compose/names.ts';
import { type Section, sectionsOf } from '../../compose/sections.ts';
import { isValediction } from '../../compose/valediction.ts';
import { composedValue, onlyValue, type Stretch } from '../../compose/value.ts';
import { neighboursOf } from '../../layout/neighbours.ts';
import type { DocumentType } from '../definition.ts';

/** Surer than what a caption says that is any date's. */
const reportedConfidence = 92;

/** The diagnosis and the summary of a medical report, by their headings. */
export function composeMedicalReport(findings: Findings): ComposedFields {
  const { type, layout } = findings;
  const inTables = new Set(
    layout.tables
      .flatMap((table) => [...(table.header ? [table.header] : []), ...table.rows])
      .flatMap((row) => row.cells.flatMap((cell) => cell.words)),
  );
  const sections = sectionsOf(type, ['diagnosis', 'summary'], layout);
  const textOf = (field: string): ExtractedValue | null => {
    for (const section of field === 'summary' ? concludedFirst(sections) : admittedLast(sections)) {
      if (
        (section.field !== field && !(field === 'summary' && concluded.test(section.heading.text))) ||
        inTables.has(section.heading.words[0]!)
      )
        continue;
      const value =
        besideHeading(section.heading, layout) ??
        paragraphOf(section, (line) => line.words.some((word) => inTables.has(word)));
      if (value) return value;
    }
    return null;
  };
  return {
    diagnosis: textOf('diagnosis'),
    summary: textOf('summary'),
    facility_name: trustOf(layout),
    patient_name: subjectOf(layout) ?? indexedName(layout) ?? nameAboveBirth(layout),
    sex: sexAtAge(layout),
    physician_name: addressedPhysician(type, layout) ?? signedBy(layout) ?? signedAtEnd(layout),
    report_date: reportedOn(findings),
  };
}

/** What heads what a radiologist concludes from what was found. */
const concluded = /^(?:impression|conclusions?|beurteilung|conclusiones|conclusioni|conclus[ãa]o|conclusie)(?!\p{L})/iu;

/** Sections with a conclusion before those with what it was made from. */
function concludedFirst(sections: readonly Section[]): readonly Section[] {
  return inFront(sections, ({ heading }) => concluded.test(heading.text));
}

function inFront(sections: readonly Section[], isFirst: (section: Section) => boolean): readonly Section[] {
  return [...sections.filter(isFirst), ...sections.filter((section) => !isFirst(section))];
}

/** What heads a diagnosis that was made before the patient was examined or treated. */
const admitted =
  /(?<!\p{L})(?:admi(?:tting|ssion)|presenting|provisional|preliminary|pre-?operative|aufnahme\p{L}*|einweisungs\p{L}*|verdachts\p{L}*|d['’](?:entrée|admission)|(?:de|al) ingreso|d['’]ingresso|de (?:entrada|admissão)|opname\p{L}*)(?!\p{L})/iu;

/** Sections with the diagnosis that a patient leaves with before those with the one that they came with. */
function admittedLast(sections: readonly Section[]): readonly Section[] {
  return inFront(sections, ({ heading }) => !admitted.test(heading.text.slice(0, longestHeading)));
}

/** What a heading is of a line that goes on with its text. */
const longestHeading = 40;

/** What says that a day is that of the report, and not one of the examination or the patient's life. */
const reported =
  /(?<!\p{L})(?:report(?:ed)?(?: date| on)?|typed(?: on)?|(?:electronically )?signed (?:by [^.:]{3,50} )?on|édité le|validé le|authenticated on|date (?:of report|reported)|befund(?:datum| vom)|berichtsdatum|fecha (?:de |del )?informe|data (?:del )?referto|date du (?:compte rendu|rapport)|rapportdatum|data do relatório)[\s:]*$/iu;

/** The one day that is called that of the report, where another one has a caption that could be its. */
function reportedOn(findings: Findings): ExtractedValue | null {
  const { layout, candidates } = findings;
  const dates = (candidates as readonly PlacedCandidate[]).filter(
    ({ kind, layout: own, lines, start }) =>
      kind === 'date' &&
      own === layout &&
      lines.length === 1 &&
      reported.test(start < 3 ? (neighboursOf(layout, lines[0]!).left?.text ?? '') : lines[0]!.text.slice(0, start)),
  );
  return onlyValue(dates, reportedConfidence) ?? onlyValue(writtenOn(findings), letterConfidence);
}

const letterConfidence = 78;
const place = /^\p{Lu}[\p{L} .()-]{2,30}, ?(?:(?:den|le|lì|li) )?$/u;

/** The days behind the place where a letter was written, perhaps with its writer's mark: `Bad Tölz, 08.11.2024 / wi`. */
function writtenOn({ layout, candidates }: Findings): readonly PlacedCandidate[] {
  return (candidates as readonly PlacedCandidate[]).filter(
    ({ kind, layout: own, lines, start, end }) =>
      kind === 'date' &&
      own === layout &&
      lines.length === 1 &&
      place.test(lines[0]!.text.slice(0, start)) &&
      /^(?: ?\/ ?\p{L}{1,4})?$/u.test(lines[0]!.text.slice(end)),
  );
}

/** The patient as laboratories file one, without a caption at the head of the first page: `MAJOR, MARY L`. */
function indexedName(layout: Layout): ExtractedValue | null {
  const page = layout.document.pages[0];
  const line = layout.lines.find(
    ({ text, page: number, box }) =>
      number === page?.number &&
      box.y0 < 0.4 * page.height &&
      /^\p{Lu}[\p{Lu}'’-]+, ?\p{Lu}[\p{L}'’-]+(?: \p{Lu}\.?)?$/u.test(text),
  );
  if (line) return composedValue(line.text, 70, [{ line }]);
  const addressed = layout.lines
    .slice(0, 40)
    .find((own) => filedName.test(own.text) && isStreetLine(neighboursOf(layout, own).below?.text ?? ''));
  if (addressed) return composedValue(addressed.text, 74, [{ line: addressed }]);
  const below = layout.lines
    .slice(0, 80)
    .flatMap((caption) => (patientHeading.test(caption.text) ? (neighboursOf(layout, caption).below ?? []) : []))
    .find(({ text }) => filedName.test(text));
  return below ? composedValue(below.text, 78, [{ line: below }]) : null;
}

/** A surname and, behind a comma, what stands before it: `Doe, Jane M.`. */
const filedName = /^\p{Lu}[\p{L}'’-]+, ?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}.]*)?$/u;

const born =
  /^(?:n[ée]e?(?: ?\(e\))? le|geb(?:oren|\.)?(?: am| op)?|born(?: on)?|d\.?o\.?b\.?|nat[oa] il|nacid[oa] el|nascid[oa] (?:em|a))[\s:.]*\d/iu;

/** The patient, whose name stands right above when they were born: `Madame EXEMPLE Jeanne`, `née le 08/09/1983`. */
function nameAboveBirth(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 60)) {
    const above = born.test(line.text) ? neighboursOf(layout, line).above : null;
    if (above && line.box.y0 - above.box.y1 < letterHeight(line) && isPersonName(titleCased(withoutTitles(above.text))))
      return composedValue(above.text.trim(), 80, [{ line: above }]);
  }
  return null;
}

const agedSex =
  /(?<![\p{L}\d])(?:\d{1,3} ?(?:y|yrs?|years?|jahre|ans|años|anni)\.?(?: old)?[\s,/|-]{1,3}(m|f|male|female)|(m|f|male|female)[\s,/|-]{1,3}\d{1,3} ?(?:y|yrs?|years?)(?: old)?)(?![\p{L}\d])/iu;

/** The patient's sex beside their age, at the head of the first page: `08/30/1966 (55Y M)`, `42 yrs / Female`. */
function sexAtAge(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 60)) {
    const match = line.text.length > 80 ? null : agedSex.exec(line.text);
    if (!match) continue;
    const end = match.index + match[0].length;
    return composedValue((match[1] ?? match[2])![0]!.toUpperCase(), 88, [{ line, start: match.index, end }]);
  }
  return null;
}

const patientHeading = /^patient(?: (?:details|information|info|data))?:?$/iu;

const subject =
  /^(?:re|regarding|betreff|betr|objet|concerne|asunto|(?:(?:ihre|unsere|gemeinsame)[rn]? )*patient(?:in|en|e)?|paziente|paciente)\.? ?:? +((?:(?:mr|mrs|ms|miss|mx|master|frau|herrn?|m\.|mme|madame|mademoiselle|monsieur|sra?)\.? +)?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}.'’-]*){1,3})(?=,? *(?:\(|$|\d|[-–] |d\.?o\.?b|born|geb|n[ée]e? le))/iu;

/** The same within the first sentence: `wir berichten über Ihren Patienten Herrn Max Beispiel, geb. 30.08.1952`. */
const reportedPatient =
  /(?<!\p{L})(?:your|our|ihre[nr]?|unsere[nr]?|gemeinsamen?|votre|notre|uw) (?:gemeinsame[nr]? )?pati[eë]nt\p{L}{0,3},? ((?:(?:mr|mrs|ms|miss|frau|herrn?|m\.|mme|madame|monsieur|mr\.|dhr\.|mevr\.)\.? )?\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}.'’-]*){1,3})(?=,? *(?:\(|\*|d\.?o\.?b|born|geb|n[ée]e? le))/iu;

/** Whom a physician's letter is about, between its salutation and its text: `Re: Mr Richard Roe, DOB 03/05/1971`. */
function subjectOf(layout: Layout): ExtractedValue | null {
  for (const line of layout.lines.slice(0, 60)) {
    const match = subject.exec(line.text) ?? reportedPatient.exec(line.text);
    if (!match || !isPersonName(titleCased(match[1]!))) continue;
    const end = match.index + match[0].length;
    return composedValue(match[1]!, subjectConfidence, [{ line, start: end - match[1]!.length, end }]);
  }
  return null;
}

/** The trust whose hospital writes, by the end of its name at the head of the first page, where a logo says NHS alone. */
function trustOf(layout: Layout): ExtractedValue | null {
  const [page] = layout.document.pages;
  const found = layout.lines.filter(
    ({ text, page: number, box }) =>
      number === page?.number &&
      box.y0 < 0.25 * page.height &&
      /^\p{Lu}[\p{L},&'’ -]{5,70} NHS (?:Foundation )?Trust$/u.test(text.trim()),
  );
  const [only, ...others] = found;
  return only && others.length === 0 ? composedValue(only.text.trim(), 84, [{ line: only }]) : null;
}

/** Surer than whose name stands where letters are addressed. */
const subjectConfidence = 92;

/** The score of a late caption of many, with its value beside it. */
const leastScore = 0.75;
const physician =
  /^(?:(?:dra?|dott(?:\.ssa)?|prof|pd)\. ?|(?:dra?|dott|docteure?|doctora?|dottor(?:essa)?|doutora?|prof|professor|pd) )(?:\p{L}{1,4}\. ?)*\p{Lu}/iu;

/** The physician whom a caption names by title and name, perhaps with an address behind: `Einsender: Dr. med. Jane Doe, Musterweg 4, 12345 Musterstadt`. */
function addressedPhysician(type: DocumentType, layout: Layout): ExtractedValue | null {
  for (const { text, stretch, score } of textsAtCaption(type, 'physician_name', layout)) {
    const name = text.split(',')[0]!;
    if (score < leastScore || !physician.test(name)) continue;
    const isAddressed = hasPlace(text.slice(name.length + 1).trim());
    if (isAddressed || (name === text && isPersonName(name)))
      return composedValue(name, isAddressed ? 84 : 78, [{ ...stretch, end: stretch.start + name.length }]);
  }
  return null;
}

/** Who signs a letter wrote it, whomever it names besides. */
const signedConfidence = 86;

/** The physician who signs a letter, below its valediction. */
function signedBy(layout: Layout): ExtractedValue | null {
  const at = layout.lines.findLastIndex(({ text }) => isValediction(text));
  if (at < 0) return null;
  const name = layout.lines.slice(at + 1, at + 5).find(({ text }) => physician.test(text) && text.length < 50);
  return name ? composedValue(name.text.replace(/[\s,]+$/, ''), signedConfidence, [{ line: name }]) : null;
}

/** The physician whose title and name are alone in one of the last lines, where no caption and no valediction names one. */
function signedAtEnd(layout: Layout): ExtractedValue | null {
  const found = layout.lines
    .slice(-lastLines)
    .filter(({ text }) => physician.test(text) && text.length < 50 && isPersonName(withoutTitles(text)));
  const [only, ...others] = found;
  return only && others.length === 0 ? composedValue(only.text.trim(), endConfidence, [{ line: only }]) : null;
}

const lastLines = 8;
const endConfidence = 76;

/** A caption with its text, or a heading in capitals that is none of a field's: `HOSPITAL COURSE:`. */
const nextHeading =
  /^[\p{L} ]{3,30}:\s*\S|^\p{Lu}[\p{Lu} ,/&-]{3,40}:$|^\p{Lu}\p{Ll}+(?: (?:\p{Lu}\p{Ll}+|bei|of|and|und|du|de|à|al|per)){0,3}:$/u;

/** What a letter says to whom it is sent, right below its findings. */
const thanks = /^(?:thank you|many thanks|vielen dank|merci de|gracias por|bedankt)(?!\p{L})/iu;

/** What stands to the right of a heading with a colon, in the lines of its own column: `Diagnosis:`, well before the text. */
function besideHeading(heading: TextLine, layout: Layout): ExtractedValue | null {
  const { right } = neighboursOf(layout, heading);
  if (!right || !/:\s*$/.test(heading.text) || /:/.test(right.text) || !/\p{L}{3}/u.test(right.text)) return null;
  const lines = [right];
  for (let { below } = neighboursOf(layout, right); below; { below } = neighboursOf(layout, below)) {
    const isNext =
      Math.abs(below.box.x0 - right.box.x0) < letterHeight(right) &&
      below.box.y0 - lines.at(-1)!.box.y1 < 0.9 * letterHeight(right);
    if (!isNext || lines.length === longestBeside) break;
    lines.push(below);
  }
  return composedValue(
    lines.map(({ text }) => text.trim()).join(' '),
    80,
    lines.map((line) => ({ line })),
  );
}

/** Lines of such a text. */
const longestBeside = 6;

/** The text under a heading up to the first wide gap, another caption or a table. */
function paragraphOf(section: Section, isTable: (line: TextLine) => boolean): ExtractedValue | null {
  const stretches: Stretch[] = [];
  const texts: string[] = [];
  if (section.rest) {
    stretches.push({ line: section.heading, start: section.rest.start });
    texts.push(section.rest.text);
  }
  let previous = section.heading;
  for (const { text, lines } of section.rows.slice(0, 40)) {
    const line = lines[0]!;
    const gap = (line.box.y0 - previous.box.y1) / Math.max(letterHeight(previous), letterHeight(line));
    const apart = line.page !== previous.page || gap > (texts.length === 0 ? 2.2 : 0.9);
    if (apart || lines.some(isTable) || nextHeading.test(text) || thanks.test(text)) break;
    for (const part of lines) stretches.push({ line: part });
    texts.push(text);
    previous = line;
  }
  const text = texts.join(' ').trim();
  if (!/\p{L}{3}/u.test(text)) return null;
  return composedValue(text, text.length > 8 ? 80 : 60, stretches);
}

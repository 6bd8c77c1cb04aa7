import type { Candidate, ExtractedValue, JsonValue, Layout, TextLine } from '@millrace/document-model';
import { foldText } from '../../candidates/date.ts';
import { textsAtCaption } from '../../compose/captioned.ts';
import type { ComposedFields, Findings } from '../../compose/compose.ts';
import { hasGivenName } from '../../compose/given-names.ts';
import { isOrganizationName, isPersonName, letterHeight, withoutTitles } from '../../compose/names.ts';
import { candidateValue, composedValue, type Stretch } from '../../compose/value.ts';
import { neighboursOf } from '../../layout/neighbours.ts';

const listLimit = 60;

/**
 * What any document says: its title and date, who and what organizations it names, its amounts, and what it labels.
 * A document with text is never left without an answer: without title and labels, its text's beginning is given.
 */
export function composeGeneral({ type, layout, candidates }: Findings): ComposedFields {
  const captioned = textsAtCaption(type, 'title', layout).find(
    ({ place, text, stretch }) =>
      place === 'behind' &&
      text.length > 3 &&
      text.length < 160 &&
      /^[^\p{L}\p{N}]*\p{L}+[^\p{L}\p{N}]*$/u.test(stretch.line.text.slice(0, stretch.start)),
  );
  const title = captioned
    ? composedValue(captioned.text, 82, [captioned.stretch])
    : (subjectOf(layout) ?? titleOf(layout));
  const keyValues = keyValuesOf(layout);
  const organizations = organizationsOf(layout);
  return {
    title,
    date: dateOf(candidates, layout),
    people: peopleOf(layout),
    organizations,
    amounts: amountsOf(candidates, layout),
    key_values: keyValues,
    text: title || keyValues ? null : beginningOf(layout),
  };
}

const salutation =
  /^(?:dear|sehr geehrte[rs]?|guten tag|madame|monsieur|ch[eè]re?s?|estimad[oa]s?|gentil[ei]|egregi[oa]|exm[oa]s?\.?|geachte|beste)(?!\p{L})/iu;
const longestSalutation = 60;
const longestSubject = 110;

/** What a letter is about, in a line of its own right below its salutation; null where its text begins there. */
function subjectOf(layout: Layout): ExtractedValue | null {
  const isBold = ({ words }: TextLine) => words.every(({ bold }) => bold === true);
  for (const line of layout.lines.slice(0, subjectLines)) {
    if (line.text.length > longestSalutation || !salutation.test(line.text)) continue;
    const { below } = neighboursOf(layout, line);
    const next = below && neighboursOf(layout, below).below;
    if (!below || !next || below.text.length > longestSubject) continue;
    const isApart = isBold(below) ? !isBold(next) : below.box.x1 - below.box.x0 < 0.7 * (next.box.x1 - next.box.x0);
    if (isApart && /^[\p{Lu}\d]/u.test(below.text) && /\p{L}{3}/u.test(below.text) && !/[.,;:!?]$/.test(below.text))
      return composedValue(below.text, 80, [{ line: below }]);
  }
  return null;
}

const subjectLines = 60;

/** The line at the top of the first page whose letters are the largest, with those of the same size that go on from it. */
function titleOf(layout: Layout): ExtractedValue | null {
  const page = layout.document.pages[0];
  if (!page) return null;
  const heights = layout.lines.map(letterHeight).sort((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 1;
  const head = layout.lines.filter(
    (line) =>
      line.page === page.number &&
      line.box.y0 < page.height * 0.5 &&
      /\p{L}{3}/u.test(line.text) &&
      line.text.length <= 120,
  );
  let best: { line: TextLine; score: number } | null = null;
  head.forEach((line, index) => {
    const name = isOrganizationName(line.text) || isPersonName(line.text) ? 0.5 : 0;
    const detail = /[@\d]{5}|https?:|www\.|:\s*$/.test(line.text) ? 0.8 : 0;
    const sentence = /[.,;]$/.test(line.text) && line.words.length > 6 ? 0.8 : 0;
    const bold = line.words[0]?.bold ? 0.35 : 0;
    const score =
      Math.min(3, letterHeight(line) / usual) + bold - name - detail - sentence - Math.min(0.6, index * 0.03);
    if (!best || score > best.score) best = { line, score };
  });
  const found = best as { line: TextLine; score: number } | null;
  if (!found || found.score < 1.1) return null;
  const lines = [found.line];
  for (
    let below = neighboursOf(layout, found.line).below;
    below && lines.length < 3;
    below = neighboursOf(layout, below).below
  ) {
    const same =
      Math.abs(letterHeight(below) / letterHeight(found.line) - 1) < 0.12 && letterHeight(below) > 1.25 * usual;
    if (!same || below.box.y0 - lines.at(-1)!.box.y1 > 0.8 * letterHeight(below)) break;
    lines.push(below);
  }
  return composedValue(
    lines.map(({ text }) => text).join(' '),
    found.score > 1.6 ? 74 : 58,
    lines.map((line) => ({ line })),
  );
}

/** The date that the document bears: behind a caption or a place, else the first of its head. */
function dateOf(candidates: readonly Candidate[], layout: Layout): ExtractedValue | null {
  const page = layout.document.pages[0];
  if (!page) return null;
  let best: { candidate: Candidate; score: number } | null = null;
  for (const candidate of candidates) {
    if (candidate.kind !== 'date' || candidate.page !== page.number) continue;
    const line = layout.lines.find(({ words }) => words.includes(candidate.words[0]!));
    const before = line ? line.text.slice(0, Math.max(0, line.text.indexOf(candidate.text))) : '';
    const captioned = /(?:date|datum|fecha|data|dated|den|le)\s*[:.]?\s*$/iu.test(before) ? 1 : 0;
    const alone =
      line &&
      line.text
        .replace(candidate.text, '')
        .replace(/[\p{L}]+,?\s*(?:den|le|a)?/u, '')
        .trim().length < 3
        ? 0.6
        : 0;
    const other = /(?:birth|geb|naissance|nacimiento|nascita|due|fällig|until|bis|expir|valid)/iu.test(before)
      ? 1.2
      : 0;
    const score = candidate.quality + captioned + alone - other - candidate.box.y0 / page.height;
    if (!best || score > best.score) best = { candidate, score };
  }
  const found = best as { candidate: Candidate; score: number } | null;
  return found && found.score > 0.2 ? candidateValue(found.candidate, found.score > 1.4 ? 80 : 62) : null;
}

const honorific =
  /(?<!\p{L})(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herrn?|Frau|Monsieur|Madame|Mme|Mlle|Sra?|Srta|Dott|Sig|Sig\.ra|Exm[oa]|Dhr|Mevr|Mevrouw|M)\.? (?:(?:Dr|Prof|Dipl|Ing)\.? )*(\p{Lu}[\p{L}'’-]+(?: (?:van|von|de|der|den|del|della|di|da|dos|\p{Lu}\.?|\p{Lu}[\p{L}'’-]+)){0,3})/gu;
const personCaption =
  /^(?:name|attendees?|participants?|present|from|to|author|contact|prepared by|approved by|signed by|an|von|bearbeiter|sachbearbeiter|ansprechpartner|teilnehmer|anwesende?n?|nom|auteur|participants|présents|de|à|nombre|asistentes|para|autor|nome|partecipanti|presenti|da|a|participantes|presentes|naam|aanwezig(?:en)?|aan|van|employee|patient|applicant|owner|manager|reviewer|husband|wife|groom|bride|cardholder)$/iu;

/** People: behind a title or a caption of people, at a letter's end, or where a name stands alone on its line. */
function peopleOf(layout: Layout): ExtractedValue | null {
  const found = new Map<string, { name: string; stretch: Stretch }>();
  const add = (name: string, stretch: Stretch) => {
    const bare = withoutTitles(name.replace(/[\s,.;]+$/, ''));
    const key = foldText(bare);
    if (found.size < listLimit && !found.has(key)) found.set(key, { name: bare, stretch });
  };
  for (const line of layout.lines) {
    if (line.text.length > 600) continue;
    for (const match of line.text.matchAll(honorific)) {
      const name = match[1]!.replace(/ (?:van|von|de|der|den|del|della|di|da|dos)$/, '');
      if (/ /.test(name) && isPersonName(name))
        add(name, { line, start: match.index, end: match.index + match[0].length });
    }
    const colon = line.text.indexOf(':');
    if (colon > 0 && personCaption.test(line.text.slice(0, colon).trim())) {
      let at = colon + 1;
      for (const part of line.text.slice(colon + 1).split(/[,;&]| and | und | et | y | e | en /)) {
        const start = line.text.indexOf(part, at);
        at = Math.max(at, start);
        if (isPersonName(part)) add(part.trim(), { line, start, end: start + part.length });
      }
    } else if (isPersonName(line.text) && line.words.length <= 4 && isOrganizationName(line.text) === null) {
      const { left } = neighboursOf(layout, line);
      const captioned = left !== null && personCaption.test(left.text.replace(/\s*:$/, '').trim());
      if (captioned || hasGivenName(line.text)) add(line.text, { line });
    }
  }
  if (found.size === 0) return null;
  const all = [...found.values()];
  return composedValue(
    all.map(({ name }) => name),
    62,
    all.map(({ stretch }) => stretch),
  );
}

const organizationPattern =
  /(?:\p{Lu}[\p{L}\d&.'’-]*|&|und|and|et|y|e|of)(?: (?:\p{Lu}[\p{L}\d&.'’-]*|&|und|and|et|of|de|der|di|do|e|y)){0,5}?,? (?:GmbH(?: & Co\. KG)?|AG|KG|OHG|e\.V\.|Inc\.?|LLC|LLP|Ltd\.?|Limited|PLC|Corp\.?|Corporation|Company|Sdn\.? Bhd\.?|Pty Ltd|S\.?A\.?R\.?L\.?|SARL|SAS|EURL|S\.L\.U?\.?|S\.A\.|SA|SL|S\.?r\.?l\.?|S\.?p\.?A\.?|S\.n\.c\.|B\.?V\.?|N\.V\.|Lda\.?|Ltda\.?)(?![\p{L}])/gu;

function organizationsOf(layout: Layout): ExtractedValue | null {
  const found = new Map<string, { name: string; stretch: Stretch; sure: boolean }>();
  const add = (name: string, stretch: Stretch, sure: boolean) => {
    const key = foldText(name).replace(/[^a-z0-9]/g, '');
    if (found.size < listLimit && key.length > 2 && !found.has(key)) found.set(key, { name, stretch, sure });
  };
  for (const line of layout.lines) {
    if (line.text.length > 600) continue;
    const kind = isOrganizationName(line.text);
    if (kind === 'legal_form' && line.words.length <= 7 && !/[:]/.test(line.text)) {
      add(line.text, { line }, true);
      continue;
    }
    let any = false;
    for (const match of line.text.matchAll(organizationPattern)) {
      any = true;
      add(match[0], { line, start: match.index, end: match.index + match[0].length }, true);
    }
    if (
      !any &&
      kind === 'word' &&
      letterHeight(line) > 0 &&
      line.words.length <= 5 &&
      line.words.length >= 2 &&
      !/[:.]$/.test(line.text)
    )
      add(line.text, { line }, false);
  }
  if (found.size === 0) return null;
  const all = [...found.values()];
  return composedValue(
    all.map(({ name }) => name),
    all.every(({ sure }) => sure) ? 72 : 58,
    all.map(({ stretch }) => stretch),
  );
}

/** Amounts of money: those with a currency, and those whose line names what they are. */
function amountsOf(candidates: readonly Candidate[], layout: Layout): ExtractedValue | null {
  const values: JsonValue[] = [];
  const used: Candidate[] = [];
  for (const candidate of candidates) {
    if (candidate.kind !== 'amount' || values.length >= listLimit) continue;
    const line = layout.lines.find(({ words }) => words.includes(candidate.words[0]!));
    const around = line
      ? line.text.slice(
          Math.max(0, line.text.indexOf(candidate.text) - 5),
          line.text.indexOf(candidate.text) + candidate.text.length + 5,
        )
      : candidate.text;
    const currency = /€|EUR/.test(around)
      ? 'EUR'
      : /£|GBP/.test(around)
        ? 'GBP'
        : /US\$|USD/.test(around)
          ? 'USD'
          : /\$/.test(around)
            ? '$'
            : /CHF/.test(around)
              ? 'CHF'
              : /\bRM\b|MYR/.test(around)
                ? 'MYR'
                : /¥|JPY/.test(around)
                  ? 'JPY'
                  : null;
    const total =
      line &&
      /(?<!\p{L})(?:total|amount|balance|price|fee|sum|summe|betrag|gesamt|preis|montant|prix|importe|precio|importo|prezzo|valor|preço|totaal|bedrag|prijs)(?!\p{L})/iu.test(
        line.text,
      );
    if (!currency && !(total && /[.,]\d{2}$/.test(candidate.text.trim()))) continue;
    if (used.some((other) => other.words.some((word) => candidate.words.includes(word)))) continue;
    const label = line
      ? /^([\p{L}][\p{L}\d .%()/&'’-]{1,48}?)\s*[:.]*\s*$/u.exec(
          line.text.slice(0, line.text.indexOf(candidate.text)).replace(/[€$£]|EUR|USD|GBP|CHF|RM/g, ''),
        )?.[1]
      : undefined;
    used.push(candidate);
    values.push({
      amount: candidate.value,
      ...(currency && currency !== '$' && { currency }),
      ...(label && { label: label.trim() }),
    });
  }
  return values.length === 0
    ? null
    : {
        value: values,
        confidence: 70,
        provenance: used.flatMap((candidate) => candidateValue(candidate, 70).provenance),
        flags: [],
      };
}

/** What the document labels: `Label: value`, a label left of its value, and a label above it in a form. */
function keyValuesOf(layout: Layout): ExtractedValue | null {
  const pairs = new Map<string, string>();
  const stretches: Stretch[] = [];
  const add = (label: string, value: string, parts: readonly Stretch[]) => {
    const key = label.replace(/\s+/g, ' ').trim();
    if (pairs.size >= 200 || key === '' || pairs.has(key)) return;
    pairs.set(key, value.replace(/\s+/g, ' ').trim());
    stretches.push(...parts);
  };
  for (const line of layout.lines) {
    if (line.text.length > 400) continue;
    // Several pairs may share a line.
    const colons = [
      ...line.text.matchAll(
        /(?<=^|\s{1,}|[.;,|)])(\p{Lu}[\p{L}\d .'’()/#&%-]{0,38}?|\p{L}[\p{L}\d.'’/-]{0,20})\s?:(?!\/\/|\d\d(?!\d*[.,]))/gu,
      ),
    ];
    if (colons.length > 0) {
      colons.forEach((match, index) => {
        const label = match[1]!;
        if (label.split(' ').length > 6 || !/\p{L}{2}|^No/u.test(label)) return;
        const start = match.index + match[0].length;
        const end = colons[index + 1]?.index ?? line.text.length;
        const value = line.text.slice(start, end).trim();
        if (value !== '') {
          const at = line.text.indexOf(value, start);
          if (value.length <= 200) add(label, value, [{ line, start: at, end: at + value.length }]);
          return;
        }
        const { right, below } = neighboursOf(layout, line);
        if (right && right.text.length <= 120 && !/:\s*$/.test(right.text)) add(label, right.text, [{ line: right }]);
        else if (
          below &&
          below.text.length <= 120 &&
          Math.abs(below.box.x0 - line.box.x0) < 3 * letterHeight(line) &&
          !/:/.test(below.text) &&
          below.box.y0 - line.box.y1 < 1.2 * letterHeight(line)
        )
          add(label, below.text, [{ line: below }]);
      });
    }
  }
  for (const table of layout.tables) {
    const rows = table.rows.flatMap(({ cells: [left, right] }) =>
      left && right && left.words.length > 0 && right.words.length > 0 ? [{ left, right }] : [],
    );
    // Prose in two columns is no list of labels.
    const wordy = rows.filter(({ left, right }) => left.words.length > 5 || right.words.length > 14).length;
    if (table.columnCount !== 2 || wordy * 3 > rows.length) continue;
    for (const { left, right } of rows) {
      const label = left.text.replace(/\s*:$/, '');
      if (!/^\P{L}{0,3}\p{L}{2}/u.test(label) || label.length > 50 || /[:,;]/.test(label) || label === right.text)
        continue;
      if (right.text.length > 160 || /^[^:]{2,30}:\s/.test(right.text)) continue;
      const lines = layout.lines.filter(({ words }) => words.some((word) => right.words.includes(word)));
      add(
        label,
        right.text,
        lines.map((line) => ({ line })),
      );
    }
  }
  return pairs.size === 0 ? null : composedValue(Object.fromEntries(pairs), 64, stretches);
}

/** The first few hundred characters, at a line's end. */
function beginningOf(layout: Layout): ExtractedValue | null {
  const lines: TextLine[] = [];
  let length = 0;
  for (const line of layout.lines) {
    if (length > 400) break;
    lines.push(line);
    length += line.text.length + 1;
  }
  return lines.length === 0
    ? null
    : composedValue(
        lines.map(({ text }) => text).join('\n'),
        60,
        lines.map((line) => ({ line })),
      );
}

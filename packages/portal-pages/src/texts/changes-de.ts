type Pattern = readonly [RegExp, (...found: string[]) => string];

const places: Readonly<Record<string, string>> = {
  query: 'Query-Parameter',
  header: 'Header-Parameter',
  path: 'Pfad-Parameter',
  cookie: 'Cookie-Parameter',
};
const types: Readonly<Record<string, string>> = { any: 'beliebig', open: 'offen', or: 'oder' };
const inGerman = (words: string) => words.replaceAll(/\b(?:any|or)\b/g, (word) => types[word]!);
const bound = (value: string) => (value === 'open' ? 'offen' : value);

/** What a sentence is about. */
const subjects: readonly Pattern[] = [
  [/^The body$/, () => 'Der Body'],
  [/^The response (\S+)$/, (status = '') => `Die Antwort ${status}`],
  [/^The (query|header|path|cookie) parameter (.+)$/, (place = '', name = '') => `Der ${places[place]} ${name}`],
];

/** Sentences about an operation as a whole. */
const ofOperation: readonly Pattern[] = [
  [/^([A-Z]+ \/.*) was (added|removed)\.$/, (name = '', what = '') => `${name} ${was(what)}.`],
  [
    /^The (summary|description) was changed\.$/,
    (field) => `Die ${field === 'summary' ? 'Zusammenfassung' : 'Beschreibung'} wurde geändert.`,
  ],
  [
    /^The operationId has changed, so methods of generated clients get another name\.$/,
    () => 'Die operationId wurde geändert; Methoden generierter Clients heißen damit anders.',
  ],
  [/^The operation is deprecated\.$/, () => 'Die Operation ist veraltet.'],
  [
    /^Callers need credentials that were not required or not sufficient before\.$/,
    () => 'Aufrufe brauchen Zugangsdaten, die bisher nicht verlangt wurden oder nicht ausreichten.',
  ],
  [/^More callers are admitted\.$/, () => 'Mehr Aufrufe sind zugelassen.'],
  [/^A body is now required\.$/, () => 'Ein Body wird jetzt verlangt.'],
  [/^A body is no longer accepted\.$/, () => 'Ein Body wird nicht mehr angenommen.'],
];

/** What is said of a subject, after its name. */
const predicates: readonly Pattern[] = [
  [/^was (added|removed)\.$/, (what = '') => `${was(what)}.`],
  [/^is new and required\.$/, () => 'ist neu und wird verlangt.'],
  [/^is new\.$/, () => 'ist neu.'],
  [/^is now required\.$/, () => 'wird jetzt verlangt.'],
  [/^is now optional\.$/, () => 'ist jetzt optional.'],
  [/^is no longer accepted as (\S+)\.$/, (type = '') => `wird nicht mehr als ${type} angenommen.`],
  [/^is no longer returned as (\S+)\.$/, (type = '') => `wird nicht mehr als ${type} zurückgegeben.`],
  [/^may be (\S+)\.$/, (type = '') => `kann jetzt ${type} sein.`],
];

/** What is said of a schema, after its subject and a colon. */
const ofSchema: readonly Pattern[] = [
  [
    /^the type was ([a-z ]+) and is ([a-z ]+)\.$/,
    (old = '', current = '') => `Typ bisher ${inGerman(old)}, jetzt ${inGerman(current)}.`,
  ],
  [/^only listed values are allowed\.$/, () => 'nur aufgezählte Werte sind erlaubt.'],
  [/^values are no longer listed\.$/, () => 'Werte sind nicht mehr aufgezählt.'],
  [/^the value (.+) was removed\.$/, (value = '') => `der Wert ${value} wurde entfernt.`],
  [/^the value (.+) is new\.$/, (value = '') => `der Wert ${value} ist neu.`],
  [
    /^([A-Za-z]+) was (\S+) and is (\S+)\.$/,
    (name = '', old = '', current = '') => `${name} bisher ${bound(old)}, jetzt ${bound(current)}.`,
  ],
  [/^the (pattern|format) differs\.$/, (rule) => `${rule === 'pattern' ? 'das Muster' : 'das Format'} ist anders.`],
  [/^the property was removed\.$/, () => 'die Eigenschaft wurde entfernt.'],
  [/^the property was added and required\.$/, () => 'die Eigenschaft wurde hinzugefügt und wird verlangt.'],
  [/^the property was added\.$/, () => 'die Eigenschaft wurde hinzugefügt.'],
  [/^the property is now required\.$/, () => 'die Eigenschaft wird jetzt verlangt.'],
  [/^the property is now optional\.$/, () => 'die Eigenschaft ist jetzt optional.'],
  [/^additional properties are now rejected\.$/, () => 'weitere Eigenschaften werden jetzt abgelehnt.'],
  [
    /^the number of alternatives changed from (\d+) to (\d+)\.$/,
    (old = '', current = '') => `die Zahl der Alternativen war ${old} und ist ${current}.`,
  ],
];

function was(what: string): string {
  return what === 'added' ? 'wurde hinzugefügt' : 'wurde entfernt';
}

/** Longer sentences, with names of unusual length, stay in English. */
const longest = 2_000;

/**
 * A sentence of the change log in German; null where it is none that `@millrace/openapi` writes. Recorded changes have
 * English sentences, so that one record serves readers of every language.
 */
export function germanChange(text: string): string | null {
  if (text.length > longest) return null;
  return found(ofOperation, text) ?? ofSubject(text);
}

function ofSubject(text: string): string | null {
  for (const { index, 0: separator } of text.matchAll(/: | (?=was|is|may)/g)) {
    const rest = text.slice(index + separator.length);
    const said = found(separator === ': ' ? ofSchema : predicates, rest);
    const subject = said === null ? null : subjectOf(text.slice(0, index));
    if (subject !== null) return `${subject}${separator}${said}`;
  }
  return null;
}

/** A subject, with the field of its schema after a comma. */
function subjectOf(text: string): string | null {
  const comma = text.indexOf(', ');
  if (comma < 0) return found(subjects, text);
  const subject = found(subjects, text.slice(0, comma));
  return subject === null ? null : `${subject}${text.slice(comma)}`;
}

function found(patterns: readonly Pattern[], text: string): string | null {
  for (const [pattern, write] of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return write(...match.slice(1));
  }
  return null;
}

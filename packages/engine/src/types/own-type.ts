import type { OwnType } from '@millrace/document-model/own-type';
import type { ColumnDefinition, DocumentType, FieldDefinition } from './definition.ts';

/** Captions that confirmed documents of a type showed next to its values, by the field's name. */
export type LearnedCaptions = ReadonlyMap<string, readonly string[]>;

const nothingLearned: LearnedCaptions = new Map();

/** Weak captions of a field at most. */
const weakLimit = 60;

/**
 * A document type from an account's definition. Its fields' captions are those that are defined and those that were
 * learned; without any, the words of the field's name. What is weaker speaks for a field where they don't: its name,
 * the words of its description, and the captions that built-in fields of the same meaning have.
 *
 * @param builtIn the built-in types, whose captions in other languages are taken over.
 */
export function makeOwnType(
  own: OwnType,
  builtIn: readonly DocumentType[],
  learned: LearnedCaptions = nothingLearned,
): DocumentType {
  const strong = own.fields.map(({ captions, name }) => {
    const known = distinct([...captions.map(captionText), ...(learned.get(name) ?? [])]);
    return known.length > 0 ? known : [wordsOf(name)];
  });
  const taken = new Set(strong.flat());
  const fields = own.fields.map((field, index): FieldDefinition => {
    const captions = strong[index]!;
    const weak = [
      wordsOf(field.name),
      ...alikeCaptions(field, captions, builtIn),
      ...phrasesOf(field.description, own),
    ];
    return {
      name: field.name,
      kind: field.kind,
      description: field.description,
      captions,
      weakCaptions: distinct(weak)
        .filter((caption) => !taken.has(caption))
        .slice(0, weakLimit),
      examples: field.examples,
      ...(field.repeated && { repeated: true, composed: true }),
    };
  });
  const required = own.fields.filter((field) => field.required).map(({ name }) => name);
  return {
    name: own.name,
    title: own.title,
    description: own.description,
    isOwn: true,
    required,
    usual: required,
    fields,
    rows: own.columns.length > 0 ? 'lines' : 'none',
    columns: own.columns.map(
      (column): ColumnDefinition => ({
        ...column,
        captions: distinct([...column.captions.map(captionText), wordsOf(column.name)]),
      }),
    ),
    evidence: [],
  };
}

/** A type of which nothing is known but its name, for documents whose type is gone. */
export function bareType(name: string): DocumentType {
  const title = wordsOf(name);
  return { name, title, description: '', isOwn: true, usual: [], fields: [], rows: 'none', columns: [], evidence: [] };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text !== ''))];
}

function captionText(caption: string): string {
  return caption
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\s:]+$/, '')
    .toLowerCase();
}

function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Of a built-in field's captions, so many say its meaning; further ones may be those of other fields as well. */
const tellingCaptions = 3;

/** The captions of built-in fields that have the same name and kind, or of which a usual caption is the field's. */
function alikeCaptions(
  { kind, name }: OwnType['fields'][number],
  captions: readonly string[],
  builtIn: readonly DocumentType[],
): readonly string[] {
  const own = new Set([...captions, wordsOf(name)].filter((caption) => caption.includes(' ')));
  const alike = builtIn
    .flatMap(({ fields }) => fields)
    .filter(
      (field) =>
        field.kind === kind &&
        (field.name === name || field.captions.slice(0, tellingCaptions).some((caption) => own.has(caption))),
    );
  return [...new Set(alike)].flatMap((field) => field.captions);
}

/** Words that say nothing of a field. */
const emptyWords: ReadonlySet<string> = new Set(
  (
    'the a an of and or to in on at by for from with is are was were be been as it its this that which who whose what ' +
    'number date name amount value document printed total text list one two first last der die das den dem des ein eine ' +
    'und oder von zu im am mit fur ist sind als wie le la les un une et ou de du des en au el los las y o il lo gli'
  ).split(' '),
);
const phraseWords = 3;

/**
 * Stretches of up to three words of a description, once as it stands and once without words that say nothing, as
 * captions leave them out; and words of it that no other field of the type has.
 */
function phrasesOf(description: string, own: OwnType): readonly string[] {
  const words = wordsIn(description);
  const telling = words.filter((word) => !emptyWords.has(word));
  const others = own.fields.flatMap((field) =>
    field.description === description ? [] : wordsIn(`${field.description} ${wordsOf(field.name)}`),
  );
  const single = telling.filter((word) => word.length >= 5 && !others.includes(word));
  return [...stretchesOf(telling), ...stretchesOf(words), ...single];
}

function stretchesOf(words: readonly string[]): string[] {
  const stretches: string[] = [];
  for (let length = phraseWords; length >= 2; length -= 1) {
    for (let at = 0; at + length <= words.length; at += 1) {
      const stretch = words.slice(at, at + length);
      if (!emptyWords.has(stretch[0]!) || !emptyWords.has(stretch.at(-1)!)) stretches.push(stretch.join(' '));
    }
  }
  return stretches;
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

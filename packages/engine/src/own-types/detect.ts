import { type Classification, defaultDocType, type Layout } from '@millrace/document-model';
import type { OwnType } from '@millrace/document-model/own-type';
import { foldText } from '../candidates/date.ts';
import { untrainedTypes } from '../classify/classify.ts';
import { matchCaptions, tokensOf } from '../score/captions.ts';
import type { DocumentType } from '../types/definition.ts';
import { documentTypeNamed, documentTypes } from '../types/registry.ts';

/** Lines of a document's first pages that are looked at. */
const lineLimit = 400;
const pageLimit = 2;
/** A title stands in the upper part of the first page. */
const titleShare = 0.35;
/** Captions of different fields that have to stand in a document, and their share of the fields that have some. */
const leastCaptions = 3;
const leastShare = 0.6;
/** A type of fewer fields than this is never detected: its captions may stand in anything. */
const leastFields = 3;
/** A trained type this sure stays, unless the other type has its title and captions that no trained type has. */
const sureTrained = 90;
/** What the detection of such a type may reach. */
const confidence = { strong: 92, plain: 82 };

/** A type that the classifier does not know: an account's own, or a built-in one that came after the training. */
interface UntrainedType {
  readonly name: string;
  readonly typeOf: () => DocumentType;
  /** What such documents may be titled. */
  readonly titles: readonly string[];
  /** The fields whose captions count, by their index in the type. */
  readonly counted: readonly boolean[];
}

/** What the types have that the classifier knows. */
interface TrainedWords {
  readonly captions: ReadonlySet<string>;
  readonly titles: ReadonlySet<string>;
}

function wordsOf(types: readonly DocumentType[]): TrainedWords {
  return {
    captions: new Set(types.flatMap(({ fields }) => fields.flatMap(({ captions }) => captions.map(keyOf)))),
    titles: new Set(types.flatMap((type) => [type.title, ...type.evidence.map(([phrase]) => phrase)].map(keyOf))),
  };
}

let trainedWords: TrainedWords | null = null;

/**
 * Decides between the classifier's type and types that it has not seen: an account's own, and built-in ones that came
 * after its training. One of those is detected only by strong evidence: its title stands at the top of the first page,
 * and the captions of most of its fields are there.
 *
 * @param untrained the built-in types that the classifier does not know
 */
export function detectUntrainedType(
  layout: Layout,
  classification: Classification,
  ownTypes: readonly OwnType[],
  untrained: readonly DocumentType[] = untrainedTypes(),
): Classification {
  if (ownTypes.length === 0 && untrained.length === 0) return classification;
  const titles = titlesOf(layout);
  const isShipped = untrained === untrainedTypes();
  const words = (isShipped ? trainedWords : null) ?? wordsOf(documentTypes.filter((type) => !untrained.includes(type)));
  if (isShipped) trainedWords = words;
  let best: { readonly classification: Classification; readonly worth: number } | null = null;
  for (const unseen of [...untrained.map(builtIn), ...ownTypes.map(ownType)]) {
    const evidence = evidenceOf(unseen, layout, titles, words);
    if (!evidence || !isStrong(evidence, classification)) continue;
    const worth = evidence.found + evidence.share;
    if (best && best.worth >= worth) continue;
    const sure = evidence.share >= 0.8 && evidence.ownOnly >= 2 ? confidence.strong : confidence.plain;
    best = { classification: { docType: unseen.name, confidence: sure }, worth };
  }
  return best?.classification ?? classification;
}

function ownType(own: OwnType): UntrainedType {
  return {
    name: own.name,
    typeOf: () => documentTypeNamed(own.name, [own]),
    titles: [own.title, own.name.replaceAll('_', ' ')],
    // Only what the account itself defined counts.
    counted: own.fields.map(({ captions }) => captions.length > 0),
  };
}

/** The weight from which on a phrase is a title. */
const titleWeight = 3;

function builtIn(type: DocumentType): UntrainedType {
  const phrases = type.evidence.flatMap(([phrase, weight]) => (weight >= titleWeight ? [phrase] : []));
  return {
    name: type.name,
    typeOf: () => type,
    titles: [type.title, type.name.replaceAll('_', ' '), ...phrases],
    counted: type.fields.map(({ captions, name }) => captions.length > 0 && type.usual.includes(name)),
  };
}

interface Evidence {
  /** The title is none that a trained type has as well. */
  readonly isOwnTitle: boolean;
  /** Fields of which a caption stands in the document, their share of all with captions, and those of own captions. */
  readonly found: number;
  readonly share: number;
  readonly ownOnly: number;
}

function isStrong({ found, isOwnTitle, ownOnly, share }: Evidence, trained: Classification): boolean {
  if (found < leastCaptions || share < leastShare) return false;
  // By what both have in common a trained type is the likelier one.
  if (!isOwnTitle) return share >= 0.8 && ownOnly >= leastCaptions + 1;
  return trained.confidence < sureTrained || trained.docType === defaultDocType || ownOnly >= 2;
}

function evidenceOf(
  { counted, titles: own, typeOf }: UntrainedType,
  layout: Layout,
  titles: ReadonlySet<string>,
  trained: TrainedWords,
): Evidence | null {
  const named = own.map(keyOf).filter((key) => key.length >= 3);
  const title = named.find((key) => titles.has(key));
  const captioned = counted.filter(Boolean).length;
  if (title === undefined || captioned < leastFields) return null;
  const type = typeOf();
  const isTolerant = layout.document.pages.some(({ words }) => words[0]?.source.startsWith('ocr:'));
  const found = new Set<string>();
  const ownOnly = new Set<string>();
  for (const line of layout.lines.slice(0, lineLimit)) {
    if (line.page > pageLimit || line.text.length > 400) continue;
    for (const { end, field, score, start } of matchCaptions(type, tokensOf(line.text), isTolerant)) {
      const { captions, name } = type.fields[field]!;
      if (score < 0.7 || !counted[field]) continue;
      const key = keyOf(line.text.slice(start, end));
      found.add(name);
      if (!trained.captions.has(key) && captions.length > 0) ownOnly.add(name);
    }
  }
  return {
    isOwnTitle: !trained.titles.has(title),
    found: found.size,
    share: found.size / captioned,
    ownOnly: ownOnly.size,
  };
}

/** The lines at the top of the first page, and two of them together where a title is broken. */
function titlesOf({ document, lines }: Layout): ReadonlySet<string> {
  const [first] = document.pages;
  if (!first) return new Set();
  const top = lines
    .filter(({ box, page }) => page === first.number && box.y0 < titleShare * first.height)
    .slice(0, 40)
    .map(({ text }) => keyOf(text));
  return new Set([...top, ...top.slice(1).map((text, at) => top[at]! + text)]);
}

/** Letters and digits of a text, folded. */
function keyOf(text: string): string {
  return foldText(text.slice(0, 200)).replace(/[^\p{L}\d]+/gu, '');
}

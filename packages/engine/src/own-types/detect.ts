import type { Classification, Layout } from '@millrace/document-model';
import type { OwnType } from '@millrace/document-model/own-type';
import { foldText } from '../candidates/date.ts';
import { matchCaptions, tokensOf } from '../score/captions.ts';
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
/** A built-in type this sure stays, unless the account's type has its title and captions that no built-in type has. */
const sureBuiltIn = 90;
/** What a detection of an account's own type may reach. */
const confidence = { strong: 92, plain: 82 };

const builtInCaptions: ReadonlySet<string> = new Set(
  documentTypes.flatMap(({ fields }) => fields.flatMap(({ captions }) => captions.map(keyOf))),
);
const builtInTitles: ReadonlySet<string> = new Set(
  documentTypes.flatMap(({ evidence, title }) => [title, ...evidence.map(([phrase]) => phrase)].map(keyOf)),
);

/**
 * Decides between the classifier's type and an account's own types, which no classifier has seen. One of those is
 * detected only by strong evidence: its title stands at the top of the first page, and most of its fields' captions are
 * there.
 */
export function detectOwnType(
  layout: Layout,
  classification: Classification,
  ownTypes: readonly OwnType[],
): Classification {
  const titles = titlesOf(layout);
  let best: { readonly classification: Classification; readonly worth: number } | null = null;
  for (const own of ownTypes) {
    const evidence = evidenceOf(own, layout, titles);
    if (!evidence || !isStrong(evidence, classification)) continue;
    const worth = evidence.found + evidence.share;
    if (best && best.worth >= worth) continue;
    const sure = evidence.share >= 0.8 && evidence.ownOnly >= 2 ? confidence.strong : confidence.plain;
    best = { classification: { docType: own.name, confidence: sure }, worth };
  }
  return best?.classification ?? classification;
}

interface Evidence {
  /** The title is none that a built-in type has as well. */
  readonly isOwnTitle: boolean;
  /** Fields of which a caption stands in the document, their share of all with captions, and those of own captions. */
  readonly found: number;
  readonly share: number;
  readonly ownOnly: number;
}

function isStrong({ found, isOwnTitle, ownOnly, share }: Evidence, builtIn: Classification): boolean {
  if (found < leastCaptions || share < leastShare) return false;
  // By what both have in common a built-in type is the likelier one.
  if (!isOwnTitle) return share >= 0.8 && ownOnly >= leastCaptions + 1;
  return builtIn.confidence < sureBuiltIn || builtIn.docType === 'general' || ownOnly >= 2;
}

function evidenceOf(own: OwnType, layout: Layout, titles: ReadonlySet<string>): Evidence | null {
  const named = [own.title, own.name.replaceAll('_', ' ')].map(keyOf).filter((key) => key.length >= 3);
  const title = named.find((key) => titles.has(key));
  const captioned = own.fields.filter(({ captions }) => captions.length > 0).length;
  if (title === undefined || captioned < leastFields) return null;
  const type = documentTypeNamed(own.name, [own]);
  const isTolerant = layout.document.pages.some(({ words }) => words[0]?.source.startsWith('ocr:'));
  const found = new Set<string>();
  const ownOnly = new Set<string>();
  for (const line of layout.lines.slice(0, lineLimit)) {
    if (line.page > pageLimit || line.text.length > 400) continue;
    for (const { end, field, score, start } of matchCaptions(type, tokensOf(line.text), isTolerant)) {
      const { captions, name } = type.fields[field]!;
      // Only what the account itself defined counts.
      if (score < 0.7 || own.fields[field]?.captions.length === 0) continue;
      const key = keyOf(line.text.slice(start, end));
      found.add(name);
      if (!builtInCaptions.has(key) && captions.length > 0) ownOnly.add(name);
    }
  }
  return {
    isOwnTitle: !builtInTitles.has(title),
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

import { isDocType } from '@millrace/document-model';
import type { LearnedCaptions } from '../types/own-type.ts';
import type { KnownSender, TaughtPlace } from './lesson.ts';

/** Words and letters of a caption: longer texts before a value are sentences. */
const captionLimits = { words: 5, characters: 48 };
/** Captions learned for a field at most, the most frequent. */
const learnedLimit = 20;

/**
 * The captions that confirmed documents of an account's own type showed next to each field's values, the most frequent
 * first. A caption of two fields is of neither, and one at which a value was wrong is none.
 */
export function learnedCaptions(docType: string, senders: readonly KnownSender[]): LearnedCaptions {
  if (isDocType(docType)) return new Map();
  const counts = new Map<string, Map<string, number>>();
  for (const sender of senders) {
    if (sender.docType !== docType) continue;
    for (const { fields } of sender.lessons) {
      for (const { field, places, wrongPlaces } of fields) {
        const captions = new Set(places.flatMap(captionAt));
        for (const wrong of wrongPlaces.flatMap(captionAt)) captions.delete(wrong);
        for (const caption of captions) {
          const byField = counts.get(caption) ?? new Map<string, number>();
          counts.set(caption, byField.set(field, (byField.get(field) ?? 0) + 1));
        }
      }
    }
  }
  const learned = new Map<string, { readonly caption: string; readonly count: number }[]>();
  for (const [caption, byField] of counts) {
    const [first, second] = [...byField].sort((a, b) => b[1] - a[1]);
    if (!first || (second && second[1] * 2 >= first[1])) continue;
    const [field, count] = first;
    const known = learned.get(field);
    if (known) known.push({ caption, count });
    else learned.set(field, [{ caption, count }]);
  }
  return new Map(
    [...learned].map(([field, captions]) => [
      field,
      captions
        .sort((a, b) => b.count - a.count)
        .slice(0, learnedLimit)
        .map(({ caption }) => caption),
    ]),
  );
}

/** The caption at a place: what stands before the value, or above it where nothing does. */
function captionAt({ above, before }: TaughtPlace): readonly string[] {
  // Behind a number something else begins.
  const text = (before === '' ? above : before).split('#').at(-1)!.trim();
  const words = text === '' ? [] : text.split(' ');
  if (words.length === 0 || text.length > captionLimits.characters || text.length < 2) return [];
  return words.length <= captionLimits.words ? [text] : [];
}

import type { Box, Word } from '@millrace/document-model';

/** Words that share more than this part of the smaller one stand in each other's way. */
const obstructing = 0.25;
/** Words that share at least this part of their union stand in one place. */
const samePlace = 0.4;
/** A word that a single later pass saw where the first saw none is believed from here on. */
const believable = 0.6;

/** A rule between columns that a later pass read as a bar, and no word. */
const rule = /^\|+$/;

/** The words of `first`, and those of `second` that stand where `first` has none. */
export function unite(first: readonly Word[], second: readonly Word[]): Word[] {
  if (first.length === 0) return [...second];
  return [
    ...first,
    ...second.filter(
      (word) =>
        !first.some((other) => commonArea(word.box, other.box) > obstructing * smallerArea(word.box, other.box)),
    ),
  ];
}

/**
 * What several passes over one page agree on. The first pass says where words stand; where two later ones read
 * another text in the same place, and the same as each other, theirs is taken; one that differs by its marks alone is
 * taken at once, because the first pass has no letters for many of them; words that the first pass missed are added.
 */
export function vote(passes: readonly (readonly Word[])[]): readonly Word[] {
  const [first, ...later] = passes;
  if (!first || later.length === 0) return first ?? [];
  const decided = first.flatMap((word) => {
    const others = later.flatMap((words) => words.find((other) => isSamePlace(word.box, other.box)) ?? []);
    const marked = others.find((other) => addsMarks(other.text, word.text));
    if (marked) return { ...marked, box: word.box };
    const winner = others.find(
      (other) => other.text !== word.text && others.filter((third) => third.text === other.text).length > 1,
    );
    if (!winner || others.some((other) => other.text === word.text)) return word;
    const isPart =
      lettersOf(word.text).includes(lettersOf(winner.text)) &&
      winner.box.x1 - winner.box.x0 < partWidth * (word.box.x1 - word.box.x0);
    return isPart ? partsOf(word, later) : { ...winner, box: word.box };
  });
  return later.reduce<readonly Word[]>(
    (words, pass) =>
      unite(
        words,
        pass.filter((word) => word.confidence >= believable && !rule.test(word.text)),
      ),
    decided,
  );
}

/** A word that is narrower than this part of the one in its place is but a part of that. */
const partWidth = 0.8;

/** The words that a later pass has in place of one that ran together, `Str.` and `17` for `Str.17`; else the one. */
function partsOf(word: Word, later: readonly (readonly Word[])[]): readonly Word[] {
  const parts = later.map((words) =>
    words
      .filter(({ box }) => commonArea(word.box, box) > obstructing * areaOf(box))
      .toSorted((a, b) => a.box.x0 - b.box.x0),
  );
  const textOf = (words: readonly Word[]) => words.map(({ text }) => text).join(' ');
  const agreed = parts.find((own) => parts.filter((other) => textOf(other) === textOf(own)).length > 1);
  return agreed && agreed.length > 1 && lettersOf(textOf(agreed)) === lettersOf(word.text) ? agreed : [word];
}

const lettersOf = (text: string) => text.normalize('NFD').replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a text is the other with diacritics, sharp s and currency signs where that has plain look-alikes. */
function addsMarks(text: string, plain: string): boolean {
  return text !== plain && text.length === plain.length && withoutMarks(text, plain) === plain;
}

const currencySigns = /[€£]/;

function withoutMarks(text: string, plain: string): string {
  return [...text]
    .map((character, index) => {
      const looksLike = plain[index] ?? '';
      if (character === 'ß') return /[Bs]/.test(looksLike) ? looksLike : character;
      if (currencySigns.test(character)) return /[ECFL]/.test(looksLike) ? looksLike : character;
      return character.normalize('NFD').replace(/\p{M}/gu, '');
    })
    .join('');
}

function isSamePlace(a: Box, b: Box): boolean {
  const common = commonArea(a, b);
  return common > samePlace * (areaOf(a) + areaOf(b) - common);
}

/** The area that two boxes share. */
export function commonArea(a: Box, b: Box): number {
  const across = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const down = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return across > 0 && down > 0 ? across * down : 0;
}

function smallerArea(a: Box, b: Box): number {
  return Math.min(areaOf(a), areaOf(b));
}

export function areaOf(box: Box): number {
  return (box.x1 - box.x0) * (box.y1 - box.y0);
}

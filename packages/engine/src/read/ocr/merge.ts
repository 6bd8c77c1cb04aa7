import type { Box, Word } from '../../document.ts';

/** Words that share more than this part of the smaller one stand in each other's way. */
const obstructing = 0.25;
/** Words that share at least this part of their union stand in one place. */
const samePlace = 0.4;
/** A word that a single later pass saw where the first saw none is believed from here on. */
const believable = 0.6;

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
 * another text in the same place, and the same as each other, theirs is taken; words that the first pass missed are
 * added.
 */
export function vote(passes: readonly (readonly Word[])[]): readonly Word[] {
  const [first, ...later] = passes;
  if (!first || later.length === 0) return first ?? [];
  const decided = first.map((word) => {
    const others = later.flatMap((words) => words.find((other) => isSamePlace(word.box, other.box)) ?? []);
    const winner = others.find(
      (other) => other.text !== word.text && others.filter((third) => third.text === other.text).length > 1,
    );
    return winner && !others.some((other) => other.text === word.text) ? { ...winner, box: word.box } : word;
  });
  return later.reduce<readonly Word[]>(
    (words, pass) =>
      unite(
        words,
        pass.filter((word) => word.confidence >= believable),
      ),
    decided,
  );
}

function isSamePlace(a: Box, b: Box): boolean {
  const common = commonArea(a, b);
  return common > samePlace * (areaOf(a) + areaOf(b) - common);
}

function commonArea(a: Box, b: Box): number {
  const across = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const down = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return across > 0 && down > 0 ? across * down : 0;
}

function smallerArea(a: Box, b: Box): number {
  return Math.min(areaOf(a), areaOf(b));
}

function areaOf(box: Box): number {
  return (box.x1 - box.x0) * (box.y1 - box.y0);
}

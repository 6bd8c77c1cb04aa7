const none: readonly RegExpExecArray[] = [];

/**
 * All matches of a global pattern in a text, as `matchAll` finds them; but `matchAll` makes a copy of the pattern for each
 * text, which costs more than looking for a pattern in a line that has no match of it. No match may be empty.
 */
export function matchesOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  const first = pattern.exec(text);
  if (!first) return none;
  const matches = [first];
  for (let next = pattern.exec(text); next; next = pattern.exec(text)) matches.push(next);
  return matches;
}

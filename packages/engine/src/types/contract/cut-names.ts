/** Whether a name is another one of which a part is cut to its initial: `J. Doe` and `Jane D.` of `Jane Doe`. */
export function isCutTo(short: string, name: string): boolean {
  const [first = '', ...rest] = partsOf(short);
  const [given = '', ...others] = partsOf(name);
  const isWhole = first === given;
  const isInitial = first.length === 1 && given.startsWith(first);
  const leavesMiddleOut = rest.length === 1 && others.length === 2 && rest[0] === others[1];
  const isLastCut = rest.length === 1 && rest[0]!.length === 1 && others.at(-1)?.startsWith(rest[0]!) === true;
  const isRestAlike =
    rest.length === others.length &&
    rest.at(-1) === others.at(-1) &&
    rest.every((part, at) => part === others[at] || (part.length === 1 && others[at]!.startsWith(part)));
  return (isWhole && (isLastCut || leavesMiddleOut)) || (isInitial && (isRestAlike || leavesMiddleOut));
}

/** The parts of a name, whose initials may have lost the blank behind them. */
export function partsOf(name: string): readonly string[] {
  return name.split(/[\s.]+/).filter(Boolean);
}

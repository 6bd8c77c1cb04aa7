/** Whether a name is another one of which a part is cut to its initial: `J. Doe` and `Jane D.` of `Jane Doe`. */
export function isCutTo(short: string, name: string): boolean {
  const partsOf = (text: string) =>
    text
      .replace(/\./g, '. ')
      .split(/[\s.]+/)
      .filter(Boolean);
  const [first = '', ...rest] = partsOf(short);
  const [given = '', ...others] = partsOf(name);
  const isInitial = rest.length === 1 && rest[0]!.length === 1 && others.at(-1)?.startsWith(rest[0]!);
  const isInitialled =
    rest.length === others.length &&
    rest.at(-1) === others.at(-1) &&
    rest.every((part, at) => part === others[at] || (part.length === 1 && others[at]!.startsWith(part)));
  // A middle name may be left out.
  const isShorter =
    (first === given || (first.length === 1 && given.startsWith(first))) &&
    rest.length === 1 &&
    others.length === 2 &&
    rest[0] === others[1];
  return (
    isShorter ||
    (first.length === 1 && given.startsWith(first) && isInitialled) ||
    (first === given && isInitial === true)
  );
}

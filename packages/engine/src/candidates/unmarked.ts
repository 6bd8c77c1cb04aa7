/** A pattern that knows letters without their marks as well, as OCR reads them: `durée` and `duree`, `año` and `ano`. */
export function unmarked(pattern: RegExp): RegExp {
  let isInClass = false;
  const source = pattern.source.replace(/\\.|[[\]]|[à-öø-ÿ]/gu, (token) => {
    if (token === '[') isInClass = true;
    else if (token === ']') isInClass = false;
    if (token.length > 1 || token === '[' || token === ']') return token;
    const either = `${token}${token.normalize('NFD')[0]}`;
    return isInClass ? either : `[${either}]`;
  });
  return new RegExp(source, pattern.flags);
}

/** A text whose letters have lost their marks: `münchen` is `munchen`. Letters of their own, such as `ß` and `ł`, stay. */
export function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/** How many characters of each sort a text has, blanks left out. */
export interface Shape {
  readonly letters: number;
  readonly capitals: number;
  readonly digits: number;
  readonly inked: number;
}

const letter = /\p{L}/u;
const capital = /\p{Lu}/u;

/** Whether a text has that many letters or more. */
export function hasLetters(text: string, least: number): boolean {
  let missing = least;
  for (let at = 0; at < text.length && missing > 0; at += 1) {
    const code = text.charCodeAt(at) | 0x20;
    if ((code >= 97 && code <= 122) || (code > 127 && letter.test(text[at]!))) missing -= 1;
  }
  return missing <= 0;
}

/** Counts the letters, capitals, digits and characters of a text. */
export function shapeOf(text: string): Shape {
  let letters = 0;
  let capitals = 0;
  let digits = 0;
  let inked = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13)) continue;
    inked += 1;
    if (code >= 48 && code <= 57) digits += 1;
    else if (code >= 65 && code <= 90) {
      letters += 1;
      capitals += 1;
    } else if (code >= 97 && code <= 122) letters += 1;
    else if (code > 127 && letter.test(text[at]!)) {
      letters += 1;
      if (capital.test(text[at]!)) capitals += 1;
    }
  }
  return { letters, capitals, digits, inked };
}

/** Scripts other than Latin, and the language that each is taken for where nothing says more. */
const languageOfScript: readonly (readonly [script: RegExp, language: string])[] = [
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Devanagari}/u, 'hi'],
];

/** Letters that one language of a script has and its commonest one has not. */
const ownLetters: readonly (readonly [language: string, of: string, letters: RegExp])[] = [
  ['uk', 'ru', /[іїєґ]/giu],
  ['sr', 'ru', /[јљњћђџ]/giu],
  ['fa', 'ar', /[پچژگ]/gu],
  ['ur', 'ar', /[ٹڈڑے]/gu],
];
/** Of a language's letters these are at least this share, in a text and not only in a name. */
const ownShare = 0.01;
/** A word of six letters says as much as one of a language's frequent words. */
const lettersPerPoint = 6;
/** Greek letters stand alone for quantities; a language's text has more. */
const leastLetters = 8;

/** The first letter beyond Latin's alphabets: Greek. */
const beyondLatin = /[\u0370-\uffef]/;

/**
 * How much texts speak for languages that are written in other scripts than Latin, on the scale of frequent words; Latin
 * letters count nothing. Japanese is known by its kana, among which its Han letters count.
 */
export function scoresByScript(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const foreign = texts.filter((text) => beyondLatin.test(text)).join('\n');
  for (const [letter] of foreign.matchAll(/\p{L}/gu)) {
    if ((letter.codePointAt(0) ?? 0) < 0x370) continue;
    const language = languageOfScript.find(([script]) => script.test(letter))?.[1];
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  for (const [language, common, letters] of ownLetters) {
    const count = counts.get(common) ?? 0;
    if (count > 0 && (foreign.match(letters)?.length ?? 0) > ownShare * count) move(counts, common, language);
  }
  const [kana, han] = [counts.get('ja') ?? 0, counts.get('zh') ?? 0];
  if (kana > 0.05 * han) move(counts, 'zh', 'ja');
  return new Map(
    [...counts].filter(([, count]) => count >= leastLetters).map(([name, count]) => [name, count / lettersPerPoint]),
  );
}

function move(counts: Map<string, number>, from: string, to: string): void {
  const count = counts.get(from) ?? 0;
  if (count === 0) return;
  counts.set(to, (counts.get(to) ?? 0) + count);
  counts.delete(from);
}

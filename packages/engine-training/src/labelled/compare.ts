import type { JsonValue } from '@millrace/document-model';

/** Letters and digits in lower case: case, spaces and punctuation are no part of what is compared. */
function comparableText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether an answer is right: numbers to half a cent, texts after `comparableText`, lists as sets of such. */
export function isSameValue(answer: JsonValue, truth: JsonValue): boolean {
  if (typeof truth === 'number') return typeof answer === 'number' && Math.abs(answer - truth) < 0.005;
  if (Array.isArray(truth)) {
    return (
      Array.isArray(answer) &&
      answer.length === truth.length &&
      truth.every((value: JsonValue) => answer.some((other: JsonValue) => isSameValue(other, value)))
    );
  }
  if (typeof truth !== 'string' || (typeof answer !== 'string' && typeof answer !== 'number')) return answer === truth;
  return comparableText(String(answer)) === comparableText(truth);
}

/** How alike two texts are after `comparableText`: 1 less the edit distance (Levenshtein) over the longer length. */
export function similarity(a: string, b: string): number {
  const left = [...comparableText(a)].slice(0, 500);
  const right = [...comparableText(b)].slice(0, 500);
  const longer = Math.max(left.length, right.length);
  return longer === 0 ? 1 : 1 - editDistance(left, right) / longer;
}

function editDistance(a: readonly string[], b: readonly string[]): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, character] of a.entries()) {
    const current = [row + 1];
    for (const [column, other] of b.entries()) {
      const substituted = previous[column]! + (character === other ? 0 : 1);
      current.push(Math.min(substituted, previous[column + 1]! + 1, current[column]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}

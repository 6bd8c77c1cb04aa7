/** English words of numbers below a hundred, which follow each other to say the others: `twenty five`. */
export const numberWords: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};

/** The number below a hundred that English words say, such as `ten` or `twenty-five`; null where they say none. */
export function numberOfWords(text: string): number | null {
  const numbers = text
    .toLowerCase()
    .split(/[ -]/)
    .map((word) => numberWords[word]);
  return numbers.reduce<number | null>((sum, each) => (sum === null || each === undefined ? null : sum + each), 0);
}

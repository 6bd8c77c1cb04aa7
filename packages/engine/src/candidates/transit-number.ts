/** A check's foot of which the signs were not read: its number, the transit number and the account. */
const withoutSigns = /^\d{3,10} (\d{9})(?: \d[\d ]{0,18})?$/;

/** Whether a line has a transit number between signs of magnetic ink, or between what these are often read as. */
export function isMagnetic(text: string): boolean {
  if (isRoutingNumber(withoutSigns.exec(text)?.[1] ?? '')) return true;
  return [...text.matchAll(/[⑆A:|"] ?(\d{9}) ?[⑆A:|"]/g)].some(([, number]) => isRoutingNumber(number!));
}

/** Whether nine digits are a transit number whose check digit holds (weights 3, 7, 1). */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false;
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * [3, 7, 1][index % 3]!, 0);
  return sum % 10 === 0;
}

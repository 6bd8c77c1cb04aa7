/** Whether the last digit is the check digit of the others (ISO/IEC 7812-1, annex B). */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let index = digits.length - 1, double = false; index >= 0; index--, double = !double) {
    const digit = digits.charCodeAt(index) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

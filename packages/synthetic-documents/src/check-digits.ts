/** Remainder of a number of any length, given as decimal digits. */
function remainder(digits: string, modulus: number): number {
  let value = 0;
  for (const digit of digits) value = (value * 10 + Number(digit)) % modulus;
  return value;
}

const lettersAsNumbers = (text: string) => text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));

/** An IBAN with its two check digits (ISO 13616, ISO 7064 MOD 97-10). */
export function ibanOf(country: string, account: string): string {
  const check = 98 - remainder(lettersAsNumbers(`${account}${country}00`), 97);
  return `${country}${String(check).padStart(2, '0')}${account}`;
}

/** The digit that Luhn's method (ISO/IEC 7812-1, annex B) adds to a number. */
export function luhnDigit(digits: string): number {
  let sum = 0;
  [...digits].reverse().forEach((digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return (10 - (sum % 10)) % 10;
}

/** A check digit by weights: the sum of digit times weight, left to right. */
function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0);
}

/** A German VAT number (ISO 7064 MOD 11,10) from its first eight digits. */
export function germanVat(digits: string): string {
  let product = 10;
  for (const digit of digits) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return `DE${digits}${(11 - product) % 10}`;
}

/** An Austrian VAT number from its first seven digits. */
export function austrianVat(digits: string): string {
  let sum = 0;
  [...digits].forEach((digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  });
  return `ATU${digits}${(10 - ((sum + 4) % 10)) % 10}`;
}

/** A French VAT number from a SIREN: the key is (12 + 3 × SIREN mod 97) mod 97. */
export function frenchVat(siren: string): string {
  return `FR${String((12 + 3 * remainder(siren, 97)) % 97).padStart(2, '0')}${siren}`;
}

/** A SIREN: nine digits that satisfy Luhn's check. */
export function sirenOf(eight: string): string {
  return `${eight}${luhnDigit(eight)}`;
}

/** A SIRET: SIREN and office, fourteen digits that satisfy Luhn's check. */
export function siretOf(siren: string, office: string): string {
  return `${siren}${office}${luhnDigit(`${siren}${office}`)}`;
}

/** An Italian VAT number from its first ten digits. */
export function italianVat(digits: string): string {
  return `${digits}${luhnDigit(digits)}`;
}

/** A Portuguese NIF from its first eight digits. */
export function portugueseNif(digits: string): string {
  const rest = weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return `${digits}${rest < 2 ? 0 : 11 - rest}`;
}

/** A Spanish company's NIF from its letter and seven digits. */
export function spanishCif(letter: string, digits: string): string {
  let sum = 0;
  [...digits].forEach((digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  });
  return `${letter}${digits}${(10 - (sum % 10)) % 10}`;
}

/** A Spanish person's number: eight digits and the letter that their remainder by 23 picks. */
export function spanishDni(digits: string): string {
  return `${digits}${'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23]}`;
}

/** A Dutch VAT number from the first eight digits of the identification number, whose ninth digit checks them by 11. */
export function dutchVat(digits: string, branch: string): string | null {
  const check = weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return check === 10 ? null : `NL${digits}${check}B${branch}`;
}

/** A Belgian VAT number from its first eight digits: 97 less their remainder by 97. */
export function belgianVat(digits: string): string {
  return `BE${digits}${String(97 - remainder(digits, 97)).padStart(2, '0')}`;
}

/** A British VAT number (modulus 97) from its first seven digits. */
export function britishVat(digits: string): string {
  const sum = weighted(digits, [8, 7, 6, 5, 4, 3, 2]);
  return `GB${digits}${String(97 - (sum % 97)).padStart(2, '0')}`;
}

/** A Swiss enterprise number (modulus 11) from its first eight digits, or null where they have no check digit. */
export function swissUid(digits: string): string | null {
  const check = 11 - (weighted(digits, [5, 4, 3, 2, 7, 6, 5, 4]) % 11);
  if (check === 10) return null;
  const all = `${digits}${check === 11 ? 0 : check}`;
  return `CHE-${all.slice(0, 3)}.${all.slice(3, 6)}.${all.slice(6)}`;
}

/** A Brazilian CNPJ with its punctuation from its first twelve digits. */
export function brazilianCnpj(digits: string): string {
  const check = (text: string, weights: readonly number[]) => {
    const rest = weighted(text, weights) % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  const weights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  const first = check(digits, weights);
  const second = check(`${digits}${first}`, [6, ...weights]);
  const all = `${digits}${first}${second}`;
  return `${all.slice(0, 2)}.${all.slice(2, 5)}.${all.slice(5, 8)}/${all.slice(8, 12)}-${all.slice(12)}`;
}

/** An ABA routing number from its first eight digits (weights 3, 7, 1). */
export function routingNumber(digits: string): string {
  const sum = weighted(digits, [3, 7, 1, 3, 7, 1, 3, 7]);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** A container number (ISO 6346): four letters, six digits and their check digit. */
export function containerNumber(owner: string, serial: string): string {
  const values: Record<string, number> = {};
  let value = 10;
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
    if (value % 11 === 0) value++;
    values[letter] = value++;
  }
  let sum = 0;
  [...`${owner}${serial}`].forEach((character, index) => {
    sum += (values[character] ?? Number(character)) * 2 ** index;
  });
  return `${owner}${serial}${(sum % 11) % 10}`;
}

/** The check digit of a machine-readable zone's field (ICAO 9303-3, 4.9: weights 7, 3, 1; `<` is 0, A is 10). */
export function zoneDigit(text: string): string {
  let sum = 0;
  [...text].forEach((character, index) => {
    const value = character === '<' ? 0 : /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 55;
    sum += value * [7, 3, 1][index % 3]!;
  });
  return String(sum % 10);
}

const abbreviations = new Map(
  ['id', 'iban', 'bic', 'mrz', 'bl', 'bin', 'pcn', 'rx'].map((word) => [word, word.toUpperCase()]),
);

/** Labels that the words of the name don't give. */
const labels = new Map([['price_unit', 'Unit price']]);

/** A field's or column's name for people: `Invoice number` for `invoice_number`. */
export function labelOf(name: string): string {
  const label = labels.get(name);
  if (label !== undefined) return label;
  const words = name.split('_').map((word) => abbreviations.get(word) ?? word);
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

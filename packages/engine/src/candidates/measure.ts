/** Units of what is metered and weighed: letters, perhaps with a power. */
const measure = /^(?:\p{L}{1,4}[³3]?|therms?|gallons?|lit(?:er|re)s?|units?|cubic \p{L}+|\d{1,3} gal\p{L}*)\.?$/iu;

/** Whether a text is the unit of a quantity, such as `kWh`, `m³` or `CCF`. */
export function isMeasure(text: string): boolean {
  return measure.test(text.trim());
}

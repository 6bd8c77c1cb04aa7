/** Units of energy, volume, weight and data, by which bills count what was used. */
const measure =
  /^(?:[kmg]?wh|kilowatt[ -]?hours?|[mgt]j|dth|(?:mm)?btu|therms?|[ns]?m[³3]|smc|mc|metri cubi|cu\.? ?(?:m|ft)|cubic \p{L}+|[chkm]?cf|[hkt]?gal(?:lons?)?|\d{1,3} gal\p{L}*|[hk]?[lℓ]|lit(?:er|re)s?|units?|einheiten|eenheden|[gmt][bo]|min(?:ute[ns]?)?|kgs?|t)\.?$/iu;

/** Whether a text is the unit of a quantity, such as `kWh`, `m³` or `CCF`. */
export function isMeasure(text: string): boolean {
  return measure.test(text.trim());
}

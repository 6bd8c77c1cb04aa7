const valediction =
  /^(?:(?:very |yours? )?(?:truly|sincerely|faithfully|respectfully)(?: yours)?|yours|(?:with )?(?:kind |best |warm )?regards|mit (?:freundlichen?|besten|herzlichen|kollegialen|freundlichen,? kollegialen) gr[üu](?:ß|ss|b)en|hochachtungsvoll|cordialement|bien confraternellement|atentamente|un saludo|cordiali saluti|distinti saluti|met vriendelijke groet(?:en)?)(?=[\s,.!]*$|,)/iu;

/** Whether a line begins with the words that end a letter, below which its sender signs: `Yours sincerely,`. */
export function isValediction(text: string): boolean {
  return valediction.test(text);
}

/** What OCR makes of the legal form `SDN BHD`; its letters are the same on every receipt of the country, so that the faults are known. */
const malaysianForm = /\bS[DOUB0][NHM]\.? ?B[HN][DLOB0](?![\p{L}\d])/giu;

/**
 * Puts digits that OCR read within words of letters right (`L0T`, `S0ON`), and letters within numbers (`500C0`, `4O150`),
 * where all other characters of the word are of the one sort.
 */
export function repairLetters(text: string): string {
  return text
    .replace(/[\p{L}\d]+/gu, (word) => {
      const digits = word.match(/\d/g)?.length ?? 0;
      const letters = word.length - digits;
      if (
        digits > 0 &&
        letters >= 2 &&
        digits < letters &&
        /^[\p{L}0158]+$/u.test(word) &&
        !/^[A-Z]{1,2}\d+$/.test(word)
      ) {
        const upper = word === word.toUpperCase();
        if (/^\p{L}*0\p{L}*$/u.test(word) || /^\p{L}+[0158]\p{L}+$/u.test(word)) {
          return word
            .replaceAll('0', upper ? 'O' : 'o')
            .replaceAll('1', upper ? 'I' : 'l')
            .replaceAll('5', upper ? 'S' : 's')
            .replaceAll('8', upper ? 'B' : 'b');
        }
      }
      if (digits >= 4 && letters === 1)
        return word
          .replace(/[OoQCD]/, '0')
          .replace(/(?<=\d)[lI](?=\d)/, '1')
          .replace(/(?<=\d)S(?=\d)/, '5')
          .replace(/(?<=\d)B(?=\d)/, '8');
      return word;
    })
    .replace(malaysianForm, (form) => (form === form.toUpperCase() ? 'SDN BHD' : 'Sdn Bhd'));
}

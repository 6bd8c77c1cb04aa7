/**
 * A row of CSV (RFC 4180), every cell quoted. A cell that a spreadsheet would take for a formula, or for the beginning of
 * one after what it strips, gets an apostrophe before it (OWASP, CSV injection).
 */
export function csvRow(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => `"${neutralise(cell ?? '').replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** The full-width forms are taken for the plain ones by spreadsheets in some locales. */
function neutralise(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

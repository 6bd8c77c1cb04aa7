/** The value of a JSON text, or where and why it isn’t valid. */
export type JsonText = { readonly value: unknown } | { readonly fault: string };

/** Parses JSON; a fault reads like `Line 3, column 7: this is not valid JSON.` */
export function readJson(text: string): JsonText {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const { message } = error as SyntaxError;
    const { line, column } = placeOf(message, text);
    const ended = /end of|unterminated/i.test(message);
    return {
      fault: `Line ${line}, column ${column}: ${ended ? 'the JSON ends too early' : 'this is not valid JSON'}. Fix it to save.`,
    };
  }
}

/** Parses a JSON object; anything else is a fault. */
export function readJsonObject(
  text: string,
): { readonly value: Readonly<Record<string, unknown>> } | { readonly fault: string } {
  const read = readJson(text);
  if ('fault' in read) return read;
  const { value } = read;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: { ...value } };
  return { fault: 'Line 1, column 1: enter a JSON object, in braces.' };
}

/** Browsers give a position or a line and column, and neither for a text that ends too early. */
function placeOf(message: string, text: string): { readonly line: number; readonly column: number } {
  const [, line, column] = /line (\d+) column (\d+)/i.exec(message) ?? [];
  if (line !== undefined && column !== undefined) return { line: Number(line), column: Number(column) };
  const [, position] = /position (\d+)/i.exec(message) ?? [];
  const before = text.slice(0, position === undefined ? text.length : Number(position)).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

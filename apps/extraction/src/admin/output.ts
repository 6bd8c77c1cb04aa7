/** The result of a command: a list of rows, or one thing, with a note for the person who ran it. */
export type Output =
  | { readonly rows: readonly Row[]; readonly none: string }
  | { readonly record: Row; readonly note?: string };

export type Row = Readonly<Record<string, unknown>>;

/** As JSON for programs: an array of rows, or an object. */
export function asJson(output: Output): string {
  return JSON.stringify('rows' in output ? output.rows : output.record, null, 2);
}

/** As text for people: a table, or names and values. */
export function asText(output: Output): string {
  if ('record' in output) {
    const width = Math.max(...Object.keys(output.record).map((name) => name.length));
    const lines = Object.entries(output.record).map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`);
    return [...lines, ...(output.note === undefined ? [] : ['', output.note])].join('\n');
  }
  const [first] = output.rows;
  if (first === undefined) return output.none;
  const names = Object.keys(first);
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...output.rows.map((row) => names.map((name) => cell(row[name]))),
  ];
  const widths = names.map((_name, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Control characters, which a terminal might obey, are shown as `?`. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, 'Z');
  const text = typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
  return text.replaceAll(/[^\P{Cc}\n]/gu, '?');
}

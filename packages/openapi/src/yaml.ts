import { parseDocument } from 'yaml';
import { checkSize } from './bounds.ts';

/**
 * A YAML 1.2 text of the core schema, as JSON. Aliases can't multiply it.
 *
 * @throws Error with the line if the text is not YAML, or if its value is too large or too deep.
 */
export function yamlToJson(text: string): string {
  const parsed = parseDocument(text, { schema: 'core', uniqueKeys: true, merge: false, logLevel: 'silent' });
  const [error] = parsed.errors;
  if (error) throw new Error(error.message);
  const value: unknown = parsed.toJS({ maxAliasCount: 100 });
  checkSize(value);
  return JSON.stringify(value ?? null);
}

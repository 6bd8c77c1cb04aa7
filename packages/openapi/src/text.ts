import { checkSize, maxTextBytes } from './bounds.ts';
import { runConfined } from './confined.ts';
import type { Json } from './document.ts';

const yamlLimitMs = 10_000;

/** A value as YAML, without aliases. The YAML library is loaded when first needed. */
export async function writeYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { aliasDuplicateObjects: false });
}

/**
 * Parses a text of at most 5 MB, JSON or YAML 1.2 (core schema), with bounded depth and number of values. YAML is
 * parsed in a thread that hostile input can't outlast.
 *
 * @throws Error whose message is for the author of the text.
 */
export async function readText(text: string): Promise<Json> {
  if (Buffer.byteLength(text) > maxTextBytes) {
    throw new Error(`The document is larger than ${maxTextBytes / 1_000_000} MB.`);
  }
  const isJson = /^[\s\uFEFF]*[{[]/.test(text);
  const value: Json = JSON.parse(
    isJson ? text.replace(/^\uFEFF/, '') : await runConfined({ kind: 'yaml', text }, yamlLimitMs),
  );
  checkSize(value);
  return value;
}

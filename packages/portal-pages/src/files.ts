import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PageFiles } from './context.ts';

/** A file that pages load. */
export interface StaticFile {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/** The files that pages load, the same for every portal. */
export interface StaticFiles {
  /** By name, such as `portal.css`. */
  readonly byName: ReadonlyMap<string, StaticFile>;
  /** Changes with their content, so that browsers may keep a file forever. */
  readonly version: string;
}

const root = join(import.meta.dirname, '..');
const latin = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
const latinExtended = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2');

/** Reads the pages' style, script and typeface, made as small as they need to be. */
export function readStaticFiles(): StaticFiles {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const byName = new Map<string, StaticFile>([
    [
      'portal.css',
      { bytes: Buffer.from(smallerStyle(read('assets/portal.css'))), mediaType: 'text/css; charset=utf-8' },
    ],
    [
      'portal.js',
      {
        bytes: Buffer.from(smallerScript(stripTypeScriptTypes(read('browser/portal.ts')))),
        mediaType: 'text/javascript; charset=utf-8',
      },
    ],
    ['inter-latin.woff2', { bytes: readFileSync(fileURLToPath(latin)), mediaType: 'font/woff2' }],
    ['inter-latin-ext.woff2', { bytes: readFileSync(fileURLToPath(latinExtended)), mediaType: 'font/woff2' }],
  ]);
  const hash = createHash('sha256');
  for (const { bytes } of byName.values()) hash.update(bytes);
  return { byName, version: hash.digest('base64url').slice(0, 12) };
}

/**
 * Where pages find their files.
 *
 * @param folder path that the files are served below, without a slash at the end
 * @param themePath path of the portal's colours
 */
export function pageFiles(folder: string, { version }: StaticFiles, themePath: string): PageFiles {
  return {
    style: `${folder}/${version}/portal.css`,
    script: `${folder}/${version}/portal.js`,
    font: `${folder}/${version}/inter-latin.woff2`,
    theme: themePath,
  };
}

/** A style without comments, indentation and line breaks. */
function smallerStyle(style: string): string {
  return style
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim();
}

/** A script without indentation, and without lines that are comments or only were types. */
function smallerScript(script: string): string {
  return script
    .replaceAll(/^[ \t]*\/\*\*[^\n]*\*\/$/gm, '')
    .replaceAll(/^[ \t]*\/\/[^\n]*$/gm, '')
    .replaceAll(/^[ \t]+|[ \t]+$/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}

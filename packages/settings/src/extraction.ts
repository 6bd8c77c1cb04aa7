import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { extractionDeclarations } from './declarations/extraction.ts';
import { serverDeclarations } from './declarations/servers.ts';
import { readSettings as readDeclared, type SettingsOf } from './settings.ts';

/** Every setting of the extraction service, checked, with its default where it is not set. */
export type Settings = SettingsOf<typeof extractionDeclarations>;

/**
 * Reads the settings of the extraction service from environment variables; `warnings` names each that starts with
 * `MILLRACE_` and is a setting of no server.
 *
 * @throws SettingsError that names every invalid one
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): {
  settings: Settings;
  warnings: readonly string[];
} {
  return readDeclared(extractionDeclarations, environment, serverDeclarations);
}

/** Folders of this machine that the service writes to. */
export function foldersOf(settings: Settings): readonly string[] {
  const blobs = new URL(blobUrlOf(settings));
  return [settings.dataDirectory, ...(blobs.protocol === 'file:' ? [fileURLToPath(blobs)] : [])];
}

/** Where originals are stored, as the blob store takes it. */
export function blobUrlOf(settings: Settings): string {
  return settings.blobUrl ?? pathToFileURL(join(settings.dataDirectory, 'blobs')).href;
}

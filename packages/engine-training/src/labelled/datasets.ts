import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * The folder of labelled real documents: `MILLRACE_SHARED_DATA`, or `shared/data` beside the repository. It is no part
 * of the repository; null where it is absent.
 */
export function labelledDataFolder(): string | null {
  const folder = process.env.MILLRACE_SHARED_DATA ?? path.resolve(import.meta.dirname, '../../../../../shared/data');
  return existsSync(folder) ? folder : null;
}

/** A labelled file: `name` is its file name, which decides the held-out split; `path` is absolute. */
export interface LabelledFile {
  readonly name: string;
  readonly path: string;
}

/** The PDF invoices with embedded XML, by name. Names that contain `__fail__` are invalid in their XML or its embedding. */
export async function listElectronicInvoices(dataFolder: string): Promise<readonly LabelledFile[]> {
  return listFiles(path.join(dataFolder, 'e-invoices'), /\.pdf$/i);
}

/** The mixed documents (invoices, cards, forms …) in all their folders, without their label files. */
export async function listDocuments(dataFolder: string): Promise<readonly LabelledFile[]> {
  return listFiles(path.join(dataFolder, 'documents'), /\.(pdf|png|jpe?g)$/i);
}

async function listFiles(folder: string, pattern: RegExp): Promise<readonly LabelledFile[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => ({ name: entry.name, path: path.join(entry.parentPath, entry.name) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

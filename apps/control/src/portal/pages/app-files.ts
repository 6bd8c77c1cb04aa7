import { followBuild, type PageFile } from '@millrace/operations/pages';
import type { AppFiles } from '@millrace/portal-pages/app-shell';

/** Scripts that a build of the portal's app has, by the source that each begins with. */
const entries = { app: 'src/main.tsx', try: 'islands/try/main.ts' } as const;
type AppEntry = keyof typeof entries;

/** The build of the portal's app as it is now. */
export interface AppBuild {
  /** What a page has to load; null while there is no build. */
  filesOf(entry: AppEntry): AppFiles | null;
  /** A file by its path below {@link appFolder}; null if there is none. */
  find(path: string): PageFile | null;
  /** Changes with every build. */
  readonly stamp: string;
}

/** Path that the build's files are served below. */
export const appFolder = '/portal-app';

const manifestPath = '/.vite/manifest.json';

/** One chunk of Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** Follows the build in a folder, which may appear later and be replaced. */
export function followApp(folder: string): AppBuild {
  const filesNow = followBuild(folder, `.${manifestPath}`);
  let read: PageFile | undefined;
  let manifest: Readonly<Record<string, Chunk>> = {};
  const manifestNow = () => {
    const file = filesNow().get(manifestPath);
    if (file !== read) {
      read = file;
      manifest = file === undefined ? {} : JSON.parse(file.bytes.toString());
    }
    return manifest;
  };
  return {
    filesOf(entry) {
      const chunks = manifestNow();
      const chunk = chunks[entries[entry]];
      if (chunk === undefined) return null;
      const styles = new Set<string>();
      collectStyles(chunks, entries[entry], styles, new Set());
      const place = (file: string) => `${appFolder}/${file}`;
      return { modules: [place(chunk.file)], styles: [...styles].map(place) };
    },
    find: (path) => (path.startsWith('/.') ? null : (filesNow().get(path) ?? null)),
    get stamp() {
      manifestNow();
      return read?.tag ?? '';
    },
  };
}

/** The styles of a chunk and of everything that it imports at once. */
function collectStyles(
  chunks: Readonly<Record<string, Chunk>>,
  name: string,
  styles: Set<string>,
  seen: Set<string>,
): void {
  const chunk = chunks[name];
  if (chunk === undefined || seen.has(name)) return;
  seen.add(name);
  for (const imported of chunk.imports ?? []) collectStyles(chunks, imported, styles, seen);
  for (const style of chunk.css ?? []) styles.add(style);
}

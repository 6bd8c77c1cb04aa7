import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** A path from the root of the repository: a workspace or something in it, another folder or something in it. */
const fromRoot = /^(?:(?:apps|packages)\/.|(?:bench|scripts|samples|docs|decisions)(?:\/|$)|[A-Z]+\.md$)/;
const specifier = /(?:\bfrom|\bimport|\bimport\()\s*(['"`])([^'"`\n]+)\1/g;
const text = /(['"`])([\w@.*{},/-]+)\1/g;
/** The parts of a path to a document, as they are given to be joined. */
const documentParts = /(?:(['"`])[\w.-]+\1,\s*)+(['"`])[\w-]+\.(?:md|png)\2/g;
/** What people read, and its pictures: no code depends on all of them because of where it stands. */
const isDocument = (path: string) =>
  /^(?:(?:docs|decisions)\/.+|(?:(?:apps|packages)\/[^/]+\/|bench\/)?[A-Z]+\.md)$/.test(path);
const listsFolders = /\b(?:glob|readdir)(?:Sync)?\b/;
const ownPlace = /\bimport\.meta\.(?:dirname|filename|url|resolve)\b/;

/**
 * Which files of a repository a source can depend on, found without running it: what it imports, by path or by the name
 * of a workspace; files and globs that it names in a text, from its own folder or from the root; and, where it asks for
 * its own place, all files of its workspace. What these depend on follows. Rather too much than too little; but a document
 * counts only where it is named itself, or its folder by a source that lists folders: pictures are only put there.
 */
export class Reach {
  readonly #root: string;
  readonly #exports: ReadonlyMap<string, string>;
  readonly #direct = new Map<string, ReadonlySet<string>>();
  readonly #workspaceFiles = new Map<string, readonly string[]>();

  /** @param root of the repository, with its workspaces below `apps`, `packages` and `bench` */
  constructor(root: string) {
    this.#root = root;
    this.#exports = new Map(
      globSync(['{apps,packages}/*/package.json', 'bench/package.json'], { cwd: root }).flatMap((path) => {
        const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
          readonly name: string;
          readonly exports?: Readonly<Record<string, string>>;
        };
        return Object.entries(exports).map(([key, file]) => [join(name, key), join(dirname(path), file)] as const);
      }),
    );
  }

  /** All files that a file can depend on, itself included; relative to the root. */
  of(file: string): ReadonlySet<string> {
    const reached = new Set([file]);
    for (const each of reached) for (const next of this.#directOf(each)) reached.add(next);
    return reached;
  }

  #directOf(file: string): ReadonlySet<string> {
    let direct = this.#direct.get(file);
    if (direct === undefined) {
      direct = /\.tsx?$/.test(file) ? this.#read(file) : new Set();
      this.#direct.set(file, direct);
    }
    return direct;
  }

  #read(file: string): ReadonlySet<string> {
    const source = readFileSync(join(this.#root, file), 'utf8');
    const found = new Set<string>();
    for (const [, , name] of source.matchAll(specifier)) {
      const target = name!.startsWith('.') ? join(dirname(file), name!) : this.#exports.get(name!);
      if (target !== undefined && this.#isFile(target)) found.add(target);
    }
    const knowsItsPlace = ownPlace.test(source);
    for (const [, , path] of source.matchAll(text)) {
      // A single word is a name like any other where nothing is joined to a path.
      if (!knowsItsPlace && !/[./]/.test(path!)) continue;
      for (const named of this.#named(file, path!, source)) found.add(named);
    }
    for (const [parts] of source.matchAll(documentParts)) {
      const path = [...parts.matchAll(text)].map(([, , part]) => part!).join('/');
      for (const named of this.#named(file, path, source)) found.add(named);
    }
    if (knowsItsPlace) for (const each of this.#filesOfWorkspace(file)) found.add(each);
    return found;
  }

  /** The files that a text can mean, as a path or as a glob. */
  #named(file: string, path: string, source: string): readonly string[] {
    // A name alone is that of a file beside the source, unless the source belongs to the whole repository.
    const isBeside = !path.includes('/') && /^(?:apps|packages|bench)\//.test(file) && isDocument(path);
    return [...(isBeside ? [] : [normalize(path)]), join(dirname(file), path)].flatMap((place) => {
      if (this.#isFile(place)) return [place];
      if (!fromRoot.test(place)) return [];
      if (/[*{]/.test(place)) return this.#glob(place);
      if (!existsSync(join(this.#root, place))) return [];
      return this.#glob(join(place, '**/*')).filter(
        (each) => !isDocument(each) || (listsFolders.test(source) && !each.endsWith('README.md')),
      );
    });
  }

  #filesOfWorkspace(file: string): readonly string[] {
    const workspace = workspaceOf(file);
    let files = this.#workspaceFiles.get(workspace);
    if (files === undefined) {
      // A test does not depend on other tests.
      files = this.#glob(`${workspace}/**/*`).filter((each) => !each.endsWith('.test.ts') && !isDocument(each));
      this.#workspaceFiles.set(workspace, files);
    }
    return files;
  }

  #glob(pattern: string): readonly string[] {
    return globSync(pattern, { cwd: this.#root, exclude: (name) => /^(?:node_modules|dist.*)$/.test(name) }).filter(
      (path) => this.#isFile(path),
    );
  }

  #isFile(path: string): boolean {
    return statSync(join(this.#root, path), { throwIfNoEntry: false })?.isFile() ?? false;
  }
}

/** Such as `apps/control`. */
export function workspaceOf(file: string): string {
  return file
    .split('/')
    .slice(0, /^(?:apps|packages)\//.test(file) ? 2 : 1)
    .join('/');
}

/** Files that every test depends on. */
const everywhere = /^(?:package(?:-lock)?\.json|tsconfig\.json|scripts\/(?:run|install|tests?)\b.*)$|\/package\.json$/;

/**
 * The test files that a change can reach.
 *
 * @param changed paths relative to the root, of files that were changed, added or removed
 */
export function testsReachedBy(root: string, tests: readonly string[], changed: readonly string[]): readonly string[] {
  if (changed.some((path) => everywhere.test(path))) return tests;
  const reach = new Reach(root);
  const removed = changed.filter((path) => !existsSync(join(root, path)));
  // What named a removed file may no longer be found: all of its workspace stands for it.
  const places = new Set(removed.map(workspaceOf));
  return tests.filter((test) => {
    const reached = reach.of(test);
    return (
      changed.some((path) => reached.has(path)) ||
      (places.size > 0 && [...reached].some((path) => places.has(workspaceOf(path))))
    );
  });
}

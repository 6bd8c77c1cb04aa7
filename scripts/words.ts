/**
 * Checks the wording of the repository: no word that docs/glossary.md bans, no commit subject longer than 72 characters.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { matchesGlob, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const glossary = 'docs/glossary.md';
const longestSubject = 72;

/** Commits from this time on are checked: a time rather than a commit, so that a shallow clone works as well. */
const subjectsSince = '2026-11-22T22:30:00Z';

const searched = [
  'README.md',
  'bench/results/*.md',
  'scripts/**/*',
  '{docs,decisions}/*.md',
  '{apps,packages,bench}/**/*.{ts,tsx,css,sql,md}',
];

export interface Ban {
  readonly phrases: readonly string[];
  readonly instead: string;
  /** Paths that the ban is limited to; empty for all. */
  readonly files: readonly string[];
}

/** The bans of a glossary: the rows of the table under its heading "Banned words". */
export function readBans(markdown: string): Ban[] {
  const [, section = ''] = markdown.split(/^## Banned words$/m);
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => {
    const [phrases = '', instead = '', files = ''] = row.slice(1).split('|');
    return { phrases: listOf(phrases), instead: instead.trim(), files: listOf(files) };
  });
}

function listOf(cell: string): string[] {
  return cell
    .split(',')
    .map((item) => item.trim().replaceAll('`', ''))
    .filter((item) => item !== '');
}

export interface Finding {
  readonly line: number;
  readonly phrase: string;
  readonly instead: string;
}

/** Banned words in a file's text, in their order. A phrase is found across a line break as well. */
export function findBanned(path: string, text: string, bans: readonly Ban[]): Finding[] {
  const findings: Finding[] = [];
  for (const { phrases, instead, files } of bans) {
    if (files.length > 0 && !files.some((pattern) => matchesGlob(path, pattern))) continue;
    for (const phrase of phrases) {
      // Between two words of a phrase: spaces, or a line break with the next line's indentation and comment sign.
      const words = phrase.split(' ').map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&'));
      const pattern = new RegExp(`(?<![\\w$])${words.join('(?: +|\\n[ \\t]*(?:\\*|//|#)? *)')}(?![\\w$])`, 'gi');
      for (const match of text.matchAll(pattern)) {
        findings.push({ line: text.slice(0, match.index).split('\n').length, phrase, instead });
      }
    }
  }
  return findings.sort((a, b) => a.line - b.line);
}

/** Commits whose subject is too long, each as its short hash and subject. */
export function longSubjects(log: string, longest: number): string[] {
  return log.split('\n').filter((line) => [...line.slice(line.indexOf(' ') + 1)].length > longest);
}

/** The commits since a time, one a line as short hash and subject; nothing without git or a repository. */
function commitsSince(time: string): string {
  try {
    return execFileSync('git', ['log', `--since=${time}`, '--no-merges', '--format=%h %s'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trimEnd();
  } catch {
    return '';
  }
}

function main(): void {
  const problems: string[] = [];
  const bans = readBans(readFileSync(resolve(root, glossary), 'utf8'));
  if (bans.length === 0) problems.push(`${glossary} has no table of banned words.`);

  const skipped = new Set(['node_modules', 'dist', 'weights']);
  for (const path of globSync(searched, { cwd: root, exclude: (name) => skipped.has(name) }).sort()) {
    if (path === glossary || statSync(resolve(root, path)).isDirectory()) continue;
    for (const { line, phrase, instead } of findBanned(path, readFileSync(resolve(root, path), 'utf8'), bans)) {
      problems.push(`${path}:${line}: "${phrase}" is banned. Write instead: ${instead}.`);
    }
  }
  for (const commit of longSubjects(commitsSince(subjectsSince), longestSubject)) {
    problems.push(`The subject of commit ${commit.replace(' ', ' is longer than 72 characters: ')}`);
  }

  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.main) main();

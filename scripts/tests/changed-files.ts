import { execFileSync } from 'node:child_process';

/**
 * Files that differ from where this branch left `main`, committed or not, and files that git does not know yet. On `main`
 * itself, what is not committed.
 */
export function changedFiles(root: string): readonly string[] {
  const git = (...gitArguments: string[]) =>
    execFileSync('git', gitArguments, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const base = git('merge-base', 'main', 'HEAD').trim();
  const changed = git('diff', '--name-only', '--no-renames', '-z', base);
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
  return `${changed}${untracked}`.split('\0').filter((path) => path !== '');
}

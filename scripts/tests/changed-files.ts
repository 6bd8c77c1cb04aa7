import { execFileSync } from 'node:child_process';

/**
 * Files that differ from where this branch left `main`, committed or not, and files that git does not know yet. On `main`
 * itself, what is not committed.
 */
export function changedFiles(root: string): readonly string[] {
  const git = (...gitArguments: string[]) =>
    execFileSync('git', gitArguments, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const base = git('merge-base', main(git), 'HEAD').trim();
  const changed = git('diff', '--name-only', '--no-renames', '-z', base);
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
  return `${changed}${untracked}`.split('\0').filter((path) => path !== '');
}

/** In a clone of another branch alone, `main` is the remote's. */
function main(git: (...gitArguments: string[]) => string): string {
  return git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/origin/main').split('\n', 1)[0]!;
}

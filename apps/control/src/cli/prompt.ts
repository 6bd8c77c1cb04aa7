import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from './output.ts';

/** Prompts at the terminal. @param hidden whether the input is not shown */
export async function ask(
  question: string,
  { hidden = false, otherwise }: { readonly hidden?: boolean; readonly otherwise: string },
): Promise<string> {
  if (!process.stdin.isTTY) throw new CliError(otherwise);
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    if (hidden) process.stderr.write('\n');
  }
}

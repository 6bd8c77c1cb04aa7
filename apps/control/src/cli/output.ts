import { styleText } from 'node:util';
import type { CliClient } from './client.ts';

/** What went wrong, as a sentence for the user. */
export class CliError extends Error {}

export type Plan = Awaited<ReturnType<CliClient['applyOrganization']>>['body']['data']['plan'];
type Change = Plan[number]['changes'][number];

const signs = {
  create: { sign: '+', colour: 'green' },
  update: { sign: '~', colour: 'yellow' },
  delete: { sign: '-', colour: 'red' },
} as const;
const longestValue = 120;

/** The plan, line by line: what is created, changed and deleted, each with its fields. */
export function describePlan(plan: Plan): string {
  if (plan.length === 0) return 'Nothing to change.';
  const lines = plan.flatMap(({ action, kind, name, changes }) => {
    const { sign, colour } = signs[action];
    const title = styleText(colour, `${sign} ${kind.replaceAll('_', ' ')} ${printable(name)}`);
    return [title, ...(action === 'delete' ? [] : changes.map((change) => describeChange(action, change)))];
  });
  const count = (action: keyof typeof signs) => plan.filter((entry) => entry.action === action).length;
  const total = `${count('create')} to create, ${count('update')} to update, ${count('delete')} to delete.`;
  return [...lines, '', total].join('\n');
}

function describeChange(action: 'create' | 'update', { path, before, after }: Change): string {
  const field = `    ${printable(path)}: `;
  return action === 'create' ? `${field}${textOf(after)}` : `${field}${textOf(before)} → ${textOf(after)}`;
}

function textOf(value: Change['after']): string {
  const text = printable(JSON.stringify(value));
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}

/** A text without characters that a terminal would interpret, or that would change its order. */
export function printable(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

import { BlockList, isIP, isIPv6 } from 'node:net';
import { z } from 'zod';

/** One setting: an environment variable, its format and its purpose. */
export interface Declaration<Schema extends z.ZodType> {
  readonly name: string;
  /** Takes the variable's text, or undefined if unset. */
  readonly schema: Schema;
  /** The default, as the documentation shows it. */
  readonly defaultText: string;
  readonly description: string;
  /** Never shown in a message. */
  readonly secret: boolean;
}

/** Settings by their name in the program, in the order of the documentation. */
export type Declarations = Readonly<Record<string, Declaration<z.ZodType>>>;

/** Every setting, checked, with its default if it is not set. */
export type SettingsOf<Declared extends Declarations> = {
  readonly [Key in keyof Declared]: z.output<Declared[Key]['schema']>;
};

/** Declares a setting. The schema's `meta({ expected })` describes valid values: "MILLRACE_X must be …". */
export function setting<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  defaultText: string,
  description: string,
  { secret = false } = {},
): Declaration<Schema> {
  return { name, schema, defaultText, description, secret };
}

/** A whole number within bounds, both included. */
export const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum)
    .meta({ expected: `a whole number from ${minimum} to ${maximum}` });

/** On or off: `1`, `true`, `yes` or `0`, `false`, `no`. */
export const flag = z
  .enum(['1', 'true', 'yes', '0', 'false', 'no'])
  .transform((value) => ['1', 'true', 'yes'].includes(value))
  .meta({ expected: '1 or 0' });

/** Addresses and networks, separated by commas. */
export const networks = z
  .string()
  .transform((text, context) => {
    const list = blockListOf(text.split(',').map((item) => item.trim()));
    if (list === null) context.addIssue({ code: 'custom' });
    return list ?? z.NEVER;
  })
  .meta({ expected: 'addresses and networks such as 10.0.0.0/8, separated by commas' });

/** Addresses, each with a port or without, separated by commas; of IPv6 in brackets if there is a port. */
export const addressesWithPorts = z
  .string()
  .transform((text, context) => {
    const items = text.split(',').map((item) => item.trim());
    const isAddress = (item: string) => {
      const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^\]]*?))(?::(\d{1,5}))?$/.exec(item) ?? [];
      if (isIP(item) !== 0) return true;
      const version = isIP(bracketed ?? plain ?? '');
      return port !== undefined && Number(port) <= 65_535 && version === (bracketed === undefined ? 4 : 6);
    };
    if (!items.every(isAddress)) context.addIssue({ code: 'custom' });
    return items;
  })
  .meta({ expected: 'addresses such as 192.0.2.53 or 192.0.2.53:5353, separated by commas' });

/** Null if one of them is neither an address nor a network. */
function blockListOf(items: readonly string[]): BlockList | null {
  const list = new BlockList();
  for (const item of items) {
    const [address = '', prefix, more] = item.split('/');
    const version = isIP(address);
    const family = version === 6 ? 'ipv6' : 'ipv4';
    if (version === 0 || more !== undefined) return null;
    if (prefix === undefined) list.addAddress(address, family);
    else if (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32)) {
      list.addSubnet(address, Number(prefix), family);
    } else return null;
  }
  return list;
}

/** Whether an address (IPv4 also as `::ffff:10.0.0.1`) is one of these or in one of these networks. */
export function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** A URL that `accept` allows, as the text it was set to. */
export const url = (expected: string, accept: (url: URL) => boolean) =>
  z
    .string()
    .refine((value) => {
      const parsed = URL.parse(value);
      return parsed !== null && accept(parsed);
    })
    .meta({ expected });

/** Lists every invalid setting, one per line, without the value of a secret. */
export class SettingsError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

/**
 * Reads the declared settings from environment variables; an empty one counts as unset. `warnings` lists variables that
 * start with `MILLRACE_` and are not settings.
 *
 * @param known settings that other programs read from the same environment, which cause no warning.
 * @throws SettingsError that lists all invalid settings
 */
export function readSettings<Declared extends Declarations>(
  declarations: Declared,
  environment: Readonly<Record<string, string | undefined>>,
  known: readonly Declarations[] = [],
): { settings: SettingsOf<Declared>; warnings: readonly string[] } {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, declaration] of Object.entries(declarations)) {
    const text = environment[declaration.name]?.trim() || undefined;
    const parsed = declaration.schema.safeParse(text);
    if (parsed.success) values[key] = parsed.data;
    else {
      const given = declaration.secret ? '' : `, not ${JSON.stringify(text?.slice(0, 100))}`;
      problems.push(`${declaration.name} must be ${expectedOf(declaration.schema)}${given}.`);
    }
  }
  if (problems.length > 0) throw new SettingsError(problems);
  const names = [declarations, ...known].flatMap((declared) => Object.values(declared).map(({ name }) => name));
  return { settings: values as SettingsOf<Declared>, warnings: unknownNames(environment, names) };
}

function expectedOf(schema: z.ZodType): string {
  for (let inner: unknown = schema; inner instanceof z.ZodType; ) {
    const expected = inner.meta()?.expected;
    if (typeof expected === 'string') return expected;
    if (inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) inner = inner.unwrap();
    else if (inner instanceof z.ZodPipe) inner = inner.in;
    else break;
  }
  return 'valid';
}

function unknownNames(environment: Readonly<Record<string, string | undefined>>, known: readonly string[]): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('MILLRACE_') && !known.includes(name))
    .map((name) => {
      const [nearest] = known.map((other) => ({ other, away: distance(name, other) })).sort((a, b) => a.away - b.away);
      const hint = nearest !== undefined && nearest.away <= 5 ? ` Did you mean ${nearest.other}?` : '';
      return `${name} is not a setting.${hint}`;
    });
}

/** Levenshtein distance. */
function distance(first: string, second: string): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let i = 1; i <= first.length; i++) {
    const next = [i];
    for (let j = 1; j <= second.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (first[i - 1] === second[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[second.length] ?? 0;
}

/** The declared settings as a Markdown table, a setting to a row. */
export function settingsTable(declarations: Declarations): string {
  const rows = Object.values(declarations).map(
    ({ name, defaultText, description }) =>
      `| \`${name}\` | ${/^[\d.:/@a-z]+$/.test(defaultText) ? `\`${defaultText}\`` : defaultText} | ${description} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';

/** An object of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

type Values = Readonly<Record<string, unknown>>;

const action = /\{\{(-?) (.*?) \}\}/g;

/**
 * The objects of a chart, as `helm template` renders them. Its templates use only what is understood here: values,
 * `.Release.Namespace`, `toYaml | nindent`, and `if`, `if not` and `end` on lines of their own.
 *
 * @param valuesFiles in the chart's folder, later ones override earlier ones
 * @param overrides as `--set` gives them
 * @throws Error at anything else, and at a value that is not set
 */
export function renderChart(
  folder: string,
  valuesFiles: readonly string[],
  namespace: string,
  overrides: Values = {},
): readonly Manifest[] {
  const values = [
    ...valuesFiles.map((name) => parse(readFileSync(join(folder, name), 'utf8')) as Values),
    overrides,
  ].reduce((merged, next) => merge(merged, next), {});
  return globSync('templates/*.yaml', { cwd: folder })
    .sort()
    .flatMap((name) => {
      const text = renderTemplate(readFileSync(join(folder, name), 'utf8'), {
        Values: values,
        Release: { Namespace: namespace },
      });
      return parseAllDocuments(text).flatMap((document) => {
        if ('errors' in document && document.errors.length > 0)
          throw new Error(`${name}: ${document.errors[0]?.message}`);
        const manifest = ('toJS' in document ? document.toJS() : null) as Manifest | null;
        return manifest === null ? [] : [manifest];
      });
    });
}

/** Objects are merged, everything else is replaced. */
function merge(first: Values, second: Values): Values {
  const merged: Record<string, unknown> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    const before = merged[name];
    merged[name] = isObject(before) && isObject(value) ? merge(before, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function renderTemplate(template: string, context: Values): string {
  /** For each open `if`, whether it holds. */
  const conditions: boolean[] = [];
  const lines: string[] = [];
  for (const line of template.split('\n')) {
    const [, condition] = /^\{\{- (if .+|end) \}\}$/.exec(line) ?? [];
    if (condition === 'end') {
      if (conditions.pop() === undefined) throw new Error('An end without an if.');
    } else if (condition !== undefined) {
      const [, not, path = ''] = /^if (not )?(\.[\w.]+)$/.exec(condition) ?? [];
      conditions.push(Boolean(lookUp(path, context)) !== (not !== undefined));
    } else if (conditions.every(Boolean)) {
      lines.push(line.replaceAll(action, (_, trim: string, expression: string) => evaluate(trim, expression, context)));
    }
  }
  if (conditions.length > 0) throw new Error('An if without an end.');
  return lines.join('\n');
}

function evaluate(trim: string, expression: string, context: Values): string {
  const [, path, spaces] = /^toYaml (\.[\w.]+) \| nindent (\d+)$/.exec(expression) ?? [];
  if (path !== undefined && trim === '-') {
    const indent = ' '.repeat(Number(spaces));
    return `\n${stringify(lookUp(path, context)).trimEnd().replaceAll(/^/gm, indent)}`;
  }
  const value = lookUp(expression, context);
  if (trim !== '' || isObject(value)) throw new Error(`{{ ${expression} }} is more than this renders.`);
  return String(value);
}

function lookUp(path: string, context: Values): unknown {
  if (!/^(\.\w+)+$/.test(path)) throw new Error(`{{ ${path} }} is more than this renders.`);
  let value: unknown = context;
  for (const name of path.slice(1).split('.')) value = isObject(value) ? value[name] : undefined;
  if (value === undefined) throw new Error(`The value ${path} is not set.`);
  return value;
}

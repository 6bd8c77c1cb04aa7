/**
 * Checks what imports what, in `npm run check`: every import between workspaces is declared and allowed, and no import
 * runs in a circle. Type-only imports count like any other: whoever changes the type has to read both sides.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** For each name, the names it may import. All of them stand above it, so the list itself contains no circle. */
type Allowed = Readonly<Record<string, readonly string[]>>;

export interface Boundaries {
  /** By path; `apps/control/contracts` allows that export of the workspace alone. */
  readonly workspaces: Allowed;
  /** What only tests may import, besides what their workspace may. */
  readonly tests: Allowed;
  /** By the folder that contains the domains. Files beside the domains connect them and may import any. */
  readonly domains: Readonly<Record<string, Allowed>>;
  readonly domainTests: Readonly<Record<string, Allowed>>;
  /**
   * By folder, the files in it that count as a folder of their own: data that the code beside them is built around, so
   * that others may import the data although the code imports them.
   */
  readonly data: Readonly<Record<string, RegExp>>;
}

export const boundaries: Boundaries = {
  workspaces: {
    'packages/document-model': [],
    'packages/encryption': [],
    'packages/eventually': [],
    'packages/histograms': [],
    'packages/identifiers': [],
    'packages/logs': [],
    'packages/markdown': [],
    'packages/operations': [],
    'packages/portal-theme': [],
    'packages/postgres': [],
    'packages/pricing': [],
    'packages/processes': [],
    'packages/webhooks': [],
    'packages/traces': [],
    'packages/sign-in': ['packages/encryption', 'packages/operations', 'packages/postgres'],
    'packages/scim': ['packages/postgres', 'packages/sign-in'],
    'packages/blobs': ['packages/encryption'],
    'packages/engine': ['packages/document-model'],
    'packages/extraction-contract': ['packages/document-model', 'packages/operations'],
    'packages/invoice-documents': [],
    'packages/mail': ['packages/postgres'],
    'packages/counters': [],
    'packages/policies': ['packages/counters', 'packages/operations'],
    'packages/alerting': ['packages/policies'],
    'packages/providers': ['packages/engine', 'packages/webhooks'],
    'packages/revision': ['packages/policies'],
    'packages/gateway-configuration': ['packages/histograms', 'packages/revision'],
    'packages/openapi': ['packages/policies', 'packages/revision'],
    'packages/settings': ['packages/logs'],
    'packages/data-plane': [
      'packages/counters',
      'packages/gateway-configuration',
      'packages/policies',
      'packages/revision',
      'packages/settings',
      'packages/webhooks',
    ],
    'packages/synthetic-documents': ['packages/document-model'],
    'packages/engine-training': ['packages/document-model', 'packages/engine', 'packages/synthetic-documents'],
    'packages/portal-pages': ['packages/portal-theme', 'packages/pricing'],
    'packages/ui': ['packages/operations'],
    'apps/extraction': [
      'packages/blobs',
      'packages/document-model',
      'packages/encryption',
      'packages/engine',
      'packages/extraction-contract',
      'packages/identifiers',
      'packages/logs',
      'packages/mail',
      'packages/operations',
      'packages/postgres',
      'packages/processes',
      'packages/providers',
      'packages/scim',
      'packages/settings',
      'packages/sign-in',
      'packages/traces',
      'packages/webhooks',
    ],
    'apps/control': [
      'packages/alerting',
      'packages/counters',
      'packages/data-plane',
      'packages/encryption',
      'packages/extraction-contract',
      'packages/gateway-configuration',
      'packages/histograms',
      'packages/identifiers',
      'packages/invoice-documents',
      'packages/logs',
      'packages/mail',
      'packages/markdown',
      'packages/openapi',
      'packages/operations',
      'packages/policies',
      'packages/portal-pages',
      'packages/portal-theme',
      'packages/postgres',
      'packages/pricing',
      'packages/processes',
      'packages/revision',
      'packages/scim',
      'packages/settings',
      'packages/sign-in',
      'packages/traces',
      'packages/webhooks',
    ],
    'apps/gateway': [
      'packages/counters',
      'packages/data-plane',
      'packages/gateway-configuration',
      'packages/histograms',
      'packages/identifiers',
      'packages/logs',
      'packages/policies',
      'packages/processes',
      'packages/revision',
      'packages/settings',
      'packages/traces',
      'packages/webhooks',
    ],
    'packages/client': ['packages/extraction-contract', 'packages/operations'],
    'apps/console': [
      'apps/control/contracts',
      'packages/alerting',
      'packages/operations',
      'packages/policies',
      'packages/portal-theme',
      'packages/pricing',
      'packages/revision',
      'packages/ui',
    ],
    'apps/dashboard': [
      'apps/extraction/dashboard-contracts',
      'packages/document-model',
      'packages/operations',
      'packages/ui',
    ],
    'apps/portal': [
      'apps/control/portal-contracts',
      'packages/openapi/snippets',
      'packages/operations',
      'packages/portal-pages',
      'packages/ui',
    ],
    bench: [
      'apps/control',
      'apps/extraction',
      'apps/gateway',
      'packages/alerting',
      'packages/client',
      'packages/counters',
      'packages/data-plane',
      'packages/document-model',
      'packages/encryption',
      'packages/engine',
      'packages/engine-training',
      'packages/eventually',
      'packages/gateway-configuration',
      'packages/histograms',
      'packages/identifiers',
      'packages/logs',
      'packages/operations',
      'packages/policies',
      'packages/postgres',
      'packages/providers',
      'packages/revision',
      'packages/settings',
      'packages/sign-in',
      'packages/synthetic-documents',
      'packages/webhooks',
    ],
    scripts: [
      'apps/console/build',
      'apps/control/announcement',
      'apps/control/audit-anchors',
      'apps/control/migrations',
      'apps/control/service',
      'apps/dashboard/build',
      'apps/extraction/announcement',
      'apps/extraction/backup',
      'apps/extraction/service',
      'apps/gateway/announcement',
      'apps/gateway/service',
      'apps/portal/build',
      'packages/logs',
      'packages/postgres',
      'packages/processes',
      'packages/settings',
    ],
  },
  tests: {
    'apps/control': ['packages/eventually'],
    'packages/postgres': ['packages/eventually'],
    'packages/mail': ['packages/eventually'],
    'packages/data-plane': ['packages/eventually'],
    'packages/counters': ['packages/eventually'],
    'packages/client': ['apps/extraction/testing', 'packages/webhooks'],
    'packages/operations': ['packages/ui/testing'],
    'packages/portal-pages': ['packages/ui/testing'],
    'packages/ui': ['packages/mail'],
    'packages/engine': ['packages/eventually', 'packages/synthetic-documents'],
    'packages/invoice-documents': ['packages/engine'],
    'apps/console': [
      'apps/control/billing-periods/testing',
      'apps/control/gateway-nodes/testing',
      'apps/control/incidents/testing',
      'apps/control/portal/testing',
      'apps/control/products/testing',
      'apps/control/provider-sign-in/testing',
      'apps/control/testing',
      'apps/gateway/testing-platform',
      'packages/eventually',
      'packages/mail',
      'packages/sign-in/oidc-provider-testing',
    ],
    'apps/dashboard': [
      'apps/extraction/dashboard-testing',
      'apps/extraction/testing',
      'packages/eventually',
      'packages/mail',
      'packages/providers',
      'packages/sign-in/oidc-provider-testing',
      'packages/webhooks',
    ],
    'apps/portal': [
      'apps/control/billing-periods/testing',
      'apps/control/portal/users/testing',
      'apps/control/testing',
      'apps/gateway/testing-platform',
      'packages/eventually',
      'packages/mail',
      'packages/sign-in/oidc-provider-testing',
    ],
    'apps/extraction': ['packages/client', 'packages/eventually'],
    'apps/gateway': [
      'apps/control/portal/testing',
      'apps/control/service',
      'apps/control/slots/testing',
      'apps/control/testing',
      'packages/encryption',
      'packages/eventually',
      'packages/postgres',
    ],
    scripts: [
      'apps/control/testing',
      'apps/extraction/migrations',
      'apps/extraction/testing',
      'apps/gateway/metrics',
      'packages/eventually',
    ],
  },
  domains: {
    'apps/control/src': {
      database: [],
      frame: ['database'],
      identity: ['database', 'frame'],
      design: ['database', 'frame', 'identity'],
      delivery: ['database', 'design', 'frame', 'identity'],
      consumers: ['database', 'frame', 'identity'],
      money: ['consumers', 'database', 'frame', 'identity'],
      watch: ['consumers', 'database', 'delivery', 'design', 'frame', 'identity', 'money'],
      portal: ['consumers', 'database', 'delivery', 'frame', 'identity', 'money', 'watch'],
      platform: ['consumers', 'database', 'delivery', 'design', 'frame', 'identity', 'money', 'portal', 'watch'],
      http: ['frame', 'identity', 'platform', 'portal'],
      cli: ['frame', 'identity', 'platform'],
      'audit-verify': ['database', 'frame', 'platform'],
      'demo-seed': ['database', 'delivery', 'frame', 'watch'],
      'every-operation': [],
    },
  },
  domainTests: {
    'apps/control/src': {
      identity: ['consumers'],
      design: ['delivery'],
      delivery: ['consumers'],
      consumers: ['delivery', 'design'],
      money: ['delivery', 'design'],
      portal: ['design'],
      platform: ['every-operation', 'http'],
      watch: ['every-operation'],
      'every-operation': ['consumers', 'database', 'delivery', 'design', 'frame', 'money', 'portal', 'watch'],
    },
  },
  data: {
    // What a document type is, beside how it is read: its `compose.ts` and `rules.ts` call most stages of the engine.
    'packages/engine/src/types': /^(?:[^/]+\/definition|fields\/[^/]+|captions|definition|own-type|registry)\.ts$/,
  },
};

/** A file that only tests use: product code does not import it, and it may import what a test may. */
export function isTestFile(path: string): boolean {
  return /(?:\.test\.tsx?|-testing\.ts|\/testing[^/]*\.ts)$|\/(?:test|testing|every-operation)\//.test(path);
}

interface Import {
  readonly from: string;
  readonly specifier: string;
  /** Path of the imported file; null where it is in another workspace or a package of npm. */
  readonly file: string | null;
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

interface Workspace {
  readonly path: string;
  readonly manifest: Manifest;
}

/**
 * @param files text by path from the root: every source file and every `package.json` of a workspace
 * @returns one line for each violation; empty where everything stays within its boundaries
 */
export function findProblems(files: ReadonlyMap<string, string>, rules: Boundaries): readonly string[] {
  const workspaces = new Map<string, Workspace>();
  for (const [path, text] of files) {
    if (path !== 'package.json' && !path.endsWith('/package.json')) continue;
    workspaces.set(path === 'package.json' ? 'scripts' : dirname(path), {
      path: path === 'package.json' ? 'scripts' : dirname(path),
      manifest: JSON.parse(text),
    });
  }
  const imports = [...files].flatMap(([path, text]) => (/\.tsx?$/.test(path) ? importsOf(path, text) : []));
  return [
    ...declarationProblems(imports, workspaces),
    ...edgeProblems(imports, workspaces, rules),
    ...domainProblems(imports, rules),
    ...orderProblems(rules),
    ...circleProblems(imports, rules),
  ];
}

function importsOf(from: string, text: string): readonly Import[] {
  const { module } = parseSync(from, text);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...module.dynamicImports.map(
      ({ moduleRequest }) => /^'(.+)'$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[1],
    ),
    ...module.importMetas.map(({ start, end }) => fileOfMeta(text.slice(0, start), text.slice(end))),
  ];
  return [...new Set(specifiers)].flatMap((specifier) => {
    if (specifier === undefined || /^(?:node|data):/.test(specifier)) return [];
    return { from, specifier, file: specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : null };
  });
}

/** What `import.meta` is used to find: what a worker thread runs, or a package that is not imported. */
function fileOfMeta(before: string, after: string): string | undefined {
  return (
    /new URL\(\s*'(\.[^']+\.tsx?)', $/.exec(before)?.[1] ??
    /^\.resolve\('([^']+)'\)/.exec(after)?.[1] ??
    (before.endsWith('createRequire(') ? /^\.url\)\('([^']+)'\)/.exec(after)?.[1] : undefined)
  );
}

const workspaceOf = (path: string): string => path.split('/', /^(?:apps|packages)\//.test(path) ? 2 : 1).join('/');

/** `@scope/name/path` → `@scope/name` */
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

function declarationProblems(imports: readonly Import[], workspaces: ReadonlyMap<string, Workspace>): string[] {
  const problems = new Set<string>();
  const names = new Set([...workspaces.values()].map(({ manifest }) => manifest.name));
  const usedByProduct = new Set<string>();
  const usedByTests = new Set<string>();
  for (const { from, specifier, file } of imports) {
    const home = workspaceOf(from);
    if (file !== null && workspaceOf(file) === home) {
      if (isTestFile(file) && !isTestFile(from)) problems.add(`test: ${from} imports the test file ${specifier}.`);
      continue;
    }
    // Benchmarks measure parts that no workspace exports.
    if (file !== null && home !== 'bench') {
      problems.add(`path: ${from} imports ${specifier}. Import the package by name.`);
      continue;
    }
    const name = file === null ? packageOf(specifier) : workspaces.get(workspaceOf(file))?.manifest.name;
    const manifest = workspaces.get(home)?.manifest;
    if (name === undefined || manifest === undefined || name === manifest.name) continue;
    // The scripts run in a checkout alone, where everything is installed.
    const isTest = isTestFile(from) || home === 'scripts';
    (isTest ? usedByTests : usedByProduct).add(`${home} ${name}`);
    const declared = {
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...(isTest && manifest.devDependencies),
    };
    if (!(name in declared)) {
      const list = isTest ? 'dependencies or devDependencies' : 'dependencies';
      problems.add(`undeclared: ${from} imports ${name}, which the ${list} of ${home} lack.`);
    }
  }
  for (const { path, manifest } of workspaces.values()) {
    for (const list of ['dependencies', 'devDependencies'] as const) {
      for (const name of Object.keys(manifest[list] ?? {})) {
        if (!names.has(name) || usedByProduct.has(`${path} ${name}`)) continue;
        if (!usedByTests.has(`${path} ${name}`)) problems.add(`unused: ${path} declares ${name} and never imports it.`);
        else if (list === 'dependencies') {
          problems.add(`unused: only tests of ${path} import ${name}. Move it to devDependencies.`);
        }
      }
    }
  }
  return [...problems].sort();
}

function edgeProblems(
  imports: readonly Import[],
  workspaces: ReadonlyMap<string, Workspace>,
  rules: Boundaries,
): string[] {
  const pathsByName = new Map([...workspaces.values()].map(({ path, manifest }) => [manifest.name, path]));
  const edges = imports.flatMap(({ from, specifier, file }) => {
    const name = packageOf(specifier);
    const to = file === null ? pathsByName.get(name) : workspaceOf(file);
    if (to === undefined || to === workspaceOf(from)) return [];
    return { from, home: workspaceOf(from), to: file === null ? `${to}${specifier.slice(name.length)}` : to };
  });
  return compare(edges, rules.workspaces, rules.tests, 'edge');
}

function domainProblems(imports: readonly Import[], rules: Boundaries): string[] {
  return Object.entries(rules.domains).flatMap(([folder, domains]) => {
    const domainOf = (path: string) =>
      path.startsWith(`${folder}/`) && path.slice(folder.length + 1).includes('/')
        ? path
            .slice(folder.length + 1)
            .split('/', 1)
            .join()
        : null;
    const edges = imports.flatMap(({ from, file }) => {
      const home = domainOf(from);
      const to = file === null ? null : domainOf(file);
      return home === null || to === null || home === to ? [] : { from, home, to };
    });
    return compare(edges, domains, rules.domainTests[folder] ?? {}, `edge in ${folder}`);
  });
}

interface Edge {
  readonly from: string;
  readonly home: string;
  readonly to: string;
}

/** What is imported and not allowed, and what is allowed and not imported. */
function compare(edges: readonly Edge[], product: Allowed, tests: Allowed, kind: string): string[] {
  const refused = new Map<string, string[]>();
  const used = new Set<string>();
  for (const { from, home, to } of edges) {
    const find = (allowed: Allowed) => allowed[home]?.find((name) => to === name || to.startsWith(`${name}/`));
    const byProduct = find(product);
    const byTests = isTestFile(from) ? find(tests) : undefined;
    if (byProduct !== undefined) {
      if (!isTestFile(from)) used.add(`${home} -> ${byProduct}`);
    } else if (byTests !== undefined) used.add(`tests of ${home} -> ${byTests}`);
    else getOrInsert(refused, `${isTestFile(from) ? 'tests of ' : ''}${home} -> ${to}`, () => []).push(from);
  }
  const problems = [...refused].map(([edge, files]) => {
    const others = files.length > 1 ? ` and ${files.length - 1} more` : '';
    return `${kind}: ${edge} is not allowed (${files[0]}${others}).`;
  });
  for (const [allowed, prefix] of [
    [product, ''],
    [tests, 'tests of '],
  ] as const) {
    for (const [home, names] of Object.entries(allowed)) {
      for (const name of names) {
        const edge = `${prefix}${home} -> ${name}`;
        if (!used.has(edge)) problems.push(`${kind}: ${edge} is allowed and never imported. Remove it.`);
      }
    }
  }
  return problems.sort();
}

/** Each name may import only what stands above it. Tests may import any part: nothing imports them. */
function orderProblems(rules: Boundaries): string[] {
  return [rules.workspaces, ...Object.values(rules.domains)].flatMap((allowed) => {
    const names = Object.keys(allowed);
    const isAbove = (home: string, name: string) =>
      names.slice(0, names.indexOf(home)).some((above) => name === above || name.startsWith(`${above}/`));
    return names.flatMap((home) =>
      allowed[home]!.filter((name) => !isAbove(home, name)).map((name) => `order: ${name} has to stand above ${home}.`),
    );
  });
}

/**
 * Circles at every level of the tree. In a folder, each subfolder counts as one, with all it contains, and each file
 * that lies directly in it counts separately: such a file starts what the subfolders do (`service.ts`) or is what they
 * build on (`settings.ts`), and only one that does both ties them together. Thus a file may import from the folders
 * beside it, a folder from the files beside it, and a circle among files alone stays the folder's own affair. Tests
 * are left out: nothing imports them. Of a folder with data, its data counts as a folder of its own.
 */
function circleProblems(imports: readonly Import[], { data }: Boundaries): string[] {
  const partsOf = (path: string): string[] => {
    const folder = Object.keys(data).find((name) => path.startsWith(`${name}/`));
    const isData = folder !== undefined && data[folder]!.test(path.slice(folder.length + 1));
    return (isData ? path.replace(folder, `${folder} (data)`) : path).split('/');
  };
  const levels = new Map<string, Map<string, Map<string, string>>>();
  for (const { from, file } of imports) {
    if (file === null || isTestFile(from) || workspaceOf(from) !== workspaceOf(file)) continue;
    const [source, target] = [partsOf(from), partsOf(file)];
    const depth = source.findIndex((name, index) => name !== target[index]);
    if (depth < 0) continue;
    const level = getOrInsert(levels, source.slice(0, depth).join('/'), () => new Map());
    const targets = getOrInsert(level, source[depth]!, () => new Map());
    if (!targets.has(target[depth]!)) targets.set(target[depth]!, `${from} -> ${file}`);
  }
  return [...levels].sort().flatMap(([folder, level]) => {
    const reached = new Map([...level.keys()].map((name) => [name, reachableFrom(name, level)]));
    const seen = new Set<string>();
    return [...level.keys()].flatMap((name) => {
      if (seen.has(name)) return [];
      const circle = [...reached.get(name)!].filter((other) => reached.get(other)?.has(name)).sort();
      for (const member of circle) seen.add(member);
      if (circle.every((member) => /\.tsx?$/.test(member))) return [];
      const proofs = circle.flatMap((member) =>
        [...level.get(member)!].flatMap(([target, proof]) => (circle.includes(target) ? `  ${proof}` : [])),
      );
      return `circle: ${folder} has ${circle.join(', ')}\n${proofs.join('\n')}`;
    });
  });
}

function reachableFrom(start: string, edges: ReadonlyMap<string, ReadonlyMap<string, string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const target of edges.get(name)?.keys() ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}

function getOrInsert<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  const paths = globSync(
    [
      'package.json',
      '{apps,packages}/*/package.json',
      'bench/package.json',
      '{apps,packages,bench,scripts}/**/*.{ts,tsx}',
    ],
    {
      cwd: root,
      exclude: ['**/node_modules/**', '**/dist/**'],
    },
  );
  const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const problems = findProblems(files, boundaries);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type ESTree, parseSync } from 'vite';

/**
 * Finds every operation that an app's screens can call.
 *
 * A use is a call, with an operation's id, of a function that takes one: those of the app's API module, and any other
 * whose parameter's type is a type parameter bound by a type called `…OperationId`. Inside such a function the id is
 * passed on, and the use is where it is called. Ids must be literals in the source.
 *
 * @param folder the app's `src`; its test files are left out
 * @param apiModule the module that sends requests, relative to the folder, such as `frame/api.ts`
 * @returns the places of each operation's uses (`screens/home/home.tsx:14`), by its id
 * @throws Error that names every place whose id can't be read from the source, and every request outside the API
 *   module
 */
export function operationsOfScreens(folder: string, apiModule: string): ReadonlyMap<string, readonly string[]> {
  const files = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((name) => !/\.test\.tsx?$/.test(name));
  const modules = files.sort().map((name) => parseModule(folder, name));
  const takers = new Map(modules.flatMap(idTakersOf));
  if (![...takers.keys()].some((key) => key.startsWith(`${apiModule}#`))) {
    throw new Error(`No function of ${apiModule} takes the id of an operation.`);
  }
  const uses = new Map<string, string[]>();
  const faults: string[] = [];
  for (const module of modules) {
    const found = usesIn(module, takers);
    faults.push(...found.faults);
    for (const { id, place } of found.uses) uses.set(id, [...(uses.get(id) ?? []), place]);
    if (found.uses.length === 0 && module.name !== apiModule) faults.push(...requestsIn(module));
  }
  if (faults.length > 0) throw new Error(`Operations that the source does not show:\n${faults.join('\n')}`);
  return uses;
}

interface Module {
  readonly folder: string;
  /** Relative to the folder. */
  readonly name: string;
  readonly text: string;
  readonly program: ESTree.Program;
}

function parseModule(folder: string, name: string): Module {
  const text = readFileSync(join(folder, name), 'utf8');
  const { program, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name} cannot be parsed: ${errors[0]!.message}`);
  return { folder, name, text, program };
}

function placeOf({ name, text }: Module, { start }: { readonly start: number }): string {
  return `${name}:${text.slice(0, start).split('\n').length}`;
}

/** The position of the parameter that is an id, by `module#function`, of each exported function that takes one. */
function idTakersOf(module: Module): (readonly [string, number])[] {
  return functionsOf(module).map(({ id, index }) => [`${module.name}#${id}`, index]);
}

interface IdTaker {
  readonly id: string;
  /** Of the parameter that is an id. */
  readonly index: number;
  readonly parameter: string;
  readonly start: number;
  readonly end: number;
}

function functionsOf({ program }: Module): IdTaker[] {
  return nodesOf(program).flatMap((node) => {
    if (node.type !== 'FunctionDeclaration' || node.id === null) return [];
    const { id, typeParameters, params, start, end } = node;
    const bound = (typeParameters?.params ?? [])
      .filter(({ constraint }) => nameOfType(constraint)?.endsWith('OperationId'))
      .map(({ name }) => name.name);
    return params.flatMap((parameter, index) => {
      if (parameter.type !== 'Identifier') return [];
      const type = nameOfType(parameter.typeAnnotation?.typeAnnotation);
      if (type === null || !bound.includes(type)) return [];
      return [{ id: id.name, index, parameter: parameter.name, start, end }];
    });
  });
}

function nameOfType(type: ESTree.TSType | null | undefined): string | null {
  return type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.name : null;
}

/** A node and everything below it, in no certain order. */
function nodesOf(root: ESTree.Node): ESTree.Node[] {
  const found: ESTree.Node[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if ('type' in value && 'start' in value) found.push(value as ESTree.Node);
    open.push(...Object.values(value));
  }
  return found;
}

/** Which of the functions that take an id a module knows, by the name that it has there. */
function takersIn(module: Module, takers: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const known = new Map(functionsOf(module).map(({ id, index }) => [id, index]));
  for (const statement of module.program.body) {
    if (statement.type !== 'ImportDeclaration' || !statement.source.value.startsWith('.')) continue;
    const file = resolve(module.folder, dirname(module.name), statement.source.value);
    const source = relative(module.folder, file);
    for (const specifier of statement.specifiers) {
      if (specifier.type !== 'ImportSpecifier') {
        if ([...takers.keys()].some((key) => key.startsWith(`${source}#`))) known.set(specifier.local.name, -1);
        continue;
      }
      const imported = specifier.imported.type === 'Literal' ? specifier.imported.value : specifier.imported.name;
      const index = takers.get(`${source}#${imported}`);
      if (index !== undefined) known.set(specifier.local.name, index);
    }
  }
  return known;
}

function usesIn(module: Module, takers: ReadonlyMap<string, number>) {
  const known = takersIn(module, takers);
  const passing = functionsOf(module);
  const constants = new Map<string, ESTree.Expression>();
  const calls: ESTree.CallExpression[] = [];
  const mentions: { readonly name: string; readonly start: number }[] = [];
  /** Where the name of such a function is part of a call or declaration, and not a mention of its own. */
  const expected = new Set<number>();
  for (const node of nodesOf(module.program)) {
    if (node.type === 'VariableDeclaration' && node.kind === 'const') {
      for (const { id, init } of node.declarations) if (id.type === 'Identifier' && init) constants.set(id.name, init);
    } else if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && known.has(node.callee.name)) {
      calls.push(node);
      expected.add(node.callee.start);
    } else if (node.type === 'ImportSpecifier') {
      expected.add(node.imported.start).add(node.local.start);
    } else if (node.type === 'FunctionDeclaration' && node.id !== null) {
      expected.add(node.id.start);
    } else if (node.type === 'MemberExpression' && !node.computed) {
      expected.add(node.property.start);
    } else if (node.type === 'Property' && !node.computed && !node.shorthand) {
      expected.add(node.key.start);
    } else if (node.type === 'Identifier' && known.has(node.name)) {
      mentions.push(node);
    }
  }

  const idsOf = (node: ESTree.Node | undefined): readonly string[] | null => {
    if (node?.type === 'Literal') return typeof node.value === 'string' ? [node.value] : null;
    if (node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression') return idsOf(node.expression);
    if (node?.type === 'Identifier') return idsOf(constants.get(node.name));
    if (node?.type !== 'ConditionalExpression') return null;
    const [one, other] = [idsOf(node.consequent), idsOf(node.alternate)];
    return one && other && [...one, ...other];
  };
  const uses: { readonly id: string; readonly place: string }[] = [];
  const faults: string[] = [];
  for (const call of calls) {
    const callee = (call.callee as ESTree.IdentifierReference).name;
    const given = call.arguments[known.get(callee)!];
    const passedOn = passing.some(
      ({ parameter, start, end }) =>
        given?.type === 'Identifier' && given.name === parameter && start < call.start && call.end <= end,
    );
    if (passedOn) continue;
    const ids = idsOf(given);
    if (ids === null) faults.push(`${placeOf(module, call)}: ${callee} with an id that is no text of the source`);
    else uses.push(...ids.map((id) => ({ id, place: placeOf(module, call) })));
  }
  for (const mention of mentions) {
    if (expected.has(mention.start)) continue;
    faults.push(`${placeOf(module, mention)}: ${mention.name} is not called here but given away`);
  }
  return { uses, faults };
}

const senders = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket', 'sendBeacon'];

/** Places where a module sends requests directly. */
function requestsIn(module: Module): string[] {
  return nodesOf(module.program).flatMap((node) =>
    node.type === 'Identifier' && senders.includes(node.name)
      ? [`${placeOf(module, node)}: ${node.name} sends a request of no operation`]
      : [],
  );
}

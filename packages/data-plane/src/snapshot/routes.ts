/** Which route of a revision answers a path, and which API proxy a base path belongs to. */

/** Methods that a gateway passes on, in the order of {@link methodIndex}. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Where the method stands in {@link methods}; -1 where no gateway passes it on. */
export function methodIndex(method: string): number {
  return methods.indexOf(method);
}

/** What a pattern leads to, one place for each method. */
type ByMethod<Route> = (Route | null)[];

interface Node<Route> {
  /** The segment that leads to it. */
  readonly segment: string;
  literals: Node<Route>[] | null;
  /** The same by their segments; null while they are few. */
  bySegment: Map<string, Node<Route>> | null;
  parameter: Node<Route> | null;
  /** Of patterns that end here. */
  here: ByMethod<Route> | null;
  /** Of patterns that end here with `/*`. */
  rest: ByMethod<Route> | null;
}

/** So many literals are compared faster one by one than one is found among them by a hash. */
const fewLiterals = 8;

const slash = 0x2f;
const semicolon = 0x3b;
const percent = 0x25;

/**
 * The routes of one revision. A literal segment goes before a parameter and that before `/*`, segment by segment; a pattern
 * without the method gives way to the next that has it. One slash at the end of a path makes no difference, nor do
 * parameters of a segment (`;name=value`), so that no spelling leads around a route that the target takes it for.
 */
export class RouteTable<Route extends { readonly method: string; readonly pathPattern: string }> {
  readonly #root = emptyNode<Route>('');

  /** @throws Error where two routes have one method and pattern */
  constructor(routes: readonly Route[]) {
    const inOrder = [
      ...routes.filter(({ method }) => method !== 'ANY'),
      ...routes.filter(({ method }) => method === 'ANY'),
    ];
    for (const route of inOrder) this.#add(route);
    for (const route of routes) if (route.method === 'GET') this.#place(route, 'HEAD', false);
  }

  /**
   * @param path as received, which begins with the base path
   * @param from where the base path ends
   * @param method its {@link methodIndex}
   */
  find(path: string, from: number, method: number): Route | null {
    return this.#walk(this.#root, path, from, method);
  }

  /** Methods by which the path can be asked; none where it is unknown. */
  methodsOf(path: string, from: number): readonly string[] {
    return methods.filter((_, index) => this.find(path, from, index) !== null);
  }

  #walk(node: Node<Route>, path: string, at: number, method: number): Route | null {
    // At a slash, or at the end.
    if (at >= path.length - 1) return node.here?.[method] ?? node.rest?.[method] ?? null;
    let found: Route | null = null;
    if (node.literals !== null || node.parameter !== null) {
      const start = at + 1;
      let end = start;
      let nameEnd = -1;
      for (; end < path.length; end++) {
        const code = path.charCodeAt(end);
        if (code === slash) break;
        if (nameEnd < 0 && (code === semicolon || (code === percent && path.startsWith('%3B', end)))) nameEnd = end;
      }
      const literal = literalOf(node, path, start, nameEnd < 0 ? end : nameEnd);
      if (literal !== null) found = this.#walk(literal, path, end, method);
      if (found === null && node.parameter !== null) found = this.#walk(node.parameter, path, end, method);
    }
    return found ?? node.rest?.[method] ?? null;
  }

  #add(route: Route): void {
    if (route.method !== 'ANY') {
      this.#place(route, route.method, true);
      return;
    }
    for (const method of methods) this.#place(route, method, false);
  }

  #place(route: Route, method: string, alone: boolean): void {
    let node = this.#root;
    const segments = route.pathPattern.split('/').slice(1);
    const takesRest = segments.at(-1) === '*';
    if (takesRest) segments.pop();
    for (const segment of segments) {
      if (segment === '') continue;
      if (segment.startsWith('{')) {
        node.parameter ??= emptyNode(segment);
        node = node.parameter;
      } else {
        node = literalAt(node, canonicalEscapes(segment));
      }
    }
    const end = takesRest ? 'rest' : 'here';
    node[end] ??= methods.map(() => null);
    const table = node[end];
    const index = methodIndex(method);
    if (alone && table[index]) throw new Error(`Two routes answer ${method} ${route.pathPattern}.`);
    table[index] ??= route;
  }
}

function emptyNode<Route>(segment: string): Node<Route> {
  return { segment, literals: null, bySegment: null, parameter: null, here: null, rest: null };
}

/** The literal of a node that stands in the path from `start` to `end`; null where none does. */
function literalOf<Route>(node: Node<Route>, path: string, start: number, end: number): Node<Route> | null {
  if (node.bySegment !== null) return node.bySegment.get(path.slice(start, end)) ?? null;
  if (node.literals === null) return null;
  for (const literal of node.literals) if (stands(literal.segment, path, start, end)) return literal;
  return null;
}

/** The literal of a node, which is made where there is none yet. */
function literalAt<Route>(node: Node<Route>, segment: string): Node<Route> {
  const known = literalOf(node, segment, 0, segment.length);
  if (known !== null) return known;
  const added = emptyNode<Route>(segment);
  node.literals = [...(node.literals ?? []), added];
  if (node.literals.length > fewLiterals) node.bySegment = new Map(node.literals.map((one) => [one.segment, one]));
  return added;
}

/** Values of the pattern's parameters in the path, as received; `*` is what the pattern's `/*` takes, without its slash. */
export function parameterValues(pathPattern: string, path: string, from: number): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  let at = from;
  for (const segment of pathPattern.split('/').slice(1)) {
    if (segment === '*') {
      values['*'] = path.slice(at + 1);
      break;
    }
    const slash = path.indexOf('/', at + 1);
    const end = slash < 0 ? path.length : slash;
    if (segment.startsWith('{')) values[segment.slice(1, -1)] = path.slice(at + 1, end);
    at = end;
  }
  return values;
}

/**
 * The API proxies of an environment by their base paths: the longest that the path begins with is its own. Its beginnings
 * are hashed in the walk that finds their ends, which is faster than a Map (open addressing with linear probing, at most
 * half full).
 */
export class BasePaths<Proxied extends { readonly basePath: string }> {
  #slots: (Proxied | null)[];
  #size = 0;
  #longest = 0;
  /** By a number of segments, whether there are base paths of so many. */
  readonly #depths: boolean[] = [false];

  /** @param expected how many are going to be set: to make room for thousands later would keep requests waiting */
  constructor(expected: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * (expected + 1)));
    this.#slots = emptySlots(slots);
  }

  /** @param proxied whose base path begins with a slash; replaces another one with the same */
  set(proxied: Proxied): void {
    const { basePath } = proxied;
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    if (this.#place(proxied)) this.#size++;
    this.#longest = Math.max(this.#longest, basePath.length);
    const depth = segmentsOf(basePath);
    while (this.#depths.length <= depth) this.#depths.push(false);
    this.#depths[depth] = true;
  }

  /** What has this base path. */
  get(basePath: string): Proxied | null {
    return this.#slots[this.#slotOf(basePath, hashOf(basePath))]!;
  }

  /** What is at the path; null where nothing is. */
  find(path: string): Proxied | null {
    const depths = this.#depths;
    const deepest = depths.length - 1;
    // What is longer is no base path; so no path makes this loop long.
    const end = Math.min(path.length, this.#longest);
    let found: Proxied | null = null;
    let hash = hashAtFirst;
    let depth = 0;
    for (let at = 0; at <= end; at++) {
      const code = at < path.length ? path.charCodeAt(at) : slash;
      if (code === slash && at > 0) {
        if (depths[++depth]) found = this.#slots[this.#slotOf(path.slice(0, at), hash)] ?? found;
        if (depth === deepest) break;
      } else if (code === semicolon || code === percent) {
        return this.#findByParts(path);
      }
      hash = hashed(hash, code);
    }
    return found;
  }

  /** As {@link BasePaths.find}, where segments may have parameters. */
  #findByParts(path: string): Proxied | null {
    let found: Proxied | null = null;
    for (let depth = 1, at = 0; depth < this.#depths.length && at < path.length; depth++) {
      const next = path.indexOf('/', at + 1);
      at = next < 0 ? path.length : next;
      const begin = path.slice(0, at);
      const bare = withoutParameters(begin);
      const known = this.get(begin);
      // Some targets leave parameters out: what is an API of its own without them is none with them.
      if (known !== null || (bare !== begin && this.get(bare) !== null)) found = known;
    }
    return found;
  }

  /** The slot of the base path, or the empty one where it would be. */
  #slotOf(basePath: string, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const known = this.#slots[slot]!;
      if (known === null || known.basePath === basePath) return slot;
    }
  }

  /** Returns whether the base path is new. */
  #place(proxied: Proxied): boolean {
    const slot = this.#slotOf(proxied.basePath, hashOf(proxied.basePath));
    const isNew = this.#slots[slot] === null;
    this.#slots[slot] = proxied;
    return isNew;
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = emptySlots(slots.length * 2);
    for (const proxied of slots) if (proxied !== null) this.#place(proxied);
  }
}

function emptySlots<Value>(count: number): (Value | null)[] {
  return new Array(count).fill(null);
}

const hashAtFirst = 0x811c_9dc5 | 0;

/** FNV-1a, one character further. */
function hashed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x0100_0193);
}

function hashOf(basePath: string): number {
  let hash = hashAtFirst;
  for (let at = 0; at < basePath.length; at++) hash = hashed(hash, basePath.charCodeAt(at));
  return hash;
}

/** Whether a text is what stands in the path from `start` to `end`. */
function stands(text: string, path: string, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== path.charCodeAt(start + at)) return false;
  return true;
}

function segmentsOf(path: string): number {
  let segments = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) segments++;
  return segments;
}

/** A literal segment as paths are compared: escapes in upper case, none where there need not be one (RFC 3986, 6.2.2). */
function canonicalEscapes(segment: string): string {
  return segment.replace(/%([0-9A-Fa-f]{2})/g, (written, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : written.toUpperCase();
  });
}

/** What stands before `;`, bare or escaped, in each segment. */
function withoutParameters(path: string): string {
  return path.includes(';') || path.includes('%3B') ? path.replace(/(?:;|%3B)[^/]*/g, '') : path;
}

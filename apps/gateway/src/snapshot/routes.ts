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
  literals: Map<string, Node<Route>> | null;
  parameter: Node<Route> | null;
  /** Of patterns that end here. */
  here: ByMethod<Route> | null;
  /** Of patterns that end here with `/*`. */
  rest: ByMethod<Route> | null;
}

/**
 * The routes of one revision. A literal segment goes before a parameter and that before `/*`, segment by segment; a pattern
 * without the method gives way to the next that has it. One slash at the end of a path makes no difference, nor do
 * parameters of a segment (`;name=value`), so that no spelling leads around a route that the target takes it for.
 */
export class RouteTable<Route extends { readonly method: string; readonly pathPattern: string }> {
  readonly #root: Node<Route> = { literals: null, parameter: null, here: null, rest: null };

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
    const slash = path.indexOf('/', at + 1);
    const end = slash < 0 ? path.length : slash;
    let found: Route | null = null;
    if (node.literals !== null) {
      const literal = node.literals.get(withoutParameters(path.slice(at + 1, end)));
      if (literal !== undefined) found = this.#walk(literal, path, end, method);
    }
    if (found === null && node.parameter !== null) found = this.#walk(node.parameter, path, end, method);
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
      const empty: Node<Route> = { literals: null, parameter: null, here: null, rest: null };
      if (segment.startsWith('{')) {
        node.parameter ??= empty;
        node = node.parameter;
      } else {
        node.literals ??= new Map();
        const literal = canonicalEscapes(segment);
        const known = node.literals.get(literal);
        if (known === undefined) node.literals.set(literal, empty);
        node = known ?? empty;
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

/** The API proxies of an environment by their base paths: the longest that the path begins with is its own. */
export class BasePaths<Proxied> {
  readonly #byPath = new Map<string, Proxied>();
  /** Numbers of segments that base paths have, the highest first. */
  readonly #depths: number[] = [];
  readonly #ends: number[] = [0];

  set(basePath: string, proxied: Proxied): void {
    this.#byPath.set(basePath, proxied);
    const depth = segmentsOf(basePath);
    if (this.#depths.includes(depth)) return;
    this.#depths.push(depth);
    this.#depths.sort((a, b) => b - a);
    while (this.#ends.length <= depth) this.#ends.push(0);
  }

  /** What has this base path. */
  get(basePath: string): Proxied | null {
    return this.#byPath.get(basePath) ?? null;
  }

  /** What is at the path, and where its base path ends in it; null where nothing is. */
  find(path: string): Proxied | null {
    const deepest = this.#depths[0] ?? 0;
    let depth = 0;
    for (let at = 0; depth < deepest && at >= 0 && at < path.length; ) {
      const slash = path.indexOf('/', at + 1);
      at = slash < 0 ? path.length : slash;
      this.#ends[++depth] = at;
    }
    for (const wanted of this.#depths) {
      if (wanted > depth) continue;
      const begin = path.slice(0, this.#ends[wanted]!);
      const found = this.#byPath.get(begin);
      if (found !== undefined) return found;
      // Some targets leave parameters out: what is an API of its own without them is none with them.
      const bare = withoutParameters(begin);
      if (bare !== begin && this.#byPath.has(bare)) return null;
    }
    return null;
  }
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

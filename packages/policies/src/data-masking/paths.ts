/** What remains of a masked value. */
export type Replacement = 'redact' | 'partial' | 'hash';

/** A step of a JSON path: a member's name, a name at any depth, an item, or anything. */
type Step =
  | { readonly kind: 'member' | 'descendant'; readonly name: string }
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'any' };

interface Place {
  readonly rule: number;
  /** Steps of the rule taken so far. */
  readonly taken: number;
}

interface PathRule {
  readonly steps: readonly Step[];
  readonly replacement: Replacement;
}

/** States beyond this number are computed each time: their number grows with the answers, not with the rules. */
const maxStates = 2_000;

/** Strictest first: where two rules hit one value, the first of these holds. */
const strictness: readonly Replacement[] = ['redact', 'hash', 'partial'];

/** The position of a value, as far as the paths of a policy distinguish positions. */
export interface PathState {
  /** What the paths require for the value here, or null. */
  readonly replacement: Replacement | null;
  /** Whether a path could match a value within. */
  readonly leadsOn: boolean;
  member(name: string): PathState;
  /** A member with a name that is in none of the paths. */
  otherMember(): PathState;
  item(index: number): PathState;
}

/** The paths of a policy as an automaton over the names and indexes leading to a value. */
export interface Paths {
  readonly root: PathState;
  /** Names that the paths have, by their length in bytes of UTF-8. */
  readonly names: ReadonlyMap<number, readonly { readonly name: string; readonly bytes: Uint8Array }[]>;
  readonly longestNameBytes: number;
}

export function compilePaths(rules: readonly { readonly path: string; readonly replacement: Replacement }[]): Paths {
  const parsed = rules.map(({ path, replacement }) => ({ steps: parsePath(path), replacement }));
  const names = new Set(parsed.flatMap(({ steps }) => steps.flatMap((step) => ('name' in step ? [step.name] : []))));
  const indexes = new Set(
    parsed.flatMap(({ steps }) => steps.flatMap((step) => ('index' in step ? [step.index] : []))),
  );
  const encoded = [...names].map((name) => ({ name, bytes: Buffer.from(name) }));
  return {
    root: new States(parsed, names, indexes).state(parsed.map((_, rule) => ({ rule, taken: 0 }))),
    names: Map.groupBy(encoded, ({ bytes }) => bytes.length),
    longestNameBytes: Math.max(0, ...encoded.map(({ bytes }) => bytes.length)),
  };
}

function parsePath(path: string): readonly Step[] {
  const steps: Step[] = [];
  for (const [, dots, name, index, quoted] of path.matchAll(
    /(?:(\.{1,2})([A-Za-z_][A-Za-z0-9_-]*)|\.\*|\[(?:\*|([0-9]+)|'([^']*)')\])/g,
  )) {
    if (name !== undefined) steps.push({ kind: dots === '..' ? 'descendant' : 'member', name });
    else if (quoted !== undefined) steps.push({ kind: 'member', name: quoted });
    else if (index !== undefined) steps.push({ kind: 'item', index: Number(index) });
    else steps.push({ kind: 'any' });
  }
  return steps;
}

class States {
  readonly #rules: readonly PathRule[];
  readonly #names: ReadonlySet<string>;
  readonly #indexes: ReadonlySet<number>;
  readonly #states = new Map<string, PathState>();

  constructor(rules: readonly PathRule[], names: ReadonlySet<string>, indexes: ReadonlySet<number>) {
    this.#rules = rules;
    this.#names = names;
    this.#indexes = indexes;
  }

  state(places: readonly Place[]): PathState {
    const key = places.map(({ rule, taken }) => `${rule}.${taken}`).join(' ');
    const known = this.#states.get(key);
    if (known) return known;
    const created = this.#create(places);
    if (this.#states.size < maxStates) this.#states.set(key, created);
    return created;
  }

  #create(places: readonly Place[]): PathState {
    const wanted = places.flatMap(({ rule, taken }) => {
      const { steps, replacement } = this.#rules[rule]!;
      return taken === steps.length ? [replacement] : [];
    });
    const onwards = places.filter(({ rule, taken }) => taken < this.#rules[rule]!.steps.length);
    const members = new Map<string, PathState>();
    const items = new Map<number, PathState>();
    let other: PathState | null = null;
    let otherItem: PathState | null = null;
    const otherMember = (): PathState => {
      other ??= this.#after(onwards, null, null);
      return other;
    };
    const anyItem = (): PathState => {
      otherItem ??= this.#after(onwards, null, -1);
      return otherItem;
    };
    return {
      replacement: strictness.find((replacement) => wanted.includes(replacement)) ?? null,
      leadsOn: onwards.length > 0,
      otherMember,
      member: (name) => {
        if (!this.#names.has(name)) return otherMember();
        const state = members.get(name) ?? this.#after(onwards, name, null);
        members.set(name, state);
        return state;
      },
      item: (index) => {
        if (!this.#indexes.has(index)) return anyItem();
        const state = items.get(index) ?? this.#after(onwards, null, index);
        items.set(index, state);
        return state;
      },
    };
  }

  /** The state of a member (an index of null) or an item (-1: of an index that no path has). */
  #after(places: readonly Place[], name: string | null, index: number | null): PathState {
    const next: Place[] = [];
    for (const place of places) {
      const step = this.#rules[place.rule]!.steps[place.taken]!;
      const taken = { rule: place.rule, taken: place.taken + 1 };
      if (step.kind === 'any') next.push(taken);
      else if (step.kind === 'item') {
        if (index === step.index) next.push(taken);
      } else {
        if (step.kind === 'descendant') next.push(place);
        if (index === null && name === step.name) next.push(taken);
      }
    }
    const distinct = new Map(next.map((place) => [`${place.rule}.${place.taken}`, place]));
    return this.state([...distinct.keys()].sort().map((key) => distinct.get(key)!));
  }
}

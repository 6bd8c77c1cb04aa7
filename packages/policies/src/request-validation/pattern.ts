/**
 * Regular expressions of a schema, tested in a time that grows with the text alone: V8's own engine can take forever over
 * a few characters. An expression becomes a nondeterministic automaton (Thompson, 1968), of which the deterministic one is
 * made as far as texts need it.
 */
export interface LinearPattern {
  test(text: string): boolean;
}

/** Longest pattern, and most states of an automaton. */
const maxPatternLength = 1_000;
const maxStates = 10_000;
/** Deterministic states that are kept at a time. */
const maxKeptSets = 1_000;
/** States that may be followed for one text, beyond those that are kept. */
const maxWork = 20_000_000;

type Expression =
  | { readonly kind: 'character'; readonly test: (character: string) => boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly of: Expression; readonly min: number; readonly max: number }
  | { readonly kind: 'assert'; readonly what: '^' | '$' | 'b' | 'B' };

/**
 * @throws Error where it is no regular expression, or one that looks around or back in a way that no automaton can
 */
export function compilePattern(source: string): LinearPattern {
  if (source.length > maxPatternLength) throw new Error(`A pattern can have at most ${maxPatternLength} characters.`);
  const flags = isValid(source, 'u') ? 'u' : '';
  if (flags === '' && !isValid(source, '')) throw new Error(`The pattern ${source} is not a valid regular expression.`);
  const { conditions, rest } = leadingConditions(source);
  const machine = new Machine(new Parser(rest, flags).parse());
  const machines = conditions.map(({ isWanted, inner }) => ({
    isWanted,
    machine: new Machine(new Parser(`^(?:${inner})`, flags).parse()),
  }));
  return {
    test: (text) =>
      machines.every((condition) => condition.machine.test(text) === condition.isWanted) && machine.test(text),
  };
}

function isValid(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

/** What must or must not follow at the very start, as in `^(?=.*[0-9])(?!.*x).{8,}$`: tests of their own. */
function leadingConditions(source: string) {
  const conditions: { readonly isWanted: boolean; readonly inner: string }[] = [];
  let rest = source;
  while (/^\^\(\?[=!]/.test(rest)) {
    const end = groupEnd(rest, 1);
    conditions.push({ isWanted: rest[3] === '=', inner: rest.slice(4, end) });
    rest = `^${rest.slice(end + 1)}`;
  }
  return { conditions, rest };
}

/** Where the group ends that opens here. The source is a valid expression. */
function groupEnd(source: string, start: number): number {
  let depth = 0;
  let isClass = false;
  for (let at = start; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (isClass) isClass = character !== ']';
    else if (character === '[') isClass = true;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at;
  }
  return source.length;
}

/** Reads a valid expression. */
class Parser {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  parse(): Expression {
    return this.#choice();
  }

  #choice(): Expression {
    const parts = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  }

  #sequence(): Expression {
    const parts: Expression[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): Expression {
    const of = this.#atom();
    const [quantifier, min, comma, max] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    if (quantifier === undefined) return of;
    this.#at += quantifier.length;
    if (quantifier[0] === '*') return { kind: 'repeat', of, min: 0, max: Number.POSITIVE_INFINITY };
    if (quantifier[0] === '+') return { kind: 'repeat', of, min: 1, max: Number.POSITIVE_INFINITY };
    if (quantifier[0] === '?') return { kind: 'repeat', of, min: 0, max: 1 };
    const most = comma === '' ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max);
    return { kind: 'repeat', of, min: Number(min), max: most };
  }

  #atom(): Expression {
    const rest = this.#source.slice(this.#at);
    const [assertion] = /^(?:\^|\$|\\[bB])/.exec(rest) ?? [];
    if (assertion !== undefined) {
      this.#at += assertion.length;
      return { kind: 'assert', what: assertion.at(-1) as '^' | '$' | 'b' | 'B' };
    }
    if (rest[0] === '(') return this.#group(rest);
    const [character] =
      /^(?:\\(?:u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|.)/su.exec(
        rest,
      )!;
    if (/^\\(?:[1-9]|k)/.test(character))
      throw new Error(`The pattern ${this.#source} uses a backreference, which is not supported.`);
    this.#at += character.length;
    const test = new RegExp(`^(?:${character})$`, this.#flags);
    return { kind: 'character', test: (text) => test.test(text) };
  }

  #group(rest: string): Expression {
    if (/^\(\?<?[=!]/.test(rest))
      throw new Error(`The pattern ${this.#source} uses lookaround that is not at its start, which is not supported.`);
    const [opening] = /^\((?:\?:|\?<[^>]*>)?/.exec(rest)!;
    if (opening === '(' && rest[1] === '?')
      throw new Error(`The pattern ${this.#source} has an unsupported kind of group.`);
    this.#at += opening.length;
    const inner = this.#choice();
    this.#at++;
    return inner;
  }
}

/** What came before a character: nothing, a character of a word, another one. */
type Before = 'start' | 'word' | 'other';

/** A state of the deterministic automaton: those of the other one that it may be in. */
interface StateSet {
  readonly states: readonly number[];
  readonly before: Before;
  /** By the next character; null: the text matches. */
  readonly next: Map<string, StateSet | null>;
}

type Instruction =
  | { readonly kind: 'character'; readonly test: (character: string) => boolean; next: number }
  | { readonly kind: 'split'; next: number; other: number }
  | { readonly kind: 'assert'; readonly what: '^' | '$' | 'b' | 'B'; next: number }
  | { readonly kind: 'match' };

class Machine {
  readonly #program: Instruction[] = [];
  readonly #start: number;
  readonly #isAnchored: boolean;
  #sets = new Map<string, StateSet>();

  constructor(expression: Expression) {
    const match = this.#add({ kind: 'match' });
    this.#start = this.#write(expression, match);
    this.#isAnchored = this.#program[this.#start]!.kind === 'assert' && isStart(this.#program[this.#start]!);
  }

  test(text: string): boolean {
    let work = 0;
    let set = this.#set([this.#start], 'start');
    for (const character of text) {
      let next = set.next.get(character);
      if (next === undefined) {
        work += set.states.length + 10;
        if (work > maxWork) throw new Error('Matching a text against its pattern takes too long.');
        next = this.#follow(set, character);
        set.next.set(character, next);
      }
      if (next === null) return true;
      set = next;
      if (set.states.length === 0) return false;
    }
    return this.#reach(set, null).isMatch;
  }

  #follow(set: StateSet, character: string): StateSet | null {
    const { reached, isMatch } = this.#reach(set, character);
    if (isMatch) return null;
    const next = new Set<number>();
    for (const instruction of reached) {
      if (instruction.kind === 'character' && instruction.test(character)) next.add(instruction.next);
    }
    if (!this.#isAnchored) next.add(this.#start);
    return this.#set(
      [...next].sort((a, b) => a - b),
      isWord(character) ? 'word' : 'other',
    );
  }

  /** What is reached without a character, when this one, or the end, comes next. */
  #reach({ states, before }: StateSet, next: string | null) {
    const seen = new Set<number>();
    const open = [...states];
    const reached: Instruction[] = [];
    let isMatch = false;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const instruction = this.#program[at]!;
      if (instruction.kind === 'split') open.push(instruction.next, instruction.other);
      else if (instruction.kind === 'assert') {
        if (holds(instruction.what, before, next)) open.push(instruction.next);
      } else if (instruction.kind === 'match') isMatch = true;
      else reached.push(instruction);
    }
    return { reached, isMatch };
  }

  #set(states: readonly number[], before: Before): StateSet {
    const key = `${before} ${states.join(' ')}`;
    const known = this.#sets.get(key);
    if (known) return known;
    if (this.#sets.size >= maxKeptSets) {
      for (const set of this.#sets.values()) set.next.clear();
      this.#sets = new Map();
    }
    const set = { states, before, next: new Map() };
    this.#sets.set(key, set);
    return set;
  }

  #add(instruction: Instruction): number {
    if (this.#program.length >= maxStates) throw new Error('A pattern repeats too much.');
    return this.#program.push(instruction) - 1;
  }

  /** Writes what leads from the returned instruction over the expression to `next`. */
  #write(expression: Expression, next: number): number {
    switch (expression.kind) {
      case 'character':
        return this.#add({ ...expression, next });
      case 'assert':
        return this.#add({ ...expression, next });
      case 'sequence':
        return expression.parts.reduceRight((after, part) => this.#write(part, after), next);
      case 'choice':
        return expression.parts
          .map((part) => this.#write(part, next))
          .reduceRight((other, part) => this.#add({ kind: 'split', next: part, other }));
      case 'repeat': {
        const { of, min, max } = expression;
        let entry = next;
        if (max === Number.POSITIVE_INFINITY) {
          const loop = { kind: 'split' as const, next, other: next };
          entry = this.#add(loop);
          loop.next = this.#write(of, entry);
        } else {
          for (let count = min; count < max; count++) {
            entry = this.#add({ kind: 'split', next: this.#write(of, entry), other: next });
          }
        }
        for (let count = 0; count < min; count++) entry = this.#write(of, entry);
        return entry;
      }
    }
  }
}

function isStart(instruction: Instruction): boolean {
  return instruction.kind === 'assert' && instruction.what === '^';
}

function holds(what: '^' | '$' | 'b' | 'B', before: Before, next: string | null): boolean {
  if (what === '^') return before === 'start';
  if (what === '$') return next === null;
  const isBoundary = (before === 'word') !== (next !== null && isWord(next));
  return isBoundary === (what === 'b');
}

function isWord(character: string): boolean {
  return /^\w$/.test(character);
}

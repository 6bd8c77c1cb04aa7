import { ScimError } from './errors.ts';

/** A value that a filter compares with. */
export type FilterValue = string | number | boolean | null;

/** How an attribute is compared; `pr`: it has a value. */
export type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/** A filter (RFC 7644, 3.4.2.2). Paths are in lower case, without the URN of a schema. */
export type Filter =
  | { readonly kind: 'compare'; readonly path: string; readonly comparison: Comparison; readonly value: FilterValue }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'and'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'not'; readonly filter: Filter };

/** What a PATCH changes: an attribute, elements of one by a filter, or an attribute of these (RFC 7644, 3.5.2). */
export interface PatchPath {
  /** In lower case. */
  readonly attribute: string;
  readonly filter: Filter | null;
  /** In lower case; null: the attribute or element as a whole. */
  readonly sub: string | null;
}

const longestFilter = 2_000;
const mostTerms = 50;
const deepest = 10;
const comparisons: readonly string[] = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'];

interface Token {
  readonly kind: 'word' | 'string' | 'symbol';
  readonly text: string;
}

/** @throws ScimError `invalidFilter` for one that is malformed, or too long or deep */
export function parseFilter(text: string): Filter {
  const reader = new Reader(text, 'invalidFilter');
  const filter = reader.readOr(0);
  reader.expectEnd();
  return filter;
}

/** @throws ScimError `invalidPath` */
export function parsePatchPath(text: string): PatchPath {
  const reader = new Reader(text, 'invalidPath');
  const path = reader.readPath();
  reader.expectEnd();
  return path;
}

/** A path without the URN of its schema, in lower case: `urn:…:core:2.0:User:userName` is `username`. */
export function plainPath(path: string): string {
  return path.replace(/^urn:[\w:.-]*:([^:]+)$/i, '$1').toLowerCase();
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #fault: 'invalidFilter' | 'invalidPath';
  #next = 0;
  #terms = 0;

  constructor(text: string, fault: 'invalidFilter' | 'invalidPath') {
    this.#fault = fault;
    if (text.length > longestFilter) throw this.#refuse(`has more than ${longestFilter} characters`);
    this.#tokens = tokensOf(text) ?? this.#fail('has a character that doesn’t belong there');
  }

  readOr(depth: number): Filter {
    let left = this.#readAnd(depth);
    while (this.#takeWord('or')) left = { kind: 'or', left, right: this.#readAnd(depth) };
    return left;
  }

  readPath(): PatchPath {
    const first = this.#readName();
    if (!this.#takeSymbol('[')) {
      const [attribute = '', sub = null] = first.split('.', 2);
      return { attribute, filter: null, sub };
    }
    const filter = this.readOr(0);
    if (!this.#takeSymbol(']')) throw this.#refuse('lacks a closing bracket');
    const rest = this.#tokens[this.#next];
    const sub = rest?.kind === 'word' && rest.text.startsWith('.') ? rest.text.slice(1).toLowerCase() : null;
    if (sub !== null) this.#next++;
    return { attribute: first, filter, sub };
  }

  expectEnd(): void {
    if (this.#next < this.#tokens.length) throw this.#refuse('has something after its end');
  }

  #readAnd(depth: number): Filter {
    let left = this.#readTerm(depth);
    while (this.#takeWord('and')) left = { kind: 'and', left, right: this.#readTerm(depth) };
    return left;
  }

  #readTerm(depth: number): Filter {
    if (depth > deepest) throw this.#refuse('is nested too deeply');
    if (++this.#terms > mostTerms) throw this.#refuse(`has more than ${mostTerms} terms`);
    if (this.#takeWord('not')) {
      if (!this.#takeSymbol('(')) throw this.#refuse('lacks a parenthesis after not');
      return { kind: 'not', filter: this.#readGroup(depth) };
    }
    if (this.#takeSymbol('(')) return this.#readGroup(depth);
    const name = this.#readName();
    // `emails[type eq "work" and value co "@example"]`: the terms within are of the attribute.
    if (this.#takeSymbol('[')) {
      const inner = this.readOr(depth + 1);
      if (!this.#takeSymbol(']')) throw this.#refuse('lacks a closing bracket');
      return prefixed(inner, name);
    }
    const operator = this.#readWord();
    if (operator === 'pr') return { kind: 'present', path: name };
    if (!comparisons.includes(operator)) throw this.#refuse(`has an unknown operator`);
    return { kind: 'compare', path: name, comparison: operator as Comparison, value: this.#readValue() };
  }

  #readGroup(depth: number): Filter {
    const filter = this.readOr(depth + 1);
    if (!this.#takeSymbol(')')) throw this.#refuse('lacks a closing parenthesis');
    return filter;
  }

  #readName(): string {
    const token = this.#tokens[this.#next++];
    if (token?.kind !== 'word' || !/^[A-Za-z$][\w$:.-]*$/.test(token.text)) throw this.#refuse('lacks an attribute');
    return plainPath(token.text);
  }

  #readWord(): string {
    const token = this.#tokens[this.#next++];
    if (token?.kind !== 'word') throw this.#refuse('lacks an operator');
    return token.text.toLowerCase();
  }

  #readValue(): FilterValue {
    const token = this.#tokens[this.#next++];
    if (token?.kind === 'string') return token.text;
    const text = token?.kind === 'word' ? token.text.toLowerCase() : '';
    if (text === 'true' || text === 'false') return text === 'true';
    if (text === 'null') return null;
    if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text);
    throw this.#refuse('lacks a value');
  }

  #takeWord(word: string): boolean {
    const token = this.#tokens[this.#next];
    const isTaken = token?.kind === 'word' && token.text.toLowerCase() === word;
    if (isTaken) this.#next++;
    return isTaken;
  }

  #takeSymbol(symbol: string): boolean {
    const token = this.#tokens[this.#next];
    const isTaken = token?.kind === 'symbol' && token.text === symbol;
    if (isTaken) this.#next++;
    return isTaken;
  }

  #refuse(fault: string): ScimError {
    const noun = this.#fault === 'invalidPath' ? 'path' : 'filter';
    return new ScimError(400, this.#fault, `The ${noun} ${fault}.`);
  }

  #fail(fault: string): never {
    throw this.#refuse(fault);
  }
}

const tokenPattern = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/y;

/** Null where a text isn’t closed. */
function tokensOf(text: string): readonly Token[] | null {
  const tokens: Token[] = [];
  const trimmed = text.trimEnd();
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < trimmed.length) {
    const found = tokenPattern.exec(trimmed);
    if (found === null) return null;
    const [, quoted, symbol, word] = found;
    if (quoted !== undefined) {
      const value = unquoted(quoted);
      if (value === null) return null;
      tokens.push({ kind: 'string', text: value });
    } else if (symbol !== undefined) tokens.push({ kind: 'symbol', text: symbol });
    else tokens.push({ kind: 'word', text: word ?? '' });
  }
  return tokens;
}

function unquoted(text: string): string | null {
  try {
    return String(JSON.parse(text));
  } catch {
    return null;
  }
}

function prefixed(filter: Filter, name: string): Filter {
  if (filter.kind === 'and' || filter.kind === 'or') {
    return { ...filter, left: prefixed(filter.left, name), right: prefixed(filter.right, name) };
  }
  if (filter.kind === 'not') return { kind: 'not', filter: prefixed(filter.filter, name) };
  return { ...filter, path: `${name}.${filter.path}` };
}

/** Whether an element of a multi-valued attribute, such as an e-mail address, passes a filter. Texts differ by more than case. */
export function passes(filter: Filter, element: unknown): boolean {
  if (filter.kind === 'and') return passes(filter.left, element) && passes(filter.right, element);
  if (filter.kind === 'or') return passes(filter.left, element) || passes(filter.right, element);
  if (filter.kind === 'not') return !passes(filter.filter, element);
  const found = attributeOf(element, filter.path);
  if (filter.kind === 'present') return found !== undefined && found !== null && found !== '';
  return compares(filter.comparison, found, filter.value);
}

function attributeOf(element: unknown, path: string): unknown {
  if (typeof element !== 'object' || element === null) return path === 'value' ? element : undefined;
  const entry = Object.entries(element).find(([name]) => name.toLowerCase() === path);
  return entry?.[1];
}

function compares(comparison: Comparison, found: unknown, value: FilterValue): boolean {
  const [left, right] = [plainValue(found), plainValue(value)];
  if (comparison === 'eq') return left === right;
  if (comparison === 'ne') return left !== right;
  if (typeof left !== 'string' || typeof right !== 'string') {
    if (typeof left !== 'number' || typeof right !== 'number') return false;
    return ordered(comparison, left - right);
  }
  if (comparison === 'co') return left.includes(right);
  if (comparison === 'sw') return left.startsWith(right);
  if (comparison === 'ew') return left.endsWith(right);
  return ordered(comparison, left < right ? -1 : left > right ? 1 : 0);
}

function ordered(comparison: Comparison, difference: number): boolean {
  if (comparison === 'gt') return difference > 0;
  if (comparison === 'ge') return difference >= 0;
  if (comparison === 'lt') return difference < 0;
  return comparison === 'le' && difference <= 0;
}

/** Texts without case; the booleans that Microsoft sends as texts are booleans. */
function plainValue(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  const text = value.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : text;
}

import { slices } from '@millrace/data-plane/slices';
import { hashOf } from '@millrace/data-plane/text-hash';

/** A part of one member of an object, as JSON: a large member is several. */
export interface Piece {
  readonly key: string;
  readonly kind: 'items' | 'members' | 'value';
  readonly json: string;
}

/** A piece ends behind one in so many items, and has this many at most. */
const itemsOfPiece = 64;
const mostItems = 256;

/**
 * Cuts an object into pieces, each of which is parsed in a fraction of a millisecond. Where a piece ends follows from what
 * is in it: pieces before and behind an item that comes or goes stay what they were.
 */
export function split(object: Readonly<Record<string, unknown>>): Piece[] {
  return Object.entries(object).flatMap(([key, value]): Piece[] => {
    if (Array.isArray(value)) return chunks(value).map((json) => ({ key, kind: 'items', json }));
    if (typeof value !== 'object' || value === null) return [{ key, kind: 'value', json: JSON.stringify(value) }];
    return chunks(Object.entries(value)).map((json) => ({ key, kind: 'members', json }));
  });
}

/**
 * Puts together what {@link split} cut. Of pieces that were there the last time the same values are taken: most of a large
 * configuration is in every one, and thousands of new objects at once keep the garbage collector, and with it requests,
 * for milliseconds.
 */
export class Joiner<Value> {
  /** What was parsed for the last one, by its JSON. */
  #parsed: ReadonlyMap<string, unknown> = new Map();

  /** Takes half a millisecond at a time. The form of it was checked before it was cut; nothing of it may be changed. */
  async join(pieces: readonly Piece[]): Promise<Value> {
    const object: Record<string, unknown> = {};
    const parsed = new Map<string, unknown>();
    const lists = new Map<string, { readonly kind: Piece['kind']; readonly items: unknown[] }>();
    const breathe = slices();
    for (const { key, kind, json } of pieces) {
      const part = this.#parsed.get(json) ?? JSON.parse(json);
      parsed.set(json, part);
      if (kind === 'value') {
        object[key] = part;
      } else {
        const list = lists.get(key) ?? { kind, items: [] };
        list.items.push(...part);
        lists.set(key, list);
        // The members in their order.
        object[key] = list.items;
      }
      await breathe();
    }
    for (const [key, { kind, items }] of lists) {
      if (kind === 'members') object[key] = Object.fromEntries(items as [string, unknown][]);
    }
    this.#parsed = parsed;
    return object as Value;
  }
}

/** As arrays in JSON: at least one, which may be empty. */
function chunks(items: readonly unknown[]): string[] {
  const made: string[] = [];
  let chunk: string[] = [];
  for (const item of items) {
    const json = JSON.stringify(item);
    chunk.push(json);
    if (chunk.length < mostItems && hashOf(json) % itemsOfPiece !== 0) continue;
    made.push(`[${chunk.join()}]`);
    chunk = [];
  }
  if (chunk.length > 0 || made.length === 0) made.push(`[${chunk.join()}]`);
  return made;
}

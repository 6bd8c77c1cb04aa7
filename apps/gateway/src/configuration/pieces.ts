import { slices } from '../slices.ts';

/** A part of one member of an object, as JSON: a large member is several. */
export interface Piece {
  readonly key: string;
  readonly kind: 'items' | 'members' | 'value';
  readonly json: string;
}

const itemsOfPiece = 100;

/** Cuts an object into pieces, each of which is parsed in a fraction of a millisecond. */
export function split(object: Readonly<Record<string, unknown>>): Piece[] {
  return Object.entries(object).flatMap(([key, value]): Piece[] => {
    if (Array.isArray(value))
      return chunks(value).map((items) => ({ key, kind: 'items', json: JSON.stringify(items) }));
    if (typeof value !== 'object' || value === null) return [{ key, kind: 'value', json: JSON.stringify(value) }];
    return chunks(Object.entries(value)).map((members) => ({
      key,
      kind: 'members',
      json: JSON.stringify(members),
    }));
  });
}

/** Puts together what {@link split} cut, a few milliseconds at a time. Its form was checked before it was cut. */
export async function join<Value>(pieces: readonly Piece[]): Promise<Value> {
  const object: Record<string, unknown> = {};
  const entries = new Map<string, [string, unknown][]>();
  const breathe = slices();
  for (const { key, kind, json } of pieces) {
    const part = JSON.parse(json);
    const before = kind === 'members' ? entries.get(key) : object[key];
    if (Array.isArray(before)) before.push(...part);
    else if (kind === 'members') entries.set(key, part);
    else object[key] = part;
    await breathe();
  }
  for (const [key, members] of entries) object[key] = Object.fromEntries(members);
  return object as Value;
}

/** At least one, which may be empty. */
function chunks<Item>(items: readonly Item[]): Item[][] {
  const made: Item[][] = [];
  for (let start = 0; start === 0 || start < items.length; start += itemsOfPiece) {
    made.push(items.slice(start, start + itemsOfPiece));
  }
  return made;
}

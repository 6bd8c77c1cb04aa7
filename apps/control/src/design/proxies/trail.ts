import type { Change } from '../../frame/handler.ts';

interface Part {
  readonly id: string;
  readonly version: number;
}

/**
 * The change of a part of a proxy, such as a route, as a row of the proxy's own trail: its fields stand under the part's
 * name. The part's version is what an `If-Match` is held against.
 *
 * @param note names the part, since a trail shows only what changed about it
 */
export function within(
  name: 'route' | 'policy',
  proxyId: string,
  before: Part | null,
  after: Part | null,
  note: string,
): Change {
  const nested = (part: Part | null) => {
    if (part === null) return null;
    const { version, ...fields } = part;
    return { version, [name]: { ...fields, updatedAt: undefined } };
  };
  return { entityId: proxyId, before: nested(before), after: nested(after), note };
}

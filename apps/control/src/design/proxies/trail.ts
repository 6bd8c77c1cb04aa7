import type { Change } from '../../frame/handler.ts';

interface Part {
  readonly id: string;
  readonly version: number;
}

/**
 * The change of a part of a proxy, such as a route, as a row of the proxy's audit trail: its fields are under the part's
 * name. `If-Match` is compared with the part's version.
 *
 * @param note identifies the part, since the trail only shows its changed fields
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

import type { PreparedStatement } from '@millrace/postgres';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { ControlDatabase, Schema } from '../database/schema.ts';
import { ApiError } from './errors.ts';

/** How a request names the developer portal that it is about. */
export interface PortalAddress {
  /** The organization's name, from the query; null: not given. */
  readonly organization: string | null;
  /** The `Host` header without its port, in lower case. */
  readonly hostName: string;
}

/** The organization whose portal is at an address; null if there is none, or it is not open. */
export type FindPortal = (address: PortalAddress) => Promise<string | null>;

interface PortalRow {
  id: string;
}

const portalByName: PreparedStatement<PortalRow> = {
  name: 'portal by name',
  text: `select o.id from organizations o join portal_settings p on p.organization_id = o.id
    where o.name = $1 and o.state = 'active' and p.open`,
};

export function createFindPortal(database: ControlDatabase): FindPortal {
  return async ({ organization }) => {
    if (organization === null) return null;
    const [row] = await database.prepared(portalByName, [organization]);
    return row?.id ?? null;
  };
}

/**
 * The address of a portal operation's request.
 *
 * @throws ApiError `invalid_request` if the organization is not named as one
 */
export function portalAddressOf(request: FastifyRequest): PortalAddress {
  const { organization } = request.query as { organization?: unknown };
  const hostName = request.hostname.toLowerCase();
  if (organization === undefined) return { organization: null, hostName };
  if (typeof organization === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(organization))
    return { organization, hostName };
  throw new ApiError('invalid_request', { errors: { organization: 'Give the name of one organization.' } });
}

/** An organization's developer portal, as e-mails and authenticator apps name it. */
export interface PortalPlace {
  readonly organizationName: string;
  readonly displayName: string;
  /** Where people reach it, without a slash at the end. */
  readonly url: string;
}

/**
 * Where an organization's developer portal is.
 *
 * @param publicUrl where the control plane is reached, without a slash at the end
 */
export async function findPortalPlace(
  transaction: Kysely<Schema>,
  organizationId: string,
  publicUrl: string,
): Promise<PortalPlace> {
  const { name, display_name: displayName } = await transaction
    .selectFrom('organizations')
    .select(['name', 'display_name'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return { organizationName: name, displayName, url: `${publicUrl}/portal/${name}` };
}

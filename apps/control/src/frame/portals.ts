import type { PreparedStatement } from '@millrace/postgres';
import type { FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
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

const portalByHost: PreparedStatement<PortalRow> = {
  name: 'portal by host name',
  text: `select o.id from portal_domains d
    join organizations o on o.id = d.organization_id
    join portal_settings p on p.organization_id = o.id
    where d.host_name = $1 and d.verified_at is not null and o.state = 'active' and p.open`,
};

export function createFindPortal(database: ControlDatabase, hosts: PortalHosts): FindPortal {
  return async ({ organization, hostName }) => {
    if (organization === null) return hosts.find(hostName);
    const [row] = await database.prepared(portalByName, [organization]);
    return row?.id ?? null;
  };
}

/** Host names that organizations have verified as their portals'. */
export interface PortalHosts {
  /** The organization whose open portal is at a host name in lower case; null: none. */
  find(hostName: string): Promise<string | null>;
}

/** How long a host name's organization is kept: every page asks for it. */
const hostLifetimeMs = 5_000;
const mostHosts = 1_000;

/** A host name that was verified, removed or closed has its effect on every process within five seconds. */
export function createPortalHosts(database: ControlDatabase): PortalHosts {
  const known = new Map<string, { readonly id: Promise<string | null>; readonly until: number }>();
  return {
    find(hostName) {
      const now = performance.now();
      const kept = known.get(hostName);
      if (kept !== undefined && kept.until > now) return kept.id;
      // Requests can name any number of hosts.
      if (known.size >= mostHosts) known.clear();
      const id = database.prepared(portalByHost, [hostName]).then(([row]) => row?.id ?? null);
      known.set(hostName, { id, until: now + hostLifetimeMs });
      id.catch(() => known.delete(hostName));
      return id;
    },
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
 * Where an organization's developer portal is: at its primary domain, or at its path here.
 *
 * @param publicUrl where the control plane is reached, without a slash at the end
 */
export async function findPortalPlace(
  transaction: Kysely<Schema>,
  organizationId: string,
  publicUrl: string,
): Promise<PortalPlace> {
  const { rows } = await sql<{ name: string; display_name: string; primary_host: string | null }>`
    select o.name, o.display_name, ${primaryHost} as primary_host
    from organizations o where o.id = ${organizationId}`.execute(transaction);
  const { name, display_name: displayName, primary_host: host } = rows[0]!;
  return { organizationName: name, displayName, url: portalUrlFrom(publicUrl, name, host) };
}

/** The primary domain of the organization `o`; null: it has none. */
export const primaryHost = sql<string | null>`(
  select d.host_name from portal_domains d where d.organization_id = o.id and d.is_primary)`;

/** @param host the primary domain; null: none */
export function portalUrlFrom(publicUrl: string, organizationName: string, host: string | null): string {
  if (host === null) return `${publicUrl}/portal/${organizationName}`;
  if (!isLoopbackName(host)) return `https://${host}`;
  const { protocol, port } = new URL(publicUrl);
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/**
 * Origins of the portal that a request's host name is verified for, as browsers see them: there is TLS in front of it,
 * unless the name is one of this machine. Empty for any other name.
 */
export async function portalOriginsOf(
  hosts: PortalHosts,
  { hostname, protocol, host }: Pick<FastifyRequest, 'hostname' | 'protocol' | 'host'>,
): Promise<readonly string[]> {
  const name = hostname.toLowerCase();
  if ((await hosts.find(name)) === null) return [];
  return isLoopbackName(name) ? [`https://${name}`, `${protocol}://${host.toLowerCase()}`] : [`https://${name}`];
}

/** RFC 6761, 6.3: such names are always this machine. */
function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

import type { PortalRole } from './operation.ts';
import type { Permission } from './permissions.ts';

/** The caller, created only by authentication. */
export interface Caller {
  readonly kind: 'user' | 'service_account' | 'gateway_node' | 'portal_user';
  /** Of the user, service account, node or portal user. */
  readonly id: string;
  readonly name: string;
  /** The users behind the call: the user itself, or those who created the account or issued its tokens. */
  readonly userIds: readonly string[];
  /** Null for a service account and a node. */
  readonly sessionId: string | null;
  /** The organization it belongs to. */
  readonly homeOrganizationId: string;
  readonly roleIds: readonly string[];
  readonly permissions: ReadonlySet<Permission>;
  readonly superAdmin: boolean;
}

/** A gateway node: it may only call the operations for nodes. */
export interface NodeCaller extends Caller {
  readonly kind: 'gateway_node';
  /** The environment whose configuration it serves. */
  readonly environmentId: string;
  /** Of the token that it sent: a waiting call ends with it. */
  readonly tokenHash: Buffer;
}

/** Someone signed in to the developer portal: they may only call its operations. */
export interface PortalCaller extends Caller {
  readonly kind: 'portal_user';
  readonly sessionId: string;
  /** The developer account that it acts for; nobody sees another's. */
  readonly developerId: string;
  readonly role: PortalRole;
}

/** Where a call comes from, for the audit row. */
export interface Origin {
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string;
  /** The `Cookie` header, empty if there is none; never stored. */
  readonly cookies: string;
}

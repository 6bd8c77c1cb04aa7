import { addHealth } from '@millrace/operations/health';
import { createHttpServer, type ErrorAnswers } from '@millrace/operations/http-server';
import { addBuiltPages } from '@millrace/operations/pages';
import { addRoutes, createBodyReader } from '@millrace/operations/server';
import { isAnswering } from '@millrace/postgres';
import { createStorageCheck } from '@millrace/postgres/storage';
import { isUnavailable } from '@millrace/postgres/unavailable';
import { addScim } from '@millrace/scim/server';
import { addBackChannelLogout } from '@millrace/sign-in/back-channel-logout';
import { ownOriginsOf } from '@millrace/sign-in/browsers';
import { TooManyWaiting } from '@millrace/sign-in/passwords';
import type { FastifyInstance } from 'fastify';
import { operations } from '../contracts.ts';
import type { ControlParts } from '../dependencies.ts';
import { createAuthenticate, createAuthenticatePortal } from '../frame/authenticate.ts';
import { ApiError, errors } from '../frame/errors.ts';
import { execute, type FrameParts, type UntypedHandler } from '../frame/execute.ts';
import { createFindPortal, createPortalHosts, portalOriginsOf } from '../frame/portals.ts';
import { createHandlers } from '../handlers.ts';
import { consoleLogoutSource, endByLogoutToken } from '../identity/provider-sign-in/back-channel-logout.ts';
import { createScimService } from '../identity/provisioning/service.ts';
import { addMetrics, createMetrics } from '../metrics.ts';
import { createProductionGate } from '../platform/production-changes/gate.ts';
import { backChannelLogoutPath } from '../portal/identity-providers/place.ts';
import { addPortalPages } from '../portal/pages/portal-pages.ts';
import { portalLogoutSource } from '../portal/provider-sign-in/logout-source.ts';
import { addReference } from './reference.ts';
import type { CallTraces } from './traces.ts';

const largestBodyBytes = 6 * 1024 * 1024;

export interface ServerParts extends ControlParts {
  readonly frame: Omit<
    FrameParts,
    'authenticate' | 'authenticatePortal' | 'findPortal' | 'bodies' | 'ownOrigins' | 'production'
  >;
  /** Null where clients reach the service at its own address. */
  readonly configuredPublicUrl: string | null;
  readonly trustedProxies: number;
  readonly traces: CallTraces;
  /** Folder of the built console; null where this process serves none. */
  readonly consoleFolder: string | null;
  /** Folder of the developer portal's built app, which may appear later. */
  readonly portalAppFolder: string;
  /** Whether the installation is making its own data for a first look now. */
  isFilling(): boolean;
}

/**
 * The HTTP server of the management API and the console, not listening yet. Every operation goes through
 * {@link execute}; whatever is thrown on the way is translated by {@link createHttpServer}.
 */
export function createServer(parts: ServerParts): FastifyInstance {
  const server = createHttpServer({
    log: parts.log,
    operations,
    errors: errorAnswers,
    publicUrl: parts.configuredPublicUrl,
    trustedProxies: parts.trustedProxies,
    requestTimeoutMs: 60_000,
    // Calls that nodes repeat constantly, and those of a first start, would bury what people did.
    isRoutine: (request, { statusCode }) =>
      statusCode < 400 && (request.routeOptions.url?.startsWith('/api/gateway/') === true || parts.isFilling()),
  });
  server.addHook('onRequest', (request, _reply, done) => {
    if (!request.url.includes('%00')) return done();
    done(new ApiError('invalid_request', { message: 'Remove the NUL character from the URL.' }));
  });

  const portalHosts = createPortalHosts(parts.frame.database);
  const frame: FrameParts = {
    ...parts.frame,
    authenticate: createAuthenticate(parts.frame.database),
    authenticatePortal: createAuthenticatePortal(parts.frame.database),
    findPortal: createFindPortal(parts.frame.database, portalHosts),
    production: createProductionGate(parts),
    bodies: createBodyReader({
      jsonSizeBytes: largestBodyBytes,
      fileSizeBytes: 0,
      uploadMemoryBytes: 64 * 1024 * 1024,
      idleTimeoutMs: 30_000,
    }),
    ownOrigins: async (request, of) => [
      ...ownOriginsOf(request, parts.configuredPublicUrl),
      ...(of === 'portal' ? await portalOriginsOf(portalHosts, request) : []),
    ],
  };
  const handlers = createHandlers(parts) as unknown as Readonly<Record<string, UntypedHandler>>;
  const metrics = createMetrics(parts.database);
  addRoutes(server, operations, (operation, request, reply) => {
    metrics.observe(operation, reply);
    return parts.traces.trace(operation, request, reply, () =>
      execute(frame, operation, handlers[operation.id]!, request, reply),
    );
  });
  addPortalPages(server, {
    database: parts.database,
    findPortal: frame.findPortal,
    hosts: portalHosts,
    authenticatePortal: frame.authenticatePortal,
    secureCookies: parts.secureCookies,
    publicUrl: parts.publicUrl,
    appFolder: parts.portalAppFolder,
  });
  addBackChannelLogout(server, '/api/auth/back-channel-logout/:organizationId', ({ organizationId }, token) =>
    endByLogoutToken(parts, consoleLogoutSource(parts, organizationId), token),
  );
  addBackChannelLogout(server, backChannelLogoutPath, async ({ account }, token) =>
    endByLogoutToken(parts, portalLogoutSource(parts, account), token),
  );
  addScim(server, createScimService(parts));
  addReference(server, parts.configuredPublicUrl);
  const { database, dataDirectory } = parts;
  addHealth(server, {
    database: () => isAnswering(database),
    storage: createStorageCheck(database, [dataDirectory]),
  });
  addMetrics(server, metrics);
  if (parts.consoleFolder !== null) {
    addBuiltPages(server, parts.consoleFolder, {
      isPage: (path) => !/^\/(?:api|scim)(?:\/|$)/.test(path),
      absent: 'The console is not built. Run npm start.',
    });
  }
  return server;
}

/** Every answer has the envelope `{code, status, data}`. */
const errorAnswers: ErrorAnswers<typeof errors> = {
  table: errors,
  codes: {
    bodyTooLarge: 'too_large',
    headersTooLarge: 'headers_too_large',
    wrongContentType: () => 'wrong_content_type',
  },
  translate: (error) =>
    isUnavailable(error) || error instanceof TooManyWaiting ? new ApiError('unavailable', { cause: error }) : null,
  bodyOf: ({ status, message, errors: fields }) => ({
    code: status,
    status: false,
    data: { message, ...(fields === null ? {} : { errors: fields }) },
  }),
};

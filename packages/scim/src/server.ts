import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { largestPage, resourceTypes, schemas, serviceProviderConfig } from './documents.ts';
import { ScimError } from './errors.ts';
import { type Filter, parseFilter } from './filter.ts';
import { applyPatch, type ScimObject } from './patch.ts';
import { createRate } from './rate.ts';

/** What a list is asked for. */
export interface ScimQuery {
  readonly filter: Filter | null;
  /** Rows to leave out before the page. */
  readonly offset: number;
  readonly count: number;
}

/** The resources of a kind, as a service keeps them; each call is a transaction of its own. */
export interface ScimResources<Client> {
  list(
    client: Client,
    query: ScimQuery,
  ): Promise<{ readonly resources: readonly ScimObject[]; readonly total: number }>;
  /** Null if there is none of this id. */
  find(client: Client, id: string): Promise<ScimObject | null>;
  create(client: Client, resource: unknown): Promise<ScimObject>;
  /**
   * Changes a resource, locked from its reading to the commit.
   *
   * @param change from the resource as it is answered
   * @returns null if there is none of this id
   */
  update(client: Client, id: string, change: (current: ScimObject) => unknown): Promise<ScimObject | null>;
  /**
   * @param check throws if it isn’t to be removed as it is
   * @returns whether there was one
   */
  remove(client: Client, id: string, check: (current: ScimObject) => void): Promise<boolean>;
}

/** A service that identity providers provision users and groups in. */
export interface ScimService<Client extends { readonly tokenId: string }> {
  /** Where clients reach it, without a slash at the end. */
  baseUrl(): string;
  /** The client that a bearer token is of; null if it is of none. */
  authenticate(token: string): Promise<Client | null>;
  readonly users: ScimResources<Client>;
  readonly groups: ScimResources<Client>;
  /** A failure of the service as one of SCIM; null if it is none that the client may read. */
  translate(error: unknown): ScimError | null;
}

const mediaType = 'application/scim+json';
const largestBodyBytes = 2 * 1024 * 1024;

/**
 * Adds the endpoints of SCIM 2.0 (RFC 7644) under `/scim/v2`: users, groups, and what describes them. No operations of
 * the service’s own API, since requests, answers and errors have the protocol’s shape.
 */
export function addScim<Client extends { readonly tokenId: string }>(
  server: FastifyInstance,
  service: ScimService<Client>,
): void {
  const isWithinRate = createRate();

  async function clientOf(request: FastifyRequest): Promise<Client> {
    const token = request.headers.authorization?.match(/^Bearer ([\x21-\x7e]{1,200})$/i)?.[1];
    const client = token === undefined ? null : await service.authenticate(token);
    if (client === null) throw new ScimError(401, null, 'Send a valid provisioning token as Authorization: Bearer.');
    if (!isWithinRate(client.tokenId)) throw new ScimError(429, null, 'Too many requests. Try again in a minute.');
    return client;
  }

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = knownError(error) ?? service.translate(error);
    if (known === null) request.log.error({ err: error }, 'a SCIM request failed');
    const answered = known ?? new ScimError(500, null, 'Something failed on our side. Nothing was changed. Try again.');
    if (answered.status === 401) reply.header('www-authenticate', 'Bearer');
    if (answered.status === 429) reply.header('retry-after', '60');
    return reply.code(answered.status).type(mediaType).send(JSON.stringify(answered.body));
  }

  void server.register(
    async (scope) => {
      scope.removeAllContentTypeParsers();
      const parse = async (_request: unknown, body: string | Buffer): Promise<unknown> => {
        try {
          return JSON.parse(body.toString());
        } catch (error) {
          throw new ScimError(400, 'invalidSyntax', 'The body is not JSON.', { cause: error });
        }
      };
      scope.addContentTypeParser(
        [mediaType, 'application/json'],
        { parseAs: 'string', bodyLimit: largestBodyBytes },
        parse,
      );
      scope.setErrorHandler((error, request, reply) => answerError(error, request, reply));
      scope.all('/*', async (): Promise<never> => {
        throw new ScimError(404, null, 'There is no such endpoint.');
      });

      const described = {
        ServiceProviderConfig: () => serviceProviderConfig(service.baseUrl()),
        ResourceTypes: () => listOfDocuments(resourceTypes(service.baseUrl())),
        Schemas: () => listOfDocuments(schemas(service.baseUrl())),
      };
      for (const [name, document] of Object.entries(described)) {
        scope.get(`/${name}`, async (request, reply) => {
          await clientOf(request);
          return send(reply, 200, document());
        });
      }
      for (const [name, documents] of [
        ['ResourceTypes', resourceTypes],
        ['Schemas', schemas],
      ] as const) {
        scope.get(`/${name}/:id`, async (request, reply) => {
          await clientOf(request);
          const { id } = request.params as { readonly id: string };
          const found = documents(service.baseUrl()).find((document) => document.id === id);
          return send(reply, 200, foundOr404(found ?? null));
        });
      }
      addResources(scope, 'Users', service.users, clientOf);
      addResources(scope, 'Groups', service.groups, clientOf);
    },
    { prefix: '/scim/v2' },
  );
}

function addResources<Client>(
  scope: FastifyInstance,
  name: 'Users' | 'Groups',
  resources: ScimResources<Client>,
  clientOf: (request: FastifyRequest) => Promise<Client>,
): void {
  const idOf = (request: FastifyRequest) => (request.params as { readonly id: string }).id;

  scope.get(`/${name}`, async (request, reply) => {
    const client = await clientOf(request);
    const query = request.query as Readonly<Record<string, unknown>>;
    const startIndex = Math.max(1, integerOf(query.startIndex, 1));
    const count = Math.min(largestPage, Math.max(0, integerOf(query.count, 100)));
    const filter = typeof query.filter === 'string' && query.filter !== '' ? parseFilter(query.filter) : null;
    const { resources: found, total } = await resources.list(client, { filter, offset: startIndex - 1, count });
    return send(reply, 200, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: total,
      startIndex,
      itemsPerPage: found.length,
      Resources: found.map((resource) => selected(resource, query)),
    });
  });

  scope.post(`/${name}`, async (request, reply) => {
    const client = await clientOf(request);
    return sendResource(reply, 201, await resources.create(client, request.body), request);
  });

  scope.get(`/${name}/:id`, async (request, reply) => {
    const client = await clientOf(request);
    const resource = foundOr404(await resources.find(client, idOf(request)));
    if (request.headers['if-none-match'] === versionOf(resource)) return reply.code(304).send();
    return sendResource(reply, 200, resource, request);
  });

  scope.put(`/${name}/:id`, async (request, reply) => {
    const client = await clientOf(request);
    const { body } = request;
    const replace = (current: ScimObject) => {
      refuseStale(request, current);
      return body;
    };
    return sendResource(reply, 200, foundOr404(await resources.update(client, idOf(request), replace)), request);
  });

  scope.patch(`/${name}/:id`, async (request, reply) => {
    const client = await clientOf(request);
    const { body } = request;
    const patch = (current: ScimObject) => {
      refuseStale(request, current);
      return applyPatch(current, body);
    };
    return sendResource(reply, 200, foundOr404(await resources.update(client, idOf(request), patch)), request);
  });

  scope.delete(`/${name}/:id`, async (request, reply) => {
    const client = await clientOf(request);
    const removed = await resources.remove(client, idOf(request), (current) => refuseStale(request, current));
    if (!removed) throw notFound();
    return reply.code(204).send();
  });
}

function sendResource(
  reply: FastifyReply,
  status: number,
  resource: ScimObject,
  request: FastifyRequest,
): FastifyReply {
  const { location } = resource.meta as { readonly location: string };
  reply.header('etag', versionOf(resource));
  if (status === 201) reply.header('location', location);
  return send(reply, status, selected(resource, request.query as Readonly<Record<string, unknown>>));
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).type(mediaType).send(JSON.stringify(body));
}

function listOfDocuments(documents: readonly object[]): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: documents.length,
    startIndex: 1,
    itemsPerPage: documents.length,
    Resources: documents,
  };
}

/** The attributes that a client asks for, or all but those that it doesn’t want (RFC 7644, 3.9). */
function selected(resource: ScimObject, query: Readonly<Record<string, unknown>>): ScimObject {
  const namesIn = (text: unknown) =>
    typeof text === 'string' ? text.split(',').map((name) => name.trim().split('.')[0]!.toLowerCase()) : null;
  const wanted = namesIn(query.attributes);
  const unwanted = namesIn(query.excludedAttributes);
  if (wanted === null && unwanted === null) return resource;
  const always = ['id', 'schemas'];
  const isSelected = (name: string) => (wanted === null ? !unwanted!.includes(name) : wanted.includes(name));
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => always.includes(name) || isSelected(name.toLowerCase())),
  );
}

function versionOf(resource: ScimObject): string {
  return (resource.meta as { readonly version: string }).version;
}

/** @throws ScimError 412 if the client read another version */
function refuseStale(request: FastifyRequest, current: ScimObject): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted === '*') return;
  if (wanted.split(',').some((tag) => tag.trim() === versionOf(current))) return;
  throw new ScimError(412, null, 'The resource was changed since you read it.');
}

function integerOf(value: unknown, absent: number): number {
  if (value === undefined) return absent;
  if (typeof value === 'string' && /^-?\d{1,9}$/.test(value)) return Number(value);
  throw new ScimError(400, 'invalidValue', 'startIndex and count are numbers.');
}

function foundOr404<Found>(found: Found | null): Found {
  if (found === null) throw notFound();
  return found;
}

function notFound(): ScimError {
  return new ScimError(404, null, 'There is no such resource.');
}

/** Failures of the request itself. */
function knownError(error: unknown): ScimError | null {
  if (error instanceof ScimError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ScimError(413, null, 'Send a smaller body.', { cause: error });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ScimError(415, null, `Send the body as ${mediaType}.`, { cause: error });
  }
  return null;
}

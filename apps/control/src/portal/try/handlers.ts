import type { ParsedRequest } from '@millrace/operations';
import { tenantTransaction } from '@millrace/postgres';
import { openKey, presentCredential } from '../../consumers/apps/credentials.ts';
import type { KeySealers } from '../../consumers/apps/key-sealers.ts';
import { findProduct } from '../../consumers/products/store.ts';
import type { TenantTransaction } from '../../database/schema.ts';
import type { Origin, PortalCaller } from '../../frame/caller.ts';
import { ApiError, fieldError, foundAt } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { createSlots } from '../../frame/slots.ts';
import { visibleProduct } from '../subscriptions/rules.ts';
import type { portalTryOperations, TryResult } from './contract.ts';
import { countTry } from './limits.ts';
import {
  bodyOf,
  bytesWithoutKey,
  chosenHeaders,
  type KeyLocation,
  keyLocationIn,
  pathOf,
  queryOf,
  withoutKey,
} from './rules.ts';
import type { PortalSandbox } from './sandbox.ts';
import { type GatewayAnswer, mostAnswerBytes, problemOf, sendToGateway } from './send.ts';
import { findOwnCredential, findServing, hasOperation, type Serving, sandboxProducts } from './store.ts';

type Body = ParsedRequest<(typeof portalTryOperations)[0]['request']>['body'];

interface TryParts extends Pick<Parts, 'database' | 'outbound'> {
  readonly keySealers: KeySealers;
  readonly sandbox: PortalSandbox;
}

/** Each holds a body and an answer of up to a MiB. */
const mostAtOnce = { ofOrganization: 20, inAll: 60, retrySeconds: 2 };

/** The parts of a call that a try needs. */
interface Call {
  readonly caller: PortalCaller | null;
  readonly organizationId: string;
  readonly origin: Origin;
  readonly now: Date;
}

/** Sends requests to gateways for visitors and users of the portal. */
export function portalTryHandlers(parts: TryParts): Handlers<typeof portalTryOperations> {
  const slots = createSlots('requests', mostAtOnce);
  return {
    sendPortalTry: {
      prepare: async ({ body }, call) => {
        const result = await slots.use(call.organizationId, () => tryRequest(parts, body, call));
        return async () => result;
      },
    },
  };
}

async function tryRequest(parts: TryParts, body: Body, call: Call): Promise<TryResult> {
  const { caller, organizationId, origin } = call;
  refuseRole(caller);
  await countTry(parts.database.system, caller, origin.ip);
  const { serving, ownKey, unitsHeader } = await tenantTransaction(
    parts.database,
    organizationId,
    (transaction) => load(transaction, parts, body, call),
    { access: 'read only' },
  );
  const location = keyLocationIn(serving.policies);
  const path = pathOf(serving.basePath, body);
  const sent = bodyOf(body.body, body.method);
  const key = location === null ? null : (ownKey ?? (await parts.sandbox.keyFor(organizationId, body.productId)));
  const query = queryOf(body.query, location);
  const chosen = chosenHeaders(body.headers, location);
  const shown = { name: 'accept', value: '*/*' };
  const headers = chosen.some(({ name }) => name.toLowerCase() === 'accept') ? chosen : [...chosen, shown];
  const method = body.method.toUpperCase();
  const address = serving.addresses[Math.floor(Math.random() * serving.addresses.length)]!;
  const startedMs = performance.now();
  const outcome = await sendToGateway(parts.outbound, {
    address,
    hostName: serving.hostName,
    method,
    path: withQuery(path, withKeyIn(query, location, key)),
    headers: location?.in === 'header' ? [...headers, { name: location.name, value: key! }] : headers,
    body: sent,
  }).then(
    (answer) => ({ answer, problem: null }),
    (error: unknown) => ({ answer: null, problem: problemOf(error) }),
  );
  const durationMs = Math.round((performance.now() - startedMs) * 10) / 10;
  return {
    request: {
      method,
      url: `${publicAddress(serving, address)}${withQuery(path, query)}`,
      headers: [...headers, ...(sent === null ? [] : [{ name: 'content-type', value: sent.mediaType }])],
      keyHeader: location?.in === 'header' ? location.name : null,
      keyParameter: location?.in === 'query' ? location.name : null,
      bodyBytes: sent?.bytes.length ?? 0,
    },
    durationMs,
    problem: outcome.problem,
    ...(outcome.answer === null ? nothing : presentAnswer(outcome.answer, key, unitsHeader)),
  };
}

const nothing = { response: null, limits: [], units: null };

/** Only those who may use an account's keys. */
function refuseRole(caller: PortalCaller | null): void {
  if (caller === null || caller.role === 'owner' || caller.role === 'developer') return;
  throw new ApiError('forbidden', { message: 'This requires the role owner or developer.' });
}

interface Loaded {
  readonly serving: Serving;
  /** Null: the organization's own. */
  readonly ownKey: string | null;
  readonly unitsHeader: string | null;
}

/** Everything about the operation that is called, none of it from the caller. */
async function load(transaction: TenantTransaction, parts: TryParts, body: Body, call: Call): Promise<Loaded> {
  const { caller } = call;
  const visible = visibleProduct(await findProduct(transaction, body.productId), caller !== null);
  const product = foundAt('productId', 'API product', visible);
  foundAt(
    'proxyId',
    'API of this product',
    product.proxies.find(({ proxyId }) => proxyId === body.proxyId),
  );
  if (!(await hasOperation(transaction, body.proxyId, body))) {
    throw fieldError('path', 'The published specification has no such operation.');
  }
  const ownKey = await keyOf(transaction, parts, body, call);
  const serving = await findServing(transaction, body.proxyId);
  if (serving === null) {
    throw new ApiError('conflict', { message: 'No gateway serves this API now. Try again later.' });
  }
  return { serving, ownKey, unitsHeader: product.passUnitsHeader ? product.unitsHeader : null };
}

/** The caller's own key that they chose; null where they chose none and the product is a sandbox. */
async function keyOf(
  transaction: TenantTransaction,
  { keySealers }: TryParts,
  { credentialId, productId }: Body,
  { caller, now }: Call,
): Promise<string | null> {
  if (credentialId === null || caller === null) {
    const isSandbox = (await sandboxProducts(transaction)).includes(productId);
    if (isSandbox && credentialId === null) return null;
    if (caller === null) throw new ApiError('not_signed_in', { message: 'Sign in to try this with your own key.' });
    throw fieldError('credentialId', 'Choose one of your keys.');
  }
  const row = foundAt('credentialId', 'Key', await findOwnCredential(transaction, caller.developerId, credentialId));
  const { state } = presentCredential(row, now);
  if (state === 'revoked' || state === 'expired') {
    throw new ApiError('conflict', { message: `The key is ${state}. Choose another one.` });
  }
  return openKey(keySealers(transaction.tenantId), row);
}

function withKeyIn(query: URLSearchParams, location: KeyLocation | null, key: string | null): URLSearchParams {
  const sent = new URLSearchParams(query);
  if (location?.in === 'query') sent.append(location.name, key!);
  return sent;
}

function withQuery(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Where callers reach the API. */
function publicAddress({ hostName }: Serving, address: string): string {
  const url = new URL(address);
  if (hostName !== null) url.hostname = hostName;
  return url.origin;
}

const cookies = /^set-cookie2?$/i;
const limitNames = /^(?:x-)?ratelimit(?:-|$)|^retry-after$/i;
const textTypes = /^text\/|^application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-ndjson|javascript|x-www-form-urlencoded)\b/i;

function presentAnswer(
  { status, headers: fields, bytes, isWhole }: GatewayAnswer,
  key: string | null,
  unitsHeader: string | null,
): Pick<TryResult, 'response' | 'limits' | 'units'> {
  const headers = fields
    .filter(({ name }) => !cookies.test(name))
    .map(({ name, value }) => ({ name: name.toLowerCase(), value: withoutKey(value, key) }));
  const headerOf = (wanted: string) => headers.find(({ name }) => name === wanted)?.value ?? null;
  const mediaType = headerOf('content-type');
  const clean = bytesWithoutKey(bytes, key);
  const shown = clean.subarray(0, mostAnswerBytes);
  const text = textTypes.test(mediaType ?? '') || shown.length === 0 ? shown.toString() : null;
  return {
    response: {
      status,
      headers,
      mediaType,
      text,
      base64: text === null ? shown.toString('base64') : null,
      bodyBytes: shown.length,
      truncated: !isWhole || clean.length > mostAnswerBytes,
    },
    limits: headers.filter(({ name }) => limitNames.test(name)),
    units: unitsHeader === null ? null : headerOf(unitsHeader.toLowerCase()),
  };
}

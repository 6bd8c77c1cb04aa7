import assert from 'node:assert/strict';
import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import { operations } from '../contracts.ts';
import { type AnyControlOperation, portalRoles } from '../frame/operation.ts';
import { allPermissions, type BuiltInRoleId, builtInRoles } from '../frame/permissions.ts';
import type { TestControl } from '../testing.ts';
import { badValueOf, fieldsOf, isBoundedByRouter } from './bad-values.ts';
import {
  addServiceAccount,
  type Caller,
  type Copier,
  digestOf,
  exampleId,
  type FullOrganization,
} from './organizations.ts';
import { type OperationId, type Prepared, preparations } from './preparations.ts';
import { assertPublished, contentHashes } from './published.ts';
import { type Answer, exampleOf, idsIn, type Parts, sendOperation, withIds } from './requests.ts';

/** What every cell needs. */
export interface Bench {
  readonly control: TestControl;
  /** An organization whose objects nobody changes. */
  readonly own: FullOrganization;
  readonly foreign: FullOrganization;
  readonly copier: Copier;
}

/** An operation with what its cells have in common. */
export interface Subject extends Bench {
  readonly operation: AnyControlOperation;
  /** The example in the own organization. */
  readonly example: Parts;
  /** The call of the example by who may, made once for the cells that ask about it. */
  performed(): Promise<Performed>;
}

/** A call of the example by who may, where it is a write in an organization of its own. */
export interface Performed {
  readonly organization: FullOrganization;
  readonly caller: Caller | null;
  readonly request: Parts;
  readonly answer: Answer;
  /** How the same call was answered before with an If-Match that matches nothing; null where it holds none. */
  readonly stale: { readonly answer: Answer; readonly changed: boolean } | null;
  /** Proxies that had another content before the call. */
  readonly editedProxyIds: readonly string[];
}

interface Cell {
  /** Why an operation has no such cell; null if it has one. */
  inapplicable(operation: AnyControlOperation): string | null;
  hold(subject: Subject): Promise<void>;
}

const noSuch = 'noSuchThing';
const keyOf = ({ id }: AnyControlOperation) => ({ 'idempotency-key': `every-operation-${id}` });

const isPublic = ({ auth }: AnyControlOperation) =>
  auth === 'public' || auth === 'portal_visitor' ? 'anybody may' : null;
/** Why console sessions, tokens and nodes have no cell of their own beside `no credential`. */
const isOfPortal = (operation: AnyControlOperation) =>
  isPublic(operation) ?? (operation.auth === 'portal' ? 'only a session of the portal is looked at' : null);
const writes = ({ method, audit }: AnyControlOperation) => method !== 'GET' || audit !== null;
const changes = (operation: AnyControlOperation) => operation.audit !== null;

/** A cell that every role has, in its own organization and in a foreign one. */
function cellsOfRole(role: BuiltInRoleId) {
  return {
    [`${role}, own organization`]: {
      inapplicable: isPublic,
      hold: async (subject) => {
        const { operation, own } = subject;
        const caller = own.people[role];
        if (operation.auth === 'portal') return holdNotSignedIn(subject, caller);
        const refusal = refusalOf(operation, role);
        if (refusal !== null) return holdDenied(subject, caller, {}, refusal);
        return writes(operation) ? holdAdmitted(subject, caller, {}) : holdRead(subject, caller, {});
      },
    },
    [`${role}, foreign organization`]: {
      inapplicable: isOfPortal,
      hold: async (subject) => {
        const { operation, own, foreign } = subject;
        const caller = own.people[role];
        const there = { organizationId: foreign.id };
        if (role !== 'super_admin') return holdDenied(subject, caller, there, /Only a Super Admin can select another/);
        if (operation.auth === 'node') return holdDenied(subject, caller, there, keptForNodes);
        return writes(operation) ? holdAdmitted(subject, caller, there) : holdRead(subject, caller, there);
      },
    },
  } satisfies Record<string, Cell>;
}

/** The caller is nobody to the operation: nothing is done, and nothing audited. */
async function holdNotSignedIn({ control, operation, example }: Subject, caller: Caller): Promise<void> {
  const answer = await sendOperation(control.baseUrl, operation, example, caller);
  expectStatus(answer, 401);
  assert.deepEqual(await auditRows(control, answer), []);
}

const keptForNodes = /Only gateway nodes can call this/;

/** What the 403 says for a caller with only this role; null if the role is allowed. */
function refusalOf(operation: AnyControlOperation, role: BuiltInRoleId): RegExp | null {
  const { auth, restriction, permissions, alsoNeeded } = operation;
  if (auth === 'node') return keptForNodes;
  if (restriction === 'Super Admin' && role !== 'super_admin') return /Super Admin/;
  const held: readonly string[] = builtInRoles[role].permissions;
  const named = (names: readonly string[]) => new RegExp(names.map((name) => name.replace('.', '\\.')).join(' or '));
  if (permissions.length > 0 && !permissions.some((permission) => held.includes(permission))) return named(permissions);
  const missing = alsoNeeded.find((permission) => !held.includes(permission));
  return missing === undefined ? null : named([missing]);
}

/** Rejected with the missing permission, and audited as denied. */
async function holdDenied(
  { control, operation, example, own }: Subject,
  caller: Caller,
  query: Parts['query'],
  refusal: RegExp,
): Promise<void> {
  const request = { ...example, query: { ...example.query, ...query } };
  const answer = await sendOperation(control.baseUrl, operation, request, caller);
  expectStatus(answer, 403);
  assert.match(answer.json.data.message, refusal);
  const rows = await auditRows(control, answer);
  assert.equal(rows.length, 1, `a denied call leaves one audit row, not ${rows.length}`);
  const { organization_id, outcome, operation: id, actor_id } = rows[0]!;
  assert.deepEqual([organization_id, outcome, id, actor_id], [own.id, 'denied', operation.id, caller.id]);
}

/** Allowed: the call fails later, for an unknown query parameter. */
async function holdAdmitted(subject: Subject, caller: Caller, query: Parts['query']): Promise<void> {
  const { control, operation, example } = subject;
  const request = { ...example, query: { ...example.query, ...query, [noSuch]: '1' } };
  await holdInvalid(control, await sendOperation(control.baseUrl, operation, request, caller), [noSuch]);
}

/** Returns only what belongs to the one organization, and is not audited. */
async function holdRead(subject: Subject, caller: Caller, query: Parts['query']): Promise<void> {
  const { control, operation, own, foreign } = subject;
  const named = 'organizationId' in query && operation.scope !== 'home' ? foreign : own;
  const example = exampleOf(operation, named);
  const request = { ...example, query: { ...example.query, ...query } };
  const answer = await sendOperation(control.baseUrl, operation, request, caller);
  holdAnswer(operation, answer);
  assert.deepEqual(await auditRows(control, answer), [], 'a read leaves no audit row');
  if (operation.scope === 'platform' && operation.restriction !== null) return;
  const other = named === own ? foreign : own;
  const leaked = [...other.ids.values()].filter((id) => answer.text.includes(id));
  // In any organization, a caller sees their own id, organization and session.
  const ownIds = new Set([own.id, ...Object.values(own.people).map(({ id }) => id)]);
  assert.deepEqual(
    leaked.filter((id) => named === own || !ownIds.has(id)),
    [],
    'the response has ids of another organization',
  );
}

/** 400 with an error for each of the fields, and nothing done. */
async function holdInvalid(control: TestControl, answer: Answer, fields: readonly string[]): Promise<void> {
  expectStatus(answer, 400);
  const reported = Object.keys(answer.json.data.errors ?? {});
  for (const field of fields) {
    assert(
      reported.some((key) => key === field || key.startsWith(`${field}.`)),
      `errors has ${reported.join(', ') || 'no field'}, not ${field}`,
    );
  }
  assert.deepEqual(await auditRows(control, answer), [], 'an invalid call leaves no audit row');
}

/** The documented success, exactly as in the contract. */
function holdAnswer(operation: AnyControlOperation, answer: Answer): void {
  expectStatus(answer, operation.successStatus);
  const { body, mediaType } = operation.responses[operation.successStatus]!;
  if (mediaType !== undefined) {
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="[^"]+"$/);
    assert(answer.headers.get('content-type')?.split(';')[0] === mediaType, `not ${mediaType}`);
    assert(answer.text.length > 0);
    return;
  }
  const parsed = body.safeParse(answer.json);
  assert(parsed.success, `the response doesn’t match the contract: ${parsed.error?.message}`);
  assert.deepEqual(answer.json, parsed.data, 'the response has fields that the contract doesn’t');
}

/** Who may make the call of the example; null for a public one. */
function callerOf(operation: AnyControlOperation, organization: FullOrganization, prepared: Prepared): Caller | null {
  if (operation.auth === 'public') return null;
  if (operation.auth === 'portal_visitor') {
    return prepared.portalPerson === undefined ? null : organization.portal[prepared.portalPerson];
  }
  if (operation.auth === 'portal') return organization.portal.owner;
  if (operation.auth === 'node') return organization.node;
  const usual = operation.restriction === 'Super Admin' ? 'super_admin' : 'organization_administrator';
  return organization.people[prepared.person ?? usual];
}

/** An organization in which the example of a write can be carried out, and its request there. */
async function prepare({ control, copier, own, operation }: Bench & { readonly operation: AnyControlOperation }) {
  const preparation = preparations[operation.id as OperationId];
  const organization = changes(operation) || preparation ? await copier.copy() : own;
  const prepared = (await preparation?.(organization, control)) ?? {};
  const example = exampleOf(operation, organization);
  const request: Parts = {
    params: { ...example.params, ...prepared.params },
    query: { ...example.query, ...prepared.query },
    body: prepared.body === undefined ? example.body : { ...(example.body as object), ...prepared.body },
  };
  return { organization, prepared, request };
}

/** Makes the call of an operation's example once, before that with an If-Match that matches nothing. */
export async function perform(bench: Bench & { readonly operation: AnyControlOperation }): Promise<Performed> {
  const { control, operation } = bench;
  const { organization, prepared, request } = await prepare(bench);
  const caller = callerOf(operation, organization, prepared);
  let stale: Performed['stale'] = null;
  if (holdsVersion(operation)) {
    const touched = [organization.id, ...(prepared.organizationIds ?? [])];
    const before = await digestOf(control, touched);
    const answer = await sendOperation(control.baseUrl, operation, request, caller, { 'if-match': '"v987654"' });
    stale = { answer, changed: (await digestOf(control, touched)) !== before };
  }
  const headers = { ...prepared.headers, ...(operation.method === 'POST' ? keyOf(operation) : {}) };
  const contentBefore = await contentHashes(control, organization.id);
  const answer = await sendOperation(control.baseUrl, operation, request, caller, headers);
  const contentAfter = await contentHashes(control, organization.id);
  const editedProxyIds = [...contentBefore].flatMap(([id, hash]) => {
    const after = contentAfter.get(id);
    return after === undefined || after === hash ? [] : [id];
  });
  return { organization, caller: caller && withNewCookie(caller, answer), request, answer, stale, editedProxyIds };
}

/** The caller as a browser would go on, with the session's cookie that the answer set. */
function withNewCookie(caller: Caller, { headers }: Answer): Caller {
  const [cookie] = headers.get('set-cookie')?.split(';') ?? [];
  return cookie === undefined ? caller : { ...caller, headers: { ...caller.headers, cookie } };
}

function holdsVersion({ errors }: AnyControlOperation): boolean {
  return errors.includes('version_conflict');
}

/** One audit row of what was done, as the operation states it; none where it states none. */
async function holdAudit(
  control: TestControl,
  operation: AnyControlOperation,
  answer: Answer,
  caller: Caller | null,
): Promise<void> {
  const all = await auditRows(control, answer);
  // What an approval carries out leaves a row as the operation that it is.
  const carriesOut = operation.id === 'approveProductionChange';
  const rows = carriesOut ? all.filter((row) => row.operation === operation.id) : all;
  if (carriesOut) assert.equal(all.length, 2, 'an approval and what it carries out leave a row each');
  const { audit } = operation;
  if (audit === null) return assert.deepEqual(rows, [], 'what changes nothing leaves no audit row');
  assert.equal(rows.length, 1, `a write leaves one audit row, not ${rows.length}`);
  const row = rows[0]!;
  assert.deepEqual(
    [row.operation, row.outcome, row.category, row.severity, row.entity_type],
    [operation.id, 'done', audit.category, audit.severity, audit.entityType],
  );
  if (caller !== null) assert.equal(row.actor_id, caller.id);
}

/** Values of path parameters that are no ids, but name nothing. */
const unknownParams: Readonly<Record<string, string>> = {
  revision: '99999',
  code: 'SEC-999',
  kind: 'no-such-kind',
  operationId: 'noSuchOperation',
  name: 'NO_SUCH_VARIABLE',
  productId: 'no-such-product',
  slug: 'no-such-guide',
  guideVersion: '99999',
};

/** Prefix of the ids that a filter takes. */
const filterPrefixes: Readonly<Record<string, string>> = {
  environmentId: 'env',
  proxyId: 'prx',
  roleId: 'rol',
  actorId: 'usr',
  authorId: 'usr',
  requestedBy: 'usr',
  entityId: 'tgt',
  subjectId: 'dep',
  againstId: 'spc',
  productId: 'prd',
  developerId: 'dev',
  appId: 'app',
  subscriptionId: 'sub',
  ratePlanId: 'rpl',
  periodId: 'bpd',
  alertRuleId: 'alr',
  integrationId: 'itg',
  routeId: 'rte',
  deploymentId: 'dep',
  gatewayNodeId: 'gwn',
};

/** The query parameters that take an id. */
function filtersOf(query: AnyControlOperation['request']['query']): readonly string[] {
  return Object.keys(fieldsOf(query)).filter((name) => /Id$|By$/.test(name));
}

/** Each of the ids in turn, and all of them, as ids of the given kind. */
function* replacements(ids: readonly string[], other: (id: string) => string): Generator<ReadonlyMap<string, string>> {
  for (const id of ids) yield new Map([[id, other(id)]]);
  if (ids.length > 1) yield new Map(ids.map((id) => [id, other(id)]));
}

function idsOfForeign({ own, foreign }: Subject): (id: string) => string {
  const examples = new Map([...own.ids].map(([example, id]) => [id, example]));
  return (id) => foreign.ids.get(examples.get(id) ?? '') ?? newId(id.slice(0, 3));
}

/** Ids of another organization are answered as ids of nothing are: by the same status and body. */
async function holdForeign(
  subject: Subject,
  ids: readonly string[],
  change: (others: ReadonlyMap<string, string>) => Parts,
  statuses: readonly number[],
): Promise<void> {
  const { control, operation, own } = subject;
  const caller = callerOf(operation, own, {});
  const foreignId = idsOfForeign(subject);
  for (const others of replacements(ids, foreignId)) {
    const what = [...others.values()].map((id) => id.slice(0, 3)).join(', ');
    const unknown = new Map([...others.keys()].map((id) => [id, newId(id.slice(0, 3))]));
    const unknowns = await sendOperation(control.baseUrl, operation, change(unknown), caller);
    assert(statuses.includes(unknowns.status), `an unknown ${what} is answered ${unknowns.status}: ${unknowns.text}`);
    // To a Super Admin no organization is foreign.
    if (operation.restriction !== null) continue;
    const foreigns = await sendOperation(control.baseUrl, operation, change(others), caller);
    const normal = ({ status, text }: Answer) => [status, text.replaceAll(/[a-z]{3}_[0-9a-z]{26}/g, 'id')];
    assert.deepEqual(normal(foreigns), normal(unknowns), `a foreign ${what} is distinguishable from an unknown one`);
    const done = (await auditRows(control, foreigns)).filter(({ outcome }) => outcome === 'done');
    assert.deepEqual(done, [], `a call with a foreign ${what} is audited as done`);
  }
}

/** Whether the things that a call names are the organization's, for every developer account to see. */
function readsCatalog({ path }: AnyControlOperation): boolean {
  return /^\/api\/portal\/(?:catalog|guides|changes|status|operations)\b/.test(path);
}

const idParams = ({ params }: Parts) =>
  Object.values(params).filter((value): value is string => typeof value === 'string' && idsIn(value).length === 1);

export const cells = {
  'no credential': {
    inapplicable: isPublic,
    hold: async ({ control, operation, example }) => {
      const cookie = 'millrace_session=nonsense; millrace_portal_session=nonsense';
      for (const headers of [{}, { authorization: 'Bearer mrs_nonsense' }, { cookie }]) {
        const answer = await sendOperation(control.baseUrl, operation, example, null, headers);
        expectStatus(answer, 401);
        assert.deepEqual(await auditRows(control, answer), []);
      }
    },
  },
  'foreign page': {
    inapplicable: ({ method, auth }) =>
      method === 'GET' ? 'a read changes nothing' : auth === 'node' ? 'a browser has no token to send' : null,
    hold: async ({ control, operation, example, own }) => {
      const caller = callerOf(operation, own, {});
      const headers = { origin: 'https://elsewhere.example' };
      expectStatus(await sendOperation(control.baseUrl, operation, example, caller, headers), 403);
    },
  },
  ...cellsOfRole('super_admin'),
  ...cellsOfRole('organization_administrator'),
  ...cellsOfRole('developer'),
  ...cellsOfRole('operations_engineer'),
  ...cellsOfRole('auditor'),
  ...cellsOfRole('api_consumer'),
  'portal user of each role': {
    inapplicable: isPublic,
    hold: async (subject) => {
      const { operation, own } = subject;
      if (operation.auth !== 'portal') return holdNotSignedIn(subject, own.portal.owner);
      for (const role of portalRoles) {
        const caller = own.portal[role];
        if (!operation.portalRoles.includes(role)) await holdDenied(subject, caller, {}, /This requires the role/);
        else if (writes(operation)) await holdAdmitted(subject, caller, {});
        else await holdRead(subject, caller, {});
      }
    },
  },
  'portal user of another organization': {
    inapplicable: ({ auth }) => (auth === 'portal' ? null : 'it is none of the portal'),
    hold: async (subject) => {
      const { control, operation, own, foreign, example } = subject;
      const there = { ...example, query: { ...example.query, organization: `full-${foreign.key}` } };
      expectStatus(await sendOperation(control.baseUrl, operation, there, own.portal.owner), 401);
    },
  },
  'portal user of another developer account': {
    inapplicable: ({ auth }) => (auth === 'portal' ? null : 'it is none of the portal'),
    hold: async ({ control, operation, own, example }) => {
      const caller = own.portal.other;
      const ownedByOthers = idsIn(example).length > 0 && !readsCatalog(operation);
      if (writes(operation) && !ownedByOthers) return;
      const answer = await sendOperation(control.baseUrl, operation, example, caller);
      if (ownedByOthers) {
        assert([400, 404].includes(answer.status), `answered ${answer.status}: ${answer.text}`);
        const done = (await auditRows(control, answer)).filter(({ outcome }) => outcome === 'done');
        return assert.deepEqual(done, [], 'a call about another account’s things is audited as done');
      }
      holdAnswer(operation, answer);
      const ids = ['dev', 'app', 'crd', 'sub', 'ivc', 'bmv', 'pus'].map((prefix) => own.ids.get(exampleId(prefix)));
      assert.deepEqual(
        ids.filter((id) => id !== undefined && answer.text.includes(id)),
        [],
        'the response has ids of another developer account',
      );
    },
  },
  'portal user of a suspended developer account': {
    inapplicable: ({ auth }) => (auth === 'portal' ? null : 'it is none of the portal'),
    hold: (subject) => holdNotSignedIn(subject, subject.own.portal.suspended),
  },
  'gateway node': {
    inapplicable: (operation) =>
      isOfPortal(operation) ?? (operation.auth === 'node' ? 'its other cells are held as a node' : null),
    hold: (subject) => holdDenied(subject, subject.own.node, {}, /gateway node’s token is only valid for/),
  },
  'service account with every other permission': {
    inapplicable: ({ permissions }) => (permissions.length === 0 ? 'it asks for no permission' : null),
    hold: async (subject) => {
      const { control, operation, own } = subject;
      const others = allPermissions.filter((permission) => !operation.permissions.includes(permission));
      const caller = await addServiceAccount(control, own.id, others);
      await holdDenied(subject, caller, {}, /Super Admin|This requires the permission/);
      for (const needed of operation.alsoNeeded) {
        const without = allPermissions.filter((permission) => permission !== needed);
        const lacking = await addServiceAccount(control, own.id, without);
        await holdDenied(subject, lacking, {}, new RegExp(needed.replace('.', '\\.')));
      }
    },
  },
  'service account with exactly the permission': {
    inapplicable: ({ permissions, restriction }) =>
      restriction !== null ? 'it is kept for a role' : permissions.length === 0 ? 'it asks for no permission' : null,
    hold: async (subject) => {
      const { control, operation, own } = subject;
      for (const permission of operation.permissions) {
        if (changes(operation)) {
          const { organization, request, prepared } = await prepare(subject);
          const held = [permission, ...operation.alsoNeeded, ...(prepared.domainPermissions ?? [])];
          const caller = await addServiceAccount(control, organization.id, held);
          const answer = await sendOperation(control.baseUrl, operation, request, caller);
          holdAnswer(operation, answer);
          await holdAudit(control, operation, answer, caller);
        } else {
          const caller = await addServiceAccount(control, own.id, [permission, ...operation.alsoNeeded]);
          const answer = await sendOperation(control.baseUrl, operation, subject.example, caller);
          holdAnswer(operation, answer);
        }
      }
    },
  },
  'foreign id': {
    inapplicable: ({ request }) => (request.params === undefined ? 'it has no path parameters' : null),
    hold: async (subject) => {
      const { control, operation, own, example } = subject;
      const change = (others: ReadonlyMap<string, string>) => ({ ...example, params: withIds(example.params, others) });
      await holdForeign(subject, idParams(example), change, [404]);
      for (const [name, value] of Object.entries(example.params)) {
        const isId = idsIn(value).length === 1;
        if (isId || (name === 'name' && operation.method === 'PUT')) continue;
        const other = unknownParams[name];
        assert(other !== undefined, `say in unknownParams what names nothing as ${name}`);
        const request = { ...example, params: { ...example.params, [name]: other } };
        const caller = callerOf(operation, own, {});
        expectStatus(await sendOperation(control.baseUrl, operation, request, caller), 404);
      }
    },
  },
  'foreign id within the request': {
    inapplicable: ({ auth, examples }) => {
      if (auth === 'node') return 'what a node reports about things that do not exist is ignored';
      const { query, body } = examples[0]!.request;
      return idsIn([query, body]).length === 0 ? 'its example names nothing there' : null;
    },
    hold: async (subject) => {
      const { example } = subject;
      const change = (others: ReadonlyMap<string, string>) => ({
        params: example.params,
        query: withIds(example.query, others),
        body: withIds(example.body, others),
      });
      await holdForeign(subject, idsIn([example.query, example.body]), change, [400, 404]);
    },
  },
  'foreign id as a filter': {
    inapplicable: ({ method, request }) =>
      method === 'GET' && filtersOf(request.query).length > 0 ? null : 'it filters by no id',
    hold: async ({ control, operation, example, own, foreign }) => {
      const caller = callerOf(operation, own, {});
      for (const name of filtersOf(operation.request.query)) {
        const prefix = filterPrefixes[name];
        assert(prefix !== undefined, `say in filterPrefixes what ${name} is the id of`);
        const answersOf = async (id: string) => {
          const request = { ...example, query: { ...example.query, [name]: id } };
          const { status, text } = await sendOperation(control.baseUrl, operation, request, caller);
          return [status, text.replaceAll(id, 'id')];
        };
        const foreignId = foreign.ids.get(exampleId(prefix))!;
        assert.deepEqual(await answersOf(foreignId), await answersOf(newId(prefix)), `${name} reveals a foreign id`);
      }
    },
  },
  'unknown query parameter': {
    inapplicable: () => null,
    hold: async ({ control, operation, example, own }) => {
      const request = { ...example, query: { ...example.query, [noSuch]: '1' } };
      const answer = await sendOperation(control.baseUrl, operation, request, callerOf(operation, own, {}));
      await holdInvalid(control, answer, [noSuch]);
    },
  },
  'unknown field': {
    inapplicable: ({ request }) => (request.body === undefined ? 'it has no body' : null),
    hold: async ({ control, operation, example, own }) => {
      const request = { ...example, body: { ...(example.body as object), [noSuch]: 1 } };
      const answer = await sendOperation(control.baseUrl, operation, request, callerOf(operation, own, {}));
      await holdInvalid(control, answer, [noSuch]);
    },
  },
  'bad values': {
    inapplicable: ({ request }) =>
      (['params', 'query', 'body'] as const).every((part) => Object.keys(fieldsOf(request[part])).length === 0)
        ? 'it has no field'
        : null,
    hold: async ({ control, operation, example, own }) => {
      const caller = callerOf(operation, own, {});
      for (const part of ['params', 'query', 'body'] as const) {
        const bad: Record<string, unknown> = {};
        for (const [name, schema] of Object.entries(fieldsOf(operation.request[part]))) {
          const found = badValueOf(schema, part);
          if (found === null && part === 'params' && isBoundedByRouter(schema)) continue;
          assert(found !== null, `${part}.${name} takes everything: bound it`);
          bad[name] = found.value;
        }
        const fields = Object.keys(bad);
        if (fields.length === 0) continue;
        const request = { ...example, [part]: { ...(example[part] as object), ...bad } };
        await holdInvalid(control, await sendOperation(control.baseUrl, operation, request, caller), fields);
      }
    },
  },
  'example succeeds': {
    inapplicable: () => null,
    hold: async ({ control, operation, performed }) => {
      const { answer, caller } = await performed();
      const advice = 'Where the example needs more than the fixture, make that in preparations.ts.';
      assert.equal(answer.status, operation.successStatus, `answered ${answer.status}: ${answer.text}. ${advice}`);
      holdAnswer(operation, answer);
      await holdAudit(control, operation, answer, caller);
    },
  },
  'what follows from it is published': {
    inapplicable: (operation) => (changes(operation) ? null : 'it writes nothing'),
    hold: async ({ control, performed }) => {
      const { organization } = await performed();
      await assertPublished(control, organization.id);
    },
  },
  'an edit of a proxy is stated': {
    inapplicable: ({ production }) =>
      production === null ? 'it writes nothing' : production === 'document' ? 'it carries out other operations' : null,
    hold: async ({ operation: { production }, performed }) => {
      const { editedProxyIds } = await performed();
      if (typeof production === 'object' && production?.exempt === 'working_copy') return;
      assert.deepEqual(editedProxyIds, [], 'state production: { exempt: "working_copy" }, so that screens ask first');
    },
  },
  'stale If-Match': {
    inapplicable: (operation) => (holdsVersion(operation) ? null : 'it changes nothing that has a version'),
    hold: async ({ control, performed }) => {
      const { stale } = await performed();
      assert(stale !== null);
      expectStatus(stale.answer, 412);
      assert(!stale.changed, 'something was changed nevertheless');
      const done = (await auditRows(control, stale.answer)).filter(({ outcome }) => outcome === 'done');
      assert.deepEqual(done, []);
    },
  },
  'repeated with its Idempotency-Key': {
    inapplicable: (operation) => (isIdempotent(operation) ? null : 'a POST of a signed-in caller alone takes the key'),
    hold: async ({ control, operation, performed }) => {
      const { answer, request, caller } = await performed();
      expectStatus(answer, operation.successStatus);
      const again = await sendOperation(control.baseUrl, operation, request, caller, keyOf(operation));
      assert.deepEqual([again.status, again.text], [answer.status, answer.text]);
      assert.deepEqual(await auditRows(control, again), [], 'the second call leaves an audit row of its own');
    },
  },
  'Idempotency-Key with another request': {
    inapplicable: (operation) =>
      isIdempotent(operation)
        ? operation.request.body === undefined && operation.request.params === undefined
          ? 'all its requests are the same'
          : null
        : 'a POST of a signed-in caller alone takes the key',
    hold: async ({ control, operation, performed }) => {
      const { answer, request, caller } = await performed();
      expectStatus(answer, operation.successStatus);
      const other = await sendOperation(
        control.baseUrl,
        operation,
        differing(operation, request),
        caller,
        keyOf(operation),
      );
      // What looks up its thing before anything else finds none.
      if (operation.request.body !== undefined || other.status !== 404) expectStatus(other, 422);
      assert.deepEqual(await auditRows(control, other), []);
    },
  },
} satisfies Record<string, Cell>;

export type CellName = keyof typeof cells;

function isIdempotent({ method, auth }: AnyControlOperation): boolean {
  return method === 'POST' && auth !== 'public' && auth !== 'portal_visitor';
}

/** Values of other kinds, one of which a field that is left out may take. */
const otherValues = ['text', true, false, 1, [newId('zzz')]];

function variantsOf(value: unknown): readonly unknown[] {
  const otherDigits = String(value).replaceAll(/\d/g, (digit) => String((Number(digit) + 1) % 10));
  return [`${value}x`, otherDigits, Number(value) + 1, !value];
}

/** A request that is as valid, but another: with another field in its body, or about another thing. */
function differing(operation: AnyControlOperation, request: Parts): Parts {
  const { body } = operation.request;
  if (body === undefined) {
    return { ...request, params: withIds(request.params, new Map(idParams(request).map((id) => [id, newId('zzz')]))) };
  }
  const given = Object.entries(request.body as object);
  const short = given.filter(([, value]) => String(value).length < 100);
  const absent = Object.keys(fieldsOf(body)).filter((name) => !given.some(([known]) => known === name));
  const others: readonly (readonly [name: string, value: unknown])[] = [
    ...short.flatMap(([name, value]) => variantsOf(value).map((variant) => [name, variant] as const)),
    ...absent.flatMap((name) => otherValues.map((value) => [name, value] as const)),
  ];
  for (const [name, other] of others) {
    const changed = { ...Object.fromEntries(given), [name]: other };
    const isOther = JSON.stringify(changed) !== JSON.stringify(request.body);
    if (isOther && body.safeParse(changed).success) return { ...request, body: changed };
  }
  throw new Error('no other valid body was found');
}

function expectStatus(answer: Answer, status: number): void {
  assert.equal(answer.status, status, `answered ${answer.status}, not ${status}: ${answer.text.slice(0, 500)}`);
}

interface AuditRow {
  readonly organization_id: string;
  readonly operation: string;
  readonly outcome: string;
  readonly category: string;
  readonly severity: string;
  readonly entity_type: string;
  readonly actor_id: string | null;
}

/** Rows that the call left, in any organization. */
async function auditRows({ opened }: TestControl, { requestId }: Answer): Promise<readonly AuditRow[]> {
  assert.match(requestId, /^req_/);
  const { rows } = await sql<AuditRow>`
    select organization_id, operation, outcome, category, severity, entity_type, actor_id
    from audit_entries where request_id = ${requestId}`.execute(opened.database.system);
  return rows;
}

export const cellNames = Object.keys(cells) as readonly CellName[];
export const allOperations: readonly AnyControlOperation[] = operations;

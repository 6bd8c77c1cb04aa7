import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '@millrace/identifiers';
import { sql } from 'kysely';
import { operations } from '../../contracts.ts';
import {
  type Copier,
  digestOf,
  exampleId,
  type FullOrganization,
  makeOrganization,
  openCopier,
  type Person,
} from '../../every-operation/organizations.ts';
import type { OperationId } from '../../every-operation/preparations.ts';
import { type Answer, exampleOf, type Parts, send, sendOperation } from '../../every-operation/requests.ts';
import { sessionCookieName } from '../../frame/authenticate.ts';
import type { AnyControlOperation } from '../../frame/operation.ts';
import { allPermissions, type BuiltInRoleId, builtInRoles, type Permission } from '../../frame/permissions.ts';
import { mayWait, reachOf } from '../../frame/production.ts';
import { startTestControl, type TestControl } from '../../testing.ts';

/** What differs from the operation's example where that changes production. */
interface SetUp {
  readonly params?: Readonly<Record<string, unknown>>;
  /** Fields that replace the example's own; null: no body. */
  readonly body?: Readonly<Record<string, unknown>>;
}

const admin = 'organization_administrator';
const idOf = ({ ids }: FullOrganization, prefix: string) => ids.get(exampleId(prefix))!;
const asExample = async (): Promise<SetUp> => ({});

/** The data of a call by an administrator that has to succeed. */
async function done({ call }: FullOrganization, path: string, body?: object, method = 'POST') {
  const { status, json } = await call(admin, method, path, body);
  assert(status < 300 && status !== 202, `${method} ${path} was answered ${status}: ${JSON.stringify(json)}`);
  return json.data;
}

async function canary(organization: FullOrganization): Promise<SetUp> {
  const deployment = {
    proxyId: idOf(organization, 'prx'),
    environmentId: idOf(organization, 'env'),
    revision: 2,
    strategy: 'canary',
  };
  return { params: { deploymentId: (await done(organization, '/deployments', deployment)).id } };
}

/**
 * Brings the organization into a state in which the operation's call changes production, for each operation that can. An
 * operation that is missing here fails.
 */
const setUps: Partial<Record<OperationId, (organization: FullOrganization) => Promise<SetUp>>> = {
  updateOrganizationSettings: async ({ id }) => {
    const approval = { requiredFor: ['approved'], productionChanges: true };
    await setSettings(id, { approval });
    return { body: { approval: { ...approval, productionChanges: false } } };
  },
  applyOrganization: async () => ({
    body: {
      document:
        'version: 1\nenvironments: [{name: test, targetServers: [{name: orders-backend, host: elsewhere.example}]}]',
    },
  }),
  createEnvironment: async () => ({ body: { production: true } }),
  updateEnvironment: async () => ({ body: { hostNames: ['elsewhere.example.com'] } }),
  deleteEnvironment: async (organization) => {
    const environment = { name: 'empty', displayName: 'Empty', production: true };
    return { params: { environmentId: (await done(organization, '/environments', environment)).id } };
  },
  setEnvironmentVariable: asExample,
  deleteEnvironmentVariable: asExample,
  createTargetServer: async () => ({ body: { name: 'another' } }),
  updateTargetServer: async () => ({ body: { host: 'elsewhere.example' } }),
  deleteTargetServer: async (organization) => {
    const server = { environmentId: idOf(organization, 'env'), name: 'unused', host: 'unused.example', port: 443 };
    return { params: { targetServerId: (await done(organization, '/target-servers', server)).id } };
  },
  enableTargetServer: async (organization) => {
    await done(organization, `/target-servers/${idOf(organization, 'tgt')}/disable`);
    return {};
  },
  disableTargetServer: asExample,
  createDeployment: async () => ({ body: { revision: 2, strategy: 'direct' } }),
  rollBackDeployment: canary,
  promoteDeployment: canary,
  setDeploymentTraffic: async (organization) => {
    const { params } = await canary(organization);
    const weights = [
      { deploymentId: params!.deploymentId, weight: 50 },
      { deploymentId: idOf(organization, 'dep'), weight: 50 },
    ];
    return { params: params!, body: { weights } };
  },
  undeployDeployment: asExample,
  updateProduct: async () => ({ body: { quota: { limit: 1, window: { unit: 'day', count: 1 } } } }),
  deleteProduct: async (organization) => {
    const { id } = await done(organization, '/products', { name: 'unused', displayName: 'Unused' });
    await done(organization, `/products/${id}/proxies/${idOf(organization, 'prx')}`, {}, 'PUT');
    await done(organization, `/products/${id}/publish`);
    return { params: { productId: id } };
  },
  publishProduct: async (organization) => {
    await done(organization, `/products/${idOf(organization, 'prd')}/unpublish`);
    return {};
  },
  unpublishProduct: asExample,
  suspendProduct: asExample,
  activateProduct: async (organization) => {
    await done(organization, `/products/${idOf(organization, 'prd')}/suspend`);
    return {};
  },
  setProductProxy: async (organization) => ({ body: { routeIds: [idOf(organization, 'rte')] } }),
  removeProductProxy: asExample,
  createGatewayNode: async () => ({ body: { name: 'another' } }),
  updateGatewayNode: asExample,
  deleteGatewayNode: asExample,
  drainGatewayNode: asExample,
  resumeGatewayNode: async (organization) => {
    await done(organization, `/gateway-nodes/${idOf(organization, 'gwn')}/drain`);
    return {};
  },
  rotateGatewayNodeToken: asExample,
  revokeGatewayNodeToken: asExample,
};

let control: TestControl;

async function setSettings(organizationId: string, settings: object): Promise<void> {
  await sql`update organizations set settings = ${JSON.stringify(settings)} where id = ${organizationId}`.execute(
    control.opened.database.system,
  );
}

const reaching: readonly AnyControlOperation[] = operations.filter(({ production }) => reachOf(production) !== null);
const all: readonly AnyControlOperation[] = operations;
const withoutRight = (Object.keys(builtInRoles) as readonly BuiltInRoleId[]).filter(
  (role) => !(builtInRoles[role].permissions as readonly Permission[]).includes('deployment.prod'),
);

describe('every operation that can change what production callers get', () => {
  let copier: Copier;
  before(async () => {
    control = await startTestControl();
    const organization = await makeOrganization(control);
    const { system } = control.opened.database;
    // What serves in its environment was approved, and is production from now on.
    await sql`update environments set production = name = 'test' where organization_id = ${organization.id}`.execute(
      system,
    );
    await sql`update revisions set approved_by = 'usr_somebody', approved_at = now()
      where organization_id = ${organization.id}`.execute(system);
    await sql`update target_servers set scheme = 'https' where organization_id = ${organization.id}`.execute(system);
    await sql`update proxies set stage = 'published', approved_revision = 2, approved_hash = content_hash where organization_id = ${organization.id}`.execute(
      system,
    );
    copier = await openCopier(control, organization);
  });
  after(async () => {
    await copier?.close();
    await control?.stop();
  });

  async function prepare(operation: AnyControlOperation): Promise<{ organization: FullOrganization; request: Parts }> {
    const organization = await copier.copy();
    const setUp = setUps[operation.id as OperationId];
    assert(setUp !== undefined, `say in setUps how ${operation.id} changes production`);
    const example = exampleOf(operation, organization);
    const { params, body } = await setUp(organization);
    const request = {
      params: { ...example.params, ...params },
      query: example.query,
      body: body === undefined ? example.body : { ...(example.body as object | undefined), ...body },
    };
    return { organization, request };
  }

  const sendAs = (operation: AnyControlOperation, request: Parts, organization: FullOrganization, person: Person) =>
    sendOperation(control.baseUrl, operation, request, organization.people[person]);

  async function rowsOf({ requestId }: Answer) {
    const { rows } = await sql<{ operation: string; outcome: string; severity: string; entity_type: string }>`
      select operation, outcome, severity, entity_type from audit_entries where request_id = ${requestId}
      order by sequence`.execute(control.opened.database.system);
    return rows;
  }

  test('has a set-up, and there is no other set-up', () => {
    assert.deepEqual(Object.keys(setUps).toSorted(), reaching.map(({ id }) => id).toSorted());
  });

  test('declares that, or why it needs no permission', () => {
    for (const { id, audit, production } of all) {
      assert.equal(production === null, audit === null, `${id} does not say whether it can change production`);
    }
  });

  for (const operation of reaching) {
    test(`${operation.id} is denied without deployment.prod, and changes nothing`, async () => {
      const { organization, request } = await prepare(operation);
      const roleId = newId('rol');
      const everythingElse = allPermissions.filter((permission) => permission !== 'deployment.prod');
      await sql`insert into roles (id, organization_id, name, permissions)
        values (${roleId}, ${organization.id}, 'Everything else', ${everythingElse}::text[])`.execute(
        control.opened.database.system,
      );
      const custom = await control.addUser(organization.id, [roleId as `rol_${string}`]);
      const state = await digestOf(control, [organization.id]);
      for (const role of withoutRight) {
        const answer = await sendAs(operation, request, organization, role);
        assert.equal(answer.status, 403, `${role} was answered ${answer.status}: ${answer.text}`);
        const held: readonly Permission[] = builtInRoles[role].permissions;
        if (operation.permissions.some((permission) => held.includes(permission))) {
          assert.match(answer.json.data.message, /deployment\.prod/, role);
        }
      }
      const headers = { cookie: `${sessionCookieName}=${custom.sessionToken}` };
      const answer = await sendOperation(control.baseUrl, operation, request, { id: custom.userId, headers });
      assert.equal(answer.status, 403, `the custom role was answered ${answer.status}: ${answer.text}`);
      assert.match(answer.json.data.message, /deployment\.prod/);
      assert.deepEqual(
        (await rowsOf(answer)).map(({ operation: id, outcome }) => [id, outcome]),
        [[operation.id, 'denied']],
      );
      assert.equal(await digestOf(control, [organization.id]), state, 'something was changed nevertheless');
    });

    test(`${operation.id} is carried out with deployment.prod, and audited as high`, async () => {
      const { organization, request } = await prepare(operation);
      const answer = await sendAs(operation, request, organization, 'super_admin');
      // Turning approvals off is asked for while they are on.
      if (operation.id === 'updateOrganizationSettings') return assert.equal(answer.status, 202, answer.text);
      assert.equal(answer.status, operation.successStatus, answer.text);
      assert.deepEqual(
        (await rowsOf(answer)).map(({ operation: id, outcome, severity }) => [id, outcome, severity]),
        [[operation.id, 'done', 'high']],
      );
    });

    if (!mayWait(operation.production)) continue;
    test(`${operation.id} waits for another person if the organization requires approval`, async () => {
      const { organization, request } = await prepare(operation);
      await setSettings(organization.id, { approval: { requiredFor: ['approved'], productionChanges: true } });
      const { id } = organization;
      const stateOf = async () => {
        const digest = JSON.parse(await digestOf(control, [id])) as { readonly name: string }[];
        const beside = ['production_changes', 'notifications', 'outbox'];
        return digest.filter(({ name }) => !beside.includes(name));
      };
      const state = await stateOf();
      const held = await sendAs(operation, request, organization, admin);
      assert.equal(held.status, 202, held.text);
      const { body } = operation.responses[202]!;
      assert.deepEqual(body.parse(held.json), held.json);
      assert.deepEqual(await stateOf(), state, 'it was carried out at once');
      assert.deepEqual(
        (await rowsOf(held)).map(({ operation: called, outcome, entity_type }) => [called, outcome, entity_type]),
        [[operation.id, 'done', 'production_change']],
      );
      const approve = (person: Person) =>
        send(control.baseUrl, {
          method: 'POST',
          path: `/api/production-changes/${held.json.data.id}/approve`,
          body: {},
          headers: organization.people[person].headers,
        });
      assert.equal((await approve(admin)).status, 403);
      assert.equal((await approve('developer')).status, 403);
      const approved = await approve('operations_engineer');
      assert.deepEqual([approved.status, approved.json.data.state], [200, 'approved'], approved.text);
      assert.notDeepEqual(await stateOf(), state, 'the approval carried out nothing');
      assert.deepEqual(
        (await rowsOf(approved)).map(({ operation: called, outcome, severity }) => [called, outcome, severity]),
        [
          ['approveProductionChange', 'done', 'high'],
          [operation.id, 'done', 'high'],
        ],
      );
      assert.equal((await approve('operations_engineer')).status, 409);
    });
  }
});

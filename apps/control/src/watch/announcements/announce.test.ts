import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '@millrace/eventually';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { sql } from 'kysely';
import { addNode, type TestNode } from '../../delivery/gateway-nodes/testing.ts';
import { exampleId, type FullOrganization, makeOrganization } from '../../every-operation/organizations.ts';
import { startTestControl, type TestCaller, type TestControl } from '../../testing.ts';
import { EventBody, eventKinds, type NotificationKind } from '../events/contract.ts';
import { testAlert, testRule } from '../incidents/testing.ts';
import { applyAlerts } from '../incidents/transitions.ts';

let control: TestControl;
let organization: FullOrganization;
let administrator: TestCaller;
let node: TestNode;
let incidentId: string;
before(async () => {
  control = await startTestControl();
  organization = await makeOrganization(control);
  administrator = await control.addUser(organization.id, ['organization_administrator']);
});
after(() => control?.stop());

const idOf = (prefix: string) => organization.ids.get(exampleId(prefix))!;

async function done(person: Parameters<FullOrganization['call']>[0], path: string, body: object = {}, method = 'POST') {
  const { status, json } = await organization.call(person, method, path, body);
  assert(status < 300, `${path}: ${JSON.stringify(json)}`);
  return json.data;
}

const rule = testRule({ escalateAfterMinutes: 5 });

/** What an evaluation does that finds the rule's alert firing since a moment. */
async function fire(since: Date): Promise<void> {
  const integrationIds = [idOf('itg'), (await done('organization_administrator', '/integrations', silent())).id];
  const applied = await tenantTransaction(control.opened.database, organization.id, (transaction) =>
    applyAlerts(transaction, {
      rule: { ...rule, integrationIds },
      group: { environmentId: idOf('env') },
      alerts: [testAlert('orders', { since })],
      now: new Date(),
    }),
  );
  incidentId = applied.incidentId!;
}

let integrations = 0;
/** A webhook that subscribes to nothing. */
function silent() {
  return { name: `Silent ${++integrations}`, settings: { kind: 'webhook', url: 'http://127.0.0.1:1024/', events: [] } };
}

const move = (name: string, body?: object) => done('operations_engineer', `/incidents/${incidentId}/${name}`, body);
const nothing = async () => undefined;

/** What makes each kind of event, in an order in which one after the other can be; by the first of two, the second. */
const writes: Readonly<Record<(typeof eventKinds)[number], () => Promise<unknown>>> = {
  'approval.requested': async () => {
    const approval = { requiredFor: ['approved'], productionChanges: true };
    const ofOrganization = `/organizations/${organization.id}/settings`;
    await done('organization_administrator', ofOrganization, { approval }, 'PATCH');
    await done('operations_engineer', '/environments', { name: 'next', displayName: 'Next', production: true });
  },
  'approval.decided': () => done('operations_engineer', `/lifecycle/requests/${idOf('lcr')}/approve`),
  'subscription.approved': () => done('organization_administrator', `/subscriptions/${idOf('sub')}/approve`),
  'subscription.revoked': () =>
    done('organization_administrator', `/subscriptions/${idOf('sub')}/revoke`, { reason: 'No longer needed.' }),
  'subscription.requested': () => done('super_admin', '/subscriptions', { appId: idOf('app'), productId: idOf('prd') }),
  'invoice.paid': () => done('organization_administrator', `/billing/invoices/${idOf('ivc')}/mark-paid`),
  'invoice.created': async () => {
    const id = await addDraft();
    await done('organization_administrator', `/billing/invoices/${id}/issue`);
  },
  'deployment.rolled_back': async () => {
    const { id } = await deploy({ strategy: 'canary', weight: 10 });
    await done('developer', `/deployments/${id}/rollback`);
  },
  'deployment.succeeded': async () => {
    node = await addNode(control, administrator, idOf('env'));
    await node.load();
  },
  'deployment.failed': async () => {
    const { configuration } = (await administrator.call('GET', `/gateway-nodes/${node.id}`)).data;
    const { id: deploymentId } = await deploy({});
    const { data } = await administrator.call('GET', `/gateway-nodes/${node.id}`);
    const sequence = data.configuration.assigned;
    const { rows } = await sql<{ hash: string }>`select hash from configuration_snapshots
      where environment_id = ${idOf('env')} and sequence = ${configuration.assigned}`.execute(
      control.opened.database.system,
    );
    await node.beat({
      configuration: { sequence: configuration.assigned, hash: rows[0]!.hash },
      refused: { sequence, reason: 'A policy cannot be loaded.', fault: { deploymentId } },
    });
  },
  'incident.opened': () => fire(new Date(Date.now() - 1_000)),
  'incident.escalated': nothing,
  'incident.acknowledged': () => move('acknowledge'),
  'incident.monitoring': () => move('monitor'),
  'incident.reopened': () => fire(new Date()),
  'incident.resolved': async () => {
    await move('acknowledge');
    await move('resolve', { summary: 'The database had run out of connections.' });
  },
};

const deploy = (fields: object) =>
  done('developer', '/deployments', { proxyId: idOf('prx'), environmentId: idOf('env'), revision: 2, ...fields });

/** A draft with the line of the organization's invoice, in another currency; its id. */
async function addDraft(): Promise<string> {
  const id = newId('ivc');
  await sql`
    with invoice as (
      insert into invoices (id, organization_id, period_id, developer_id, currency, state, buyer, tax_category, tax_rate,
        exemption_reason, taxes, lines_minor, tax_minor, total_minor)
      select ${id}, organization_id, period_id, developer_id, 'USD', 'draft', buyer, tax_category, tax_rate,
        exemption_reason, taxes, lines_minor, tax_minor, total_minor
      from invoices where id = ${idOf('ivc')}
    )
    insert into invoice_lines (organization_id, invoice_id, position, subscription_id, term_id, product_id, rate_plan_id,
      plan_version, product_name, plan_name, app_name, kind, charge, meter, is_flat_fee, quantity, unit_price,
      amount_minor, starts_at, ends_at)
    select organization_id, ${id}, position, subscription_id, term_id, product_id, rate_plan_id, plan_version,
      product_name, plan_name, app_name, kind, charge, meter, is_flat_fee, quantity, unit_price, amount_minor, starts_at,
      ends_at
    from invoice_lines where invoice_id = ${idOf('ivc')}`.execute(control.opened.database.system);
  return id;
}

test('each kind of event is sent to who subscribes to it, with the body that the reference states', async (context) => {
  const settings = { kind: 'webhook', url: 'http://127.0.0.1:1024/', events: eventKinds };
  const { id } = await done('organization_administrator', '/integrations', { name: 'All', settings });
  const kinds = Object.keys(writes) as (typeof eventKinds)[number][];
  assert.deepEqual(kinds.toSorted(), [...eventKinds].toSorted());
  const stored = async (kind: NotificationKind) => {
    const { rows } = await sql<{ data: object }>`select data from integration_deliveries
      where organization_id = ${organization.id} and integration_id = ${id} and kind = ${kind}`.execute(
      control.opened.database.system,
    );
    return rows;
  };
  for (const kind of kinds) {
    await context.test(kind, async () => {
      if (writes[kind] !== nothing) assert.deepEqual(await stored(kind), [], 'not before the write');
      await writes[kind]();
      const [row] = await eventually(`${kind} to be stored`, async () => {
        const rows = await stored(kind);
        return rows.length > 0 && rows;
      });
      const body = { event: kind, timestamp: new Date().toISOString(), data: row!.data };
      assert.deepEqual(EventBody.parse(body), body, 'nothing that is not stated');
    });
  }
});

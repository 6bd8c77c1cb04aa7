import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { migrate } from '@millrace/postgres';
import { openTestDatabase } from '@millrace/postgres/testing';
import { Client } from 'pg';
import { migrations } from './migrations.ts';

/** Those up to the one that begins with this number. */
const upTo = (last: string) =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => name.slice(0, last.length) <= last));

describe('migrations of a database with rows', () => {
  test('keep what was subscribed, counted and paid in before there was money', async (context) => {
    const opened = await openTestDatabase(upTo('0008'));
    const client = new Client({ ...opened.owner, options: '-c millrace.tenant=*' });
    await client.connect();
    context.after(async () => {
      await client.end();
      await opened.close();
    });
    const rows = async (statement: string) => (await client.query(statement)).rows;
    const migrateTo = (last: string) => migrate({ connection: opened.owner, migrations: upTo(last) });

    await client.query(`
      insert into organizations (id, name, display_name) values ('org_1', 'acme', 'Acme'), ('org_2', 'globex', 'Globex');
      insert into products (id, organization_id, name, display_name) values ('prd_1', 'org_1', 'orders', 'Orders');
      insert into developers (id, organization_id, email, name) values ('dev_1', 'org_1', 'sam@example.com', 'Sam');
      insert into apps (id, organization_id, developer_id, name, display_name) values
        ('app_1', 'org_1', 'dev_1', 'shop', 'Shop'), ('app_2', 'org_1', 'dev_1', 'till', 'Till'),
        ('app_3', 'org_1', 'dev_1', 'desk', 'Desk');
      insert into rate_plans (id, organization_id, product_id, name, display_name, type, state, currency) values
        ('rpl_1', 'org_1', 'prd_1', 'standard', 'Standard', 'pay_as_you_go', 'published', 'CHF'),
        ('rpl_2', 'org_1', 'prd_1', 'prepaid', 'Prepaid', 'prepaid', 'retired', 'EUR'),
        ('rpl_3', 'org_1', 'prd_1', 'draft', 'Draft', 'flat', 'draft', 'EUR');
      insert into subscriptions (id, organization_id, app_id, product_id, rate_plan_id, state, requested_by,
        requested_by_name, author_ids) values
        ('sub_1', 'org_1', 'app_1', 'prd_1', 'rpl_1', 'approved', 'usr_1', 'Robin', '{}'),
        ('sub_2', 'org_1', 'app_2', 'prd_1', 'rpl_2', 'approved', 'usr_1', 'Robin', '{}'),
        ('sub_3', 'org_1', 'app_3', 'prd_1', null, 'approved', 'usr_1', 'Robin', '{}'),
        ('sub_4', 'org_1', 'app_1', 'prd_1', 'rpl_1', 'revoked', 'usr_1', 'Robin', '{}');
      insert into gateway_heads values ('org_1', 7), ('org_2', 3);
      insert into consumer_changes (organization_id, kind, id, sequence, value) values
        ('org_1', 'subscription', 'sub_1', 5, '{"id": "sub_1"}'), ('org_1', 'subscription', 'sub_2', 6, '{"id": "sub_2"}'),
        ('org_1', 'subscription', 'sub_3', 7, '{"id": "sub_3"}');
      insert into usage_batches (organization_id, id, node_id) values ('org_1', 'batch-1', 'gwn_1'), ('org_2', 'batch-1', 'gwn_2');
      insert into balance_movements (id, organization_id, developer_id, kind, amount_minor, currency, note, created_by,
        created_by_name, created_at) values
        ('bmv_1', 'org_1', 'dev_1', 'top_up', 1000000000000, 'EUR', 'First', 'usr_1', 'Robin', '2026-01-01T00:00:00Z'),
        ('bmv_2', 'org_1', 'dev_1', 'charge', -50, 'EUR', '', 'usr_1', 'Robin', '2026-01-02T00:00:00Z')`);

    await migrateTo('0012');
    assert.deepEqual(
      await rows(`select term.id, term.subscription_id, developer_id, app_name, plan_version, ends_at, term.prepaid,
          subscription.term_id
        from subscription_terms term join subscriptions subscription on subscription.id = term.subscription_id order by 1`),
      [
        ['1', 'Shop'],
        ['2', 'Till'],
      ].map(([number, app]) => ({
        id: `trm_${number}`,
        subscription_id: `sub_${number}`,
        developer_id: 'dev_1',
        app_name: app,
        plan_version: 1,
        ends_at: null,
        prepaid: null,
        term_id: `trm_${number}`,
      })),
    );
    const heads = await rows('select organization_id, sequence from gateway_heads order by 1');
    assert.deepEqual(
      heads.map(({ sequence }) => sequence),
      ['9', '3'],
      'nodes learn the terms, and only those',
    );
    const changes = await rows(`select sequence, value ->> 'termId' as term from consumer_changes order by id`);
    assert.deepEqual(
      changes.map(({ sequence, term }) => [sequence, term]),
      [
        ['9', 'trm_1'],
        ['8', 'trm_2'],
        ['7', null],
      ],
    );
    assert.deepEqual(
      await rows(
        `select organization_id as of, id, applied::text, applied @> 0::bigint as repeated from usage_streams order by 1`,
      ),
      ['org_1', 'org_2'].map((of) => ({ of, id: 'batch-1', applied: '{[0,1)}', repeated: true })),
    );
    assert.deepEqual(
      await rows(`select id, type, currency, plan.terms ->> 'feeTiming' as timing, plan_version as version
        from rate_plans plan left join rate_plan_versions on rate_plan_id = id order by 1`),
      [
        { id: 'rpl_1', type: 'pay_as_you_go', currency: 'CHF', timing: 'arrears', version: 1 },
        { id: 'rpl_2', type: 'prepaid', currency: 'EUR', timing: 'arrears', version: 1 },
        { id: 'rpl_3', type: 'flat', currency: 'EUR', timing: 'arrears', version: null },
      ],
    );

    await client.query(`
      insert into prepaid_accounts (organization_id, subscription_id, currency, credit_micro) values
        ('org_1', 'sub_2', 'EUR', 500000000);
      insert into prepaid_movements (id, organization_id, subscription_id, kind, amount_minor, created_by, created_by_name)
        values ('pmv_1', 'org_1', 'sub_2', 'top_up', 500, 'usr_1', 'Robin');
      insert into billing_periods (id, organization_id, unit, time_zone, starts_at, ends_at, state, billed_through) values
        ('bpd_1', 'org_1', 'month', 'UTC', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', 'closing', 'dev_0')`);
    await migrate({ connection: opened.owner, migrations });
    const periods = await rows('select state, billed_through, summed_until from billing_periods');
    const plans = await rows(`select distinct terms ? 'creditExpiry' as has_expiry from rate_plans
      union all select distinct terms ? 'creditExpiry' from rate_plan_versions`);
    assert.deepEqual(plans, [{ has_expiry: true }, { has_expiry: true }]);
    assert.deepEqual(periods, [{ state: 'closing', billed_through: 'dev_0', summed_until: null }]);
    assert.deepEqual(
      await rows(`select id, developer_id, subscription_id, kind, amount_minor, currency, note
        from prepaid_movements order by id`),
      [
        ['bmv_1', null, 'top_up', '1000000000000', 'First'],
        ['bmv_2', null, 'correction', '-50', ''],
        ['pmv_1', 'sub_2', 'top_up', '500', ''],
      ].map(([id, subscriptionId, kind, amount, note]) => ({
        id,
        developer_id: 'dev_1',
        subscription_id: subscriptionId,
        kind,
        amount_minor: amount,
        currency: 'EUR',
        note,
      })),
    );
    assert.deepEqual(await rows('select id, state, amount_minor, developer_id, source, author_keys from top_ups'), [
      {
        id: 'tup_1',
        state: 'credited',
        amount_minor: '500',
        developer_id: 'dev_1',
        source: 'payment',
        author_keys: ['usr_1'],
      },
    ]);
  });
});

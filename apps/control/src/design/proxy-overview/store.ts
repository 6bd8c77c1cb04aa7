import { sql } from 'kysely';
import type * as z from 'zod';
import type { TenantTransaction } from '../../database/schema.ts';
import type { ApiProxy } from '../proxies/contract.ts';
import { nextCutRevision } from '../revisions/cut.ts';
import { findSpecification, newestSpecificationId } from '../specifications/store.ts';

type Proxy = z.infer<typeof ApiProxy>;

/** What the overview shows besides the proxy itself and its live deployments. */
export async function loadOverview(transaction: TenantTransaction, proxy: Proxy) {
  const organizationId = transaction.tenantId;
  const counted = (table: 'routes' | 'policy_attachments' | 'revisions') =>
    sql<number>`(select count(*)::integer from ${sql.table(table)}
      where organization_id = ${organizationId} and proxy_id = ${proxy.id})`;
  const { same_as_revision, ...counts } = await transaction
    .selectNoFrom([
      counted('routes').as('routes'),
      counted('policy_attachments').as('policies'),
      counted('revisions').as('revisions'),
      sql<number | null>`(select max(revision) from revisions where organization_id = ${organizationId}
        and proxy_id = ${proxy.id} and content_hash = ${proxy.contentHash})`.as('same_as_revision'),
    ])
    .executeTakeFirstOrThrow();
  const specificationId = await newestSpecificationId(transaction, proxy.id);
  const specification = specificationId === null ? null : await findSpecification(transaction, specificationId);
  const evaluation = await transaction
    .selectFrom('governance_evaluations')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxy.id)
    .executeTakeFirst();
  const findings = await transaction
    .selectFrom('governance_findings')
    .select([
      sql<number>`count(*)::integer`.as('findings'),
      sql<number>`count(*) filter (where blocking and waiver_id is null)::integer`.as('blocking'),
    ])
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxy.id)
    .executeTakeFirstOrThrow();
  const request = await transaction
    .selectFrom('lifecycle_requests')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxy.id)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  const traffic = await transaction
    .selectFrom('traffic_aggregates')
    .select([
      sql<string>`coalesce(sum(requests), 0)`.as('requests'),
      sql<string>`coalesce(sum(status_4xx + status_5xx), 0)`.as('failed'),
      sql<string>`coalesce(sum(status_5xx), 0)`.as('errors'),
      sql<string>`coalesce(sum(limited), 0)`.as('limited'),
    ])
    .where('organization_id', '=', organizationId)
    .where('proxy_id', '=', proxy.id)
    .where('hour', '>', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirstOrThrow();
  return {
    counts,
    workingCopy: {
      sameAsRevision: same_as_revision,
      nextEdit: {
        voidsApprovalOf: proxy.stage === 'approved' ? proxy.approvedRevision : null,
        voidsRequest: request !== undefined,
        cutsRevision: await nextCutRevision(transaction, proxy.id),
      },
    },
    traffic: {
      requests: Number(traffic.requests),
      failed: Number(traffic.failed),
      errors: Number(traffic.errors),
      limited: Number(traffic.limited),
    },
    specification:
      specification === null
        ? null
        : {
            id: specification.id,
            title: specification.title,
            apiVersion: specification.apiVersion,
            state: specification.state,
            outdated: specification.outdated,
            unpublishedChanges: specification.unpublishedChanges,
            publishedAt: specification.publishedAt,
          },
    governance:
      evaluation === undefined
        ? null
        : {
            score: evaluation.score,
            evaluatedAt: evaluation.evaluated_at.toISOString(),
            current: evaluation.content_hash === proxy.contentHash,
            ...findings,
          },
    pendingRequest:
      request === undefined
        ? null
        : {
            id: request.id,
            // Written by the lifecycle, which knows these stages alone.
            fromStage: request.from_stage as Proxy['stage'],
            toStage: request.to_stage as Proxy['stage'],
            revision: request.revision,
            requestedByName: request.requested_by_name,
            createdAt: request.created_at.toISOString(),
          },
  };
}

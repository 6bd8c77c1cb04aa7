import { displayName } from '@millrace/operations/display-name';
import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { stages } from '../proxies/contract.ts';

const severities = ['error', 'warning', 'information'] as const;
const Severity = z.enum(severities);

const Code = z
  .string()
  .max(20)
  .regex(/^[A-Z]{2,8}-\d{3}$/, 'Use a code such as CUS-001.');

const GovernanceStandard = z
  .object({
    code: z.string(),
    name: z.string(),
    description: z.string(),
    kind: z.enum(['built_in', 'custom']),
    severity: Severity,
    blocking: z.boolean().describe('Whether its findings block lifecycle moves.'),
    enabled: z.boolean(),
    ...versioned,
  })
  .meta({ id: 'GovernanceStandard' });

export const GovernanceStandardWithRuleset = GovernanceStandard.extend({
  ruleset: z.record(z.string(), z.json()).nullable().describe('A Spectral ruleset; null for a built-in rule.'),
}).meta({ id: 'GovernanceStandardWithRuleset' });

/** What has to be changed to resolve a finding, for a link. */
const Fix = z.object({
  kind: z.enum(['proxy', 'route', 'policy', 'specification', 'target-server']),
  id: z.string().nullable().describe('Null if one has to be added.'),
});

export const GovernanceFinding = z
  .object({
    id: Id,
    proxyId: Id,
    proxyName: Name,
    code: z.string(),
    location: z.string().describe('Where, such as `route GET /{orderId}`.'),
    message: z.string(),
    remedy: z.string().describe('How to fix it.'),
    fix: Fix,
    severity: Severity,
    blocking: z.boolean().describe('Whether its rule blocks lifecycle moves; a waived finding doesn’t.'),
    waiver: z.object({ id: Id, reason: z.string(), endsAt: Time }).nullable(),
    firstSeenAt: Time,
  })
  .meta({ id: 'GovernanceFinding' });

const evaluation = {
  score: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .describe(
      '100 minus, for each rule with an unwaived finding: 30 if it blocks, otherwise 20 for an error, 8 for a warning, 2 for information; at least 0. Null: never evaluated.',
    ),
  evaluatedAt: Time.nullable(),
  current: z.boolean().describe('Whether the working copy and the rules are unchanged since the evaluation.'),
  blocking: z.int().describe('Findings that stop a lifecycle move: of a blocking rule, not waived.'),
};

const GovernanceEvaluation = z
  .object({
    proxyId: Id,
    ...evaluation,
    findings: z.array(GovernanceFinding),
    total: z.int(),
  })
  .meta({ id: 'GovernanceEvaluation' });

export const GovernanceWaiver = z
  .object({
    id: Id,
    proxyId: Id,
    proxyName: Name,
    code: z.string(),
    location: z.string().nullable().describe('Location of the waived finding; null: every finding of the rule.'),
    reason: z.string(),
    state: z.enum(['active', 'expired', 'ended']),
    endsAt: Time,
    endedAt: Time.nullable(),
    createdBy: z.string(),
    createdByName: z.string(),
    ...versioned,
  })
  .meta({ id: 'GovernanceWaiver' });

const Ruleset = z
  .string()
  .min(1)
  .max(262_144)
  .describe('A Spectral ruleset, JSON or YAML. It can only extend spectral:oas, and can’t have its own functions.');

const standardFields = {
  name: displayName(),
  description: z.string().max(2_000),
  severity: Severity,
  blocking: z.boolean(),
  enabled: z.boolean(),
  ruleset: Ruleset,
};

const codeParams = z.object({ code: z.string().max(20) });
const proxyParams = z.object({ proxyId: Id });
const standardAudit = { category: 'governance', severity: 'medium', entityType: 'governance_standard' } as const;
const waiverAudit = { category: 'governance', severity: 'high', entityType: 'governance_waiver' } as const;
const tag = 'Governance';

const exampleStandard = {
  code: 'SEC-001',
  name: 'Authentication on every route',
  description: 'Every route is behind Verify API Key or Verify JWT.',
  kind: 'built_in' as const,
  severity: 'error' as const,
  blocking: true,
  enabled: true,
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleRuleset = {
  rules: {
    'contact-is-named': {
      given: '$.info',
      severity: 'warn',
      // biome-ignore lint/suspicious/noThenProperty: the key is Spectral's.
      then: { field: 'contact', function: 'truthy' },
    },
  },
};
const customStandard = {
  ...exampleStandard,
  code: 'CUS-001',
  name: 'API has a contact',
  description: 'Callers need to know whom to ask.',
  kind: 'custom' as const,
  severity: 'warning' as const,
  blocking: false,
  ruleset: exampleRuleset,
};
const exampleFinding = {
  id: 'fnd_00000000000000000000000001',
  proxyId: 'prx_00000000000000000000000001',
  proxyName: 'orders',
  code: 'SEC-001',
  location: 'route GET /{orderId}',
  message: 'Anybody can call GET /{orderId}: no authentication policy applies to it.',
  remedy: 'Attach Verify API Key or Verify JWT to the request flow, for all routes or for this one.',
  fix: { kind: 'policy' as const, id: null },
  severity: 'error' as const,
  blocking: true,
  waiver: null,
  firstSeenAt: '2026-01-15T09:00:00.000Z',
};
const exampleEvaluation = {
  proxyId: exampleFinding.proxyId,
  score: 70,
  evaluatedAt: '2026-01-15T09:00:00.000Z',
  current: true,
  blocking: 1,
  findings: [exampleFinding],
  total: 1,
};
const exampleWaiver = {
  id: 'wvr_00000000000000000000000001',
  proxyId: exampleFinding.proxyId,
  proxyName: 'orders',
  code: 'SEC-001',
  location: exampleFinding.location,
  reason: 'Reachable only from the partner network until the partner can send keys.',
  state: 'active' as const,
  endsAt: '2030-01-15T09:00:00.000Z',
  endedAt: null,
  createdBy: 'usr_00000000000000000000000001',
  createdByName: 'Ada Example',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};

const findingFilters = {
  code: z.string().max(20).optional(),
  severity: Severity.optional(),
  blocking: z.stringbool().optional().describe('True: findings of blocking rules; false: of other rules.'),
  waived: z.stringbool().optional(),
};
const findingSorts = ['severity', 'code', 'location', 'firstSeenAt'] as const;

export const governanceOperations = [
  defineOperation({
    id: 'listGovernanceStandards',
    method: 'GET',
    path: '/governance/standards',
    tag,
    summary: 'List governance rules',
    access: 'governance.read',
    audit: null,
    request: {
      query: listQuery(['code', 'name', 'severity'], {
        kind: z.enum(['built_in', 'custom']).optional(),
        severity: Severity.optional(),
        blocking: z.stringbool().optional(),
        enabled: z.stringbool().optional(),
      }),
    },
    data: listData('standards', GovernanceStandard),
    example: { request: { query: { blocking: 'true' } }, data: { standards: [exampleStandard], total: 1 } },
  }),
  defineOperation({
    id: 'createGovernanceStandard',
    method: 'POST',
    path: '/governance/standards',
    tag,
    summary: 'Add a custom rule',
    description:
      'A Spectral ruleset over the specification of every API proxy. Each of its findings counts as a finding of this rule.',
    access: 'governance.write',
    audit: standardAudit,
    production: { exempt: 'design' },
    request: {
      body: z.strictObject({
        code: Code.describe('Must not be in a built-in family (DOC, SEC, VER, NAM, REL, DAT).'),
        ...standardFields,
        description: standardFields.description.default(''),
        severity: Severity.default('warning'),
        blocking: z.boolean().default(false),
        enabled: z.boolean().default(true),
      }),
    },
    data: GovernanceStandardWithRuleset,
    status: 201,
    errors: ['conflict'],
    example: {
      request: {
        body: { code: 'CUS-002', name: 'API has a contact', ruleset: JSON.stringify(exampleRuleset) },
      },
      data: customStandard,
    },
  }),
  defineOperation({
    id: 'getGovernanceStandard',
    method: 'GET',
    path: '/governance/standards/:code',
    tag,
    summary: 'Show a governance rule',
    access: 'governance.read',
    audit: null,
    request: { params: codeParams },
    data: GovernanceStandardWithRuleset,
    example: { request: { params: { code: 'SEC-001' } }, data: { ...exampleStandard, ruleset: null } },
  }),
  defineOperation({
    id: 'updateGovernanceStandard',
    method: 'PATCH',
    path: '/governance/standards/:code',
    tag,
    summary: 'Change a governance rule',
    description:
      'Changes severity, blocking or whether the rule is enabled, for this organization; for custom rules also name, description and ruleset. Existing findings are updated immediately; findings of an enabled or rewritten rule appear at the next evaluation.',
    access: 'governance.write',
    audit: standardAudit,
    production: { exempt: 'design' },
    request: { params: codeParams, body: z.strictObject(standardFields).partial() },
    data: GovernanceStandardWithRuleset,
    example: {
      request: { params: { code: 'DOC-002' }, body: { severity: 'error' } },
      data: { ...exampleStandard, code: 'DOC-002', ruleset: null, version: 2 },
    },
  }),
  defineOperation({
    id: 'deleteGovernanceStandard',
    method: 'DELETE',
    path: '/governance/standards/:code',
    tag,
    summary: 'Delete a custom rule',
    description: 'Also deletes its findings and ends its waivers. Built-in rules can only be disabled.',
    access: 'governance.write',
    audit: standardAudit,
    production: { exempt: 'design' },
    request: { params: codeParams },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: { code: 'CUS-001' } }, data: {} },
  }),
  defineOperation({
    id: 'getProxyGovernance',
    method: 'GET',
    path: '/proxies/:proxyId/governance',
    tag,
    summary: 'Show the last evaluation of an API proxy',
    access: 'governance.read',
    audit: null,
    request: { params: proxyParams, query: listQuery(findingSorts, findingFilters) },
    data: GovernanceEvaluation,
    example: { request: { params: { proxyId: exampleFinding.proxyId } }, data: exampleEvaluation },
  }),
  defineOperation({
    id: 'evaluateProxyGovernance',
    method: 'POST',
    path: '/proxies/:proxyId/governance/evaluate',
    tag,
    summary: 'Evaluate an API proxy now',
    description: 'Checks the working copy against every enabled rule; returns the first 100 findings, worst first.',
    access: 'governance.read',
    audit: { category: 'governance', severity: 'low', entityType: 'proxy' },
    production: 'never',
    request: { params: proxyParams },
    data: GovernanceEvaluation,
    example: { request: { params: { proxyId: exampleFinding.proxyId } }, data: exampleEvaluation },
  }),
  defineOperation({
    id: 'listGovernanceFindings',
    method: 'GET',
    path: '/governance/findings',
    tag,
    summary: 'List the findings of all API proxies',
    access: 'governance.read',
    audit: null,
    request: {
      query: listQuery([...findingSorts, 'proxyName'], { proxyId: Id.optional(), ...findingFilters }),
    },
    data: listData('findings', GovernanceFinding),
    example: { request: { query: { code: 'SEC-001' } }, data: { findings: [exampleFinding], total: 1 } },
  }),
  defineOperation({
    id: 'getGovernanceSummary',
    method: 'GET',
    path: '/governance/summary',
    tag,
    summary: 'Show the score of every API proxy, and how often each rule is violated',
    access: 'governance.read',
    audit: null,
    request: {
      query: listQuery(['score', 'name', 'blocking', 'findings', 'evaluatedAt'], {
        stage: z.enum(stages).optional(),
        evaluated: z.stringbool().optional().describe('True: proxies that were evaluated; false: the others.'),
      }),
    },
    data: z.object({
      averageScore: z.number().nullable().describe('Over all evaluated API proxies; null if there are none.'),
      evaluated: z.int().describe('How many API proxies were ever evaluated.'),
      notEvaluated: z.int(),
      rules: z.array(
        z.object({
          code: z.string(),
          name: z.string(),
          blocking: z.boolean(),
          findings: z.int().describe('Not waived.'),
          waived: z.int(),
          proxies: z.int().describe('API proxies with a finding of it that is not waived.'),
        }),
      ),
      proxies: z.array(
        z.object({
          proxyId: Id,
          name: Name,
          stage: z.enum(stages),
          ...evaluation,
          findings: z.int(),
          waived: z.int(),
        }),
      ),
      total: z.int(),
    }),
    example: {
      request: { query: { evaluated: 'true' } },
      data: {
        averageScore: 70,
        evaluated: 1,
        notEvaluated: 0,
        rules: [{ code: 'SEC-001', name: exampleStandard.name, blocking: true, findings: 1, waived: 0, proxies: 1 }],
        proxies: [
          {
            proxyId: exampleFinding.proxyId,
            name: 'orders',
            stage: 'draft',
            score: 70,
            evaluatedAt: '2026-01-15T09:00:00.000Z',
            current: true,
            blocking: 1,
            findings: 1,
            waived: 0,
          },
        ],
        total: 1,
      },
    },
  }),
  defineOperation({
    id: 'listGovernanceWaivers',
    method: 'GET',
    path: '/governance/waivers',
    tag,
    summary: 'List waivers',
    access: 'governance.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'endsAt', 'code', 'proxyName'], {
        proxyId: Id.optional(),
        code: z.string().max(20).optional(),
        state: z.enum(['active', 'expired', 'ended']).optional(),
      }),
    },
    data: listData('waivers', GovernanceWaiver),
    example: { request: { query: { state: 'active' } }, data: { waivers: [exampleWaiver], total: 1 } },
  }),
  defineOperation({
    id: 'createGovernanceWaiver',
    method: 'POST',
    path: '/governance/waivers',
    tag,
    summary: 'Waive findings until a date',
    description: 'The findings stay visible, but don’t count or block until the waiver ends.',
    access: 'governance.waive',
    audit: waiverAudit,
    production: { exempt: 'design' },
    request: {
      body: z.strictObject({
        proxyId: Id,
        code: z.string().max(20),
        location: z.string().min(1).max(1_000).nullable().default(null),
        reason: z.string().trim().min(10).max(2_000),
        endsAt: Time.describe(
          'When the findings count again: in the future, at most 366 days away. For a waiver until a certain day, send the end of that day in your time zone.',
        ),
      }),
    },
    data: GovernanceWaiver,
    status: 201,
    example: {
      request: {
        body: {
          proxyId: exampleWaiver.proxyId,
          code: 'SEC-003',
          reason: 'The partner calls once a day until its batch is replaced.',
          endsAt: soon(),
        },
      },
      data: exampleWaiver,
    },
  }),
  defineOperation({
    id: 'endGovernanceWaiver',
    method: 'DELETE',
    path: '/governance/waivers/:waiverId',
    tag,
    summary: 'End a waiver',
    description: 'Its findings count again immediately. The waiver stays visible.',
    access: 'governance.waive',
    audit: waiverAudit,
    production: { exempt: 'design' },
    request: { params: z.object({ waiverId: Id }) },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: { waiverId: exampleWaiver.id } }, data: {} },
  }),
] as const;

/** The first day of the month after next, so that the example date stays in the future. */
function soon(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1)).toISOString();
}

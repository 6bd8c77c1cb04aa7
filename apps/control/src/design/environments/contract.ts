import { maxSecretsSizeBytes } from '@millrace/gateway-configuration/manifest';
import { displayName } from '@millrace/operations/display-name';
import { withoutControls } from '@millrace/policies/http';
import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';

/** What a gateway node was given and did not load. */
export const Refusal = z.object({
  sequence: z.int().describe('Of the configuration; 0 for consumers, or if unknown.'),
  reason: z.string(),
  since: Time.describe('It has rejected everything since then.'),
});

/** A host name at which callers reach the gateway, in lower case. */
const HostName = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/,
    'Must be a lower-case host name such as api.example.com, without scheme or port.',
  );

export const Environment = z
  .object({
    id: Id,
    name: Name,
    displayName: z.string(),
    description: z.string(),
    production: z.boolean().describe('Deploying here needs the permission deployment.prod and an approved revision.'),
    hostNames: z.array(z.string()).describe('Host names at which callers reach the deployments here.'),
    ...versioned,
  })
  .meta({ id: 'Environment' });

/** What prevents nodes from loading later changes of an environment. */
export const EnvironmentRefusal = Refusal.extend({
  deploymentId: Id.nullable().describe(
    'The deployment that can’t be loaded; null if no single deployment is the cause.',
  ),
  nodes: z.int().describe('How many of its reporting nodes reject their configuration.'),
});

/** Policies write `{{variables.NAME}}`. */
const VariableName = z
  .string()
  .max(63)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Use letters, digits and "_", not beginning with a digit.');

/** Values that policies can write into a header: with any other, nodes can't load policies that use it. */
const VariableValue = z
  .string()
  .max(10_000)
  .refine(
    (value) => withoutControls(value) === value,
    'Remove line breaks and other control characters: policies use the value in headers.',
  );

export const EnvironmentVariable = z
  .object({
    environmentId: Id,
    name: VariableName,
    secret: z.boolean(),
    value: z.string().nullable().describe('Null for a secret, which is never returned.'),
    version: z.int(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: 'EnvironmentVariable' });

const fields = {
  name: Name,
  displayName: displayName(),
  description: z.string().max(1_000),
  production: z.boolean(),
  hostNames: z
    .array(HostName)
    .max(50)
    .refine((names) => new Set(names).size === names.length, 'List each host once.'),
};

const params = z.object({ environmentId: Id });
const variableParams = z.object({ environmentId: Id, name: VariableName });
const audit = { category: 'configuration', severity: 'medium', entityType: 'environment' } as const;
const variableAudit = { category: 'configuration', severity: 'medium', entityType: 'environment_variable' } as const;
const tag = 'Environments';

const exampleEnvironment = {
  id: 'env_00000000000000000000000001',
  name: 'production',
  displayName: 'Production',
  description: '',
  production: true,
  hostNames: ['api.example.com'],
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleVariable = {
  environmentId: exampleEnvironment.id,
  name: 'UPSTREAM_REGION',
  secret: false,
  value: 'eu-central',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleParams = { environmentId: exampleEnvironment.id };
const exampleVariableParams = { ...exampleParams, name: exampleVariable.name };

export const environmentOperations = [
  defineOperation({
    id: 'listEnvironments',
    method: 'GET',
    path: '/environments',
    tag,
    summary: 'List environments',
    access: 'environment.read',
    audit: null,
    request: { query: listQuery(['name', 'createdAt', 'updatedAt'], { production: z.stringbool().optional() }) },
    data: listData('environments', Environment),
    example: { request: {}, data: { environments: [exampleEnvironment], total: 1 } },
  }),
  defineOperation({
    id: 'createEnvironment',
    method: 'POST',
    path: '/environments',
    tag,
    summary: 'Create an environment',
    access: 'environment.write',
    audit,
    production: 'environment',
    request: {
      body: z.strictObject({
        ...fields,
        description: fields.description.default(''),
        production: fields.production.default(false),
        hostNames: fields.hostNames.default([]),
      }),
    },
    data: Environment,
    status: 201,
    example: {
      request: { body: { name: 'staging', displayName: 'Staging', hostNames: ['staging.api.example.com'] } },
      data: { ...exampleEnvironment, name: 'staging', displayName: 'Staging', production: false },
    },
  }),
  defineOperation({
    id: 'getEnvironment',
    method: 'GET',
    path: '/environments/:environmentId',
    tag,
    summary: 'Show an environment',
    access: 'environment.read',
    audit: null,
    request: { params },
    data: Environment.extend({
      refusal: EnvironmentRefusal.nullable().describe(
        'What one of its gateway nodes rejects, the first of several; null if none rejects anything. Nodes serve what they loaded last and ignore later changes.',
      ),
    }),
    example: { request: { params: exampleParams }, data: { ...exampleEnvironment, refusal: null } },
  }),
  defineOperation({
    id: 'updateEnvironment',
    method: 'PATCH',
    path: '/environments/:environmentId',
    tag,
    summary: 'Change an environment',
    description:
      'Changes the given fields. It can become production only if every live revision here is approved, and stop being production only if nothing is live here.',
    access: 'environment.write',
    audit,
    production: 'environment',
    request: { params, body: z.strictObject(fields).partial() },
    data: Environment,
    errors: ['conflict'],
    example: {
      request: { params: exampleParams, body: { description: 'What customers call' } },
      data: { ...exampleEnvironment, description: 'What customers call', version: 2 },
    },
  }),
  defineOperation({
    id: 'deleteEnvironment',
    method: 'DELETE',
    path: '/environments/:environmentId',
    tag,
    summary: 'Delete an empty environment',
    description:
      'Deletes an environment without target servers, gateway nodes or live deployments, along with its variables and deployment history.',
    access: 'environment.delete',
    audit,
    production: 'environment',
    request: { params },
    data: z.object({}),
    errors: ['conflict'],
    example: { request: { params: exampleParams }, data: {} },
  }),
  defineOperation({
    id: 'listEnvironmentVariables',
    method: 'GET',
    path: '/environments/:environmentId/variables',
    tag,
    summary: 'List the variables of an environment',
    access: 'environment.read',
    audit: null,
    request: { params, query: listQuery(['name', 'updatedAt'], { secret: z.stringbool().optional() }) },
    data: listData('variables', EnvironmentVariable),
    example: { request: { params: exampleParams }, data: { variables: [exampleVariable], total: 1 } },
  }),
  defineOperation({
    id: 'setEnvironmentVariable',
    method: 'PUT',
    path: '/environments/:environmentId/variables/:name',
    tag,
    summary: 'Set a variable of an environment',
    description: `Creates the variable or replaces its value, which can’t contain line breaks because policies use it in headers. Secrets are stored encrypted and never returned; the secrets of an environment can total ${maxSecretsSizeBytes.toLocaleString('en')} bytes, as JSON with their names: the most that gateway nodes accept.`,
    access: 'environment.write',
    audit: variableAudit,
    production: 'environment_part',
    request: {
      params: variableParams,
      body: z.strictObject({ value: VariableValue, secret: z.boolean().default(false) }),
    },
    data: EnvironmentVariable,
    errors: ['conflict'],
    example: {
      request: { params: exampleVariableParams, body: { value: 'eu-central' } },
      data: exampleVariable,
    },
  }),
  defineOperation({
    id: 'deleteEnvironmentVariable',
    method: 'DELETE',
    path: '/environments/:environmentId/variables/:name',
    tag,
    summary: 'Remove a variable of an environment',
    access: 'environment.write',
    audit: variableAudit,
    production: 'environment_part',
    request: { params: variableParams },
    data: z.object({}),
    example: { request: { params: exampleVariableParams }, data: {} },
  }),
] as const;

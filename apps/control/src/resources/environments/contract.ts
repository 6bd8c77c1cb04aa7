import { Name } from '@millrace/revision/content';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, versioned } from '../../frame/operation.ts';

export const Environment = z
  .object({
    id: Id,
    name: Name,
    displayName: z.string(),
    description: z.string(),
    production: z.boolean().describe('Deploying here needs the permission deployment.prod and an approved revision.'),
    hostNames: z.array(z.string()),
    ...versioned,
  })
  .meta({ id: 'Environment' });

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

export const environmentOperations = [
  defineOperation({
    id: 'listEnvironments',
    method: 'GET',
    path: '/environments',
    tag: 'Environments',
    summary: 'List environments',
    access: 'environment.read',
    audit: null,
    request: { query: listQuery(['name', 'createdAt'], { production: z.stringbool().optional() }) },
    data: listData('environments', Environment),
    example: { request: {}, data: { environments: [exampleEnvironment], total: 1 } },
  }),
] as const;

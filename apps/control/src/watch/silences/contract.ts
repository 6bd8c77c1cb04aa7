import { Matcher, silenceSchedule } from '@millrace/alerting';
import * as z from 'zod';
import { defineOperation, Id, listData, listQuery, Time, versioned } from '../../frame/operation.ts';
import { TimeZone } from '../../identity/auth/contract.ts';

const tag = 'Alerts';

const fields = {
  comment: z.string().trim().min(1).max(500).describe('Why, such as the work that is done meanwhile.'),
  matchers: z.array(Matcher).min(1).max(10).describe('All of them must match an alert’s labels.'),
  schedule: silenceSchedule(TimeZone),
};

const Window = z.object({ from: Time, to: Time });

export const Silence = z
  .object({
    id: Id,
    ...fields,
    comment: z.string(),
    state: z
      .enum(['scheduled', 'active', 'expired'])
      .describe('`scheduled`: a window is still to come; `expired`: none is.'),
    current: Window.nullable().describe('The window that is in force now.'),
    next: Window.nullable().describe('The window after that.'),
    suppressing: z.int().describe('Pending and firing alerts that it suppresses now.'),
    createdBy: z.string().nullable(),
    createdByName: z.string().nullable(),
    ...versioned,
  })
  .meta({ id: 'Silence' });

const params = z.object({ silenceId: Id });
const audit = { category: 'configuration', severity: 'medium', entityType: 'silence' } as const;

const exampleFields = {
  comment: 'Database maintenance',
  matchers: [{ label: 'environment', operator: '=' as const, value: 'production' }],
  schedule: {
    kind: 'recurring' as const,
    timeZone: 'Europe/Berlin',
    days: { kind: 'weekly' as const, weekdays: [7] },
    startTime: '02:00',
    durationMinutes: 120,
    from: null,
    until: null,
  },
};
/** A silence in the examples of the reference. */
export const exampleSilence = {
  id: 'sil_00000000000000000000000001',
  ...exampleFields,
  state: 'scheduled' as const,
  current: null,
  next: { from: '2026-01-18T01:00:00.000Z', to: '2026-01-18T03:00:00.000Z' },
  suppressing: 0,
  createdBy: 'usr_00000000000000000000000001',
  createdByName: 'Robin Example',
  version: 1,
  createdAt: '2026-01-15T09:00:00.000Z',
  updatedAt: '2026-01-15T09:00:00.000Z',
};
const exampleOnce = {
  kind: 'once' as const,
  startsAt: '2026-01-15T10:00:00.000Z',
  endsAt: '2026-01-15T12:00:00.000Z',
};

export const silenceOperations = [
  defineOperation({
    id: 'listSilences',
    method: 'GET',
    path: '/silences',
    tag,
    summary: 'List silences',
    access: 'alert.read',
    audit: null,
    request: {
      query: listQuery(['-createdAt', 'updatedAt', 'comment'], { state: Silence.shape.state.optional() }),
    },
    data: listData('silences', Silence),
    example: { request: { query: { state: 'scheduled' } }, data: { silences: [exampleSilence], total: 1 } },
  }),
  defineOperation({
    id: 'createSilence',
    method: 'POST',
    path: '/silences',
    tag,
    summary: 'Create a silence',
    description:
      'While a window is in force, nobody is notified of alerts that match. They are still evaluated, and say which silence suppressed them.',
    access: 'alert.write',
    audit,
    production: 'never',
    request: { body: z.strictObject(fields) },
    data: Silence,
    status: 201,
    example: {
      request: { body: { ...exampleFields, schedule: exampleOnce } },
      data: {
        ...exampleSilence,
        schedule: exampleOnce,
        next: { from: exampleOnce.startsAt, to: exampleOnce.endsAt },
      },
    },
  }),
  defineOperation({
    id: 'updateSilence',
    method: 'PATCH',
    path: '/silences/:silenceId',
    tag,
    summary: 'Change a silence',
    access: 'alert.write',
    audit,
    production: 'never',
    request: { params, body: z.strictObject(fields).partial() },
    data: Silence,
    example: {
      request: { params: { silenceId: exampleSilence.id }, body: { comment: 'Database and cache maintenance' } },
      data: { ...exampleSilence, comment: 'Database and cache maintenance', version: 2 },
    },
  }),
  defineOperation({
    id: 'deleteSilence',
    method: 'DELETE',
    path: '/silences/:silenceId',
    tag,
    summary: 'Delete a silence',
    access: 'alert.write',
    audit,
    production: 'never',
    request: { params },
    data: z.object({}),
    example: { request: { params: { silenceId: exampleSilence.id } }, data: {} },
  }),
] as const;

import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
} from '../../http/dashboard-operation.ts';

/** The first steps of a new account, in order. */
const firstStepIds = ['create_key', 'send_document', 'add_webhook', 'review_document'] as const;

export const Home = z
  .object({
    days: z
      .array(
        z.object({
          date: z.iso.date().describe('In UTC.'),
          done: z.int(),
          error: z.int(),
          byType: z.record(z.string(), z.int()).describe('Finished documents of each type.'),
        }),
      )
      .describe('The last 30 days, oldest first, by the day of arrival.'),
    successRate: z.number().min(0).max(1).nullable().describe('Of the finished documents of the last 30 days.'),
    medianSeconds: z
      .number()
      .nullable()
      .describe('From arrival or re-extraction to the result, of the documents of these days in state `done`.'),
    p90Seconds: z.number().nullable().describe('90 % were faster.'),
    failingDeliveries: z
      .int()
      .describe(
        'Notifications of the last 24 hours that failed permanently or are being retried, without those of removed endpoints.',
      ),
    pausedEndpoints: z.int(),
    reviewCount: z.int().describe('Documents waiting for review; 10001 means more than 10,000.'),
    firstSteps: z.array(z.object({ id: z.enum(firstStepIds), done: z.boolean() })),
  })
  .meta({ id: 'Home' });

const getHome = defineDashboardOperation({
  ...everyDashboardOperation,
  tag: 'Home',
  id: 'getHome',
  method: 'GET',
  path: '/api/dashboard/v1/home',
  summary: 'Get the figures of the home page',
  description: '',
  request: {},
  responses: { 200: { description: 'Figures of the last 30 days.', body: Home } },
  errors: anyDashboardErrors,
  examples: [
    {
      summary: 'Two days',
      request: {},
      answer: {
        status: 200,
        body: {
          days: [
            { date: '2026-03-13', done: 12, error: 0, byType: { invoice: 10, receipt: 2 } },
            { date: '2026-03-14', done: 7, error: 1, byType: { invoice: 8 } },
          ],
          successRate: 0.95,
          medianSeconds: 0.4,
          p90Seconds: 2.1,
          failingDeliveries: 0,
          pausedEndpoints: 0,
          reviewCount: 3,
          firstSteps: [
            { id: 'create_key', done: true },
            { id: 'send_document', done: true },
            { id: 'add_webhook', done: false },
            { id: 'review_document', done: false },
          ],
        },
      },
    },
  ],
});

export const homeOperations = [getHome] as const;

import * as z from 'zod';
import { anyScopedCallErrors, defineOperation, everyOperation } from './operation.ts';

export const CreatedJob = z
  .object({
    job_id: z.string(),
    state: z.literal('queued'),
    poll_url: z.string().describe('The path of the job, relative to the base URL.'),
  })
  .meta({ id: 'CreatedJob' });

export const Job = z
  .object({
    job_id: z.string(),
    state: z.enum(['queued', 'processing', 'done', 'error']),
    document_id: z.string().optional().describe('Present in state `done`.'),
    error: z.object({ code: z.string(), message: z.string() }).optional().describe('Present in state `error`.'),
  })
  .meta({ id: 'Job' });

const jobId = 'job_01kamy5b3e7h9k1m3p5r7t9w2x';

export const exampleCreatedJob = {
  job_id: jobId,
  state: 'queued',
  poll_url: `/api/external/v1/jobs/${jobId}`,
} as const;

const getJob = defineOperation({
  ...everyOperation,
  scopes: ['extract', 'documents:read'],
  id: 'getJob',
  method: 'GET',
  path: '/api/external/v1/jobs/:id',
  tag: 'Jobs',
  summary: 'Poll a job',
  description:
    'Poll every 3 seconds for the first 30 seconds, then every 10 seconds, until the state is `done` or `error`.',
  request: { params: z.object({ id: z.string().describe('The `job_id`.') }) },
  responses: { 200: { description: 'The job.', body: Job } },
  errors: ['not_found', ...anyScopedCallErrors],
  examples: [
    {
      summary: 'A job that is done',
      request: { params: { id: jobId } },
      answer: {
        status: 200,
        body: { job_id: jobId, state: 'done', document_id: 'doc_01kamy4w8q2v6x0r3t5y7z9b1d' },
      },
    },
    {
      summary: 'A job that failed',
      request: { params: { id: jobId } },
      answer: {
        status: 200,
        body: {
          job_id: jobId,
          state: 'error',
          error: { code: 'corrupt_document', message: 'The file is damaged. Export or scan it again.' },
        },
      },
    },
  ],
});

export const jobOperations = [getJob] as const;

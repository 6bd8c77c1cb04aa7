import type { CreatedJob, Job } from '@millrace/extraction-contract/jobs';
import type * as z from 'zod';
import type { StoredJob } from './store.ts';

/** What the creation of a job answers, also when the request that made it comes again. */
export function createdJobAnswer(id: string): z.input<typeof CreatedJob> {
  return { job_id: id, state: 'queued', poll_url: `/api/external/v1/jobs/${id}` };
}

export function jobAnswer(job: StoredJob): z.input<typeof Job> {
  return {
    job_id: job.id,
    state: job.state,
    ...(job.state === 'done' ? { document_id: job.document_id } : {}),
    ...(job.state === 'error'
      ? { error: { code: job.error_code ?? 'extraction_failed', message: job.error_message ?? '' } }
      : {}),
  };
}

import { parentPort } from 'node:worker_threads';
import { type Job, type Outcome, runJob } from './checker.ts';

parentPort?.on('message', ({ id, name, args }: Job) => {
  let outcome: Outcome;
  try {
    outcome = { id, result: runJob(name, args) };
  } catch (error) {
    outcome = { id, error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(outcome);
});

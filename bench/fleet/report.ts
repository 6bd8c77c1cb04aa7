import type { Outcome } from './installation.ts';
import type { Loads } from './loads.ts';
import { callsOf } from './retries.ts';

const titles: Readonly<Record<keyof Loads['tallies'], string>> = {
  uploads: 'Documents queued, by the product’s client',
  waits: 'Documents waited for, by the product’s client',
  writes: 'Developers created, with an Idempotency-Key',
  reads: 'Lists of developers',
  gateway: 'Calls through the gateway',
};

/** Calls by how often they were sent. */
export function talliesTable({ tallies, wrong }: Loads): string {
  const names = Object.keys(titles) as (keyof Loads['tallies'])[];
  const rows = names.map((name) => {
    const tally = tallies[name];
    const never = [...tally.never.values()].reduce((all, one) => all + one, 0);
    return `| ${titles[name]} | ${callsOf(tally)} | ${tally.atOnce} | ${tally.byOneRetry} | ${tally.byMore} | ${never} |`;
  });
  const failures = names.flatMap((name) =>
    [...tallies[name].never].map(([why, count]) => `- ${count} × ${name}: ${why}`),
  );
  const others = [...wrong].map(([answer, count]) => `- ${count} × wrong answer: ${answer}`);
  return `| Calls | All | Answered at once | After one retry | After two to four | Never |
|---|---|---|---|---|---|
${rows.join('\n')}
${[...failures, ...others].map((line) => `\n${line}`).join('')}`.trimEnd();
}

/** What became of what was answered. */
export function outcomeTable(outcome: Outcome): string {
  return `| What | Count |
|---|---|
| Jobs accepted | ${outcome.jobs} |
| Jobs not done | ${outcome.notFinished} |
| Jobs that two processes worked on, one after the other, since the first was killed | ${outcome.jobsRunAgain} |
| Accepted calls that share a document with another | ${outcome.resultsTwice} |
| Documents whose webhook never arrived | ${outcome.eventsLost} |
| Documents with two different events | ${outcome.eventsTwice} |
| Events that arrived again, with the same body | ${outcome.deliveredAgain} |
| Developers confirmed and not stored | ${outcome.developersLost} |
| Developers stored twice | ${outcome.developersTwice} |
| Developers without exactly one audit entry | ${outcome.auditMissing} |
| Audit trails | ${outcome.auditReport} |`;
}

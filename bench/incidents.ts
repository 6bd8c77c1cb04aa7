import { differences, type RunResult, runKilling } from '../apps/control/src/watch/incidents/testing-kills.ts';

const kills = Number(process.env.KILLS ?? 200);
const lanes = Number(process.env.LANES ?? 4);
const moments = Number(process.env.MOMENTS ?? 500);
const killEveryMs = Number(process.env.KILL_EVERY_MS ?? 3_000);

/**
 * Kills processes that evaluate alert rules, and compares what they came to with what one process came to that nobody
 * killed.
 */
export async function run(): Promise<string> {
  const [expected, ...runs] = await Promise.all([
    runKilling({ kills: 0, moments, seed: 0 }),
    ...Array.from({ length: lanes }, (_, lane) =>
      runKilling({ kills: Math.ceil(kills / lanes), moments, seed: lane + 1, killEveryMs }),
    ),
  ]);
  const faults = runs.map((result) => differences(expected, result));
  const sum = (of: (result: RunResult) => number) => runs.reduce((total, result) => total + of(result), 0);
  const row = (label: string, of: (result: RunResult) => number) =>
    `| ${label} | ${of(expected)} | ${runs.map(of).join(' | ')} | ${sum(of)} |`;
  return `
The same figures of six API proxies and eight rules, two of them over all proxies, are evaluated on five databases. On the
first by one process that nobody kills; on each of the others by two processes, one of which evaluates at a time, while one
of them at random is ended with SIGKILL every ${killEveryMs / 1_000} s on average and started again. The processes evaluate and deliver as the
management API does; their clock runs 40 times faster, so that kills often meet an evaluation, and stops where it would be
further ahead than an evaluator makes up for. A trigger records from when to when each evaluation was written, and by which
process. A receiver on loopback records each notification with its id.

Compared with the run without kills: every incident with its times, members and timeline; every notification with its number
and state; what the receiver got, and whether any of it came with two ids.

| What | Without kills | ${runs.map((_, lane) => `Run ${lane + 1}`).join(' | ')} | Sum of runs |
|---|---|${runs.map(() => '---|').join('')}---|
${row('SIGKILLs', ({ kills: count }) => count)}
${row('– in the middle of a transaction', ({ killsInTransaction }) => killsInTransaction)}
${row('Evaluated moments', ({ moments: count }) => count)}
${row('Incidents', ({ incidents }) => incidents.length)}
${row('Notifications', ({ notifications }) => notifications.length)}
${row('Notifications at the receiver', ({ received }) => received.size)}
${row('Sent again with the same id', ({ repeats }) => repeats)}
| Incidents or notifications lost, twice or different; two ids; two evaluators at once; moments left out or repeated | – | ${faults.map(({ length }) => length).join(' | ')} | ${faults.flat().length} |

${faults
  .flat()
  .slice(0, 50)
  .map((fault) => `- ${fault}`)
  .join('\n')}
`;
}

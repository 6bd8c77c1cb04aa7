import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluatedRule, States } from './evaluations.ts';

/** What `promtool test rules` says about the same series and rules. */
export interface Verdict {
  readonly isEqual: boolean;
  readonly output: string;
}

/**
 * Lets Prometheus's own evaluation check at every tick that exactly these alerts are pending and firing.
 *
 * @param values by rule and proxy, what each tick sees; null: nothing
 */
export function checkStates(
  folder: string,
  rules: readonly Omit<EvaluatedRule, 'reports'>[],
  values: readonly (readonly (readonly (number | null)[])[])[],
  states: States,
): Verdict {
  const groups = rules.map(({ name, durationSeconds, keepFiringSeconds }) => ({
    name,
    rules: [
      {
        alert: name,
        expr: `error_rate{rule="${name}"} > 50`,
        for: `${durationSeconds}s`,
        ...(keepFiringSeconds === 0 ? {} : { keep_firing_for: `${keepFiringSeconds}s` }),
      },
    ],
  }));
  const ticks = values[0]?.[0]?.length ?? 0;
  const series = values.flatMap((ofRule, rule) =>
    ofRule.map((ofProxy, proxy) => ({
      series: `error_rate{rule="${rules[rule]!.name}",proxy="${proxy}"}`,
      values: ofProxy.map((value) => value ?? 'stale').join(' '),
    })),
  );
  const tests = Array.from({ length: ticks }, (_, tick) => ({
    expr: 'ALERTS',
    eval_time: `${tick * 10}s`,
    exp_samples: states.flatMap((ofRule, rule) =>
      ofRule.flatMap((ofProxy, proxy) => {
        const state = ofProxy[tick];
        if (state === 'inactive') return [];
        const name = rules[rule]!.name;
        return {
          labels: `ALERTS{alertname="${name}", alertstate="${state}", proxy="${proxy}", rule="${name}"}`,
          value: 1,
        };
      }),
    ),
  }));
  // JSON is YAML.
  writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups }));
  const test = { interval: '10s', input_series: series, promql_expr_test: tests };
  writeFileSync(
    join(folder, 'tests.yml'),
    JSON.stringify({ rule_files: ['rules.yml'], evaluation_interval: '10s', tests: [test] }),
  );
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'tests.yml'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { isEqual: status === 0, output: `${stdout}${stderr}` };
}

export function prometheusVersion(): string {
  return /version (\S+)/.exec(spawnSync('promtool', ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? 'unknown';
}

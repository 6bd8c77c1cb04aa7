import { readdirSync, readFileSync } from 'node:fs';

/** The unit of `/proc`'s times. */
const ticksOfSecond = 100;

/** Processor seconds that the processes and their ended children have spent. */
export function secondsOf(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    // utime, stime, cutime and cstime, in proc_pid_stat(5).
    return fields[11]! + fields[12]! + fields[13]! + fields[14]!;
  });
  return ticks.reduce((sum, count) => sum + count, 0) / ticksOfSecond;
}

/** A process and its children. */
export function familyOf(parent: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    } catch {
      return false;
    }
  });
  return [parent, ...children.map(Number)];
}

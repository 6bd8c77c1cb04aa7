import { readFileSync } from 'node:fs';

/** What a process has used, as its kernel counts it. */
export interface Usage {
  /** Processor time of all its threads. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/** Linux counts in hundredths of a second for every program, whatever its own clock is (proc(5), sysconf(3)). */
const tickMs = 10;

/** Reads what a process has used; null where it is gone, or the system does not tell. */
export function usageOf(processId: number): Usage | null {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    // The second field is the program's name, which may hold anything; user and system time are the 14th and 15th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${processId}/status`, 'utf8');
    const residentKilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs, residentBytes: residentKilobytes * 1024 };
  } catch {
    return null;
  }
}

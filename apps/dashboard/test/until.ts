import { setTimeout as sleep } from 'node:timers/promises';

/** Looks until the condition holds; throws after 90 s. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endMs = performance.now() + 90_000;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`waited for ${what} in vain`);
    await sleep(50);
  }
}

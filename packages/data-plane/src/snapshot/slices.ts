import { setImmediate } from 'node:timers/promises';

/** For how long work may keep requests waiting at once. */
const sliceMs = 0.5;

/** To be called between the steps of a long work: has it wait for the next turn of the event loop now and then. */
export function slices(): () => Promise<void> | undefined {
  let begunMs = performance.now();
  return () => {
    if (performance.now() - begunMs < sliceMs) return undefined;
    return setImmediate().then(() => {
      begunMs = performance.now();
    });
  };
}

/**
 * Imported before `node:test`, has it not follow every promise to find out which test an error belongs to. That takes a
 * seventh of the processor time of a service's tests.
 */
import hooks from 'node:async_hooks';

const { createHook } = hooks;
Object.assign(hooks, {
  createHook: (callbacks: hooks.HookCallbacks) => createHook({ ...{ trackPromises: false }, ...callbacks }),
});

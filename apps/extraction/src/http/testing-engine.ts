import { createEnginePool, type EnginePool, type EnginePoolOptions } from '@millrace/engine';

/**
 * The pools that the services under test of this process share, by their options: a new process takes a second of
 * processor time until it has read its first document.
 */
const shared = new Map<string, { readonly pool: EnginePool; users: number }>();
/** A pool is closed when no service has used it for so long, since this process would go on with it. */
const idleMs = 3_000;

/** As {@link createEnginePool}, on processes that other services use as well, and that start with the first document. */
export const openSharedEnginePool: typeof createEnginePool = (options = {}) => {
  const key = JSON.stringify(options);
  const claimed = shared.get(key) ?? { pool: open(options), users: 0 };
  shared.set(key, claimed);
  claimed.users++;

  const release = () => {
    claimed.users--;
    setTimeout(() => {
      if (claimed.users > 0 || shared.get(key) !== claimed) return;
      shared.delete(key);
      void claimed.pool.close();
    }, idleMs);
  };
  return ownUse(claimed.pool, release);
};

function open(options: EnginePoolOptions): EnginePool {
  return createEnginePool({ ...options, onDemand: true, isShortLived: true });
}

/** One service's use of a pool, which ends what the service still runs on it. */
function ownUse(pool: EnginePool, release: () => void): EnginePool {
  const closing = new AbortController();
  const until = (control?: { readonly signal?: AbortSignal }) => ({
    signal: control?.signal ? AbortSignal.any([closing.signal, control.signal]) : closing.signal,
  });
  return {
    ...pool,
    extract: (bytes, options, control) => pool.extract(bytes, options, until(control)),
    consult: (bytes, options, scope, control) => pool.consult(bytes, options, scope, until(control)),
    weigh: (document, options, answer, control) => pool.weigh(document, options, answer, until(control)),
    countPages: (bytes, limits, control) => pool.countPages(bytes, limits, until(control)),
    teach: (bytes, confirmed, limits, control) => pool.teach(bytes, confirmed, limits, until(control)),
    close: async () => {
      if (closing.signal.aborted) return;
      closing.abort(new Error('The engine pool is closed'));
      release();
    },
  };
}

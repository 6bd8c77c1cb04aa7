import { parentPort } from 'node:worker_threads';

/** Tasks over input that may be crafted to take forever. Only texts cross between the threads. */
export type ConfinedTask =
  | { readonly kind: 'lint'; readonly document: string; readonly ruleset: string | null }
  | { readonly kind: 'yaml'; readonly text: string };

export type ConfinedMessage =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'done'; readonly result: string }
  | { readonly kind: 'failed'; readonly reason: string };

const port = parentPort!;
const send = (message: ConfinedMessage) => port.postMessage(message);

port.on('message', async (task: ConfinedTask) => {
  try {
    const run = await load(task);
    send({ kind: 'loaded' });
    send({ kind: 'done', result: await run() });
  } catch (error) {
    send({ kind: 'failed', reason: error instanceof Error ? error.message.slice(0, 2_000) : 'It failed.' });
  }
});

async function load(task: ConfinedTask): Promise<() => Promise<string>> {
  if (task.kind === 'lint') {
    const { lint } = await import('./spectral.ts');
    return () => lint(task.document, task.ruleset);
  }
  const { yamlToJson } = await import('./yaml.ts');
  return async () => yamlToJson(task.text);
}

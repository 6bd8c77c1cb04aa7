interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines concurrent calls: a call runs immediately if none of its group is running; calls that arrive meanwhile share
 * the next run. So calls share a statement's cost under load, nothing waits without load, and each call's result was
 * always looked up after the call arrived.
 *
 * @param options.run takes the inputs of one group, at most `largest`, and returns an output for each, in order
 */
export function inBatches<Input, Output>(options: {
  readonly groupOf: (input: Input) => string;
  readonly largest: number;
  readonly run: (inputs: readonly Input[]) => Promise<readonly Output[]>;
}): (input: Input) => Promise<Output> {
  const groups = new Map<string, Waiting<Input, Output>[]>();

  async function work(group: string, waiting: Waiting<Input, Output>[]) {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, options.largest);
      try {
        const outputs = await options.run(batch.map(({ input }) => input));
        batch.forEach(({ resolve }, index) => {
          resolve(outputs[index]!);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    groups.delete(group);
  }

  return (input) =>
    new Promise((resolve, reject) => {
      const call = { input, resolve, reject };
      const group = options.groupOf(input);
      const waiting = groups.get(group);
      if (waiting) {
        waiting.push(call);
        return;
      }
      const first = [call];
      groups.set(group, first);
      void work(group, first);
    });
}

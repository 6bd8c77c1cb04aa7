import type { EnginePool } from '@millrace/engine';
import { EngineError } from '@millrace/engine/errors';
import type { Logger } from 'pino';

/** An engine that logs where in its code a document broke it: class and place of the error, and no text of it. */
export function logFailures(engine: EnginePool, logger: Logger): EnginePool {
  // Read once, so that a model that cannot be loaded stops the start and not each extraction.
  const { model } = engine;
  const logged = async <Result>(sizeBytes: number, work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'extraction_failed') {
        logger.error({ sizeBytes, cause: placeOf(error.cause) }, 'the engine broke off');
      }
      throw error;
    }
  };
  return {
    ...engine,
    model,
    extract: (bytes, options, control) => logged(bytes.length, engine.extract(bytes, options, control)),
    consult: (bytes, options, scope, control) => logged(bytes.length, engine.consult(bytes, options, scope, control)),
    read: (bytes, limits) => engine.read(bytes, limits),
    close: () => engine.close(),
  };
}

/** Of an error's text, its class and the frames of its stack: the message between them may quote the document. */
function placeOf(cause: unknown): string | null {
  if (typeof cause !== 'string') return null;
  const [name = ''] = /^\w*/.exec(cause) ?? [];
  return [name, ...cause.split('\n').filter((line) => /^\s+at /.test(line))].slice(0, 12).join('\n');
}

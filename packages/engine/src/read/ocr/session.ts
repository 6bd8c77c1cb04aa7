import type { InferenceSession, Tensor } from 'onnxruntime-node';

/** A network that is ready to run, and the type of what goes into it. */
export interface LoadedNetwork {
  readonly session: InferenceSession;
  readonly TensorOf: typeof Tensor;
}

/** Loads a network into ONNX Runtime, to be run in the caller's thread. */
export async function createSession(network: Uint8Array): Promise<LoadedNetwork> {
  // The runtime reports what it runs to its makers over the network unless the library finds this when it is loaded.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const { InferenceSession: Session, Tensor: TensorOf } = await import('onnxruntime-node');
  const session = await Session.create(network, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // Input sizes differ from run to run: a memory pattern for each would be kept forever.
    enableMemPattern: false,
    logSeverityLevel: 3,
  });
  return { session, TensorOf };
}

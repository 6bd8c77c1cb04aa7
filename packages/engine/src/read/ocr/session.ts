import type { InferenceSession, Tensor } from 'onnxruntime-node';

/** A network that is ready to run, and the type of what goes into it. */
export interface LoadedNetwork {
  readonly session: InferenceSession;
  readonly TensorOf: typeof Tensor;
}

/** Loads a network into ONNX Runtime, to be run in the caller's thread. */
export async function createSession(network: Uint8Array): Promise<LoadedNetwork> {
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

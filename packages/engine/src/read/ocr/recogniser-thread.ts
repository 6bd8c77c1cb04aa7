import { parentPort, workerData } from 'node:worker_threads';
import { loadRecogniser, type RecogniserModel, type RecogniserReport, type RecogniserRequest } from './recogniser.ts';

/** The entry point of a recogniser's thread: reads one crop after the other until it is asked to end. */
const port = parentPort;
if (!port) throw new Error('A recogniser’s thread has to be started as one');

const send = (report: RecogniserReport) => port.postMessage(report);
const recogniser = await loadRecogniser(workerData as RecogniserModel);

port.on('message', async ({ id, crop }: RecogniserRequest) => {
  if (!crop) {
    await recogniser.close();
    port.close();
    return;
  }
  try {
    send({ kind: 'read', id, recognised: await recogniser.read(crop) });
  } catch (error) {
    send({ kind: 'failed', id, error });
  }
});

send({ kind: 'ready' });

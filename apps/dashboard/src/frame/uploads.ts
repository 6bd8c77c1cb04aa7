import { useSyncExternalStore } from 'react';
import { type ArgumentsOf, errorOf, operationOf } from './api.ts';

/** Files that are uploaded at the same time; the others wait. */
const atOnce = 3;

export type UploadType = NonNullable<NonNullable<ArgumentsOf<'uploadDocument'>['form']>['docType']>;

/** A file being uploaded. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly docType: UploadType;
  readonly state:
    | { readonly name: 'waiting' }
    /** `share` is what was sent so far, 0 to 1. */
    | { readonly name: 'sending'; readonly share: number }
    | { readonly name: 'sent'; readonly documentId: string; readonly reference: string }
    | { readonly name: 'failed'; readonly message: string };
}

const operation = operationOf('uploadDocument');

let uploads: readonly Upload[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const requests = new Map<number, XMLHttpRequest>();

/** Every upload since the page was loaded or the list was cleared. Uploads continue while other screens are open. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => uploads,
  );
}

/** Queues files for upload. */
export function upload(files: readonly File[], docType: UploadType): void {
  publish([
    ...uploads,
    ...files.map((file) => ({ id: ++lastId, file, docType, state: { name: 'waiting' } }) satisfies Upload),
  ]);
  sendNext();
}

/** Retries a failed upload. */
export function retryUpload(id: number): void {
  change(id, { name: 'waiting' });
  sendNext();
}

/** Removes a file from the list; an upload in progress is cancelled. */
export function dropUpload(id: number): void {
  publish(uploads.filter((each) => each.id !== id));
  requests.get(id)?.abort();
}

/** Removes completed uploads from the list. */
export function clearSentUploads(): void {
  publish(uploads.filter(({ state }) => state.name !== 'sent'));
}

function publish(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

function change(id: number, state: Upload['state']): void {
  publish(uploads.map((each) => (each.id === id ? { ...each, state } : each)));
}

function sendNext(): void {
  const sending = uploads.filter(({ state }) => state.name === 'sending').length;
  for (const next of uploads.filter(({ state }) => state.name === 'waiting').slice(0, atOnce - sending)) send(next);
}

/** By XMLHttpRequest, since `fetch` doesn't report upload progress. */
function send({ id, file, docType }: Upload): void {
  change(id, { name: 'sending', share: 0 });
  const request = new XMLHttpRequest();
  requests.set(id, request);
  const form = new FormData();
  form.append('docType', docType);
  form.append('document', file, file.name);
  request.upload.onprogress = ({ loaded, total }) =>
    change(id, { name: 'sending', share: total > 0 ? loaded / total : 0 });
  request.onloadend = () => {
    requests.delete(id);
    change(id, outcomeOf(request));
    sendNext();
  };
  request.open(operation.method, operation.path);
  request.responseType = 'json';
  request.send(form);
}

function outcomeOf({ status, response }: XMLHttpRequest): Upload['state'] {
  const answer = operation.responses[202].body.safeParse(response).data;
  if (status === 202 && answer) return { name: 'sent', ...answer };
  const message = errorOf(status, response)?.message;
  return { name: 'failed', message: message ?? 'The server can’t be reached. Try again.' };
}

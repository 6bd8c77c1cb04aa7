import { newSpans, spansBytes } from './parser.ts';

/** Memory of one request in flight: its head as received, followed by the head for the target. */
export interface Workspace {
  readonly bytes: Buffer;
  readonly spans: Int32Array;
}

const workspaceBytes = 40_960;
const readBufferBytes = 65_536;
/** Bodies up to this size are copied behind their head, which costs less than a second piece. */
export const copiedBytes = 16_384;
/** A body that waits for a policy is kept in one of these where it fits. */
export const stashBytes = 4_096;
/** Of each kind, kept while they are not used. */
const mostKept = 256;

const workspaces: Workspace[] = [];
const readBuffers: Buffer[] = [];
const stashes: Buffer[] = [];
/** All that were made here: what somebody else keeps may have the same length, and is never given to another. */
const ownBuffers = new WeakSet<Buffer>();

/**
 * The first of each kind are parts of one memory, and always kept. Each access to bytes reads the object of their
 * memory too: of memories of their own, a request would bring several such objects into the caches. The system gives
 * pages only for what is used.
 */
const madeAtFirst = 64;
const firstWorkspaces = newMemory(madeAtFirst * (workspaceBytes + spansBytes));
const firstBuffers = newMemory(madeAtFirst * readBufferBytes);
for (let index = madeAtFirst - 1; index >= 0; index--) {
  workspaces.push(newWorkspace(firstWorkspaces, index * (workspaceBytes + spansBytes)));
  readBuffers.push(newBuffer(firstBuffers, index * readBufferBytes));
}

export function takeWorkspace(): Workspace {
  return workspaces.pop() ?? newWorkspace(newMemory(workspaceBytes + spansBytes), 0);
}

/** It must no longer be in use, and no write of it pending. */
export function returnWorkspace(workspace: Workspace): void {
  if (workspaces.length < mostKept || workspace.bytes.buffer === firstWorkspaces) workspaces.push(workspace);
}

function newWorkspace(memory: ArrayBuffer, start: number): Workspace {
  return { bytes: Buffer.from(memory, start, workspaceBytes), spans: newSpans(memory, start + workspaceBytes) };
}

/** What a socket reads into, or what was copied to be sent. */
export function takeBuffer(): Buffer {
  const kept = readBuffers.pop();
  if (kept !== undefined) return kept;
  return newBuffer(newMemory(readBufferBytes), 0);
}

export function returnBuffer(buffer: Buffer): void {
  if (!ownBuffers.has(buffer)) return;
  if (readBuffers.length < mostKept || buffer.buffer === firstBuffers) readBuffers.push(buffer);
}

function newBuffer(memory: ArrayBuffer, start: number): Buffer {
  const made = Buffer.from(memory, start, readBufferBytes);
  ownBuffers.add(made);
  return made;
}

/** Not filled with zeros. */
function newMemory(bytes: number): ArrayBuffer {
  return Buffer.allocUnsafeSlow(bytes).buffer;
}

/** Room for what was received and cannot be looked at yet: {@link stashBytes}, or as much as is wanted. */
export function takeStash(bytes: number): Buffer {
  return (bytes <= stashBytes ? stashes.pop() : undefined) ?? Buffer.allocUnsafeSlow(Math.max(bytes, stashBytes));
}

/** It must no longer be in use. */
export function returnStash(stash: Buffer): void {
  if (stash.length === stashBytes && stashes.length < mostKept) stashes.push(stash);
}

/** All callers' connections read into the same buffer: received bytes are processed before the next read. */
export const readBuffer = takeBuffer();

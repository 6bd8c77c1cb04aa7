import type { Socket } from 'node:net';
import { loadLlhttp } from './llhttp.ts';
import type { NewMessageReader } from './message-reader.ts';
import { PortableReader } from './portable-reader.ts';
import { type RawHandle, type Reader, rawHandleOf, rawStreams, receiveFrom, reopenReadingInto } from './sockets.ts';

/**
 * Everything the data plane uses that neither Node nor undici documents, with what takes its place: a null, and the socket is
 * read or written as the stream it is.
 */
export interface Internals {
  /** What this Node or undici lacks, for the log. */
  readonly missing: readonly string[];
  /** An accepted socket, recreated so that it reads into one buffer. */
  reopenReadingInto(...accepted: Parameters<typeof reopenReadingInto>): Socket | null;
  /** What a connected socket is written to below its stream. */
  handleOf(socket: Socket): RawHandle | null;
  /** Gives what a socket with `onread` reads to the reader, below its stream. */
  receiveFrom(socket: Socket, reader: Reader): void;
  readonly newMessageReader: NewMessageReader;
}

/** Public interfaces alone: slower, and the same to callers and targets. */
export const publicInterfaces: Internals = {
  missing: [],
  reopenReadingInto: () => null,
  handleOf: () => null,
  receiveFrom() {},
  newMessageReader: (type) => new PortableReader(type),
};

/** Internals where available, public interfaces instead of missing ones. */
export const internals: Internals = availableInternals(rawStreams !== null, loadLlhttp());

export function availableInternals(hasRawStreams: boolean, llhttp: NewMessageReader | null): Internals {
  return {
    missing: [
      ...(hasRawStreams ? [] : ["process.binding('stream_wrap')"]),
      ...(llhttp === null ? ['undici/lib/llhttp'] : []),
    ],
    reopenReadingInto,
    handleOf: hasRawStreams ? rawHandleOf : publicInterfaces.handleOf,
    receiveFrom: hasRawStreams ? receiveFrom : publicInterfaces.receiveFrom,
    newMessageReader: llhttp ?? publicInterfaces.newMessageReader,
  };
}

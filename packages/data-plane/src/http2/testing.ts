/** A caller or target that sends frames of HTTP/2 one by one, well-formed or not. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '@millrace/eventually';
import { flag, frameHeaderBytes, frameType, preface } from './frames.ts';
import { HpackDecoder } from './hpack.ts';

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly payload: Buffer;
  /** Of a head: name, value, name, value, … */
  readonly fields: readonly string[];
}

/** The bytes of a frame. */
export function frame(
  type: number,
  flags: number,
  id: number,
  payload: Buffer | string | readonly number[] = '',
): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload, 'latin1') : Buffer.from(payload);
  const header = Buffer.alloc(frameHeaderBytes);
  header.writeUIntBE(bytes.length, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(id, 5);
  return Buffer.concat([header, bytes]);
}

/** A block of fields, none of them compressed. */
export function block(fields: readonly (readonly [string, string])[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), textOf(name), textOf(value)]));
}

function textOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

/** The fields of a request without a body. */
export function requestFields(path: string, method = 'GET'): (readonly [string, string])[] {
  return [
    [':method', method],
    [':scheme', 'http'],
    [':path', path],
    [':authority', 'a'],
  ];
}

/** The frame of a request's whole head. */
export function request(id: number, path: string, { method = 'GET', ends = true } = {}): Buffer {
  const flags = flag.endHeaders | (ends ? flag.endStream : 0);
  return frame(frameType.headers, flags, id, block(requestFields(path, method)));
}

/** Four bytes, as of WINDOW_UPDATE and RST_STREAM. */
export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function settings(...pairs: readonly (readonly [number, number])[]): Buffer {
  const payload = Buffer.alloc(6 * pairs.length);
  for (const [index, [name, value]] of pairs.entries()) {
    payload.writeUInt16BE(name, 6 * index);
    payload.writeUInt32BE(value, 6 * index + 2);
  }
  return frame(frameType.settings, 0, 0, payload);
}

/** One end of a connection that sends frames as it is asked to, and keeps what it receives. */
export class RawPeer {
  readonly socket: Socket;
  readonly frames: Frame[] = [];
  readonly #acknowledges: boolean;
  readonly #decoder = new HpackDecoder();
  #bytes: Buffer = Buffer.alloc(0);
  isClosed = false;

  /**
   * @param isServer whether it is sent the preface first
   * @param acknowledges whether it acknowledges settings, in between what it is asked to send
   */
  constructor(socket: Socket, { isServer = false, acknowledges = true } = {}) {
    this.#acknowledges = acknowledges;
    this.socket = socket;
    let toSkip = isServer ? preface.length : 0;
    socket.on('data', (data: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, data]);
      if (this.#bytes.length < toSkip) return;
      this.#bytes = this.#bytes.subarray(toSkip);
      toSkip = 0;
      this.#read();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** A caller's connection, with the preface and settings sent. */
  static async open(port: number, own: Buffer = settings(), options = {}): Promise<RawPeer> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const peer = new RawPeer(socket, options);
    peer.send(preface, own);
    return peer;
  }

  send(...parts: readonly Buffer[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(parts));
  }

  /** The first frame that matches, once it has come; null: the connection was closed without one. */
  async frame(matches: (frame: Frame) => boolean): Promise<Frame | null> {
    const found = await eventually('a frame', () => this.frames.find(matches) ?? (this.isClosed && 'closed'));
    return found === 'closed' ? null : found;
  }

  /** How the peer rejected what it was sent: `connection 1` or `stream 1` with the code, or `closed`. */
  async rejection(): Promise<string> {
    const isRejection = ({ type }: Frame) => type === frameType.goAway || type === frameType.resetStream;
    const found = await this.frame(isRejection);
    if (found === null) return 'closed';
    return found.type === frameType.goAway
      ? `connection ${found.payload.readUInt32BE(4)}`
      : `stream ${found.payload.readUInt32BE(0)}`;
  }

  /** Status of the answer on a stream; null if there is none. */
  async status(id: number): Promise<number | null> {
    const head = await this.frame((got) => got.type === frameType.headers && got.id === id);
    return head === null ? null : Number(head.fields[head.fields.indexOf(':status') + 1]);
  }

  #read(): void {
    while (this.#bytes.length >= frameHeaderBytes) {
      const end = frameHeaderBytes + this.#bytes.readUIntBE(0, 3);
      if (this.#bytes.length < end) return;
      const [type, flags, id] = [this.#bytes[3]!, this.#bytes[4]!, this.#bytes.readUInt32BE(5)];
      const payload = Buffer.copyBytesFrom(this.#bytes, frameHeaderBytes, end - frameHeaderBytes);
      this.#bytes = this.#bytes.subarray(end);
      const fields = type === frameType.headers || type === frameType.continuation ? this.#fieldsOf(payload) : [];
      this.frames.push({ type, flags, id, payload, fields });
      if (this.#acknowledges && type === frameType.settings && (flags & flag.ack) === 0)
        this.send(frame(frameType.settings, flag.ack, 0));
    }
  }

  #fieldsOf(payload: Buffer): readonly string[] {
    const bytes = Buffer.alloc(65_536);
    const fields: string[] = [];
    this.#decoder.decode(
      payload,
      0,
      payload.length,
      {
        bytes,
        field: (nameStart, nameEnd, start, end) =>
          fields.push(bytes.toString('latin1', nameStart, nameEnd), bytes.toString('latin1', start, end)),
      },
      0,
      bytes.length,
    );
    return fields;
  }
}

import { fieldState, fieldStride, type HeaderList } from '@millrace/policies/headers';
import { fieldNamed, framesMessage } from './fields.ts';

/** Writes a head, and what follows it, into bytes. There must be room: see {@link HeadWriter.room}. */
export class HeadWriter {
  bytes: Buffer;
  length: number;

  constructor(bytes: Buffer, length = 0) {
    this.bytes = bytes;
    this.length = length;
  }

  get room(): number {
    return this.bytes.length - this.length;
  }

  /** Latin-1 text. */
  text(text: string): void {
    this.length += this.bytes.write(text, this.length, 'latin1');
  }

  copy(from: Buffer, start: number, end: number): void {
    if (end - start < 64) {
      const { bytes } = this;
      let { length } = this;
      for (let index = start; index < end; index++) bytes[length++] = from[index]!;
      this.length = length;
    } else {
      from.copy(this.bytes, this.length, start, end);
      this.length += end - start;
    }
  }

  /** The fields that pass, as they were received, in as few pieces as they can be copied in, and then the added ones. */
  fields(list: HeaderList): void {
    const { bytes, spans, count } = list.received;
    const end = count * fieldStride;
    let from = -1;
    for (let at = 0; at < end; at += fieldStride) {
      const passes = spans[at + 4] === fieldState.passes;
      if (passes && from < 0) from = spans[at]!;
      else if (!passes && from >= 0) {
        this.copy(bytes, from, spans[at]!);
        from = -1;
      }
    }
    // The last field ends before the line that ends the head.
    if (from >= 0) this.copy(bytes, from, endOfLine(bytes, spans[end - 2]!));
    this.added(list.added);
  }

  /** Name, value, name, value, …; but for those that frame the message. */
  added(fields: readonly string[]): void {
    if (fields.length === 0) return;
    let lines = '';
    for (let index = 0; index < fields.length; index += 2) {
      const name = fields[index]!;
      if (!framesMessage(fieldNamed(name.toLowerCase()))) lines += `${name}: ${fields[index + 1]}\r\n`;
    }
    this.text(lines);
  }
}

/** Most bytes that {@link HeadWriter.fields} may write. */
export function sizeOf(list: HeaderList): number {
  const { spans, count } = list.received;
  const received = count === 0 ? 0 : endOfLine(list.received.bytes, spans[count * fieldStride - 2]!) - spans[0]!;
  return received + addedSize(list.added);
}

export function addedSize(fields: readonly string[]): number {
  let size = 0;
  for (let index = 0; index < fields.length; index++) size += fields[index]!.length + 2;
  return size;
}

function endOfLine(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] !== 0x0a) at++;
  return at + 1;
}

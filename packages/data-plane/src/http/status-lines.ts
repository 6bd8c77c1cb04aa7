import { STATUS_CODES } from 'node:http';

const lines: (Buffer | undefined)[] = [];

/** The first line of an answer. */
export function statusLine(status: number): Buffer {
  lines[status] ??= Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`);
  return lines[status];
}

import { createSocket, type Socket } from 'node:dgram';

/** A DNS server that answers for TXT records (RFC 1035). */
export async function startDns(
  records: Map<string, string>,
): Promise<{ readonly socket: Socket; readonly address: string }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let offset = 12;
    for (let length = query[offset]!; length > 0; length = query[offset]!) {
      labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
      offset += length + 1;
    }
    const question = query.subarray(12, offset + 5);
    const text = records.get(labels.join('.').toLowerCase());
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(text === undefined ? 0 : 1, 6);
    header.writeUInt32BE(0, 8);
    if (text === undefined) return void socket.send(Buffer.concat([header, question]), port, address);
    const value = Buffer.from(`${String.fromCharCode(text.length)}${text}`, 'latin1');
    const answer = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, value.length]);
    socket.send(Buffer.concat([header, question, answer, value]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { socket, address: `127.0.0.1:${socket.address().port}` };
}

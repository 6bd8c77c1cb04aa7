/**
 * A server of the benchmark, in its own process: `server.ts portal` is the control plane with its portals; `server.ts
 * floor` answers every address with the bytes that it was sent last, and shows a document with Scalar at `/api-docs`.
 */
import { createLogger } from '@millrace/logs';
import { addReferencePages } from '@millrace/operations/reference';
import { readSettings } from '@millrace/settings/control';
import Fastify from 'fastify';
import { startService } from '../../apps/control/src/service.ts';
import { benchDocument } from './content.ts';

process.on('disconnect', () => process.exit(0));

if (process.argv[2] === 'portal') {
  const { settings } = readSettings(process.env);
  const { address } = await startService({ settings, logger: createLogger('warn', process.stdout) });
  process.send?.({ address });
} else {
  const server = Fastify();
  let bytes = Buffer.alloc(0);
  process.on('message', (message: { readonly base64: string }) => {
    bytes = Buffer.from(message.base64, 'base64');
    process.send?.({ taken: bytes.length });
  });
  addReferencePages(server, () => benchDocument('Large', Number(process.env.LARGE_OPERATIONS)), 'Large');
  server.get('/floor/*', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-encoding', 'br').send(bytes),
  );
  process.send?.({ address: await server.listen({ host: '127.0.0.1', port: 0 }) });
}

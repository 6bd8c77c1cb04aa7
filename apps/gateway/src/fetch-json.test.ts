import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { test } from 'node:test';
import { createReach } from '@millrace/data-plane/targets/reach';
import { fetchJson } from './fetch-json.ts';

test('a JSON document is fetched only from addresses the node may reach', async (context) => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const publicOnly = createReach({ reachPrivate: false, reachAlso: new BlockList() });
  for (const host of ['127.0.0.1', 'localhost', '2130706433']) {
    await assert.rejects(fetchJson(`http://${host}:${port}/jwks`, publicOnly), /not allowed/, host);
  }
  assert.equal(requests, 0);
  const everywhere = createReach({ reachPrivate: true, reachAlso: new BlockList() });
  assert.deepEqual(await fetchJson(`http://127.0.0.1:${port}/jwks`, everywhere), {});
});

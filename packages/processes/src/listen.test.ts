import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, describe, test } from 'node:test';
import { listen } from './listen.ts';

describe('listening', () => {
  const servers: ReturnType<typeof createServer>[] = [];
  after(() => Promise.all(servers.map((server) => new Promise((done) => server.close(done)))));

  const listenAt = (host: string, port = 0) => {
    const server = createServer((_request, response) => response.end('here'));
    servers.push(server);
    const listener = {
      server,
      listen: (where: { readonly host: string; readonly port: number }) =>
        new Promise<void>((done, fail) => server.once('error', fail).listen(where, done)),
    };
    return listen(listener, { host, port, hostSetting: 'EXAMPLE_HOST', portSetting: 'EXAMPLE_PORT' });
  };

  test('the returned address can be called, even if the server listens on every interface', async () => {
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const address = await listenAt(host);
      assert.match(address, /^http:\/\/127\.0\.0\.1:\d+$/);
      assert.equal(await (await fetch(address)).text(), 'here');
    }
  });

  test('errors for a port in use and another machine’s address name the setting to change', async () => {
    const port = Number(new URL(await listenAt('127.0.0.1')).port);
    await assert.rejects(listenAt('127.0.0.1', port), {
      message: `Port ${port} of 127.0.0.1 is in use by another program. Stop it, or set EXAMPLE_PORT to another port.`,
    });
    await assert.rejects(listenAt('192.0.2.1'), { message: 'EXAMPLE_HOST: this machine has no address 192.0.2.1.' });
  });
});

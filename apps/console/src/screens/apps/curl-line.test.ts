import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlLine } from './curl-line.ts';

const call = {
  hostName: null,
  gatewayAddress: null,
  pageHost: '127.0.0.1',
  basePath: '/v1/orders',
  route: { method: 'GET', pathPattern: '/{orderId}' },
  place: {},
  apiKey: 'mrk_key',
};

test('a command without a host name uses the gateway’s default port, with the key where it is expected', () => {
  assert.equal(curlLine(call), "curl -H 'x-api-key: mrk_key' 'http://127.0.0.1:4300/v1/orders/orderId'");
  assert.equal(
    curlLine({ ...call, hostName: 'api.example.com', place: { location: 'query', name: 'key' }, route: null }),
    "curl 'https://api.example.com/v1/orders?key=mrk_key'",
  );
});

test('a command uses the address at which a node of the environment is reached', () => {
  const to = (gatewayAddress: string, pageHost = '127.0.0.1') => curlLine({ ...call, gatewayAddress, pageHost });
  assert.match(to('http://127.0.0.1:4399'), / 'http:\/\/127\.0\.0\.1:4399\/v1\/orders\/orderId'$/);
  assert.match(to('http://127.0.0.1:4399', 'millrace.internal'), / 'http:\/\/millrace\.internal:4399\/v1/);
  assert.match(to('https://api.example.com/eu', 'millrace.internal'), / 'https:\/\/api\.example\.com\/eu\/v1\/orders/);
});

test('a command names a method other than GET and quotes what the shell would interpret', () => {
  assert.equal(
    curlLine({ ...call, route: { method: 'POST', pathPattern: "/it's/*" } }),
    "curl -X POST -H 'x-api-key: mrk_key' 'http://127.0.0.1:4300/v1/orders/it'\\''s/'",
  );
});

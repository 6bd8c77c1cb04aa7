/** The port that a gateway listens on by default. */
const defaultGatewayPort = 4300;

/**
 * A shell command that calls a route with an app's key.
 *
 * @param call.hostName of the environment; null if it has none, and the gateway's own address is used
 * @param call.gatewayAddress as a node of the environment reports it; null if none does
 * @param call.pageHost host name of this page, which replaces a loopback address that a node reports
 * @param call.place the configuration of the Verify API Key policy: where the key is expected
 */
export function curlLine(call: {
  readonly hostName: string | null;
  readonly gatewayAddress: string | null;
  readonly pageHost: string;
  readonly basePath: string;
  readonly route: { readonly method: string; readonly pathPattern: string } | null;
  readonly place: { readonly location?: unknown; readonly name?: unknown };
  readonly apiKey: string;
}): string {
  const { hostName, gatewayAddress, pageHost, basePath, route, place, apiKey } = call;
  const origin = hostName === null ? originOf(gatewayAddress, pageHost) : `https://${hostName}`;
  const name = typeof place.name === 'string' ? place.name : 'x-api-key';
  const inQuery = place.location === 'query';
  // Braces and stars are special to curl; parameters are left for the reader to fill in.
  const path = (route?.pathPattern ?? '/').replaceAll(/\{([^{}/]*)\}/g, '$1').replace(/\*$/, '');
  const address = `${origin}${basePath}${path === '/' ? '' : path}`;
  const method = route === null || route.method === 'GET' || route.method === 'ANY' ? [] : ['-X', route.method];
  return [
    'curl',
    ...method,
    ...(inQuery ? [] : ['-H', quoted(`${name}: ${apiKey}`)]),
    quoted(inQuery ? `${address}?${name}=${encodeURIComponent(apiKey)}` : address),
  ].join(' ');
}

function originOf(gatewayAddress: string | null, pageHost: string): string {
  const url = gatewayAddress === null ? null : URL.parse(gatewayAddress);
  if (url === null) return `http://${pageHost}:${defaultGatewayPort}`;
  if (/^(?:localhost|127\..*|\[::1\])$/.test(url.hostname)) url.hostname = pageHost;
  return url.href.replace(/\/$/, '');
}

/** A text quoted as one word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

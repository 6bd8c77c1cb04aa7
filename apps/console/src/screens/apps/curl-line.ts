/** The port on which a gateway listens where nothing else is set. */
const usualGatewayPort = 4300;

/**
 * A line for a shell that calls a route by an app's key.
 *
 * @param call.hostName of the environment; null where it has none: then the gateway is called by its own address
 * @param call.gatewayAddress as a node of the environment tells it; null where none does
 * @param call.pageHost by which this page was reached: the machine that a node means by a loopback address
 * @param call.place the configuration of the Verify API Key policy: where the key is looked for
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
  // Braces and stars mean something to curl; a parameter is left for the reader to fill in.
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
  if (url === null) return `http://${pageHost}:${usualGatewayPort}`;
  if (/^(?:localhost|127\..*|\[::1\])$/.test(url.hostname)) url.hostname = pageHost;
  return url.href.replace(/\/$/, '');
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

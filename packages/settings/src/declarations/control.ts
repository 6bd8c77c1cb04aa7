import { BlockList } from 'node:net';
import { addressesWithPorts, flag, integer, networks, setting } from '../settings.ts';
import { commonDeclarations, listenHost, listenPort, otherAppUrl, publicUrl, traceEndpoint } from './common.ts';

/** Every setting of the API management server, in the order of the documentation. */
export const controlDeclarations = {
  host: listenHost('MILLRACE_CONTROL_HOST'),
  port: listenPort('MILLRACE_CONTROL_PORT', 4200),
  publicUrl: publicUrl(
    'MILLRACE_CONTROL_PUBLIC_URL',
    'Public URL of the console. Required behind a proxy, or to use a host name: browsers can only write from this address, and links in e-mails start with it. Without it, the console works at an IP address or `localhost`. With `https:`, cookies are limited to TLS and browsers are required to use TLS (HSTS).',
  ),
  dashboardUrl: otherAppUrl('MILLRACE_DASHBOARD_URL', 'dashboard'),
  ...commonDeclarations,
  rolloutTimeoutSeconds: setting(
    'MILLRACE_CONTROL_ROLLOUT_TIMEOUT_SECONDS',
    integer(1, 86_400).default(600),
    '600',
    'Time in which every reporting gateway node has to load a deployment. After that the deployment fails, and the previous one keeps serving.',
  ),
  reachPrivate: setting(
    'MILLRACE_CONTROL_REACH_PRIVATE',
    flag.default(true),
    '1',
    'Whether traces and checks can reach target servers and token issuers, requests tried in the developer portal gateway nodes, and integrations their receivers, at loopback addresses and in private networks. Use 0 if you don’t trust your tenants with this server’s network.',
  ),
  reachAlso: setting(
    'MILLRACE_CONTROL_REACH_ALSO',
    networks.default(new BlockList()),
    'none',
    'Comma-separated addresses and networks that traces, checks, integrations and requests tried in the developer portal can always reach, such as those of your gateway nodes. To other addresses than these and loopback, integrations send neither syslog nor e-mail without TLS. Link-local addresses and cloud metadata services are only reachable if listed here.',
  ),
  dnsServers: setting(
    'MILLRACE_CONTROL_DNS_SERVERS',
    addressesWithPorts.default([]),
    'those of the machine',
    'Comma-separated addresses of the DNS servers that verify the domains of developer portals, such as `192.0.2.53` or `192.0.2.53:5353`.',
  ),
  traceEndpoint,
  tracePercent: setting(
    'MILLRACE_CONTROL_TRACE_PERCENT',
    integer(0, 100).default(1),
    '1',
    'Percentage of API calls to trace, among those without a trusted trace.',
  ),
  traceCallers: setting(
    'MILLRACE_CONTROL_TRACE_CALLERS',
    flag.default(false),
    '0',
    'Whether to trust the `traceparent` of any caller, not only behind `MILLRACE_TRUST_PROXY`.',
  ),
  seed: setting(
    'MILLRACE_SEED',
    flag.default(true),
    '1',
    'Whether the first start fills an empty database with demo data; 0 leaves it empty.',
  ),
} as const;

import { BlockList } from 'node:net';
import { flag, integer, networks, setting } from '../settings.ts';
import { commonDeclarations, listenHost, listenPort, publicUrl } from './common.ts';

/** Every setting of the API management server, in the order of the documentation. */
export const controlDeclarations = {
  host: listenHost('MILLRACE_CONTROL_HOST'),
  port: listenPort('MILLRACE_CONTROL_PORT', 4200),
  publicUrl: publicUrl(
    'MILLRACE_CONTROL_PUBLIC_URL',
    'Address at which people open the console. Needed behind a proxy, or to open it by a host name: browsers may write from this address alone, and links in e-mails begin with it. Without it, the console is used at an IP address or at `localhost`. With `https:`, cookies are kept to TLS and browsers are told to come by TLS alone (HSTS).',
  ),
  ...commonDeclarations,
  rolloutTimeoutSeconds: setting(
    'MILLRACE_CONTROL_ROLLOUT_TIMEOUT_SECONDS',
    integer(1, 86_400).default(600),
    '600',
    'Within which every gateway node that reports has to load a deployment: one that is not loaded by then fails, and what served before serves on.',
  ),
  reachPrivate: setting(
    'MILLRACE_CONTROL_REACH_PRIVATE',
    flag.default(true),
    '1',
    'Whether traces and checks reach target servers, and issuers of tokens, at loopback addresses and in private networks. 0 where tenants are strangers: the network of this server is none of theirs.',
  ),
  reachAlso: setting(
    'MILLRACE_CONTROL_REACH_ALSO',
    networks.default(new BlockList()),
    'none',
    'Addresses and networks, separated by commas, that traces and checks reach whatever they are. Link-local addresses and the metadata services of clouds are reached only where they are named here.',
  ),
  seed: setting(
    'MILLRACE_SEED',
    flag.default(true),
    '1',
    'Whether the first start fills an empty database with the data for a first look; 0 leaves it empty.',
  ),
} as const;

import * as z from 'zod';
import type { PolicyKind } from '../kind.ts';

const AddressRange = z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()], {
  error: 'Use an IPv4 or IPv6 address, or a range such as 10.0.0.0/8.',
});

const configuration = z.strictObject({
  allow: z.array(AddressRange).min(1).max(1_000).describe('Addresses and ranges (CIDR) that may call.'),
  deny: z
    .array(AddressRange)
    .max(1_000)
    .default([])
    .describe('Addresses and ranges to reject although a range above includes them.'),
  clientAddress: z
    .enum(['connection', 'forwarded'])
    .default('connection')
    .describe(
      'Source of the address: the connection itself, or the X-Forwarded-For header that trusted proxies in front of ' +
        'the gateway set.',
    ),
});
type Configuration = z.output<typeof configuration>;

/** Callers by network address. */
export const ipAllowList = {
  kind: 'ip-allow-list',
  title: 'IP Allow List',
  description: 'Admits only callers from listed networks; rejects everyone else with 403.',
  flows: ['request'],
  rank: { request: 10 },
  maxPerFlow: null,
  configuration,
  defaultConfiguration: { allow: [], deny: [], clientAddress: 'connection' },
  example: { allow: ['10.0.0.0/8', '2001:db8::/32'], deny: ['10.66.0.0/16'], clientAddress: 'connection' },
  secretFields: [],
  impact: {
    added: { breaking: true, reason: 'Callers from other networks are rejected.' },
    removed: { breaking: false, reason: 'Callers from every network are admitted.' },
    changed(before: Configuration, after: Configuration) {
      if (before.clientAddress !== after.clientAddress) return 'The source of caller addresses changes.';
      if (before.allow.some((range) => !after.allow.includes(range))) return 'A network is no longer admitted.';
      if (after.deny.some((range) => !before.deny.includes(range))) return 'A network is now rejected.';
      return null;
    },
  },
} as const satisfies PolicyKind;

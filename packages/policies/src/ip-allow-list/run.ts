import { AddressRanges, parseAddress } from '../address.ts';
import type { PolicyToCompile, Refusal, RequestPolicy } from '../run.ts';
import { ipAllowList } from './config.ts';

const refusal: Refusal = { kind: 'refusal', error: 'address_refused' };

/** Admits callers whose network is allowed and not denied. An unparsable address is on no list. */
export function compileIpAllowList(policy: PolicyToCompile): RequestPolicy {
  const { allow, deny, clientAddress } = ipAllowList.configuration.parse(policy.configuration);
  const allowed = new AddressRanges(allow);
  const denied = new AddressRanges(deny);
  const forwarded = clientAddress === 'forwarded';
  return {
    onHead(exchange) {
      const address = parseAddress(forwarded ? exchange.forwardedAddress : exchange.connectionAddress);
      return address && allowed.has(address) && !denied.has(address) ? null : refusal;
    },
  };
}

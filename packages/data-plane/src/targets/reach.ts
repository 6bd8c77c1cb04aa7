/** Which addresses the gateway connects to for whoever may name hosts: targets, their health checks, issuers of tokens. */
import { lookup as lookUp } from 'node:dns';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { isListed } from '@millrace/settings';
import { addressProblem, servingProblem } from '@millrace/webhooks/address';

export interface Reach {
  /** Why an address can't be connected to; null if it can. */
  problem(address: string): string | null;
  /**
   * Looks a host up for a connection, as the system does, and fails where any of its addresses is not to be reached.
   * Connecting with the result reaches what was checked, whatever the name resolves to by then.
   */
  readonly lookup: LookupFunction;
  /** For hosts that are addresses, which nothing looks up. */
  refusalOf(host: string): Error | null;
}

interface ReachSettings {
  /** Loopback addresses and private networks, where most targets are. */
  readonly reachPrivate: boolean;
  /** Reached whatever they are. */
  readonly reachAlso: BlockList;
}

/** Link-local addresses and clouds' control services are reached only where they are listed. */
export function createReach({ reachPrivate, reachAlso }: ReachSettings): Reach {
  const problem = (address: string): string | null => {
    if (isIP(address) !== 0 && isListed(reachAlso, address)) return null;
    return servingProblem(address) ?? (reachPrivate ? null : addressProblem(address, { allowLoopback: false }));
  };
  return {
    problem,
    refusalOf(host) {
      const found = isIP(host) === 0 ? null : problem(host);
      return found === null ? null : refusal(found);
    },
    lookup(host, options, callback) {
      lookUp(host, { ...options, all: true }, (error, addresses) => {
        if (error !== null) {
          callback(error, []);
          return;
        }
        const found = addresses.map(({ address }) => problem(address)).find((each) => each !== null);
        const [first] = addresses;
        if (found !== undefined || first === undefined) callback(refusal(found ?? `${host} has no address`), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    },
  };
}

function refusal(problem: string): Error {
  return Object.assign(new Error(`This address can’t be connected to from here: ${problem}.`), {
    code: 'ADDRESS_REFUSED',
  });
}

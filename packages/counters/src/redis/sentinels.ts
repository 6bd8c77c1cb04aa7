import type { RedisAddress, ServerAddress } from './address.ts';
import { askOnce, nameOf, type RedisLogin, RedisUnavailable } from './servers.ts';

/** For how long a sentinel may take. */
const timeoutMs = 500;

/**
 * Asks all sentinels where the primary is, and believes what most of those that know it answer; as soon as more than
 * half agree, the others are not waited for. One that was cut off may still name the server before.
 *
 * @throws RedisUnavailable if none of them knows
 */
export function locatePrimary({ servers, primaryName }: RedisAddress, login: RedisLogin): Promise<ServerAddress> {
  const votes = new Map<string, { readonly server: ServerAddress; count: number }>();
  const question = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', Buffer.from(primaryName).toString('latin1')];
  let unanswered = servers.length;
  let reason = 'they do not know the primary';
  return new Promise((resolve, reject) => {
    for (const sentinel of servers) {
      askOnce(sentinel, login, question, timeoutMs)
        .then((reply) => {
          if (!Array.isArray(reply)) return;
          const server = { path: null, host: String(reply[0]), port: Number(reply[1]) };
          const vote = votes.get(nameOf(server)) ?? { server, count: 0 };
          vote.count += 1;
          votes.set(nameOf(server), vote);
          if (vote.count * 2 > servers.length) resolve(server);
        })
        .catch((error: Error) => {
          reason = error.message;
        })
        .finally(() => {
          unanswered -= 1;
          if (unanswered > 0) return;
          const [most] = [...votes.values()].sort((one, other) => other.count - one.count);
          if (most) resolve(most.server);
          else reject(new RedisUnavailable(`No sentinel is available: ${reason}`));
        });
    }
  });
}

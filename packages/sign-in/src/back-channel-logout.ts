import type { FastifyInstance } from 'fastify';
import { ProviderRefused } from './identity-provider.ts';

const largestBodyBytes = 16 * 1024;

/**
 * Where identity providers report logouts (OpenID Connect Back-Channel Logout 1.0, 2.5): a form with a token, answered
 * in OAuth’s form. No operation of an API, since neither request nor answer has its shape.
 *
 * @param path with `:name` for what names the provider
 * @param endSessions ends the sessions that a token names; throws {@link ProviderRefused} for one that isn’t valid
 */
export function addBackChannelLogout<Name extends string>(
  server: FastifyInstance,
  path: `/${string}/:${Name}`,
  endSessions: (params: Readonly<Record<Name, string>>, token: string) => Promise<void>,
): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: largestBodyBytes },
      async (_request: unknown, body: string | Buffer) => new URLSearchParams(body.toString()),
    );
    scope.post(path, async (request, reply) => {
      const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
      try {
        if (token === null) throw new ProviderRefused('Send a logout_token.');
        await endSessions(request.params as Readonly<Record<Name, string>>, token);
        return reply.code(200).send();
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        request.log.info({ error }, 'a logout token was refused');
        return reply.code(400).send({ error: 'invalid_request', error_description: error.message });
      }
    });
  });
}

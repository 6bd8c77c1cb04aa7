import { ProviderRefused } from '@millrace/sign-in/identity-provider';
import type { FastifyInstance } from 'fastify';
import type { Parts } from '../frame/parts.ts';
import { endByLogoutToken } from '../identity/provider-sign-in/back-channel-logout.ts';

const path = '/api/auth/back-channel-logout/:organizationId';
const largestBodyBytes = 16 * 1024;

/**
 * Where identity providers report logouts (OpenID Connect Back-Channel Logout 1.0, 2.5): a form with a token, answered
 * in OAuth’s form. No operation of the API, since neither request nor answer has its shape.
 */
export function addBackChannelLogout(
  server: FastifyInstance,
  parts: Pick<Parts, 'database' | 'chain' | 'sealer' | 'identityProviders' | 'log'>,
): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: largestBodyBytes },
      async (_request: unknown, body: string | Buffer) => new URLSearchParams(body.toString()),
    );
    scope.post(path, async (request, reply) => {
      const { organizationId } = request.params as { readonly organizationId: string };
      const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
      try {
        if (token === null) throw new ProviderRefused('Send a logout_token.');
        await endByLogoutToken(parts, 'console', organizationId, token);
        return reply.code(200).send();
      } catch (error) {
        if (!(error instanceof ProviderRefused)) throw error;
        parts.log.info({ error }, 'a logout token was refused');
        return reply.code(400).send({ error: 'invalid_request', error_description: error.message });
      }
    });
  });
}

import { newSealingKeys } from '@millrace/gateway-configuration/sealing';
import * as z from 'zod';
import { sha256 } from './checks.ts';
import type { ControlClient } from './control-client.ts';
import type { Identity } from './identity.ts';

const Registration = z.object({
  data: z.object({
    nodeId: z.string(),
    nodeToken: z.string(),
    organizationId: z.string(),
    environmentId: z.string(),
    environmentName: z.string(),
    verificationKey: z.string(),
  }),
});

/**
 * Registers this node with a token that is taken once, under a key pair that is made for it.
 *
 * @throws ControlUnreachable, ControlRefused
 */
export async function register(control: ControlClient, registrationToken: string): Promise<Identity> {
  const keys = newSealingKeys();
  const { bytes } = await control.call({
    method: 'POST',
    path: '/gateway/registrations',
    token: null,
    body: { registrationToken, publicKey: keys.publicKey },
    timeoutMs: 15_000,
    maxBytes: 65_536,
  });
  const { nodeToken, ...node } = Registration.parse(JSON.parse(bytes.toString('utf8'))).data;
  return {
    format: 1,
    ...node,
    token: nodeToken,
    privateKey: keys.privateKey,
    registrationTokenHash: sha256(registrationToken),
    newestSequence: 0,
    consumersSequence: null,
  };
}

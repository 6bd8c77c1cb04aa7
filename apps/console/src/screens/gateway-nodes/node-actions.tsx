import { Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteAction, editAction, PermittedActions } from '../../frame/actions.tsx';
import { useWrite } from '../../frame/api.ts';
import { Consequence } from './consequence.tsx';
import type { GatewayNode } from './health-mark.tsx';
import { EditNodeForm } from './node-form.tsx';
import { RegistrationToken } from './registration-token.tsx';

/** Edits, drains and deletes a node, and manages its token. */
export function NodeActions({ node }: { readonly node: GatewayNode }) {
  const { id, name, drain, health, registeredAt, registrationExpiresAt, tokenActive, version } = node;
  const params = { nodeId: id };
  const navigate = useNavigate();
  const drainNode = useWrite('drainGatewayNode');
  const resume = useWrite('resumeGatewayNode');
  const rotate = useWrite('rotateGatewayNodeToken');
  const revoke = useWrite('revokeGatewayNodeToken');
  const remove = useWrite('deleteGatewayNode');
  const [token, setToken] = useState<string | null>(null);
  const permission = 'gateway-node.write';
  return (
    <>
      <PermittedActions
        actions={[
          editAction({
            noun: 'gateway node',
            permission,
            body: (close) => <EditNodeForm node={node} onClose={close} />,
          }),
          drain === 'none'
            ? {
                label: 'Drain',
                permission: 'gateway-node.drain',
                blocked: registeredAt === null && 'It has not registered yet.',
                run: () => drainNode.mutateAsync({ params }),
                done: `${name} is draining.`,
                confirm: {
                  title: `Drain ${name}?`,
                  text: (
                    <Stack gap="sm">
                      <Text size="sm">
                        It reports itself as not ready to load balancers, takes no new connections and finishes the
                        calls in progress.
                      </Text>
                      <Consequence node={node} action="drained" />
                    </Stack>
                  ),
                },
              }
            : {
                label: 'Resume',
                primary: true,
                permission: 'gateway-node.drain',
                run: () => resume.mutateAsync({ params }),
                done: `${name} takes traffic again.`,
              },
          {
            label: tokenActive ? 'Rotate token' : 'New registration token',
            permission,
            run: async () => setToken((await rotate.mutateAsync({ params })).registrationToken),
            done: 'Registration token created.',
            confirm: {
              title: tokenActive ? `Rotate the token of ${name}?` : 'Create a registration token?',
              text: tokenActive
                ? 'The node keeps its current token until it is started with the new one.'
                : 'An unused registration token is no longer valid.',
            },
          },
          {
            label: 'Revoke token',
            danger: true,
            permission,
            blocked: !tokenActive && registrationExpiresAt === null && 'It has no token.',
            run: () => revoke.mutateAsync({ params }),
            done: `The token of ${name} was revoked.`,
            confirm: {
              title: `Revoke the token of ${name}?`,
              text: 'The node loses access at once: it gets no configuration, no secrets and no revocations of keys. It keeps serving its last configuration until you stop it. A new registration token lets it in again.',
            },
          },
          deleteAction({
            name,
            permission,
            blocked: health !== 'offline' && 'It is still reporting: stop it, and wait a minute.',
            typed: name,
            text: (
              <Stack gap="sm">
                <Text size="sm">Its token is no longer valid: to come back, it has to be registered again.</Text>
                <Consequence node={node} action="removed" />
              </Stack>
            ),
            run: () => remove.mutateAsync({ params, version }),
            onDone: () => navigate({ to: '/gateway-nodes' }),
          }),
        ]}
      />
      {token !== null && <RegistrationToken token={token} onClose={() => setToken(null)} />}
    </>
  );
}

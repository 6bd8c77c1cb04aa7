import { Text } from '@mantine/core';
import type { DataOf } from './api.ts';

/** What the connection test of an identity provider found. */
export function ProviderFacts({ facts }: { readonly facts: DataOf<'testIdentityProvider'> }) {
  if (facts.problem !== null) {
    return (
      <Text role="alert" c="red.8" size="sm">
        {facts.problem}
      </Text>
    );
  }
  const lines = [
    `Connected: ${facts.keys} signing ${facts.keys === 1 ? 'key' : 'keys'}.`,
    facts.refreshTokens
      ? 'Issues refresh tokens: disabled users lose their sessions within a minute.'
      : 'Doesn’t announce refresh tokens: set up SCIM or back-channel logout to end sessions of disabled users.',
    facts.backChannelLogout ? 'Reports logouts.' : 'Doesn’t report logouts.',
  ];
  return (
    <div role="status">
      {lines.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </div>
  );
}

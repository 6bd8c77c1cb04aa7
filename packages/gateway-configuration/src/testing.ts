import type { RevisionContent } from '@millrace/revision/content';
import { contentHash } from '@millrace/revision/hash';
import type { Manifest } from './manifest.ts';
import { hashSecrets } from './sealing.ts';

/** What an environment serves, before it is numbered and signed. */
export interface TestConfiguration {
  readonly deployments: readonly {
    readonly content: RevisionContent;
    readonly proxyId?: string;
    readonly revision?: number;
    readonly weight?: number;
    readonly split?: 'requests';
  }[];
  readonly targetServers?: Manifest['targetServers'];
  readonly variables?: Manifest['variables'];
  readonly hostNames?: readonly string[];
  readonly secrets?: Readonly<Record<string, string>>;
  readonly environment?: Manifest['environment'];
}

export const testOrganizationId = 'org_test';
export const testEnvironment = { id: 'env_test', name: 'test', production: false };

/** The manifest of a configuration, and its contents by hash. */
export function manifestOf(configuration: TestConfiguration, sequence: number) {
  const contents = new Map<string, RevisionContent>();
  const manifest: Manifest = {
    format: 2,
    organizationId: testOrganizationId,
    environment: configuration.environment ?? testEnvironment,
    sequence,
    hostNames: [...(configuration.hostNames ?? [])],
    deployments: configuration.deployments.map(({ content, proxyId, revision, weight, split }, index) => {
      const hash = contentHash(content);
      contents.set(hash, content);
      const named = proxyId ?? `prx_${content.proxy.name}`;
      return {
        deploymentId: `dep_${named}_${revision ?? 1}_${index}`,
        proxyId: named,
        revision: revision ?? 1,
        weight: weight ?? 100,
        ...(split === undefined ? {} : { split }),
        contentHash: hash,
      };
    }),
    targetServers: configuration.targetServers ?? {},
    variables: configuration.variables ?? {},
    secretsHash: hashSecrets(configuration.secrets ?? {}),
  };
  return { manifest, contents };
}

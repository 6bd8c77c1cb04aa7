import { newId } from '@millrace/identifiers';
import { usesOf } from '../../delivery/deployments/rules.ts';
import type { TestControl } from '../../testing.ts';

/** An environment with a target server of the name `orders`; the environment's id. */
export async function addEnvironment(
  { opened }: TestControl,
  organizationId: string,
  { name = 'test', production = false } = {},
): Promise<string> {
  const { system } = opened.database;
  const id = newId('env');
  await system
    .insertInto('environments')
    .values({ id, organization_id: organizationId, name, display_name: name, production })
    .execute();
  await system
    .insertInto('target_servers')
    .values({
      id: newId('tgt'),
      organization_id: organizationId,
      environment_id: id,
      name: 'orders',
      scheme: 'https',
      host: 'orders.example',
      port: 443,
    })
    .execute();
  return id;
}

/** Lets a revision serve, as a deployment would, whatever the rules of deployments ask for; the deployment's id. */
export async function serve(
  { opened }: TestControl,
  deployed: {
    readonly organizationId: string;
    readonly environmentId: string;
    readonly proxyId: string;
    readonly revision: number;
  },
): Promise<string> {
  const { system } = opened.database;
  const id = newId('dep');
  const { content_hash, content } = await system
    .updateTable('revisions')
    .set({ first_deployed_at: new Date() })
    .where('proxy_id', '=', deployed.proxyId)
    .where('revision', '=', deployed.revision)
    .returning(['content_hash', 'content'])
    .executeTakeFirstOrThrow();
  await system
    .insertInto('deployments')
    .values({
      id,
      organization_id: deployed.organizationId,
      environment_id: deployed.environmentId,
      proxy_id: deployed.proxyId,
      revision: deployed.revision,
      strategy: 'direct',
      weight: 100,
      state: 'live',
      content_hash,
      ...usesOf(content),
      diff: JSON.stringify({ changes: [], breaking: false }),
      created_by: 'usr_test',
      created_by_name: 'Test',
    })
    .execute();
  return id;
}

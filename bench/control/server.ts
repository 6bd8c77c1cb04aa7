/**
 * A server of the benchmark, in its own process: `server.ts control` is the management API, `server.ts bare` a Fastify
 * route that runs the same statement through pg. It reports its address and, on request, its CPU time.
 */
import { createLogger } from '@millrace/logs';
import Fastify from 'fastify';
import pg from 'pg';
import { startService } from '../../apps/control/src/service.ts';
import { readSettings } from '../../packages/settings/src/control.ts';

const [kind] = process.argv.slice(2);
const { settings } = readSettings(process.env);

process.on('message', (message) => {
  if (message !== 'cpu') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicroseconds: user + system });
});
process.on('disconnect', () => process.exit(0));

if (kind === 'control') {
  const { address } = await startService({ settings, logger: createLogger('warn', process.stdout) });
  process.send?.({ address });
} else {
  process.send?.({ address: await startBare() });
}

/** The floor: one route that reads a row, one that inserts one, each one statement, as the tables' owner. */
async function startBare(): Promise<string> {
  const pool = new pg.Pool({
    connectionString: settings.databaseUrl ?? '',
    max: settings.databaseConnections / 2,
    options: '-c search_path=control -c millrace.tenant=*',
  });
  const server = Fastify();
  server.get<{ Params: { organizationId: string; id: string } }>(
    '/api/:organizationId/target-servers/:id',
    async ({ params }) => {
      const { rows } = await pool.query('select * from target_servers where organization_id = $1 and id = $2', [
        params.organizationId,
        params.id,
      ]);
      return { code: 200, status: true, data: rows[0] };
    },
  );
  server.post<{
    Params: { organizationId: string };
    Body: { id: string; name: string; kind: string; configuration: object };
  }>('/api/:organizationId/policy-templates', async ({ params, body }, reply) => {
    const { rows } = await pool.query(
      `insert into policy_templates (id, organization_id, name, kind, configuration)
         values ($1, $2, $3, $4, $5) returning *`,
      [body.id, params.organizationId, body.name, body.kind, JSON.stringify(body.configuration)],
    );
    return reply.code(201).send({ code: 201, status: true, data: rows[0] });
  });
  return server.listen({ host: '127.0.0.1', port: 0 });
}

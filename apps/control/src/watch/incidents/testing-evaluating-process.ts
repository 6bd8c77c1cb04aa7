/**
 * A process that evaluates rules and delivers notifications, by the clock that its parent sends: what the management API
 * does besides answering, to be killed. Its argument is a {@link EvaluatingProcessOptions} as JSON.
 */
import { BlockList } from 'node:net';
import { createSealer } from '@millrace/encryption';
import { openDatabase } from '@millrace/postgres';
import { createKeySealers } from '../../consumers/apps/key-sealers.ts';
import { schemaName } from '../../database/migrations.ts';
import type { Schema } from '../../database/schema.ts';
import { createOutbound } from '../../frame/outbound.ts';
import { startDeliverer } from '../deliveries/deliverer.ts';
import { wakeDeliveries } from '../deliveries/enqueue.ts';
import { startEvaluator } from '../evaluator/evaluator.ts';
import { isUnacknowledged } from './store.ts';
import type { EvaluatingProcessOptions } from './testing-kills.ts';
import { applyAlerts, endAlertsOfRule } from './transitions.ts';

const { url, name, encryptionKey } = JSON.parse(process.argv[2]!) as EvaluatingProcessOptions;
const database = openDatabase<Schema>({
  connection: { connectionString: url, application_name: name },
  schema: schemaName,
  tenantConnections: 3,
  systemConnections: 3,
});
const onError = (error: unknown) => console.error(name, error);
const key = Buffer.from(encryptionKey, 'hex');
startDeliverer({
  database,
  keySealers: createKeySealers(key, createSealer([key], 'control secrets')),
  outbound: createOutbound({ reachPrivate: true, reachAlso: new BlockList() }),
  platformMail: async () => {
    throw new Error('no mail is expected');
  },
  publicUrl: () => 'http://localhost',
  conditions: { incident_unacknowledged: isUnacknowledged },
  onError,
  timeoutMs: 2_000,
});
let nowMs = 0;
const evaluator = startEvaluator({
  database,
  incidents: { apply: applyAlerts, end: endAlertsOfRule },
  wakeDeliveries,
  onError,
  clock: () => nowMs,
  pollMs: null,
});
process.on('message', (sentMs: number) => {
  nowMs = sentMs;
  void evaluator.run();
});
process.on('disconnect', () => process.exit());
process.send!('ready');

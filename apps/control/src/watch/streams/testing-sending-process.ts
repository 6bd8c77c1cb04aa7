/**
 * A process that delivers notifications and sends streams, to be killed. Its argument is a {@link SendingProcessOptions} as
 * JSON.
 */
import { BlockList } from 'node:net';
import { createSealer } from '@millrace/encryption';
import { openDatabase } from '@millrace/postgres';
import { createKeySealers } from '../../consumers/apps/key-sealers.ts';
import { schemaName } from '../../database/migrations.ts';
import type { Schema } from '../../database/schema.ts';
import { createOutbound } from '../../frame/outbound.ts';
import { startDeliverer } from '../deliveries/deliverer.ts';
import { startStreamer } from './streamer.ts';

/** What a sending process is started with. */
export interface SendingProcessOptions {
  readonly url: string;
  /** In hex. */
  readonly encryptionKey: string;
  /** For a whole attempt: half of what a killed process's lease lasts. */
  readonly timeoutMs: number;
}

const { url, encryptionKey, timeoutMs } = JSON.parse(process.argv[2]!) as SendingProcessOptions;
const key = Buffer.from(encryptionKey, 'hex');
const parts = {
  database: openDatabase<Schema>({
    connection: { connectionString: url },
    schema: schemaName,
    tenantConnections: 3,
    systemConnections: 3,
  }),
  keySealers: createKeySealers(key, createSealer([key], 'control secrets')),
  outbound: createOutbound({ reachPrivate: true, reachAlso: new BlockList() }),
  publicUrl: () => 'https://console.example',
  onError: (error: unknown) => console.error(error),
  timeoutMs,
};
startDeliverer({
  ...parts,
  platformMail: async () => {
    throw new Error('no mail is expected');
  },
  conditions: {},
  pollMs: 100,
});
startStreamer({ ...parts, pollMs: 100, siemIntervalMs: 100 });
process.on('disconnect', () => process.exit());
process.send!('ready');

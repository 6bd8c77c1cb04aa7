import type { SendMail } from '@millrace/mail';
import type { KeySealers } from '../../consumers/apps/key-sealers.ts';
import type { ControlDatabase } from '../../database/schema.ts';
import type { Outbound } from '../../frame/outbound.ts';
import type { NotificationData } from '../events/contract.ts';
import type { Outcome } from '../integrations/outcome.ts';
import type { PresentedIntegration } from '../integrations/store.ts';
import { exportMetrics } from '../opentelemetry/export.ts';
import { sendEntries, testEntry } from '../siem/stream.ts';
import { sendNotification } from './send.ts';

export interface TrialParts {
  readonly database: ControlDatabase;
  readonly keySealers: KeySealers;
  readonly outbound: Outbound;
  readonly platformMail: SendMail;
  publicUrl(): string;
}

const timeoutMs = 15_000;

/**
 * Sends a test to whatever an integration is for: a notification, a syslog message, or an export without metrics.
 *
 * @param trial.id of the delivery that records it
 * @param trial.secrets newest first
 */
export async function sendTest(
  parts: TrialParts,
  trial: {
    readonly id: string;
    readonly organizationId: string;
    readonly integration: PresentedIntegration;
    readonly secrets: readonly string[];
  },
): Promise<{ readonly data: NotificationData<'test'>; readonly outcome: Outcome }> {
  const { id, organizationId, integration, secrets } = trial;
  const { settings } = integration;
  const message = 'This is a test from Millrace.';
  const data = { message, integrationId: integration.id, integrationName: integration.name };
  const [secret = null] = secrets;
  if (settings.kind === 'siem') {
    const entries = [testEntry(organizationId, id)];
    return {
      data,
      outcome: await sendEntries(
        { ...parts, publicUrl: () => parts.publicUrl(), timeoutMs },
        settings,
        secret,
        entries,
      ),
    };
  }
  const sender = await parts.outbound.openSender(timeoutMs);
  try {
    if (settings.kind === 'opentelemetry') {
      const nothing = { reports: [], names: new Map(), instanceId: new URL(parts.publicUrl()).host };
      return { data, outcome: await exportMetrics(sender, settings, secret, nothing) };
    }
    const event = { event: 'test', timestamp: new Date().toISOString(), data } as const;
    const channels = { ...parts, publicUrl: () => parts.publicUrl(), sender, timeoutMs };
    const outcome = await sendNotification(channels, { deliveryId: id, subjectId: id, event, settings, secrets });
    return { data, outcome };
  } finally {
    await sender.close();
  }
}

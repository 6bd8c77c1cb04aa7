import type { Sender } from '@millrace/webhooks';
import type { IntegrationSettings } from '../integrations/contract.ts';
import { attemptOf, type Outcome, outcomeOf } from '../integrations/outcome.ts';
import { metricsOf, type Names, type TelemetryReport } from './metrics.ts';

export type OpentelemetrySettings = Extract<IntegrationSettings, { kind: 'opentelemetry' }>;

/**
 * Posts reports as metrics (OTLP/HTTP with JSON). Never throws. What a collector takes in part counts as delivered, since
 * OTLP forbids to send it again.
 *
 * @param secret value of the settings' header; null if there is none
 * @param instanceId of the service that exports
 */
export async function exportMetrics(
  sender: Sender,
  settings: OpentelemetrySettings,
  secret: string | null,
  {
    reports,
    names,
    instanceId,
  }: { readonly reports: readonly TelemetryReport[]; readonly names: Names; readonly instanceId: string },
): Promise<Outcome> {
  const body = JSON.stringify(metricsOf(reports, names, instanceId));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Millrace-OTLP/1',
    ...(settings.headerName === null || secret === null ? {} : { [settings.headerName.toLowerCase()]: secret }),
  };
  const result = await sender.send({ url: settings.url, headers, body: Buffer.from(body) });
  const request = { target: settings.url, headers, body };
  return outcomeOf({ request, attempt: attemptOf(result) }, secret === null ? [] : [secret]);
}

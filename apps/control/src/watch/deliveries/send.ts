import { performance } from 'node:perf_hooks';
import type { SendMail } from '@millrace/mail';
import type { SendErrorCode, Sender } from '@millrace/webhooks';
import { signatureHeader } from '@millrace/webhooks/signature';
import { type Outbound, OutboundRefused } from '../../frame/outbound.ts';
import { type Event, wordingOf } from '../events/wording.ts';
import type { IntegrationSettings } from '../integrations/contract.ts';
import {
  type AttemptResult,
  answerBytes,
  attemptOf,
  cutBytes,
  type Outcome,
  outcomeOf,
  storable,
} from '../integrations/outcome.ts';
import { notificationMail } from './channels/email.ts';
import { pagerdutyBody } from './channels/pagerduty.ts';
import { slackBody } from './channels/slack.ts';

/** How notifications leave. */
export interface Channels {
  readonly outbound: Outbound;
  /** For HTTP. */
  readonly sender: Sender;
  /** Of e-mail through the platform's own server. */
  readonly platformMail: SendMail;
  /** Of the console, without a slash at the end. */
  publicUrl(): string;
  readonly timeoutMs: number;
}

/** A notification on its way to an integration. */
export interface Outgoing {
  readonly deliveryId: string;
  readonly subjectId: string;
  readonly event: Event;
  readonly settings: IntegrationSettings;
  /** Newest first; a webhook is signed with all of them. */
  readonly secrets: readonly string[];
}

/** Sends a notification once. Never throws: whatever goes wrong is the attempt's error. */
export async function sendNotification(channels: Channels, outgoing: Outgoing): Promise<Outcome> {
  const { settings, secrets } = outgoing;
  const outcome = await (settings.kind === 'email' ? sendMail(channels, outgoing, settings) : post(channels, outgoing));
  return outcomeOf(outcome, secrets);
}

interface HttpRequest {
  readonly url: string;
  /** As it is shown: without what is secret of the URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function post(channels: Channels, outgoing: Outgoing): Promise<Outcome> {
  const request = requestOf(channels, outgoing);
  const { url, target, headers, body } = request;
  const result = await channels.sender.send({ url, headers, body: Buffer.from(body) });
  return { request: { target, headers, body }, attempt: attemptOf(result) };
}

const json = { 'content-type': 'application/json', 'user-agent': 'Millrace-Webhooks/1' };

function requestOf({ publicUrl }: Channels, { event, settings, secrets, deliveryId }: Outgoing): HttpRequest {
  const [secret = ''] = secrets;
  switch (settings.kind) {
    case 'slack': {
      const body = JSON.stringify(slackBody(wordingOf(event, publicUrl()), event.timestamp));
      return { url: secret, target: `${URL.parse(secret)?.origin ?? ''}/…`, headers: json, body };
    }
    case 'pagerduty': {
      const options = { routingKey: secret, deliveryId, publicUrl: publicUrl() };
      const body = JSON.stringify(pagerdutyBody(event, wordingOf(event, publicUrl()), options));
      return { url: settings.url, target: settings.url, headers: json, body };
    }
    case 'webhook': {
      const body = JSON.stringify(event);
      const headers = {
        ...json,
        'x-svc-signature': signatureHeader(secrets, Buffer.from(body), Math.floor(Date.now() / 1_000)),
        'x-svc-delivery': deliveryId,
      };
      return { url: settings.url, target: settings.url, headers, body };
    }
    default:
      throw new Error(`${settings.kind} integrations receive no notifications`);
  }
}

type EmailSettings = Extract<IntegrationSettings, { kind: 'email' }>;

async function sendMail(channels: Channels, outgoing: Outgoing, settings: EmailSettings): Promise<Outcome> {
  const { event, deliveryId, subjectId, secrets } = outgoing;
  const publicUrl = channels.publicUrl();
  const { recipients, server } = settings;
  const host = new URL(publicUrl).hostname;
  const mail = notificationMail(event, wordingOf(event, publicUrl), { recipients, deliveryId, subjectId, host });
  const via = server === null ? 'the platform’s mail server' : `${server.host}:${server.port}`;
  const request = {
    target: `${recipients.join(', ')} via ${via}`,
    headers: { subject: mail.subject, 'message-id': mail.generated?.messageId ?? '' },
    body: mail.text,
  };
  const at = new Date().toISOString();
  const started = performance.now();
  const ended = (rest: Pick<AttemptResult, 'status' | 'error' | 'answer'>): Outcome => ({
    request,
    attempt: {
      at,
      latencyMs: Math.round(performance.now() - started),
      ...rest,
      answer: cutBytes(storable(rest.answer), answerBytes),
      answerBytes: Buffer.byteLength(rest.answer),
    },
  });
  try {
    const answer =
      server === null
        ? await withinTime(channels.platformMail(mail), channels.timeoutMs)
        : await sendThroughOwn(channels, server, mail, secrets[0] ?? null);
    return ended({ status: statusOf(answer), error: null, answer });
  } catch (error) {
    const { response = '', responseCode = null } = error as { response?: string; responseCode?: number };
    return ended({ status: responseCode, error: mailError(error), answer: String(response) });
  }
}

async function sendThroughOwn(
  { outbound, timeoutMs }: Channels,
  server: NonNullable<EmailSettings['server']>,
  mail: ReturnType<typeof notificationMail>,
  password: string | null,
): Promise<string> {
  const { sendThrough } = await import('@millrace/mail');
  const [address = ''] = await outbound.addressesOf(server.host);
  if (server.security === 'none' && !outbound.mayBePlain(address)) {
    throw new OutboundRefused(`${server.host} isn’t at an address that may be reached without encryption.`);
  }
  const { userName, ...others } = server;
  const credentials = userName === null || password === null ? null : { user: userName, password };
  return sendThrough({ ...others, address, credentials }, mail, timeoutMs);
}

const mailErrorCodes: Readonly<Record<string, SendErrorCode>> = {
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_failed',
  ENETUNREACH: 'connection_failed',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ETLS: 'tls',
};

function mailError(error: unknown): NonNullable<AttemptResult['error']> {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  if (error instanceof OutboundRefused) return { code: 'blocked_address', message };
  const { code = '', responseCode } = error as { code?: string; responseCode?: number };
  if (responseCode !== undefined || code === 'EAUTH') return { code: 'rejected', message };
  if (/certificate|ssl|tls/i.test(`${code} ${message}`)) return { code: 'tls', message };
  return { code: mailErrorCodes[code] ?? 'connection_closed', message };
}

function statusOf(answer: string): number | null {
  const status = Number.parseInt(answer, 10);
  return status >= 200 && status < 600 ? status : null;
}

async function withinTime<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const error = Object.assign(new Error(`The mail server took longer than ${timeoutMs / 1_000} s.`), {
    code: 'ETIMEDOUT',
  });
  const timer = setTimeout(() => late.reject(error), timeoutMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

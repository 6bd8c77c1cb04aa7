import type { Mail } from '@millrace/mail';
import type { Event, Wording } from '../../events/wording.ts';

const colours: Readonly<Record<Wording['severity'], string>> = {
  critical: '#b42318',
  warning: '#b54708',
  info: '#175cd3',
  good: '#067647',
};

/**
 * The e-mail of a notification, as text and HTML. Mail programs show those of the same subject as one conversation, and one
 * that is sent again once.
 *
 * @param host of the console, in the message's id
 */
export function notificationMail(
  event: Event,
  wording: Wording,
  {
    recipients,
    deliveryId,
    subjectId,
    host,
  }: {
    readonly recipients: readonly string[];
    readonly deliveryId: string;
    readonly subjectId: string;
    readonly host: string;
  },
): Mail {
  const { title, facts, link } = wording;
  const listed = facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
  return {
    to: recipients,
    subject: title,
    text: [title, listed, ...(link === null ? [] : [link]), `Sent by Millrace at ${event.timestamp}.`]
      .filter((part) => part !== '')
      .join('\n\n'),
    html: htmlOf(wording, event.timestamp),
    generated: { messageId: `<${deliveryId}@${host}>`, conversationId: `<${subjectId}@${host}>` },
  };
}

function htmlOf({ title, severity, facts, link }: Wording, timestamp: string): string {
  const rows = facts
    .map(
      ({ label, value }) =>
        `<tr><th align="left" valign="top" style="padding:4px 16px 4px 0;font-weight:600;white-space:nowrap">${escapeHtml(label)}</th>` +
        `<td style="padding:4px 0">${escapeHtml(value)}</td></tr>`,
    )
    .join('');
  const button =
    link === null
      ? ''
      : `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="background:#1d2939;color:#ffffff;padding:10px 16px;border-radius:6px;text-decoration:none">Open in Millrace</a></p>`;
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">' +
    `<title>${escapeHtml(title)}</title></head><body style="margin:0;padding:24px;font:15px/1.5 system-ui,sans-serif">` +
    `<div style="max-width:600px;border-top:4px solid ${colours[severity]};padding-top:16px">` +
    `<h1 style="font-size:18px;margin:0 0 16px">${escapeHtml(title)}</h1>` +
    `<table cellspacing="0" cellpadding="0">${rows}</table>${button}` +
    `<p style="font-size:13px;opacity:0.75">Sent by Millrace at ${escapeHtml(timestamp)}.</p></div></body></html>`
  );
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

import type { Wording } from '../../events/wording.ts';

const marks: Readonly<Record<Wording['severity'], string>> = {
  critical: ':red_circle:',
  warning: ':large_orange_circle:',
  info: ':large_blue_circle:',
  good: ':large_green_circle:',
};

/** Limits of Block Kit (https://docs.slack.dev/reference/block-kit/blocks). */
const limits = { header: 150, fields: 10 };

/**
 * The body of an incoming webhook: `text` for notifications, blocks for the channel
 * (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
 *
 * @param timestamp when it happened
 */
export function slackBody(wording: Wording, timestamp: string): object {
  const { title, severity, facts, link } = wording;
  const fields = facts.slice(0, limits.fields).map(({ label, value }) => ({
    type: 'mrkdwn',
    text: `*${escapeMrkdwn(label)}*\n${escapeMrkdwn(value)}`,
    // No address, channel or name in it becomes a link.
    verbatim: true,
  }));
  const unixSeconds = Math.floor(Date.parse(timestamp) / 1_000);
  return {
    text: `${marks[severity]} ${escapeMrkdwn(title)}`,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(title, limits.header), emoji: false } },
      ...(fields.length === 0 ? [] : [{ type: 'section', fields }]),
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            text: `${marks[severity]} Millrace · <!date^${unixSeconds}^{date_num} {time_secs}|${timestamp}>`,
          },
        ],
      },
      ...(link === null
        ? []
        : [
            {
              type: 'actions',
              elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open in Millrace' }, url: link }],
            },
          ]),
    ],
  };
}

/** Escapes the three characters by which Slack marks links, mentions and dates. */
function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Cut by code points, as no surrogate pair may be halved. */
function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

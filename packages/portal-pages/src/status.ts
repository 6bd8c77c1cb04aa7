import { formatTime, type PageContext } from './context.ts';
import type { PortalStatus, StatusState } from './data.ts';
import { html } from './html.ts';
import { crumbData, type Page } from './layout.ts';

const tones: Readonly<Record<StatusState, string>> = {
  operational: 'good',
  degraded: 'warning',
  unavailable: 'bad',
  unknown: '',
};

/** Whether the gateway answers. */
export function statusPage(context: PageContext, status: PortalStatus): Page {
  const { texts, portal } = context;
  return {
    title: texts.status,
    description: texts.statusDescription(portal.title),
    path: ['status'],
    section: 'status',
    structuredData: [crumbData(context, [{ text: texts.status, path: ['status'] }])],
    content: html`<div class="wide"><div class="page-head"><h1>${texts.status}</h1></div>
<div class="stack"><p class="banner"><span class="mark ${tones[status.state]}"></span>${texts.statusStates[status.state]}</p>
<ul class="plain rows">${status.environments.map(
      ({ displayName, state, reportedAt }) =>
        html`<li><span><strong>${displayName}</strong>${reportedAt !== null && html` <span class="muted small">${texts.reportedAt(formatTime(context, reportedAt))}</span>`}</span><span class="mark ${tones[state]}">${texts.componentStates[state]}</span></li>`,
    )}</ul>
<p class="muted small">${texts.asOf(formatTime(context, status.checkedAt))}</p></div>
<div class="section"></div></div>`,
    hasMarkdown: true,
  };
}

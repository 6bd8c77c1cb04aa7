import { formatTime, type PageContext, pathTo } from './context.ts';
import type { PortalIncident, PortalStatus, StatusState } from './data.ts';
import { type Html, html } from './html.ts';
import { crumbData, type Page } from './layout.ts';

const tones: Readonly<Record<StatusState, string>> = {
  operational: 'good',
  degraded: 'warning',
  unavailable: 'bad',
  unknown: '',
};

/** Whether the gateway answers, and which APIs have incidents. */
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
${incidentList(context, texts.incidents, status.incidents.filter(isUnresolved))}${incidentList(
  context,
  texts.pastIncidents,
  status.incidents.filter((incident) => !isUnresolved(incident)),
)}
<p class="muted small">${texts.asOf(formatTime(context, status.checkedAt))}</p></div>
<div class="section"></div></div>`,
    hasMarkdown: true,
  };
}

const isUnresolved = ({ state }: PortalIncident) => state !== 'resolved';

const incidentTones: Readonly<Record<PortalIncident['state'], string>> = {
  investigating: 'bad',
  in_progress: 'bad',
  monitoring: 'warning',
  resolved: 'good',
};

/** Incidents under a heading; nothing where there are none. */
function incidentList(context: PageContext, heading: string, incidents: readonly PortalIncident[]): Html | false {
  if (incidents.length === 0) return false;
  const { texts } = context;
  return html`<section><h2>${heading}</h2><ul class="plain rows">${incidents.map(
    (incident) =>
      html`<li><span><strong>${incidentTitle(context, incident)}</strong> <span class="muted small">${incidentTime(context, incident)}</span><span class="tags">${incident.products.map(({ name, displayName }) => html`<a class="tag" href="${pathTo(context, 'products', name)}">${displayName}</a>`)}</span></span><span class="mark ${incidentTones[incident.state]}">${texts.incidentStates[incident.state]}</span></li>`,
  )}</ul></section>`;
}

/** What callers notice of an incident, such as `Orders: some requests fail`. */
export function incidentTitle({ texts }: PageContext, { impact, apis }: PortalIncident): string {
  return texts.incidentImpacts[impact](apis.map(({ displayName }) => displayName).join(', '));
}

/** When and where an incident was. */
export function incidentTime(
  context: PageContext,
  { startedAt, resolvedAt, environment: { displayName } }: PortalIncident,
): string {
  const { texts } = context;
  const from = formatTime(context, startedAt);
  return resolvedAt === null
    ? texts.incidentSince(from, displayName)
    : texts.incidentBetween(from, formatTime(context, resolvedAt), displayName);
}

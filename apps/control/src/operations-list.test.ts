import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { operations } from './contracts.ts';
import { type AnyControlOperation, type Tag, tags } from './frame/operation.ts';
import { operationsList, operationsListPath } from './operations-list.ts';

/**
 * What the product promises, by tag: method and path below `/api`, who may call it, and the role that it is limited to. The
 * API may have more operations than these, never fewer.
 */
const promised: Readonly<Record<Tag, string>> = {
  Auth: `
    POST /auth/login  public
    POST /auth/logout  session
    GET /auth/session  session
    PATCH /auth/profile  session
    POST /auth/password  session
    POST /auth/password-resets  public
    POST /auth/password-resets/confirm  public
    GET /auth/sessions  session
    DELETE /auth/sessions  session
    DELETE /auth/sessions/{sessionId}  session
    POST /auth/mfa  session
    POST /auth/mfa/confirm  session
    DELETE /auth/mfa  session
    GET /navigation  session
    GET /search  session
    GET /notifications  session
    POST /notifications/read  session
  `,
  Organizations: `
    GET /organizations  organization.read  Super Admin
    POST /organizations  organization.write  Super Admin
    GET /organizations/{organizationId}  organization.read
    PATCH /organizations/{organizationId}  organization.write
    DELETE /organizations/{organizationId}  organization.delete  Super Admin
    POST /organizations/{organizationId}/suspend  organization.write  Super Admin
    POST /organizations/{organizationId}/activate  organization.write  Super Admin
    GET /organizations/{organizationId}/settings  organization.read
    PATCH /organizations/{organizationId}/settings  organization.write
    GET /organizations/{organizationId}/overview  organization.read
    GET /organizations/{organizationId}/export  organization.export
    POST /organizations/{organizationId}/apply  organization.import
  `,
  Access: `
    GET /users  user.read
    POST /users  user.write
    GET /users/{userId}  user.read
    PATCH /users/{userId}  user.write
    DELETE /users/{userId}  user.delete
    POST /users/{userId}/suspend  user.write
    POST /users/{userId}/activate  user.write
    PUT /users/{userId}/roles  user.write
    GET /users/{userId}/sessions  user.read
    DELETE /users/{userId}/sessions  user.write
    GET /invitations  user.read
    POST /invitations  user.write
    DELETE /invitations/{invitationId}  user.write
    POST /invitations/{invitationId}/resend  user.write
    POST /invitations/accept  public
    GET /roles  role.read
    POST /roles  role.write
    GET /roles/{roleId}  role.read
    PATCH /roles/{roleId}  role.write
    DELETE /roles/{roleId}  role.write
    GET /permissions  role.read
    GET /service-accounts  service-account.read
    POST /service-accounts  service-account.write
    GET /service-accounts/{serviceAccountId}  service-account.read
    PATCH /service-accounts/{serviceAccountId}  service-account.write
    DELETE /service-accounts/{serviceAccountId}  service-account.write
    POST /service-accounts/{serviceAccountId}/tokens  service-account.write
    DELETE /service-accounts/{serviceAccountId}/tokens/{tokenId}  service-account.write
  `,
  Environments: `
    GET /environments  environment.read
    POST /environments  environment.write
    GET /environments/{environmentId}  environment.read
    PATCH /environments/{environmentId}  environment.write
    DELETE /environments/{environmentId}  environment.delete
    GET /environments/{environmentId}/deployments  deployment.read
    GET /environments/{environmentId}/variables  environment.read
    PUT /environments/{environmentId}/variables/{name}  environment.write
    DELETE /environments/{environmentId}/variables/{name}  environment.write
  `,
  'Target servers': `
    GET /target-servers  target-server.read
    POST /target-servers  target-server.write
    GET /target-servers/{targetServerId}  target-server.read
    PATCH /target-servers/{targetServerId}  target-server.write
    DELETE /target-servers/{targetServerId}  target-server.delete
    POST /target-servers/{targetServerId}/enable  target-server.write
    POST /target-servers/{targetServerId}/disable  target-server.write
    POST /target-servers/{targetServerId}/check  target-server.read
    GET /target-servers/{targetServerId}/references  target-server.read
  `,
  'API proxies': `
    GET /proxies  proxy.read
    POST /proxies  proxy.write
    POST /proxies/import  proxy.write
    GET /proxies/{proxyId}  proxy.read
    PATCH /proxies/{proxyId}  proxy.write
    DELETE /proxies/{proxyId}  proxy.delete
    POST /proxies/{proxyId}/clone  proxy.write
    GET /proxies/{proxyId}/overview  proxy.read
    GET /proxies/{proxyId}/history  proxy.read
    GET /proxies/{proxyId}/export  proxy.read
    GET /proxies/{proxyId}/routes  proxy.read
    POST /proxies/{proxyId}/routes  proxy.write
    GET /proxies/{proxyId}/routes/{routeId}  proxy.read
    PATCH /proxies/{proxyId}/routes/{routeId}  proxy.write
    DELETE /proxies/{proxyId}/routes/{routeId}  proxy.write
    POST /proxies/{proxyId}/trace  proxy.trace
  `,
  Policies: `
    GET /policy-kinds  policy.read
    GET /policy-kinds/{kind}  policy.read
    GET /proxies/{proxyId}/policies  policy.read
    POST /proxies/{proxyId}/policies  policy.write
    GET /proxies/{proxyId}/policies/{policyId}  policy.read
    PATCH /proxies/{proxyId}/policies/{policyId}  policy.write
    DELETE /proxies/{proxyId}/policies/{policyId}  policy.write
    PUT /proxies/{proxyId}/policies/order  policy.write
    GET /policy-templates  policy.read
    POST /policy-templates  policy.write
    GET /policy-templates/{templateId}  policy.read
    PATCH /policy-templates/{templateId}  policy.write
    DELETE /policy-templates/{templateId}  policy.write
  `,
  Revisions: `
    GET /proxies/{proxyId}/revisions  revision.read
    POST /proxies/{proxyId}/revisions  revision.write
    GET /proxies/{proxyId}/revisions/{revision}  revision.read
    DELETE /proxies/{proxyId}/revisions/{revision}  revision.write
    GET /proxies/{proxyId}/revisions/{revision}/diff  revision.read
    POST /proxies/{proxyId}/revisions/{revision}/restore  revision.write
    GET /proxies/{proxyId}/revisions/{revision}/deployments  revision.read
  `,
  Specifications: `
    GET /specifications  specification.read
    POST /specifications  specification.write
    POST /proxies/{proxyId}/specifications  specification.write
    GET /specifications/{specificationId}  specification.read
    PATCH /specifications/{specificationId}  specification.write
    DELETE /specifications/{specificationId}  specification.write
    GET /specifications/{specificationId}/document  specification.read
    GET /specifications/{specificationId}/operations  specification.read
    PATCH /specifications/{specificationId}/operations/{operationId}  specification.write
    POST /specifications/{specificationId}/publish  specification.publish
    POST /specifications/{specificationId}/unpublish  specification.publish
    POST /specifications/{specificationId}/lint  specification.read
    GET /specifications/{specificationId}/diff  specification.read
  `,
  Governance: `
    GET /governance/standards  governance.read
    POST /governance/standards  governance.write
    GET /governance/standards/{code}  governance.read
    PATCH /governance/standards/{code}  governance.write
    DELETE /governance/standards/{code}  governance.write
    GET /proxies/{proxyId}/governance  governance.read
    POST /proxies/{proxyId}/governance/evaluate  governance.read
    GET /governance/findings  governance.read
    GET /governance/summary  governance.read
    GET /governance/waivers  governance.read
    POST /governance/waivers  governance.waive
    DELETE /governance/waivers/{waiverId}  governance.waive
  `,
  Lifecycle: `
    GET /lifecycle/stages  lifecycle.read
    GET /proxies/{proxyId}/lifecycle  lifecycle.read
    POST /proxies/{proxyId}/lifecycle/requests  lifecycle.request
    GET /lifecycle/requests  lifecycle.read
    GET /lifecycle/requests/{requestId}  lifecycle.read
    POST /lifecycle/requests/{requestId}/approve  lifecycle.approve
    POST /lifecycle/requests/{requestId}/reject  lifecycle.approve
    POST /lifecycle/requests/{requestId}/withdraw  lifecycle.request
    GET /lifecycle/requests/{requestId}/comments  lifecycle.read
    POST /lifecycle/requests/{requestId}/comments  lifecycle.read
  `,
  Deployments: `
    GET /deployments  deployment.read
    POST /deployments  deployment.write or deployment.prod
    POST /deployments/preflight  deployment.read
    GET /deployments/{deploymentId}  deployment.read
    POST /deployments/{deploymentId}/rollback  deployment.write or deployment.prod
    PUT /deployments/{deploymentId}/traffic  deployment.write or deployment.prod
    POST /deployments/{deploymentId}/promote  deployment.write or deployment.prod
    POST /deployments/{deploymentId}/undeploy  deployment.write or deployment.prod
    GET /deployments/{deploymentId}/rollout  deployment.read
    GET /deployments/{deploymentId}/comparison  deployment.read
  `,
  'Production changes': `
    GET /production-changes  deployment.read or deployment.prod
    GET /production-changes/{changeId}  deployment.read or deployment.prod
    POST /production-changes/{changeId}/approve  deployment.prod
    POST /production-changes/{changeId}/reject  deployment.prod
    POST /production-changes/{changeId}/withdraw  deployment.read or deployment.prod
  `,
  'API products': `
    GET /products  product.read
    POST /products  product.write
    GET /products/{productId}  product.read
    PATCH /products/{productId}  product.write
    DELETE /products/{productId}  product.delete
    POST /products/{productId}/publish  product.publish
    POST /products/{productId}/unpublish  product.publish
    PUT /products/{productId}/proxies/{proxyId}  product.write
    DELETE /products/{productId}/proxies/{proxyId}  product.write
    GET /products/{productId}/subscriptions  subscription.read
    GET /products/{productId}/rate-plans  rate-plan.read
  `,
  Developers: `
    GET /developers  developer.read
    POST /developers  developer.write
    GET /developers/{developerId}  developer.read
    PATCH /developers/{developerId}  developer.write
    DELETE /developers/{developerId}  developer.delete
    POST /developers/{developerId}/suspend  developer.write
    POST /developers/{developerId}/activate  developer.write
    GET /developers/{developerId}/apps  app.read
    GET /developers/{developerId}/usage  analytics.read
    GET /developers/{developerId}/balance  billing.read
    POST /developers/{developerId}/balance/top-ups  billing.write
  `,
  Apps: `
    GET /apps  app.read
    POST /apps  app.write
    GET /apps/{appId}  app.read
    PATCH /apps/{appId}  app.write
    DELETE /apps/{appId}  app.delete
    POST /apps/{appId}/suspend  app.write
    POST /apps/{appId}/activate  app.write
    GET /apps/{appId}/credentials  credential.read
    POST /apps/{appId}/credentials  credential.write
    GET /apps/{appId}/credentials/{credentialId}  credential.read
    POST /apps/{appId}/credentials/{credentialId}/rotate  credential.write
    POST /apps/{appId}/credentials/{credentialId}/revoke  credential.write
    POST /apps/{appId}/credentials/{credentialId}/reveal  credential.reveal
  `,
  Subscriptions: `
    GET /subscriptions  subscription.read
    POST /subscriptions  subscription.write
    GET /subscriptions/{subscriptionId}  subscription.read
    POST /subscriptions/{subscriptionId}/approve  subscription.approve
    POST /subscriptions/{subscriptionId}/reject  subscription.approve
    POST /subscriptions/{subscriptionId}/revoke  subscription.write
    PUT /subscriptions/{subscriptionId}/quota  subscription.write
    DELETE /subscriptions/{subscriptionId}/quota  subscription.write
    PUT /subscriptions/{subscriptionId}/rate-plan  subscription.write
    GET /subscriptions/{subscriptionId}/usage  analytics.read
  `,
  'Rate plans': `
    GET /rate-plans  rate-plan.read
    POST /rate-plans  rate-plan.write
    GET /rate-plans/{ratePlanId}  rate-plan.read
    PATCH /rate-plans/{ratePlanId}  rate-plan.write
    DELETE /rate-plans/{ratePlanId}  rate-plan.write
    POST /rate-plans/{ratePlanId}/publish  rate-plan.publish
    POST /rate-plans/{ratePlanId}/retire  rate-plan.publish
    GET /rate-plans/{ratePlanId}/subscribers  rate-plan.read
    POST /rate-plans/{ratePlanId}/estimate  rate-plan.read
  `,
  Billing: `
    GET /billing/settings  billing.read
    PATCH /billing/settings  billing.write
    GET /billing/periods  billing.read
    POST /billing/periods  billing.write
    GET /billing/periods/{periodId}  billing.read
    POST /billing/periods/{periodId}/preview  billing.read
    POST /billing/periods/{periodId}/close  billing.write
    GET /billing/invoices  billing.read
    GET /billing/invoices/{invoiceId}  billing.read
    GET /billing/invoices/{invoiceId}/pdf  billing.read
    GET /billing/invoices/{invoiceId}/xml  billing.read
    POST /billing/invoices/{invoiceId}/issue  billing.write
    POST /billing/invoices/{invoiceId}/send  billing.write
    POST /billing/invoices/{invoiceId}/payments  billing.write
    POST /billing/invoices/{invoiceId}/mark-paid  billing.write
    POST /billing/invoices/{invoiceId}/void  billing.write
    POST /billing/invoices/{invoiceId}/credit-notes  billing.write
    GET /billing/credit-notes  billing.read
    GET /billing/credit-notes/{creditNoteId}  billing.read
    GET /billing/credit-notes/{creditNoteId}/pdf  billing.read
    GET /billing/top-up-requests  billing.read
    POST /billing/top-up-requests/{topUpRequestId}/decline  billing.write
    GET /billing/revenue  billing.read
    GET /billing/export  billing.export
  `,
  Analytics: `
    GET /analytics/summary  analytics.read
    GET /analytics/traffic  analytics.read
    GET /analytics/top  analytics.read
    GET /analytics/errors  analytics.read
    GET /analytics/latency  analytics.read
    GET /analytics/countries  analytics.read
    GET /analytics/aggregates  analytics.read
    GET /analytics/export  analytics.export
    GET /analytics/views  analytics.read
    POST /analytics/views  analytics.read
    DELETE /analytics/views/{viewId}  analytics.read
  `,
  Portal: `
    POST /portal/registrations  portal_visitor
    POST /portal/registrations/confirm  portal_visitor
    GET /portal-registrations  developer.read
    POST /portal-registrations/{registrationId}/approve  developer.write
    POST /portal-registrations/{registrationId}/reject  developer.write
    POST /portal/sessions  portal_visitor
    GET /portal/session  portal
    DELETE /portal/session  portal
    GET /portal/sessions  portal
    DELETE /portal/sessions  portal
    DELETE /portal/sessions/{sessionId}  portal
    PATCH /portal/profile  portal
    POST /portal/password  portal
    POST /portal/password-resets  portal_visitor
    POST /portal/password-resets/confirm  portal_visitor
    POST /portal/mfa  portal
    POST /portal/mfa/confirm  portal
    DELETE /portal/mfa  portal
    GET /portal/account  portal
    PATCH /portal/account  portal
    GET /portal/users  portal
    POST /portal/users  portal
    DELETE /portal/invitations/{invitationId}  portal
    POST /portal/invitations/accept  portal_visitor
    PATCH /portal/users/{portalUserId}  portal
    DELETE /portal/users/{portalUserId}  portal
    GET /developers/{developerId}/portal-users  developer.read
    POST /developers/{developerId}/portal-users  developer.write
    DELETE /developers/{developerId}/portal-invitations/{invitationId}  developer.write
    POST /developers/{developerId}/portal-users/{portalUserId}/suspend  developer.write
    POST /developers/{developerId}/portal-users/{portalUserId}/activate  developer.write
    GET /portal/apps  portal
    POST /portal/apps  portal
    GET /portal/apps/{appId}  portal
    PATCH /portal/apps/{appId}  portal
    DELETE /portal/apps/{appId}  portal
    GET /portal/apps/{appId}/credentials  portal
    POST /portal/apps/{appId}/credentials  portal
    POST /portal/apps/{appId}/credentials/{credentialId}/rotate  portal
    POST /portal/apps/{appId}/credentials/{credentialId}/revoke  portal
    GET /portal/subscriptions  portal
    POST /portal/subscriptions  portal
    GET /portal/subscriptions/{subscriptionId}  portal
    GET /portal/subscriptions/{subscriptionId}/plan-change  portal
    POST /portal/subscriptions/{subscriptionId}/plan  portal
    POST /portal/subscriptions/{subscriptionId}/cancel  portal
    POST /portal/estimates  portal_visitor
    GET /portal/usage  portal
    GET /portal/requests  portal
    GET /portal/budget  portal
    PUT /portal/budget  portal
    GET /portal/invoices  portal
    GET /portal/invoices/{invoiceId}  portal
    GET /portal/invoices/{invoiceId}/pdf  portal
    GET /portal/invoices/{invoiceId}/xml  portal
    GET /portal/balance  portal
    DELETE /portal/membership  portal
    POST /portal/balance/top-up-requests  portal
    POST /portal/try  portal_visitor
    GET /portal  portal_visitor
    GET /portal/logo  portal_visitor
    GET /portal-settings  portal.read
    PATCH /portal-settings  portal.write
    GET /portal-settings/logo  portal.read
    PUT /portal-settings/logo  portal.write
    GET /portal/catalog  portal_visitor
    GET /portal/catalog/{productId}  portal_visitor
    GET /portal/catalog/{productId}/specification  portal_visitor
    GET /portal/catalog/{productId}/specification/document  portal_visitor
    GET /portal/catalog/{productId}/specification/postman  portal_visitor
    GET /portal/catalog/{productId}/operations/{operationId}  portal_visitor
    GET /portal/guides  portal_visitor
    GET /portal/guides/{slug}  portal_visitor
    GET /portal-guides  portal.read
    POST /portal-guides  portal.write
    POST /portal-guides/preview  portal.read
    GET /portal-guides/{guideId}  portal.read
    PATCH /portal-guides/{guideId}  portal.write
    DELETE /portal-guides/{guideId}  portal.write
    POST /portal-guides/{guideId}/publish  portal.write
    POST /portal-guides/{guideId}/unpublish  portal.write
    GET /portal-guides/{guideId}/versions  portal.read
    GET /portal-guides/{guideId}/versions/{guideVersion}  portal.read
    POST /portal-guides/{guideId}/versions/{guideVersion}/restore  portal.write
    GET /portal/changes  portal_visitor
    GET /portal/status  portal_visitor
    GET /portal-domains  portal.read
    POST /portal-domains  portal.write
    GET /portal-domains/{domainId}  portal.read
    PATCH /portal-domains/{domainId}  portal.write
    DELETE /portal-domains/{domainId}  portal.write
    POST /portal-domains/{domainId}/verify  portal.write
  `,
  Alerts: `
    GET /alert-rules  alert.read
    POST /alert-rules  alert.write
    POST /alert-rules/preview  alert.read
    GET /alert-rules/{alertRuleId}  alert.read
    PATCH /alert-rules/{alertRuleId}  alert.write
    DELETE /alert-rules/{alertRuleId}  alert.write
    POST /alert-rules/{alertRuleId}/test  alert.read
    GET /alert-rules/{alertRuleId}/evaluations  alert.read
    GET /silences  alert.read
    POST /silences  alert.write
    PATCH /silences/{silenceId}  alert.write
    DELETE /silences/{silenceId}  alert.write
    GET /incidents  incident.read
    GET /incidents/{incidentId}  incident.read
    GET /incidents/{incidentId}/timeline  incident.read
    POST /incidents/{incidentId}/acknowledge  incident.write
    POST /incidents/{incidentId}/monitor  incident.write
    POST /incidents/{incidentId}/resolve  incident.write
    POST /incidents/{incidentId}/notes  incident.write
  `,
  'Gateway nodes': `
    GET /gateway-nodes  gateway-node.read
    POST /gateway-nodes  gateway-node.write
    GET /gateway-nodes/{nodeId}  gateway-node.read
    PATCH /gateway-nodes/{nodeId}  gateway-node.write
    DELETE /gateway-nodes/{nodeId}  gateway-node.write
    POST /gateway-nodes/{nodeId}/drain  gateway-node.drain
    POST /gateway-nodes/{nodeId}/resume  gateway-node.drain
    POST /gateway-nodes/{nodeId}/token  gateway-node.write
    GET /gateway-nodes/{nodeId}/metrics  gateway-node.read
    GET /gateway/configuration  node
    GET /gateway/balances  node
    POST /gateway/heartbeats  node
    POST /gateway/usage  node
  `,
  Integrations: `
    GET /integrations  integration.read
    POST /integrations  integration.write
    GET /integrations/{integrationId}  integration.read
    PATCH /integrations/{integrationId}  integration.write
    DELETE /integrations/{integrationId}  integration.write
    POST /integrations/{integrationId}/test  integration.write
    POST /integrations/{integrationId}/rotate  integration.write
    POST /integrations/{integrationId}/reveal  integration.reveal
    GET /integrations/{integrationId}/deliveries  integration.read
    POST /integrations/{integrationId}/deliveries/{deliveryId}/resend  integration.write
    GET /events  integration.read
  `,
  Audit: `
    GET /audit  audit.read
    GET /audit/{entryId}  audit.read
    GET /audit/entities/{entityType}/{entityId}  audit.read
    GET /audit/export  audit.export
    GET /audit/integrity  audit.read
  `,
};

const all: readonly AnyControlOperation[] = operations;

describe('the list of operations', () => {
  test('matches the contracts', () => {
    assert.equal(readFileSync(operationsListPath, 'utf8'), operationsList(), 'run `npm run operations`');
  });

  test('has every operation that is promised, under its tag, for whom it is promised', () => {
    const present = new Map(all.map((operation) => [rowOf(operation), operation]));
    for (const tag of tags) {
      for (const line of linesOf(promised[tag])) {
        const [row = '', access, restriction] = line.split('  ');
        const operation = present.get(row);
        assert(operation !== undefined, `${row} is missing`);
        const admitted = operation.permissions.length > 0 ? operation.permissions.join(' or ') : operation.auth;
        assert.deepEqual([operation.tag, admitted], [tag, access], row);
        if (restriction !== undefined) assert.equal(operation.restriction, restriction, row);
      }
    }
  });

  test('names each operation, and each method of a path, once', () => {
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    assert.equal(new Set(all.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)).size, all.length);
  });

  test('groups by the tags of the product, in their order', () => {
    const order = [...new Set(all.map(({ tag }) => tag))];
    assert.deepEqual(order, tags);
  });
});

function rowOf({ method, path }: AnyControlOperation): string {
  return `${method} ${path.replace(/^\/api/, '').replaceAll(/:(\w+)/g, '{$1}')}`;
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

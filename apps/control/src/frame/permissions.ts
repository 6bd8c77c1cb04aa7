/** Every permission of the platform, with what it lets its holder do. The catalogue of `GET /permissions`. */
export const permissions = {
  'organization.read': 'See organizations, their settings and overview',
  'organization.write': 'Change organizations and their settings',
  'organization.delete': 'Delete an empty organization',
  'organization.export': 'Export the whole configuration',
  'organization.import': 'Apply a declarative configuration',
  'user.read': 'See users, their sessions and invitations',
  'user.write': 'Create, invite, change and suspend users, and set their roles',
  'user.delete': 'Delete users',
  'role.read': 'See roles and the permission catalogue',
  'role.write': 'Create, change and delete custom roles',
  'service-account.read': 'See service accounts',
  'service-account.write': 'Create and change service accounts, issue and revoke their tokens',
  'identity-provider.read': 'See how the organization’s identity provider signs people in',
  'identity-provider.write': 'Configure, enforce and remove sign-in by the identity provider, and provisioning',
  'environment.read': 'See environments and their variables',
  'environment.write': 'Create and change environments and their variables',
  'environment.delete': 'Delete an empty environment',
  'target-server.read': 'See and check target servers',
  'target-server.write': 'Register, change, enable and disable target servers',
  'target-server.delete': 'Delete unused target servers',
  'proxy.read': 'See API proxies and their routes',
  'proxy.write': 'Create, import and change API proxies and their routes',
  'proxy.delete': 'Delete API proxies that are not deployed',
  'proxy.trace': 'Send a request through a proxy and see each step',
  'policy.read': 'See policy kinds, attachments and templates',
  'policy.write': 'Attach, change, reorder and detach policies',
  'revision.read': 'See revisions and compare them',
  'revision.write': 'Cut, restore and delete revisions',
  'specification.read': 'See, lint and compare specifications',
  'specification.write': 'Generate, upload and edit specifications',
  'specification.publish': 'Publish and unpublish specifications',
  'governance.read': 'See governance rules, findings and waivers, and evaluate',
  'governance.write': 'Change governance rules and write custom ones',
  'governance.waive': 'Waive findings',
  'lifecycle.read': 'See lifecycle stages and the review queue, and comment',
  'lifecycle.request': 'Request a lifecycle move',
  'lifecycle.approve': 'Approve and reject lifecycle moves',
  'deployment.read': 'See deployments',
  'deployment.write': 'Deploy to environments that are not production',
  'deployment.prod': 'Deploy to production, and change and approve what its callers get',
  'product.read': 'See API products',
  'product.write': 'Create and change API products',
  'product.delete': 'Delete API products without subscriptions',
  'product.publish': 'Publish API products to the portal',
  'developer.read': 'See developers',
  'developer.write': 'Create, change and suspend developers',
  'developer.delete': 'Delete developers without apps',
  'app.read': 'See apps',
  'app.write': 'Register, change and suspend apps',
  'app.delete': 'Delete apps',
  'credential.read': 'See credentials, without their secrets',
  'credential.write': 'Issue, rotate and revoke credentials',
  'credential.reveal': 'Reveal a credential’s secret',
  'subscription.read': 'See subscriptions',
  'subscription.write': 'Subscribe, revoke, change plan and quota',
  'subscription.approve': 'Approve and reject subscriptions',
  'rate-plan.read': 'See rate plans',
  'rate-plan.write': 'Draft rate plans',
  'rate-plan.publish': 'Publish and retire rate plans',
  'billing.read': 'See periods, invoices, balances and revenue',
  'billing.write': 'Open and close periods, send, mark and void invoices',
  'billing.export': 'Export invoices',
  'portal.read': 'See the developer portal’s settings, guides and domains',
  'portal.write': 'Change the developer portal’s settings, guides and domains',
  'analytics.read': 'See traffic, errors and latency',
  'analytics.export': 'Export traffic',
  'alert.read': 'See alert rules',
  'alert.write': 'Create and change alert rules',
  'incident.read': 'See incidents',
  'incident.write': 'Acknowledge, monitor and resolve incidents',
  'gateway-node.read': 'See gateway nodes',
  'gateway-node.write': 'Register, change and remove gateway nodes',
  'gateway-node.drain': 'Drain and resume gateway nodes',
  'audit.read': 'Read the audit trail and verify it',
  'audit.export': 'Export the audit trail',
  'integration.read': 'See integrations, without their secrets',
  'integration.write': 'Create and change integrations',
  'integration.reveal': 'Reveal an integration’s secret',
} as const satisfies Readonly<Record<string, string>>;

export type Permission = keyof typeof permissions;

export const allPermissions = Object.keys(permissions) as readonly Permission[];

/** Whether a text, such as one of a stored role, is a permission of this version. */
export function isPermission(text: string): text is Permission {
  return Object.hasOwn(permissions, text);
}

interface BuiltInRole {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
}

const developer: readonly Permission[] = [
  'organization.read',
  'environment.read',
  'target-server.read',
  'target-server.write',
  'target-server.delete',
  'proxy.read',
  'proxy.write',
  'proxy.delete',
  'proxy.trace',
  'policy.read',
  'policy.write',
  'revision.read',
  'revision.write',
  'specification.read',
  'specification.write',
  'specification.publish',
  'governance.read',
  'lifecycle.read',
  'lifecycle.request',
  'deployment.read',
  'deployment.write',
  'product.read',
  'product.write',
  'developer.read',
  'app.read',
  'credential.read',
  'subscription.read',
  'rate-plan.read',
  'portal.read',
  'analytics.read',
  'alert.read',
  'incident.read',
  'gateway-node.read',
  'integration.read',
];

const reading = allPermissions.filter((permission) => permission.endsWith('.read'));

/** The roles that every organization has, by the id that assigns them. None of them can be changed. */
export const builtInRoles = {
  super_admin: {
    name: 'Super Admin',
    description: 'Everything, in every organization',
    permissions: allPermissions,
  },
  organization_administrator: {
    name: 'Organization Administrator',
    description: 'Everything in its own organization',
    permissions: allPermissions,
  },
  developer: {
    name: 'Developer',
    description: 'Builds proxies and submits them; deploys outside production',
    permissions: developer,
  },
  operations_engineer: {
    name: 'Operations Engineer',
    description: 'Approves, deploys everywhere, runs nodes, alerts and incidents',
    permissions: [
      ...reading,
      'environment.write',
      'target-server.write',
      'proxy.trace',
      'revision.write',
      'governance.waive',
      'lifecycle.approve',
      'subscription.approve',
      'deployment.write',
      'deployment.prod',
      'alert.write',
      'incident.write',
      'gateway-node.write',
      'gateway-node.drain',
      'analytics.export',
      'integration.write',
    ],
  },
  auditor: {
    name: 'Auditor',
    description: 'Reads everything and exports the audit trail',
    permissions: [...reading, 'audit.export'],
  },
  api_consumer: {
    name: 'API Consumer',
    description: 'Uses the developer portal',
    permissions: [],
  },
} as const satisfies Readonly<Record<string, BuiltInRole>>;

export type BuiltInRoleId = keyof typeof builtInRoles;

export function isBuiltInRole(id: string): id is BuiltInRoleId {
  return Object.hasOwn(builtInRoles, id);
}

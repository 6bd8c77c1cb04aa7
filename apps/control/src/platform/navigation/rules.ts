import type { Caller } from '../../frame/caller.ts';
import type { Permission } from '../../frame/permissions.ts';
import type { NavigationNode } from './contract.ts';

/** A page of the console, and the permission that opens it. */
interface Page {
  readonly id: string;
  readonly label: string;
  readonly path: string;
  /** `session`: anyone who is signed in. */
  readonly opens: Permission | 'session' | 'Super Admin';
}

interface Section {
  readonly id: string;
  readonly label: string;
  readonly pages: readonly Page[];
}

/** The console's navigation, in order. Pages without a section come first. */
const tree: readonly (Page | Section)[] = [
  { id: 'home', label: 'Home', path: '/', opens: 'session' },
  {
    id: 'build',
    label: 'Build',
    pages: [
      { id: 'proxies', label: 'API proxies', path: '/proxies', opens: 'proxy.read' },
      { id: 'policy-templates', label: 'Policy templates', path: '/policy-templates', opens: 'policy.read' },
      { id: 'specifications', label: 'Specifications', path: '/specifications', opens: 'specification.read' },
      { id: 'governance', label: 'Governance', path: '/governance', opens: 'governance.read' },
      { id: 'review-queue', label: 'Review queue', path: '/review-queue', opens: 'lifecycle.read' },
      {
        id: 'production-changes',
        label: 'Production changes',
        path: '/production-changes',
        opens: 'deployment.read',
      },
    ],
  },
  {
    id: 'run',
    label: 'Run',
    pages: [
      { id: 'environments', label: 'Environments', path: '/environments', opens: 'environment.read' },
      { id: 'target-servers', label: 'Target servers', path: '/target-servers', opens: 'target-server.read' },
      { id: 'deployments', label: 'Deployments', path: '/deployments', opens: 'deployment.read' },
      { id: 'gateway-nodes', label: 'Gateway nodes', path: '/gateway-nodes', opens: 'gateway-node.read' },
    ],
  },
  {
    id: 'watch',
    label: 'Watch',
    pages: [
      { id: 'traffic', label: 'Traffic', path: '/traffic', opens: 'analytics.read' },
      { id: 'incidents', label: 'Incidents', path: '/incidents', opens: 'incident.read' },
      { id: 'alert-rules', label: 'Alert rules', path: '/alert-rules', opens: 'alert.read' },
      { id: 'silences', label: 'Silences', path: '/silences', opens: 'alert.read' },
      { id: 'integrations', label: 'Integrations', path: '/integrations', opens: 'integration.read' },
    ],
  },
  {
    id: 'consumers',
    label: 'Consumers',
    pages: [
      { id: 'products', label: 'API products', path: '/products', opens: 'product.read' },
      { id: 'developers', label: 'Developers', path: '/developers', opens: 'developer.read' },
      { id: 'apps', label: 'Apps', path: '/apps', opens: 'app.read' },
      { id: 'subscriptions', label: 'Subscriptions', path: '/subscriptions', opens: 'subscription.read' },
      // At `/portal` are the portals themselves.
      { id: 'portal', label: 'Portal', path: '/developer-portal', opens: 'portal.read' },
    ],
  },
  {
    id: 'billing',
    label: 'Billing',
    pages: [
      { id: 'rate-plans', label: 'Rate plans', path: '/rate-plans', opens: 'rate-plan.read' },
      { id: 'billing-periods', label: 'Billing periods', path: '/billing-periods', opens: 'billing.read' },
      { id: 'invoices', label: 'Invoices', path: '/invoices', opens: 'billing.read' },
      { id: 'revenue', label: 'Revenue', path: '/revenue', opens: 'billing.read' },
    ],
  },
  {
    id: 'administer',
    label: 'Administer',
    pages: [
      { id: 'users', label: 'Users', path: '/users', opens: 'user.read' },
      { id: 'roles', label: 'Roles', path: '/roles', opens: 'role.read' },
      {
        id: 'service-accounts',
        label: 'Service accounts',
        path: '/service-accounts',
        opens: 'service-account.read',
      },
      { id: 'organizations', label: 'Organizations', path: '/organizations', opens: 'Super Admin' },
      { id: 'settings', label: 'Settings', path: '/settings', opens: 'organization.read' },
      { id: 'audit', label: 'Audit', path: '/audit', opens: 'audit.read' },
    ],
  },
];

/** The part of the tree that a caller can open; empty sections are left out. */
export function navigationFor(caller: Pick<Caller, 'permissions' | 'superAdmin'>): NavigationNode[] {
  const opensTo = ({ opens }: Page) =>
    opens === 'session' || (opens === 'Super Admin' ? caller.superAdmin : caller.permissions.has(opens));
  const leaf = ({ id, label, path }: Page): NavigationNode => ({ id, label, path, children: [] });
  return tree.flatMap((node): NavigationNode[] => {
    if (!('pages' in node)) return opensTo(node) ? [leaf(node)] : [];
    const children = node.pages.filter(opensTo).map(leaf);
    return children.length === 0 ? [] : [{ id: node.id, label: node.label, path: null, children }];
  });
}

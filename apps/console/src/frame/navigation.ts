import {
  type Icon,
  IconActivity,
  IconAlertTriangle,
  IconApi,
  IconApps,
  IconBellOff,
  IconBellRinging,
  IconBook,
  IconBox,
  IconBuilding,
  IconCalendarStats,
  IconChartBar,
  IconChecklist,
  IconFileCode,
  IconGitPullRequest,
  IconHistory,
  IconHome,
  IconKey,
  IconPlugConnected,
  IconReceipt,
  IconRobot,
  IconRocket,
  IconServer,
  IconServerCog,
  IconSettings,
  IconShieldCheck,
  IconStack2,
  IconTags,
  IconTemplate,
  IconUserCode,
  IconUserShield,
  IconUsers,
} from '@millrace/ui/icons';
import type { Place, PlaceSection } from '@millrace/ui/shell';
import { type DataOf, useRead } from './api.ts';
import { useSession } from './session.tsx';

type NavigationNode = DataOf<'getNavigation'>['nodes'][number];

const icons: Readonly<Record<string, Icon>> = {
  home: IconHome,
  proxies: IconApi,
  'policy-templates': IconTemplate,
  specifications: IconFileCode,
  governance: IconShieldCheck,
  'review-queue': IconChecklist,
  'production-changes': IconGitPullRequest,
  environments: IconStack2,
  'target-servers': IconServer,
  deployments: IconRocket,
  'gateway-nodes': IconServerCog,
  incidents: IconAlertTriangle,
  'alert-rules': IconBellRinging,
  silences: IconBellOff,
  integrations: IconPlugConnected,
  products: IconBox,
  developers: IconUserCode,
  apps: IconApps,
  subscriptions: IconKey,
  portal: IconBook,
  'rate-plans': IconTags,
  'billing-periods': IconCalendarStats,
  invoices: IconReceipt,
  revenue: IconChartBar,
  traffic: IconActivity,
  users: IconUsers,
  roles: IconUserShield,
  'service-accounts': IconRobot,
  organizations: IconBuilding,
  settings: IconSettings,
  audit: IconHistory,
};

/** The places that the user can open, in their sections. */
export function usePlaces(): readonly PlaceSection[] {
  const { can } = useSession();
  const nodes = useRead('getNavigation').data?.nodes ?? [];
  const changes = useRead(
    'listProductionChanges',
    { query: { approvable: 'true', pageSize: 1 } },
    { enabled: can('deployment.prod'), refetchInterval: 60_000 },
  );
  const waiting = changes.data?.total ?? 0;
  const placeOf = ({ id, label, path }: NavigationNode): Place => ({
    label,
    to: path ?? '/',
    icon: icons[id] ?? IconActivity,
    count:
      id === 'production-changes' && waiting > 0
        ? { text: String(waiting), label: `${waiting} waiting for you` }
        : undefined,
  });
  const loose = nodes.filter(({ path }) => path !== null);
  const sections = nodes.filter(({ path }) => path === null);
  return [
    { label: null, places: loose.map(placeOf) },
    ...sections.map(({ label, children }) => ({ label, places: children.map(placeOf) })),
  ];
}

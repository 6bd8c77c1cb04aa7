import { Button } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';

/** What has to be changed so that a finding goes, as the API names it. */
export interface Fixable {
  readonly proxyId: string;
  readonly code: string;
  /** Where, such as `operation GET /{orderId}`. */
  readonly location: string;
  readonly fix: {
    readonly kind: 'proxy' | 'route' | 'policy' | 'specification' | 'target-server';
    readonly id: string | null;
  };
}

/** Leads to the place where a finding is fixed, with what is at fault open there. */
export function FixLink({ finding }: { readonly finding: Fixable }) {
  const { label, link } = fixOf(finding);
  return (
    <Button size="compact-sm" variant="default" renderRoot={(root) => <Link {...root} {...link} />}>
      {label}
    </Button>
  );
}

function fixOf({ proxyId, code, location, fix }: Fixable): { readonly label: string; readonly link: LinkProps } {
  const params = { proxyId };
  const operation = /^operation ([A-Z]+ [^\s:]+)/.exec(location)?.[1];
  switch (fix.kind) {
    case 'proxy':
      return { label: 'Edit the proxy', link: to('/proxies/$proxyId', params, { dialog: 'edit' }) };
    case 'route':
      return fix.id === null
        ? { label: 'Go to the routes', link: to('/proxies/$proxyId/routes', params, {}) }
        : { label: 'Fix the route', link: to('/proxies/$proxyId/routes', params, { route: fix.id }) };
    case 'policy':
      return fix.id === null
        ? {
            label: 'Attach a policy',
            // Masking is the one that is asked for on the way back.
            link: to('/proxies/$proxyId/policies', params, {
              attach: code.startsWith('DAT-') ? 'response' : 'request',
            }),
          }
        : { label: 'Fix the policy', link: to('/proxies/$proxyId/policies', params, { policy: fix.id }) };
    case 'specification':
      return operation === undefined
        ? { label: 'Go to the specification', link: to('/proxies/$proxyId/specification', params, {}) }
        : { label: 'Fix the operation', link: to('/proxies/$proxyId/specification', params, { operation }) };
    case 'target-server':
      return fix.id === null
        ? { label: 'Go to the targets', link: to('/proxies/$proxyId/targets', params, {}) }
        : {
            label: 'Fix the target server',
            link: to('/target-servers/$targetServerId', { targetServerId: fix.id }, {}),
          };
  }
}

function to(
  address: LinkProps['to'],
  params: Readonly<Record<string, string>>,
  search: Readonly<Record<string, string>>,
): LinkProps {
  return { to: address, params, search } as LinkProps;
}

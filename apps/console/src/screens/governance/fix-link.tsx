import { Button } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';

/** What to change to resolve a finding, as the API names it. */
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

/** A link to where a finding is fixed, with the object that causes it open. */
export function FixLink({ finding }: { readonly finding: Fixable }) {
  const { label, link } = fixOf(finding);
  return (
    <Button size="xs" variant="default" renderRoot={(root) => <Link {...root} {...link} />}>
      {label}
    </Button>
  );
}

function fixOf({ proxyId, code, location, fix }: Fixable): { readonly label: string; readonly link: LinkProps } {
  const params = { proxyId };
  const operation = /^operation ([A-Z]+ [^\s:]+)/.exec(location)?.[1];
  switch (fix.kind) {
    case 'proxy':
      return { label: 'Edit proxy', link: to('/proxies/$proxyId', params, { dialog: 'edit' }) };
    case 'route':
      return fix.id === null
        ? { label: 'Open routes', link: to('/proxies/$proxyId/routes', params, {}) }
        : { label: 'Fix route', link: to('/proxies/$proxyId/routes', params, { route: fix.id }) };
    case 'policy':
      return fix.id === null
        ? {
            label: 'Attach policy',
            // Data masking is the only policy that a rule requires on the response flow.
            link: to('/proxies/$proxyId/policies', params, {
              attach: code.startsWith('DAT-') ? 'response' : 'request',
            }),
          }
        : { label: 'Fix policy', link: to('/proxies/$proxyId/policies', params, { policy: fix.id }) };
    case 'specification':
      return operation === undefined
        ? { label: 'Open specification', link: to('/proxies/$proxyId/specification', params, {}) }
        : { label: 'Fix operation', link: to('/proxies/$proxyId/specification', params, { operation }) };
    case 'target-server':
      return fix.id === null
        ? { label: 'Open targets', link: to('/proxies/$proxyId/targets', params, {}) }
        : {
            label: 'Fix target server',
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

import { Anchor, List, Text } from '@mantine/core';
import { Mark } from '@millrace/ui/mark';
import { Section } from '@millrace/ui/page';
import { Link } from '@tanstack/react-router';
import { type NextStep, nextSteps } from './next-steps.ts';
import { useProxy } from './proxy-context.tsx';

const stepLinks: Readonly<Record<NextStep['section'], string>> = {
  routes: '/proxies/$proxyId/routes',
  policies: '/proxies/$proxyId/policies',
  specification: '/proxies/$proxyId/specification',
  governance: '/proxies/$proxyId/governance',
  revisions: '/proxies/$proxyId/revisions',
  deployments: '/proxies/$proxyId/deployments',
  request: '/proxies/$proxyId',
  review: '/review-queue/$requestId',
};

/** What to do next with the proxy, with links to where. */
export function NextSteps() {
  const overview = useProxy();
  const steps = nextSteps(overview);
  return (
    <Section title="Next steps">
      {steps.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing left to do.
        </Text>
      ) : (
        <List type="ordered" size="sm" spacing={6}>
          {steps.map(({ text, section, required }) => (
            <List.Item key={text}>
              <Anchor
                inherit
                renderRoot={(root) => (
                  <Link
                    {...root}
                    to={stepLinks[section]}
                    params={{ proxyId: overview.proxy.id, requestId: overview.pendingRequest?.id ?? '' }}
                    search={section === 'request' ? { move: 'approved' } : {}}
                  />
                )}
              >
                {text}
              </Anchor>{' '}
              {required && <Mark tone="warning">Required</Mark>}
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}

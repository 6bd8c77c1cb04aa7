import { Alert, Anchor, Breadcrumbs, Group, Loader, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { ResponseError } from '@millrace/operations/client';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

export interface Crumb {
  readonly label: string;
  readonly to: LinkProps['to'];
  readonly params?: Readonly<Record<string, string>>;
}

/** Whether a screen was shown since the page was loaded. The first one leaves the focus where the browser has it. */
let anyShown = false;

/**
 * The head of a screen: its title, which also names the browser's tab and takes the focus when one goes from screen to
 * screen, so that a screen reader says where it is, the way back, and what can be done here.
 */
export function Page(props: {
  readonly title: string;
  /** Beside the title, such as a badge. */
  readonly mark?: ReactNode;
  readonly description?: ReactNode;
  readonly crumbs?: readonly Crumb[];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useDocumentTitle(`${props.title} · Millrace`);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (anyShown) head.current?.focus({ preventScroll: true });
    anyShown = true;
  }, []);
  return (
    <>
      {props.crumbs && (
        <nav aria-label="Breadcrumbs">
          <Breadcrumbs mb="xs">
            {props.crumbs.map((crumb) => (
              <Anchor key={crumb.label} size="sm" renderRoot={(root) => <Link {...root} {...linkOf(crumb)} />}>
                {crumb.label}
              </Anchor>
            ))}
            <Text size="sm" c="dimmed" aria-current="page">
              {props.title}
            </Text>
          </Breadcrumbs>
        </nav>
      )}
      <Group justify="space-between" align="start" mb="lg">
        <div className="page-head">
          <Group gap="sm">
            <Title order={1} size="h2" ref={head} tabIndex={-1} className="page-title">
              {props.title}
            </Title>
            {props.mark}
          </Group>
          {props.description && (
            <Text c="dimmed" mt={4} maw={720}>
              {props.description}
            </Text>
          )}
        </div>
        <Group gap="xs">{props.actions}</Group>
      </Group>
      {props.children}
    </>
  );
}

/** A part of a screen below its own title. */
export function Section(props: { readonly title: string; readonly actions?: ReactNode; readonly children: ReactNode }) {
  return (
    <section>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {props.title}
        </Title>
        {props.actions}
      </Group>
      {props.children}
    </section>
  );
}

function linkOf({ to, params }: Crumb): LinkProps {
  return { to, params } as LinkProps;
}

/** What a screen shows while it reads, and where reading failed; otherwise its content. */
export function Loaded<Data>(props: {
  readonly read: { readonly data: Data | undefined; readonly error: Error | null };
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, error } = props.read;
  if (data !== undefined) return <>{props.children(data)}</>;
  if (error !== null) return <Failure error={error} />;
  return <Loader aria-label="Loading" role="status" />;
}

/** Says why something cannot be shown. */
export function Failure({ error }: { readonly error: Error }) {
  return (
    <Alert color="red" role="alert" title="This cannot be shown">
      {error instanceof ResponseError ? error.message : 'The server cannot be reached. Try again.'}
    </Alert>
  );
}

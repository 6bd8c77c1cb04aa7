import { Alert, Anchor, Breadcrumbs, Group, Loader, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { ResponseError } from '@millrace/operations/client';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './page.module.css';
import { texts } from './texts.ts';

export interface Crumb {
  readonly label: string;
  readonly to: LinkProps['to'];
  readonly params?: Readonly<Record<string, string>>;
}

/** Whether a screen was shown since the page was loaded. The first one leaves the focus where the browser has it. */
let anyShown = false;

/**
 * The header of a screen: the way back, title, state, actions and tabs in at most 130 px. The title also names the
 * browser's tab and takes the focus on navigation, so that a screen reader announces where it is.
 */
export function Page(props: {
  readonly title: string;
  /** The state beside the title, such as a badge. */
  readonly mark?: ReactNode;
  readonly description?: ReactNode;
  readonly crumbs?: readonly Crumb[];
  readonly actions?: ReactNode;
  /** Links to the parts of an object, below everything else of the header. */
  readonly tabs?: ReactNode;
  readonly children: ReactNode;
}) {
  useDocumentTitle(`${props.title} · ${texts().product}`);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (anyShown) head.current?.focus({ preventScroll: true });
    anyShown = true;
  }, []);
  return (
    <>
      <div className={classes.header} data-tabs={props.tabs ? true : undefined}>
        {props.crumbs && (
          <nav aria-label={texts().breadcrumbs}>
            <Breadcrumbs separator="/" separatorMargin={6} className={classes.crumbs!}>
              {props.crumbs.map((crumb) => (
                <Anchor
                  key={crumb.label}
                  size="xs"
                  c="dimmed"
                  renderRoot={(root) => <Link {...root} {...linkOf(crumb)} />}
                >
                  {crumb.label}
                </Anchor>
              ))}
              <Text size="xs" c="dimmed" aria-current="page">
                {props.title}
              </Text>
            </Breadcrumbs>
          </nav>
        )}
        <Group justify="space-between" align="start" gap="xs">
          <div className={classes.title}>
            <Group gap="xs">
              <Title order={1} ref={head} tabIndex={-1} className="page-title">
                {props.title}
              </Title>
              {props.mark}
            </Group>
            {props.description && (
              <Text size="sm" c="dimmed" maw={720} component="div">
                {props.description}
              </Text>
            )}
          </div>
          <Group gap={6}>{props.actions}</Group>
        </Group>
        {props.tabs}
      </div>
      {props.children}
    </>
  );
}

/** A part of a screen below its own title. */
export function Section(props: {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section>
      <Group justify="space-between" mb="xs" gap="xs">
        <div>
          <Title order={2} size="h4">
            {props.title}
          </Title>
          {props.description && (
            <Text size="sm" c="dimmed" component="div">
              {props.description}
            </Text>
          )}
        </div>
        {props.actions && <Group gap={6}>{props.actions}</Group>}
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
  return <Loader aria-label={texts().loading} role="status" />;
}

/** Why something cannot be shown. */
export function Failure({ error }: { readonly error: Error }) {
  return (
    <Alert color="red" role="alert" title={texts().failure.notLoaded}>
      {error instanceof ResponseError ? error.message : texts().failure.unreachable}
    </Alert>
  );
}

import { Anchor, Group, Text } from '@mantine/core';
import { Failure, Loaded, Page } from '@millrace/ui/page';
import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ResponseError } from './api.ts';

/** The screen of one entity; if the entity can't be shown, why not and where to go next. */
export function EntityScreen<Data>(props: {
  readonly read: { readonly data: Data | undefined; readonly error: Error | null };
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, error } = props.read;
  if (data !== undefined || error === null) return <Loaded {...props} />;
  const missing = error instanceof ResponseError && error.status === 404;
  return (
    <Page title={missing ? 'Not found' : 'Can’t be shown'}>
      {missing ? (
        <Text mb="md">Nothing has this address. It may have been deleted, or belong to another organization.</Text>
      ) : (
        <Failure error={error} />
      )}
      <NextLinks />
    </Page>
  );
}

/** An entity's address begins with its list's address. */
function NextLinks() {
  const list = useLocation({ select: ({ pathname }) => `/${pathname.split('/')[1]}` });
  return (
    <Group mt="md">
      <Anchor renderRoot={(root) => <Link {...root} to={list as LinkProps['to']} />}>Go to the list</Anchor>
      <Anchor renderRoot={(root) => <Link {...root} to="/" />}>Go to the overview</Anchor>
    </Group>
  );
}

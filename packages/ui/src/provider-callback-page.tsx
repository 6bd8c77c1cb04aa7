import { Anchor, Loader, Text } from '@mantine/core';
import { ResponseError } from '@millrace/operations/client';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { EntrancePage } from './entrance-page.tsx';
import { texts } from './texts.ts';

/** A sign-in is finished once, however often React runs the effect. */
const finishing = new Map<string, Promise<string>>();

/** Where an identity provider sends the browser back to: finishes the sign-in and opens the page that was asked for. */
export function ProviderCallbackPage(props: {
  /** Resolves to the path to open. */
  readonly finish: (parameters: string) => Promise<string>;
}) {
  const words = texts().signIn;
  const { finish } = props;
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const parameters = window.location.search.slice(1);
    const finished = finishing.get(parameters) ?? finish(parameters);
    finishing.set(parameters, finished);
    finished.then(
      // The code is not to be gone back to.
      (path) => window.location.replace(path),
      (error: unknown) => setFailure(error instanceof ResponseError ? error.message : texts().failure.nothingSent),
    );
  }, [finish]);
  if (failure === null) {
    return (
      <EntrancePage title={words.finishing}>
        <Loader aria-label={texts().loading} role="status" />
      </EntrancePage>
    );
  }
  return (
    <EntrancePage title={words.refused}>
      <Text role="alert" mb="md">
        {failure}
      </Text>
      <Anchor size="sm" renderRoot={(root) => <Link {...root} to="/sign-in" />}>
        {words.back}
      </Anchor>
    </EntrancePage>
  );
}

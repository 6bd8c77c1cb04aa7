import { Center, Loader } from '@mantine/core';
import { ResponseError } from '@millrace/operations/client';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { Failure } from './page.tsx';
import { texts } from './texts.ts';

/** Shows its pages to signed-in users; others get the sign-in page, and then return. */
export function SessionGate<Session>(props: {
  /** The session's query. */
  readonly read: { readonly data: Session | undefined; readonly error: Error | null };
  readonly children: (session: Session) => ReactNode;
}) {
  const { data, error } = props.read;
  const router = useRouter();
  const signedOut = error instanceof ResponseError && error.status === 401;
  useEffect(() => {
    if (!signedOut) return;
    const { href } = router.state.location;
    router.navigate({ to: '/sign-in', search: href === '/' ? {} : { next: href }, replace: true });
  }, [signedOut, router]);
  if (signedOut) return null;
  if (data !== undefined) return props.children(data);
  return (
    <Center mih="100vh">
      {error ? <Failure error={error} /> : <Loader aria-label={texts().loading} role="status" />}
    </Center>
  );
}

import '../../../islands/try/try.css';
import { useEffect, useRef } from 'react';
import { portalOf } from '../../../islands/api.ts';
import { tryPanel } from '../../../islands/try/panel.ts';
import { textsOf } from '../../../islands/try/texts.ts';
import { type DataOf, useRead } from '../../frame/api.ts';
import { pageAt, place } from '../../frame/place.ts';
import type { Started } from './choice-form.tsx';

/** The panel of an operation's page, with the key that was made just now. */
export function TryPanel(props: {
  readonly operation: DataOf<'getCatalogOperation'>;
  readonly productName: string;
  readonly started: Started;
}) {
  const { operation, productName, started } = props;
  const { app, credentialId, key } = started;
  const product = useRead('getCatalogProduct', { params: { productId: productName } });
  const basePath = product.data?.apis.find(({ name }) => name === operation.api)?.basePath;
  const element = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed into the panel stays until it is another one.
  useEffect(() => {
    if (basePath === undefined) return;
    const panel = tryPanel({
      operation,
      basePath,
      keys: [{ credentialId, label: `${app.displayName} (${key.slice(0, 10)}…)` }],
      signInUrl: pageAt('/sign-in'),
      startUrl: pageAt('/account/start'),
      call: portalOf(place.organization),
      texts: textsOf(place.language),
      language: place.language,
      isNewKey: true,
    });
    element.current?.replaceChildren(panel);
  }, [operation.id, basePath]);
  return <div ref={element} />;
}

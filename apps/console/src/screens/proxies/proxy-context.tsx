import { createContext, useContext } from 'react';
import type { DataOf } from '../../frame/api.ts';

/** A proxy and its state, which its page reads once for all tabs. */
export type ProxyOverview = DataOf<'getProxyOverview'>;

export const ProxyContext = createContext<ProxyOverview | null>(null);

/** The proxy of the page. */
export function useProxy(): ProxyOverview {
  const overview = useContext(ProxyContext);
  if (overview === null) throw new Error('useProxy works only within a proxy’s page.');
  return overview;
}

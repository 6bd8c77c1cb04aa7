import { createContext, useContext } from 'react';
import type { DataOf } from '../../frame/api.ts';

/** A proxy at a glance, as its page reads it once for all of its tabs. */
export type ProxyOverview = DataOf<'getProxyOverview'>;

export const ProxyContext = createContext<ProxyOverview | null>(null);

/** The proxy whose page this is. */
export function useProxy(): ProxyOverview {
  const overview = useContext(ProxyContext);
  if (overview === null) throw new Error('There is a proxy within its page alone.');
  return overview;
}

import type { DataOf } from '../../frame/api.ts';

type ApiProxy = DataOf<'getProxy'>;

export const protocolNames: Readonly<Record<ApiProxy['protocol'], string>> = {
  rest: 'REST',
  graphql: 'GraphQL',
  websocket: 'WebSocket',
  events: 'Events',
};

export const authSchemeNames: Readonly<Record<ApiProxy['authScheme'], string>> = {
  none: 'None',
  api_key: 'API key',
  jwt: 'JSON Web Token',
};

/** Options of a select, from names by value. */
export function namedOptions<Value extends string>(names: Readonly<Record<Value, string>>) {
  return (Object.entries(names) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

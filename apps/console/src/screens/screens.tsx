import type { shellRoute } from '../router.tsx';
import { environmentRoutes } from './environments/routes.ts';
import { homeRoutes } from './home/routes.ts';
import { proxyRoutes } from './proxies/routes.ts';
import { targetServerRoutes } from './target-servers/routes.ts';

/** Every screen's routes hang below this one. */
export type ShellRoute = typeof shellRoute;

/** Every screen behind the sign-in. */
export function screens(shell: ShellRoute) {
  return [...homeRoutes(shell), ...environmentRoutes(shell), ...targetServerRoutes(shell), ...proxyRoutes(shell)] as const;
}

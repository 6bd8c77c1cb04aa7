import { gatewayDeclarations } from './declarations/gateway.ts';
import { serverDeclarations } from './declarations/servers.ts';
import { readSettings as readDeclared, type SettingsOf } from './settings.ts';

/** Every setting of a gateway node, checked, with its default where it is not set. */
export type Settings = SettingsOf<typeof gatewayDeclarations>;

/**
 * Reads the settings of a gateway node from environment variables; `warnings` names each that starts with
 * `MILLRACE_` and is a setting of no server.
 *
 * @throws SettingsError that names every invalid one
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): {
  settings: Settings;
  warnings: readonly string[];
} {
  return readDeclared(gatewayDeclarations, environment, serverDeclarations);
}

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Counters } from '@millrace/counters';
import { createMemoryCounters } from '@millrace/counters/memory';
import { createRedisCounters, type RedisEvent } from '@millrace/counters/redis';
import { createConsumerDirectory } from '@millrace/data-plane/consumers';
import { internals as availableInternals, publicInterfaces } from '@millrace/data-plane/internals';
import { sharingFault } from '@millrace/data-plane/port';
import { createGateway } from '@millrace/data-plane/serve';
import { compileSnapshot, type LoadedSnapshot } from '@millrace/data-plane/snapshot';
import { createBalancer } from '@millrace/data-plane/targets/balance';
import { createReach } from '@millrace/data-plane/targets/reach';
import type { UsageBatch } from '@millrace/gateway-configuration/reports';
import { createAnswerCache } from '@millrace/policies/answer-cache';
import { listen } from '@millrace/processes/listen';
import { isListed } from '@millrace/settings';
import type { Settings } from '@millrace/settings/gateway';
import type { Logger } from 'pino';
import * as z from 'zod';
import { watchCertificates } from './configuration/certificates.ts';
import { type Configuration, type ConfigurationState, startConfiguration } from './configuration/configuration.ts';
import { ControlRefused } from './configuration/control-client.ts';
import { type Heartbeats, startHeartbeats } from './configuration/heartbeats.ts';
import { identityFile } from './configuration/identity.ts';
import { openCountries } from './country.ts';
import { fetchJson } from './fetch-json.ts';
import { measureLoad } from './load.ts';
import { sinkOf } from './observe/access-log.ts';
import { type Observation, startObservation } from './observe/observation.ts';
import { createRecentRequests } from './observe/recent-requests.ts';
import { createUnitsWarnings } from './observe/units-warnings.ts';
import { type RestoredBalances, restoreBalances } from './restored-balances.ts';
import { createUsage, UsageRefused } from './usage/usage.ts';

/** The node's status. */
export interface ServiceState extends ConfigurationState {
  /** Null until it has registered. */
  readonly nodeId: string | null;
  readonly environmentName: string | null;
  readonly drain: 'none' | 'draining' | 'drained';
}

export interface Service {
  /** Where it answers callers, such as `http://127.0.0.1:4300`. */
  readonly address: string;
  /** Where `/healthz`, `/readyz` and `/metrics` are answered, such as `http://127.0.0.1:4301`. */
  readonly adminAddress: string;
  state(): ServiceState;
  /** Resolves, with the reason, when the service cannot go on. */
  readonly failed: Promise<Error>;
  /** Accepts no more connections, finishes the requests in flight and closes everything, within about ten seconds. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly settings: Settings;
  readonly logger: Logger;
  /** Aborts a start that waits for the node's configuration: it throws the signal's reason. */
  readonly ending?: AbortSignal;
}

/** How long requests in flight get to finish at a stop. */
const graceMs = 8_000;
/** How long a start waits for the Redis server of the limits. */
const countersMs = 2_000;
const answerCacheBytes = 64 * 1_024 * 1_024;
const software = 'millrace-gateway 0.1.0';
/** Statuses that mean a batch is rejected as it is. */
const refusesForEver = new Set([400, 413, 422]);
/** The first line of the file; null without a file. */
function tokenIn(file: string | null): string | null {
  if (file === null || !existsSync(file)) return null;
  return readFileSync(file, 'utf8').trim() || null;
}

/** How often a draining node checks whether its last request has ended. */
const drainCheckMs = 200;
/** How often a node that shares its port checks whether it can serve. */
const readyCheckMs = 50;

/**
 * Starts a gateway node: certificates → counters → gateway → configuration (from the disk, then from the control plane) →
 * listener. It returns 503 until it has a configuration; if it shares its port it only listens then. What was started
 * before a failure is closed again, and the failure thrown.
 */
export async function startService({ settings, logger, ending }: ServiceOptions): Promise<Service> {
  const started = new AsyncDisposableStack();
  try {
    const startedAt = new Date().toISOString();
    const tls = settings.tlsFolder === null ? null : await openCertificates(settings.tlsFolder, logger);
    if (tls !== null) started.defer(() => tls.stop());
    let nodes = 1;
    let restoring: RestoredBalances | null = null;
    const counters = openCounters(settings, logger, () => nodes, {
      onDataLost: () => restoring?.again(),
    });
    started.defer(() => counters.close());
    const load = measureLoad();
    started.defer(() => load.stop());
    const consumers = createConsumerDirectory();
    const answers = createAnswerCache(answerCacheBytes);
    const balancer = createBalancer();

    mkdirSync(settings.nodeDirectory, { recursive: true, mode: 0o700 });
    let configuration: Configuration | null = null;
    const usage = createUsage({
      dataDirectory: settings.nodeDirectory,
      flushMs: settings.usageFlushMs,
      send: (batch) => sendUsage(configuration, batch, logger),
      oldestBilledMs: () => gateway.oldestBilledMs(),
      logger,
    });
    /** For heartbeats. */
    const usageCompleteUntil = () => {
      const untilMs = usage.completeUntilMs();
      if (untilMs === null) return null;
      return untilMs === Infinity ? ('stopped' as const) : new Date(untilMs).toISOString();
    };

    const countries = await openCountries({
      header: settings.countryHeader,
      file: settings.countryFile,
      onLoad: (file) => logger.info({ file }, 'the country file was loaded'),
      onError: (error) => logger.error({ error }, 'the country file was not loaded; the previous one stays in use'),
    });
    started.defer(() => countries.stop());
    let observation: Observation | null = null;
    const warnOfUnits = createUnitsWarnings(logger);
    const recentRequests = createRecentRequests();
    const { traceEndpoint } = settings;

    const internals = settings.nodeInternals ? availableInternals : publicInterfaces;
    if (internals.missing.length > 0) {
      const { missing } = internals;
      logger.warn({ missing }, 'Node internals are missing; the gateway uses public interfaces, which are slower');
    }
    const gateway = createGateway({
      internals,
      host: settings.host,
      port: settings.port,
      sharesPort: settings.sharesPort,
      acceptsPriorKnowledge: settings.acceptsPriorKnowledge,
      tls,
      balancer,
      balances: counters,
      consumers,
      isTrustedProxy: (address) => isListed(settings.trustedProxies, address),
      onError: (error, { id }) => logger.error({ error, requestId: id }, 'a request could not be answered'),
      onPolicyError: (error, { id, kind }) => logger.warn({ error, policyId: id, kind }, 'a policy failed'),
      country: (exchange) => countries.of(exchange),
      ...(traceEndpoint === null ? {} : { trace: (exchange) => observation?.traces?.begin(exchange) ?? null }),
      record: (record) => {
        usage.record(record);
        load.record(record);
        recentRequests.record(record);
        observation?.record(record);
        warnOfUnits(record);
      },
    });
    started.defer(() => configuration?.stop());
    let heartbeats: Heartbeats | null = null;
    // Nothing is left to wait for, which billing would.
    started.defer(() => (usageCompleteUntil() === 'stopped' ? heartbeats?.last() : undefined));
    // After the last request is counted, while the control plane is still called.
    started.defer(() => usage.stop());
    // The last one reports that no deployment has to wait for this node.
    started.defer(() => heartbeats?.stop());
    started.defer(() => gateway.stop(graceMs));

    let wantsDrain = false;
    const drainState = () => (!wantsDrain ? 'none' : gateway.stats().inFlight > 0 ? 'draining' : 'drained');
    let waitingForDrain: NodeJS.Timeout | undefined;
    started.defer(() => clearInterval(waitingForDrain));
    const drain = (wanted: boolean): void => {
      wantsDrain = wanted;
      logger.info({}, wanted ? 'the node is drained' : 'the node accepts traffic again');
      clearInterval(waitingForDrain);
      if (!wanted) {
        gateway.resume();
        return;
      }
      gateway.drain();
      waitingForDrain = setInterval(() => {
        if (drainState() === 'draining') return;
        clearInterval(waitingForDrain);
        heartbeats?.now();
      }, drainCheckMs);
    };

    const readiness = () => {
      if (configuration === null) return { ready: false };
      const { ready, configuration: serving, refused, drain: drainedTo } = state();
      return { ready, configuration: serving, refused, drain: drainedTo, usage: usage.failure() ?? 'on the disk' };
    };
    const seen = await startObservation({
      host: settings.adminHost,
      port: settings.adminPort,
      accessLog: settings.accessLog ? sinkOf(process.stdout.fd) : null,
      traces:
        traceEndpoint === null
          ? null
          : { endpoint: traceEndpoint, percent: settings.tracePercent, believesCallers: settings.traceCallers },
      readiness,
      sources: {
        connections: () => gateway.stats().connections,
        inFlight: () => gateway.stats().inFlight,
        spooledBatches: () => usage.spooledBatches(),
        isUsageDurable: () => usage.failure() === null,
        eventLoopDelayMs: () => load.eventLoopDelayMs(),
      },
    });
    observation = seen;
    started.defer(() => seen.stop());

    // Until Redis is available, strict limits reject every request; without it, the node serves what needs none.
    await Promise.race([counters.connected, setTimeout(countersMs, null, { ref: false })]);
    const reach = createReach(settings);
    const parts = { counters, consumers, answers, fetchJson: (url: string) => fetchJson(url, reach), reach };
    const held = await startConfiguration<LoadedSnapshot>({
      controlUrl: settings.controlUrl,
      dataDirectory: settings.nodeDirectory,
      registrationToken: settings.registrationToken ?? tokenIn(settings.registrationTokenFile),
      consumers,
      compile: (manifest, contents, secrets, previous) => compileSnapshot(manifest, contents, secrets, parts, previous),
      use: (snapshot) => gateway.use(snapshot),
      onDrain: (wanted) => drain(wanted === 'draining'),
      onChange: () => heartbeats?.now(),
      logger,
    });
    configuration = held;
    restoring = restoreBalances({
      balances: counters,
      configuration: held,
      isDelivered: () => usage.completeUntilMs() !== null,
      logger,
    });
    const { restored, stop: stopRestoring } = restoring;
    started.defer(stopRestoring);

    /** Null until it listens. */
    let address: string | null = null;
    const state = (): ServiceState => ({
      ...held.state,
      ready: held.state.ready && address !== null && !wantsDrain,
      nodeId: held.identity?.nodeId ?? null,
      environmentName: held.identity?.environmentName ?? null,
      drain: drainState(),
    });

    heartbeats = startHeartbeats({
      describe: () => {
        const { configuration: serving, consumersSequence, refused, ready } = state();
        return {
          software,
          startedAt,
          ...(address === null ? {} : { address: settings.publicUrl ?? address }),
          configuration: serving,
          consumersSequence,
          refused,
          ready,
          drain: drainState(),
          targets: balancer.states().slice(0, 10_000),
          usageCompleteUntil: usageCompleteUntil(),
          recentRequests: recentRequests.take(),
          metrics: {
            ...load.metrics(),
            connections: gateway.stats().connections,
            spooledBatches: usage.spooledBatches(),
          },
        };
      },
      send: (heartbeat) => held.report('/gateway/heartbeats', heartbeat),
      onResponse: (response) => {
        const present = response.nodes ?? nodes;
        if (settings.redisUrl === null && present > 1 && nodes === 1) {
          logger.warn(
            { nodes: present },
            'each node enforces limits separately: set REDIS_URL so that they count together',
          );
        }
        nodes = present;
        held.setDrain(response.drain);
      },
    });
    heartbeats.now();

    if (settings.sharesPort) {
      // Other nodes can serve the callers that this one can't yet.
      if (!held.state.ready) logger.info({}, 'the node will listen once it has its configuration');
      while (!held.state.ready) {
        await setTimeout(readyCheckMs);
        ending?.throwIfAborted();
      }
      if (!movesCallers()) {
        logger.warn({}, 'connections made while this node stops may be reset: set net.ipv4.tcp_migrate_req to 1');
      }
    }
    await restored;
    let port = 0;
    const listening = await listen(
      {
        listen: async () => {
          port = await gateway.listen().catch((error: unknown) => {
            const fault = settings.sharesPort ? sharingFault(error, settings.port) : null;
            throw fault === null ? error : new Error(fault, { cause: error });
          });
        },
        server: { address: () => ({ address: settings.host, family: '', port }) },
      },
      { ...settings, hostSetting: 'MILLRACE_GATEWAY_HOST', portSetting: 'MILLRACE_GATEWAY_PORT' },
    );

    address = tls === null ? listening : listening.replace(/^http:/, 'https:');
    heartbeats.now();

    const stack = started.move();
    return {
      address,
      adminAddress: seen.address,
      state,
      // No failure of the control plane or Redis ends a node.
      failed: new Promise(() => {}),
      stop: () => {
        wantsDrain = true;
        return stack.disposeAsync();
      },
    };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

/** Whether the folder has a registered node, which starts without a registration token. */
export function isRegistered(nodeDirectory: string): boolean {
  return existsSync(identityFile(nodeDirectory));
}

/** Whether the system moves connections that a closed listener had not accepted to others on the port (Linux 5.14). */
function movesCallers(): boolean {
  try {
    return readFileSync('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').trim() === '1';
  } catch {
    return false;
  }
}

/** What the log needs from the response to a batch. */
const UsageAnswer = z.object({ aheadRows: z.int() });

/** @throws UsageRefused if the batch itself is rejected, any other Error if it may be accepted later */
async function sendUsage(configuration: Configuration | null, batch: UsageBatch, logger: Logger): Promise<void> {
  if (configuration === null) throw new Error('The node is not registered yet.');
  try {
    const { data } = UsageAnswer.safeParse(await configuration.report('/gateway/usage', batch));
    const aheadRows = data?.aheadRows ?? 0;
    if (aheadRows > 0) {
      const { streamId, sequence } = batch;
      logger.error({ streamId, sequence, aheadRows }, 'usage was ahead of time: check the clock of this node');
    }
  } catch (error) {
    if (error instanceof ControlRefused && refusesForEver.has(error.status)) throw new UsageRefused(error.message);
    throw error;
  }
}

function openCertificates(folder: string, logger: Logger) {
  return watchCertificates({
    folder,
    onLoad: (names) => logger.info({ names: names.slice(0, 100) }, 'certificates were loaded'),
    onError: (error) => logger.error({ error }, 'certificates were not loaded; the previous ones stay in use'),
  });
}

/** In Redis if the nodes share one, otherwise of this node only. */
function openCounters(
  { redisUrl, ...settings }: Settings,
  logger: Logger,
  nodes: () => number,
  { onDataLost }: { readonly onDataLost: () => void },
): Counters {
  if (redisUrl === null) {
    // Each of the other nodes admits as much as this one.
    return { ...createMemoryCounters(), overAdmissionBound: (_kind, limit) => (nodes() - 1) * limit };
  }
  return createRedisCounters({
    url: redisUrl,
    ...(settings.redisAuthorityFile === null
      ? {}
      : { certificateAuthority: readFileSync(settings.redisAuthorityFile, 'utf8') }),
    serverName: settings.redisServerName ?? undefined,
    timeoutMs: settings.redisTimeoutMs,
    nodes,
    onEvent: (event) => {
      logger[levels[event.kind]]({ event }, 'the Redis server of the limits');
      if (event.kind === 'data lost') onDataLost();
    },
  });
}

const levels = { connected: 'info', lost: 'warn', 'data lost': 'error', restored: 'warn' } as const satisfies Record<
  RedisEvent['kind'],
  string
>;

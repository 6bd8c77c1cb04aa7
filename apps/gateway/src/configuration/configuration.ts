import { mkdirSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Consumers } from '@millrace/data-plane/consumers';
import { type Contents, SnapshotError } from '@millrace/data-plane/snapshot';
import type { ConsumersPage } from '@millrace/gateway-configuration/consumers';
import { type Manifest, maxContentsPerCall } from '@millrace/gateway-configuration/manifest';
import type { Heartbeat } from '@millrace/gateway-configuration/reports';
import { hashSecrets, openSecrets } from '@millrace/gateway-configuration/sealing';
import type { Logger } from 'pino';
import { createChecker } from './checker.ts';
import { type CheckedManifest, type CheckedPage, type Drain, type Refused, sha256 } from './checks.ts';
import { AnswerTooLarge, ControlRefused, ControlUnreachable, createControlClient } from './control-client.ts';
import { diskFiles, type Files } from './files.ts';
import { type Identity, IdentityError, readIdentity, writeIdentity } from './identity.ts';
import { Joiner } from './pieces.ts';
import { register } from './registration.ts';
import { createStore, storeFolders } from './store.ts';

export interface ConfigurationOptions<Snapshot> {
  /** Of the control plane, without a trailing slash. */
  readonly controlUrl: string;
  readonly dataDirectory: string;
  /** Used once; null if the node is already registered. */
  readonly registrationToken: string | null;
  readonly consumers: Consumers;
  /** Makes a configuration ready to serve. @throws Error if it can't be loaded completely */
  compile(
    manifest: Manifest,
    contents: Contents,
    secrets: ReadonlyMap<string, string>,
    previous: Snapshot | null,
  ): Promise<Snapshot>;
  /** Serves it from now on. */
  use(snapshot: Snapshot): void;
  /** The control plane requests another drain state than before. */
  onDrain(drain: Drain): void;
  /** Something changed that is reported to the control plane immediately. */
  onChange(): void;
  readonly logger: Logger;
  readonly files?: Files;
}

/** What the node serves, and what it rejected. */
export interface ConfigurationState {
  /** Null before the first load. */
  readonly configuration: { readonly sequence: number; readonly hash: string } | null;
  readonly consumersSequence: number;
  /** The last configuration that was not loaded, and why. */
  readonly refused: Heartbeat['refused'];
  /** All assigned revisions are loaded, or none is assigned. */
  readonly ready: boolean;
}

export interface Configuration {
  readonly state: ConfigurationState;
  /** The node's identity; null until it has registered. */
  readonly identity: Pick<Identity, 'nodeId' | 'organizationId' | 'environmentId' | 'environmentName'> | null;
  /**
   * Sends a report, such as a heartbeat, and returns the data of the response.
   *
   * @throws ControlUnreachable, ControlRefused
   */
  report(path: string, body: unknown): Promise<unknown>;
  /**
   * Reads something for this node, and returns the data of the response.
   *
   * @throws ControlUnreachable, ControlRefused
   */
  read(path: string): Promise<unknown>;
  /** Applies the drain state from a heartbeat's response. */
  setDrain(drain: Drain): void;
  stop(): Promise<void>;
}

/** Something is rejected; a sentence for the operator. */
class Refusal extends Error {
  override readonly name = 'Refusal';
}

const waitSeconds = 25;
const pollTimeoutMs = 60_000;
const maxAnswerBytes = 64 * 1_024 * 1_024;
const maxReportAnswerBytes = 65_536;
/** A sequence number that no configuration reaches, to request only consumers. */
const noneNewer = 2_147_483_647;
const firstBackoffMs = 250;
const longestBackoffMs = 10_000;
/** Minimum time between polls, in case they keep returning immediately. */
const leastRoundMs = 200;
/** A rejected configuration is tried again after this time: the cause may be gone. */
const retryRefusedMs = 60_000;
/** Pages of changes held until they are complete; beyond this number, all consumers are fetched again. */
const heldPages = 20;
/** Pages on disk beyond twice those of the first fetch, after which all consumers are fetched again. */
const sparePages = 30;

/**
 * Maintains this node's configuration: from disk at first, then as the control plane changes it. Anything received or read
 * is only used after passing, in this order: signature, format, organization and environment, sequence, all contents by
 * their hashes, secrets, the compiler, the disk. If anything fails, the node keeps serving what it served before.
 *
 * @throws IdentityError, ControlRefused if the node is not registered and can't be
 */
export async function startConfiguration<Snapshot>(options: ConfigurationOptions<Snapshot>): Promise<Configuration> {
  const { dataDirectory, consumers, logger, files = diskFiles } = options;
  for (const folder of storeFolders) mkdirSync(joinPath(dataDirectory, folder), { recursive: true, mode: 0o700 });
  const control = createControlClient(options.controlUrl);
  const store = createStore(files, dataDirectory);
  const checker = createChecker();
  const stopping = new AbortController();
  const manifests = new Joiner<Manifest>();

  let identity: Identity | null = null;
  let held: { sequence: number; hash: string; snapshot: Snapshot } | null = null;
  let used: Snapshot | null = null;
  let consumersHeld: number | null = null;
  let nothingAssigned = false;
  let refused: ConfigurationState['refused'] = null;
  let refusedConsumers: string | null = null;
  /** The last rejected configuration, which is not requested again for a while. */
  let seen: { sequence: number; hash: string; atMs: number } | null = null;
  let drain: Drain = 'none';
  /** Contents that this process has checked, in a format that it knows. */
  let known = new Set<string>();
  /** The sequence of the consumers' pages on disk. */
  let row = 0;
  let rowPages = 0;
  let firstPages = 0;
  let refetch = false;

  const keepIdentity = async (change: Partial<Identity>): Promise<void> => {
    identity = { ...identity!, ...change };
    await writeIdentity(files, dataDirectory, identity);
  };
  const refuse = (sequence: number, reason: string, cause?: unknown): void => {
    refused = {
      sequence,
      reason: reason.slice(0, 1_000),
      ...(cause instanceof SnapshotError && { fault: { deploymentId: cause.deploymentId } }),
    };
    logger.error({ sequence, reason }, 'a configuration was rejected');
    options.onChange();
  };
  const refuseConsumers = (reason: string): void => {
    refusedConsumers = reason.slice(0, 1_000);
    logger.error({ reason }, 'consumers were rejected');
    options.onChange();
  };
  const serve = (): void => {
    if (held === null || consumersHeld === null || held.snapshot === used) return;
    used = held.snapshot;
    options.use(held.snapshot);
  };
  const setDrain = (wanted: Drain): void => {
    if (wanted === drain) return;
    drain = wanted;
    options.onDrain(wanted);
    options.onChange();
  };

  /**
   * Fetches contents; those that a response leaves out for its size with the next call.
   *
   * @throws ControlUnreachable, ControlRefused, Error of a content that is not what was asked for
   */
  const fetchContents = async (hashes: readonly string[]): Promise<void> => {
    let contents: Awaited<ReturnType<typeof checker.run<'checkContents'>>>;
    try {
      const { bytes } = await control.call({
        method: 'GET',
        path: `/gateway/contents?hashes=${hashes.join()}`,
        token: identity!.token,
        timeoutMs: pollTimeoutMs,
        maxBytes: maxAnswerBytes,
        signal: stopping.signal,
      });
      contents = await checker.run('checkContents', bytes, hashes);
    } catch (error) {
      // An older control plane accepts fewer hashes.
      const isTooMuch = error instanceof AnswerTooLarge || (error instanceof ControlRefused && error.status === 400);
      if (isTooMuch && hashes.length > 1) {
        const half = hashes.length >> 1;
        await fetchContents(hashes.slice(0, half));
        return fetchContents(hashes.slice(half));
      }
      throw error;
    }
    await store.writeContents(contents);
    for (const { hash } of contents) known.add(hash);
    const left = hashes.filter((hash) => !known.has(hash));
    if (left.length > 0 && left.length < hashes.length) await fetchContents(left);
  };

  /** Ensures that all these contents are complete on disk. @throws Refusal, ControlUnreachable */
  const takeContents = async (hashes: ReadonlySet<string>, online: boolean): Promise<void> => {
    const unknown: string[] = [];
    for (const hash of hashes) if (!known.has(hash)) unknown.push(hash);
    const missing: string[] = [];
    for (const group of groups(unknown)) {
      const whole = await Promise.all(
        group.map(async (hash) => {
          const bytes = await store.readContent(hash);
          return bytes !== null && (await checker.run('checkStoredContent', bytes, hash).catch(() => false));
        }),
      );
      for (const [index, hash] of group.entries()) {
        if (whole[index]) known.add(hash);
        else missing.push(hash);
      }
    }
    if (missing.length > 0 && !online) throw new Refusal('The content of a revision on disk is missing or damaged.');
    for (const group of groups(missing)) await fetchContents(group);
    if (missing.some((hash) => !known.has(hash))) {
      throw new Refusal('The control plane does not have the content of a revision that it assigned.');
    }
  };

  const open = ({ secrets: sealed }: CheckedManifest, secretsHash: string) => {
    const secrets = sealed === null ? {} : openSecrets(sealed, identity!.privateKey);
    if (hashSecrets(secrets) !== secretsHash) throw new Refusal('The secrets don’t belong to this configuration.');
    return new Map(Object.entries(secrets));
  };

  /** Loads a configuration that passed the first checks completely. @throws Refusal, ControlUnreachable */
  const load = async (checked: CheckedManifest, online: boolean): Promise<void> => {
    if (checked.sequence < identity!.newestSequence) {
      throw new Refusal(`It is older than configuration ${identity!.newestSequence}, which was loaded before.`);
    }
    const beganMs = performance.now();
    const manifest = await manifests.join(checked.pieces);
    const hashes = new Set<string>();
    for (const { contentHash } of manifest.deployments) hashes.add(contentHash);
    let snapshot: Snapshot;
    try {
      await takeContents(hashes, online);
      const secrets = open(checked, manifest.secretsHash);
      snapshot = await options.compile(manifest, { get: store.contentNow }, secrets, held?.snapshot ?? null);
      if (online) await store.writeConfiguration(checked.file);
      if (identity!.newestSequence !== checked.sequence) await keepIdentity({ newestSequence: checked.sequence });
    } catch (error) {
      if (error instanceof ControlUnreachable || error instanceof ControlRefused) throw error;
      throw new Refusal(messageOf(error), { cause: error });
    }
    held = { sequence: checked.sequence, hash: checked.hash, snapshot };
    refused = null;
    seen = null;
    serve();
    options.onChange();
    logger.info(
      {
        sequence: held.sequence,
        deployments: manifest.deployments.length,
        ms: Math.round(performance.now() - beganMs),
      },
      'a configuration was loaded',
    );
    if (!online) return;
    known = hashes;
    // Leftovers do no harm and are removed the next time.
    await store.keepContents(known).catch((error: unknown) => logger.warn({ error }, 'contents were not removed'));
  };

  const take = async (checked: CheckedManifest | Refused, online: boolean): Promise<void> => {
    try {
      if ('refused' in checked) throw new Refusal(checked.refused);
      if (checked.sequence !== held?.sequence) await load(checked, online);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse(checked.sequence, error.message, error.cause);
      if (online) seen = { sequence: checked.sequence, hash: checked.hash, atMs: performance.now() };
    }
  };

  /** What is complete on disk; the rest waits for the control plane. */
  const loadStored = async (): Promise<void> => {
    const bytes = await store.readConfiguration();
    if (bytes !== null) await take(await checker.run('checkStoredConfiguration', bytes, identity!), false);
    else if (identity!.newestSequence > 0) {
      refuse(identity!.newestSequence, 'The configuration on disk is missing.');
    }
    if (identity!.consumersSequence === null) return;
    for (const candidate of await store.consumerRows()) {
      if (!(await loadStoredConsumers(candidate))) continue;
      serve();
      return;
    }
    refuseConsumers('The consumers on disk are missing, damaged or older than before.');
  };

  /** Applies a sequence of pages up to the last complete one; false if that is older than what was known before. */
  const loadStoredConsumers = async (candidate: number): Promise<boolean> => {
    /** The sequence number up to which the pages are complete. */
    let whole: number | null = null;
    let waiting: ConsumersPage[] = [];
    let pages = 0;
    for (let after = 0; ; ) {
      const bytes = await store.readConsumers(candidate, after);
      if (bytes === null) break;
      const checked = await checker.run('checkStoredPage', bytes, identity!);
      if ('refused' in checked) break;
      const page = await new Joiner<ConsumersPage>().join(checked.pieces);
      if (page.after !== after || (page.upTo === after && after > 0)) break;
      pages += 1;
      after = page.upTo;
      if (whole === null) consumers.apply(page);
      else waiting.push(page);
      if (page.more) continue;
      for (const next of waiting) consumers.apply(next);
      waiting = [];
      whole = after;
      if (after === 0) break;
    }
    if (whole === null || whole < identity!.consumersSequence!) return false;
    consumersHeld = whole;
    row = candidate;
    rowPages = pages;
    firstPages = pages;
    return true;
  };

  const keepConsumersSequence = async (upTo: number): Promise<void> => {
    consumersHeld = upTo;
    if (identity!.consumersSequence !== upTo) await keepIdentity({ consumersSequence: upTo });
  };

  /** @throws Refusal, ControlUnreachable */
  const nextPage = async (after: number): Promise<{ page: ConsumersPage; file: Uint8Array }> => {
    const answer = await poll(noneNewer, after, 0);
    if (answer === null || answer.consumers === null) throw new ControlUnreachable('The next consumers are missing.');
    return openPage(answer.consumers, after);
  };

  const openPage = async (checked: CheckedPage | Refused, after: number) => {
    if ('refused' in checked) throw new Refusal(checked.refused);
    const page = await new Joiner<ConsumersPage>().join(checked.pieces);
    if (page.after !== after || page.upTo < after || (page.more && page.upTo === after)) {
      throw new Refusal('The consumers don’t follow the ones that this node has.');
    }
    return { page, file: checked.file };
  };

  /** Fetches all consumers from the first, next to the current ones, which they then replace at once. */
  const takeAllConsumers = async (checked: CheckedPage | Refused): Promise<void> => {
    const next = row + 1;
    let pages = 0;
    for (let { page, file } = await openPage(checked, 0); ; { page, file } = await nextPage(page.upTo)) {
      if (!page.more && page.upTo < (identity!.consumersSequence ?? 0)) {
        throw new Refusal('The consumers are older than the ones that this node had before.');
      }
      await store.writeConsumers(next, page.after, file);
      pages += 1;
      consumers.apply(page);
      if (!page.more) {
        await keepConsumersSequence(page.upTo);
        break;
      }
      await setImmediate();
    }
    await store.keepConsumers(next);
    row = next;
    rowPages = pages;
    firstPages = pages;
    refetch = false;
  };

  /** Changes since the current ones: applied before they are on disk, so that revocations don't wait for it. */
  const takeChangedConsumers = async (checked: CheckedPage | Refused, after: number): Promise<void> => {
    const pages = [await openPage(checked, after)];
    while (pages.at(-1)!.page.more) {
      if (pages.length === heldPages) {
        refetch = true;
        return;
      }
      pages.push(await nextPage(pages.at(-1)!.page.upTo));
    }
    for (const { page } of pages) {
      consumers.apply(page);
      await setImmediate();
    }
    for (const { page, file } of pages) {
      if (page.upTo > page.after) await store.writeConsumers(row, page.after, file);
    }
    await keepConsumersSequence(pages.at(-1)!.page.upTo);
    rowPages += pages.length;
    if (rowPages > 2 * firstPages + sparePages) refetch = true;
  };

  const takeConsumers = async (checked: CheckedPage | Refused | null, asked: number): Promise<void> => {
    try {
      if (checked !== null && consumersHeld !== null && asked > 0) await takeChangedConsumers(checked, asked);
      else if (checked !== null) await takeAllConsumers(checked);
      else if (consumersHeld === null) {
        // An organization without consumers sends none.
        consumers.apply({ format: 1, organizationId: '', after: 0, upTo: 0, more: false, changes: [] });
        await keepConsumersSequence(0);
      } else return;
      refusedConsumers = null;
    } catch (error) {
      if (error instanceof ControlUnreachable || error instanceof ControlRefused) throw error;
      refuseConsumers(messageOf(error));
      // From the beginning: the next changes may not follow what this node has.
      refetch = true;
      throw new ControlUnreachable('The consumers were rejected.');
    }
    serve();
    options.onChange();
  };

  let etag: string | null = null;
  /** Null: nothing newer. @throws ControlUnreachable, ControlRefused */
  const poll = async (sequence: number, consumersAfter: number, seconds: number) => {
    const answer = await control.call({
      method: 'GET',
      path: `/gateway/configuration?sequence=${sequence}&consumers=${consumersAfter}&waitSeconds=${seconds}&drain=${drain}`,
      token: identity!.token,
      etag: seconds > 0 ? etag : null,
      timeoutMs: pollTimeoutMs,
      maxBytes: maxAnswerBytes,
      signal: stopping.signal,
    });
    if (answer.status === 304) return null;
    try {
      const checked = await checker.run('checkAnswer', answer.bytes, identity!);
      return { ...checked, etag: answer.etag };
    } catch (error) {
      throw new ControlUnreachable('The control plane sent an invalid configuration.', { cause: error });
    }
  };

  const registerNow = async (token: string): Promise<void> => {
    const made = await register(control, token);
    // First, because the token was used up: leftovers of the previous registration don't pass the checks of this one.
    await writeIdentity(files, dataDirectory, made);
    identity = made;
    await store.clear();
    held = null;
    consumersHeld = null;
    logger.info({ nodeId: made.nodeId, environment: made.environmentName }, 'the node was registered');
  };

  /** Requests what is new once, and applies it. */
  const round = async (): Promise<void> => {
    const beganMs = performance.now();
    if (seen !== null && beganMs - seen.atMs >= retryRefusedMs) {
      seen = null;
      etag = null;
    }
    const sequence = Math.max(held?.sequence ?? 0, seen?.sequence ?? 0);
    const consumersBefore = consumersHeld;
    const asked = refetch ? 0 : (consumersHeld ?? 0);
    const whole = consumersHeld !== null && !refetch;
    const answer = await poll(sequence, asked, whole ? waitSeconds : 0);
    if (answer !== null) {
      etag = null;
      setDrain(answer.drain);
      const { configuration } = answer;
      nothingAssigned = configuration === null && sequence === 0;
      // Consumers first: a revocation waits for nothing.
      await takeConsumers(answer.consumers, asked);
      const isNew = configuration !== null && configuration.hash !== seen?.hash;
      if (isNew) await take(configuration, true);
      etag = answer.etag;
      if (isNew || consumersHeld !== consumersBefore) return;
    }
    await setTimeout(Math.max(0, leastRoundMs - (performance.now() - beganMs)), null, { signal: stopping.signal });
  };

  const run = async (token: string | null): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      try {
        if (token !== null) await registerNow(token);
        token = null;
        await round();
        if (failures > 0) logger.info({}, 'the control plane is reachable again');
        failures = 0;
      } catch (error) {
        if (stopping.signal.aborted) return;
        etag = null;
        if (failures === 0)
          logger.warn({ error }, 'the control plane is unreachable; the node keeps serving its configuration');
        if (error instanceof ControlRefused && token !== null && identity !== null) token = null;
        failures += 1;
        const longestMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(failures, 10));
        // Keeps the nodes of a gateway from all returning at once.
        await setTimeout(longestMs / 2 + (Math.random() * longestMs) / 2, null, { signal: stopping.signal }).catch(
          () => {},
        );
      }
    }
  };

  let token: string | null = null;
  try {
    identity = await readIdentity(files, dataDirectory).catch((error: unknown) => {
      if (options.registrationToken === null) throw error;
      logger.error({ error }, 'the identity on disk is damaged');
      return null;
    });
    if (options.registrationToken !== null && identity?.registrationTokenHash !== sha256(options.registrationToken)) {
      token = options.registrationToken;
    }
    if (token !== null) {
      try {
        await registerNow(token);
        token = null;
      } catch (error) {
        if (!(error instanceof ControlUnreachable) && identity === null) throw error;
        logger.warn({ error }, 'the node could not register');
        if (!(error instanceof ControlUnreachable)) token = null;
      }
    }
    if (identity === null && token === null) {
      throw new IdentityError(
        'This gateway node is not registered. Create a node in the console and start it with its registration token in MILLRACE_GATEWAY_TOKEN.',
      );
    }
    if (identity !== null) await loadStored();
  } catch (error) {
    control.close();
    await checker.stop();
    throw error;
  }
  const running = run(token);

  return {
    get state() {
      return {
        configuration: used !== null && held !== null ? { sequence: held.sequence, hash: held.hash } : null,
        consumersSequence: consumersHeld ?? 0,
        refused: refused ?? (refusedConsumers === null ? null : { sequence: 0, reason: refusedConsumers }),
        ready: used !== null || nothingAssigned,
      };
    },
    get identity() {
      return identity;
    },
    async report(path, body) {
      if (identity === null) throw new ControlUnreachable('The node is not registered yet.');
      const { bytes } = await control.call({
        method: 'POST',
        path,
        token: identity.token,
        body,
        timeoutMs: 15_000,
        maxBytes: maxReportAnswerBytes,
        signal: stopping.signal,
      });
      return JSON.parse(bytes.toString('utf8')).data;
    },
    async read(path) {
      if (identity === null) throw new ControlUnreachable('The node is not registered yet.');
      const { bytes } = await control.call({
        method: 'GET',
        path,
        token: identity.token,
        timeoutMs: 15_000,
        maxBytes: maxAnswerBytes,
        signal: stopping.signal,
      });
      return JSON.parse(bytes.toString('utf8')).data;
    },
    setDrain,
    async stop() {
      stopping.abort();
      await running;
      await checker.stop();
      control.close();
    },
  };
}

function* groups(hashes: readonly string[]): Generator<string[]> {
  for (let start = 0; start < hashes.length; start += maxContentsPerCall) {
    yield hashes.slice(start, start + maxContentsPerCall);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

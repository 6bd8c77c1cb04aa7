import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { TlsFront } from '@millrace/data-plane/listener';

/** The certificates of a folder, read again when a file of it changes. */
export interface Certificates extends TlsFront {
  contextFor(serverName: string): SecureContext;
  stop(): void;
}

interface CertificateOptions {
  readonly folder: string;
  readonly everyMs?: number;
  /** New certificates are in use. */
  onLoad(names: readonly string[]): void;
  /** The previous certificates stay in use. */
  onError(error: Error): void;
}

interface Pair {
  readonly name: string;
  readonly certificate: string;
  readonly key: string;
}

interface Loaded {
  readonly standard: SecureContextOptions;
  readonly standardContext: SecureContext;
  readonly byName: ReadonlyMap<string, SecureContext>;
}

const maxFiles = 10_000;

/**
 * Loads the certificates of a folder and watches it: `NAME.crt` with `NAME.key`, and in folders `fullchain.pem` with
 * `privkey.pem`. They change all at once, when each certificate has its key: a folder that is being written is left
 * alone until it is complete.
 *
 * @throws Error if the folder has no certificate or an unusable one
 */
export async function watchCertificates(options: CertificateOptions): Promise<Certificates> {
  const { folder, everyMs = 5_000, onLoad, onError } = options;
  let pairs = await findPairs(folder);
  let mark = await markOf(pairs);
  let loaded = await load(folder, pairs);
  onLoad([...loaded.byName.keys()]);

  let failed = '';
  const look = async (): Promise<void> => {
    try {
      const found = await findPairs(folder);
      const foundMark = await markOf(found);
      if (foundMark === mark) return;
      loaded = await load(folder, found);
      pairs = found;
      mark = foundMark;
      failed = '';
      onLoad([...loaded.byName.keys()]);
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      if (reason.message !== failed) onError(reason);
      failed = reason.message;
    }
  };
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => {
      looking = false;
    });
  }, everyMs);

  return {
    context: () => loaded.standard,
    contextFor(serverName) {
      const name = serverName.toLowerCase();
      const { byName, standardContext } = loaded;
      return byName.get(name) ?? byName.get(name.replace(/^[^.]+/, '*')) ?? standardContext;
    },
    stop: () => clearInterval(timer),
  };
}

async function findPairs(folder: string): Promise<Pair[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).slice(0, maxFiles);
  const pairs: Pair[] = [];
  for (const { name } of entries.sort((first, second) => (first.name < second.name ? -1 : 1))) {
    if (name.startsWith('.')) continue;
    if (name.endsWith('.crt')) {
      const bare = basename(name, '.crt');
      pairs.push({ name: bare, certificate: join(folder, name), key: join(folder, `${bare}.key`) });
    } else if (await exists(join(folder, name, 'fullchain.pem'))) {
      const [certificate, key] = [join(folder, name, 'fullchain.pem'), join(folder, name, 'privkey.pem')];
      pairs.push({ name, certificate, key });
    }
  }
  return pairs;
}

/** Changes with every file, following links. */
async function markOf(pairs: readonly Pair[]): Promise<string> {
  const marks = pairs
    .flatMap(({ certificate, key }) => [certificate, key])
    .map(async (path) => {
      const { mtimeMs, size, ino } = await stat(path);
      return `${path} ${mtimeMs} ${size} ${ino}`;
    });
  return (await Promise.all(marks)).join('\n');
}

async function load(folder: string, pairs: readonly Pair[]): Promise<Loaded> {
  if (pairs.length === 0) throw new Error(`No certificate in ${folder}. Put NAME.crt and NAME.key there.`);
  const byName = new Map<string, SecureContext>();
  let standard: { options: SecureContextOptions; context: SecureContext } | null = null;
  for (const pair of pairs) {
    const [cert, key] = await Promise.all([readFile(pair.certificate), readFile(pair.key)]);
    const options: SecureContextOptions = { cert, key, minVersion: 'TLSv1.2' };
    let context: SecureContext;
    let names: readonly string[];
    try {
      const certificate = new X509Certificate(cert);
      if (!certificate.checkPrivateKey(createPrivateKey(key)))
        throw new Error('the key belongs to another certificate');
      names = namesOf(certificate);
      context = createSecureContext(options);
    } catch (error) {
      // The message of the parser names neither the file nor anything of the key.
      throw new Error(`${pair.certificate}: ${error instanceof Error ? error.message : 'can’t be read'}`);
    }
    for (const name of names) if (!byName.has(name)) byName.set(name, context);
    if (standard === null || pair.name === 'default') standard = { options, context };
  }
  return { standard: standard!.options, standardContext: standard!.context, byName };
}

/** DNS names of the certificate, in lower case. */
function namesOf({ subjectAltName = '' }: X509Certificate): readonly string[] {
  return [...subjectAltName.matchAll(/DNS:([^,\s"]+)/g)].map(([, name]) => name!.toLowerCase());
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

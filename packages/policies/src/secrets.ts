import { findPolicyKind } from './policies.ts';

/** Any JSON value, as a configuration holds it. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type Fields = { readonly [key: string]: Json };

/** Replaces a secret wherever a configuration is shown. Sending it back keeps the secret. */
export const redactedSecret = '[secret]';

/** Words that make a header or a member a credential wherever they stand in its name. */
const credentialWords = new Set([
  'apikey',
  'auth',
  'authorization',
  'bearer',
  'cookie',
  'credential',
  'credentials',
  'jwt',
  'passphrase',
  'passwd',
  'password',
  'pwd',
  'secret',
]);
/** Words that do so at the end of the name. */
const lastWords = new Set(['assertion', 'otp', 'pass', 'pin', 'session', 'sessionid', 'sid', 'sig', 'signature']);
/** Endings of words that are written together, such as `accesstoken` and `PHPSESSID`. */
const lastLetters = /(?:token|secret|password|apikey|sessid|sessionid)$/;
/** What stands before `key` where it opens nothing. */
const harmlessKeys = new Set([
  'cache',
  'foreign',
  'idempotency',
  'partition',
  'primary',
  'public',
  'sort',
  'surrogate',
]);

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/**
 * Whether a header of this name carries credentials: `authorization`, `proxy-authorization`, `cookie`, `set-cookie`,
 * `x-api-key`, `x-auth-user`, `x-acme-token`, `client-secret` and the like.
 */
export function isCredentialHeader(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (words.some((word) => credentialWords.has(word)) || lastWords.has(last) || lastLetters.test(last)) return true;
  return last === 'key' && words.length > 1 && !harmlessKeys.has(words.at(-2)!);
}

/** Whether a member of a body, or a parameter of an address, of this name holds a credential: its last word says so. */
function isCredentialMember(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (credentialWords.has(last) || lastWords.has(last) || lastLetters.test(last)) return true;
  return (
    last === 'key' &&
    /^(?:access|account|api|client|master|private|secret|shared|signing|subscription)$/.test(words.at(-2) ?? '')
  );
}

/** What a value may hold beside references without giving anything away: the scheme, names of cookies, their attributes. */
const plainWord =
  /^(?:bearer|basic|token|apikey|digest|key|negotiate|[\w.-]+=|path=\/[\w/.-]*|domain=[\w.-]+|max-age=\d+|samesite=(?:lax|strict|none)|httponly|secure|partitioned)?$/i;

/** Whether the text of a header is written out, at least in part, and not only refers to variables and the request. */
export function isWrittenOut(value: string): boolean {
  return value
    .replaceAll(/\{\{[^{}]*\}\}/g, '')
    .split(/[\s;,]+/)
    .some((word) => !plainWord.test(word));
}

/** Whether a text looks like a key or token, whatever its header is called: long, unbroken, of letters and digits. */
function looksLikeSecret(value: string): boolean {
  return value
    .split(/[\s;,:="']+/)
    .some(
      (word) =>
        /^[\w+/.~-]{20,}$/.test(word) &&
        !word.startsWith('//') &&
        /(?:\d.*){3}/.test(word) &&
        /(?:[a-z].*){3}/i.test(word),
    );
}

/** Whether a header with this text gives a credential away. */
export function isCredentialLiteral(name: string, value: string): boolean {
  return (
    isWrittenOut(value) &&
    (isCredentialHeader(name) || /^(?:bearer|basic)\s+[\w.~+/-]{6,}=*$/i.test(value) || looksLikeSecret(value))
  );
}

/**
 * Credentials within a longer text, such as a mocked body or an address: string members of JSON, parameters, tokens with
 * their scheme, JSON Web Tokens and private keys.
 */
const withinText =
  /"((?:[^"\\]|\\.){1,100})"(\s*:\s*")((?:[^"\\]|\\.)+)(?=")|([?&]|^)([\w.-]{1,100})(=)((?:(?:Bearer|Basic)\s+)?[^&;\s"'#]+)|\b(Bearer|Basic)(\s+)(\[secret\]|(?=[a-z.~+/_-]*[\dA-Z])[\w.~+/-]{6,}=*)|(-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\[secret\])/g;

/** What is done with a secret: its value, where it is by name, and where it is by number. */
type Change = (value: string, place: string, path: string) => string;

function mapText(text: string, place: string, path: string, change: Change): string {
  const counts = new Map<string, number>();
  const at = (name: string) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return `${place} ${name.toLowerCase()} ${count}`;
  };
  return text.replaceAll(withinText, (whole, ...groups: (string | undefined)[]) => {
    const [member, colon, memberValue, before, parameter, equals, parameterValue, scheme, space, token, bare] = groups;
    if (member !== undefined) {
      if (!isCredentialMember(member)) return whole;
      return `"${member}"${colon}${change(memberValue!, at(`member ${member}`), path)}`;
    }
    if (parameter !== undefined) {
      if (!isCredentialMember(parameter) || !isWrittenOut(parameterValue!)) return whole;
      return `${before}${parameter}${equals}${change(parameterValue!, at(`parameter ${parameter}`), path)}`;
    }
    if (scheme !== undefined) return `${scheme}${space}${change(token!, at(scheme), path)}`;
    return change(bare!, at('text'), path);
  });
}

/** Whether a header's text is redacted completely. */
type ShouldRedact = (header: { readonly name: string; readonly value: string }, path: string) => boolean;

/** Walks over a configuration and maps every secret in it, each identified by the name of its header. */
function mapSecrets(value: Json, shouldRedact: ShouldRedact, change: Change, place = '', path = ''): Json {
  const within = (base: string, name: string) => (base === '' ? name : `${base}.${name}`);
  if (typeof value === 'string') return mapText(value, place, path, change);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    const counts = new Map<string, number>();
    return value.map((item, index) => {
      // An item is known by its name, so that it may move, and by its number among those of that name.
      const name = isHeader(item) ? item.name.toLowerCase() : 'item';
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return mapSecrets(
        item,
        shouldRedact,
        change,
        within(place, count === 1 ? name : `${name}-${count}`),
        within(path, String(index)),
      );
    });
  }
  if (isHeader(value) && (value.value === redactedSecret || shouldRedact(value, path))) {
    return { ...value, value: change(value.value, within(place, 'value'), within(path, 'value')) };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      mapSecrets(member, shouldRedact, change, within(place, key), within(path, key)),
    ]),
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isHeader(value: Json): value is Fields & { readonly name: string; readonly value: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    !isList(value) &&
    typeof value.name === 'string' &&
    typeof value.value === 'string'
  );
}

const isCredential: ShouldRedact = ({ name, value }) => isCredentialLiteral(name, value);

/** A configuration, or any part of one, as the API shows it: every literal credential is `[secret]`. */
export function hideCredentials<Value>(value: Value): Value {
  return mapSecrets(value as Json, isCredential, () => redactedSecret) as Value;
}

/**
 * A configuration as documents and the audit trail show it: besides credentials, every literal in the kind's secret
 * fields is `[secret]`, since both leave the organization or stay forever.
 */
export function hideWrittenOut<Value>(kind: string, configuration: Value): Value {
  const secretFields = findPolicyKind(kind)?.secretFields ?? [];
  const shouldRedact: ShouldRedact = (header, path) =>
    isCredential(header, path) ||
    (secretFields.includes(`${path.replace(/\.\d+$/, '.*')}.value`) && isWrittenOut(header.value));
  return mapSecrets(configuration as Json, shouldRedact, () => redactedSecret) as Value;
}

/** The credentials that are written out in a configuration, each as it stands there and by its words, such as without its scheme. */
export function writtenCredentials(configuration: unknown): readonly string[] {
  const found = new Set<string>();
  mapSecrets(configuration as Json, isCredential, (value) => {
    found.add(value);
    for (const word of value.split(/[\s;,]+/)) {
      const [, part] = /^(?:[\w.-]+=)?(.{6,})$/.exec(word) ?? [];
      if (part !== undefined && !plainWord.test(word)) found.add(part);
    }
    return value;
  });
  return [...found];
}

/** A secret that was to be kept but doesn't exist. */
export interface MissingSecret {
  /** By the name of its header, such as `set.authorization.value`. */
  readonly place: string;
  /** By its number, such as `set.0.value`. */
  readonly path: string;
}

/**
 * A submitted configuration, with the current secrets in place of `[secret]`.
 *
 * @param present null if there is none yet
 */
export function keepSecrets<Value>(
  configuration: Value,
  present: unknown,
): { readonly configuration: Value; readonly missing: MissingSecret | null } {
  const kept = new Map<string, string>();
  const always: ShouldRedact = () => true;
  if (present !== null) {
    mapSecrets(present as Json, always, (value, place) => {
      kept.set(place, value);
      return value;
    });
    // A header is kept as a whole, and secrets within its text separately.
    mapSecrets(
      present as Json,
      () => false,
      (value, place) => {
        kept.set(place, value);
        return value;
      },
    );
  }
  let missing: MissingSecret | null = null;
  const filled = mapSecrets(
    configuration as Json,
    () => false,
    (value, place, path) => {
      if (value !== redactedSecret) return value;
      const secret = kept.get(place);
      // In the middle of a text it may be what was meant.
      if (secret === undefined && !/ text \d+$/.test(place)) missing ??= { place: place.split(' ')[0]!, path };
      return secret ?? value;
    },
  );
  return { configuration: filled as Value, missing };
}

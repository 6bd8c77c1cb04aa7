import { clearHit, wasSeen } from '../response-cache/hits.ts';
import type { BodyTransform, PolicyParts, PolicyToCompile, Refusal, ResponsePolicy } from '../run.ts';
import { dataMasking } from './config.ts';
import { JsonMasker, type JsonMasking } from './json.ts';
import { compilePaths } from './paths.ts';
import { replacer } from './replace.ts';
import { TextMasker, TextRules } from './text.ts';

/**
 * Up to this length an answer waits until it is masked whole, so that one which cannot be masked is an error of its own; of
 * longer JSON, whose beginning alone is of no use, so much waits.
 */
const maxHeldBytes = 65_536;

const unmaskable: Refusal = {
  kind: 'refusal',
  error: 'policy_unavailable',
  message: 'The response can’t be masked because of its size or format. Contact the operator of this API.',
};

/** About the body before it was masked: some would allow testing guesses of a value. */
const bodyHeaders = [
  'etag',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
  'accept-ranges',
  'content-length',
];

/** A masker of one body. */
interface Masker {
  write(chunk: Uint8Array): Uint8Array | null;
  end(): Uint8Array | null;
}

/**
 * Masks values in responses, whatever their status. The target is asked for a complete, unencoded response; one that is
 * partial or encoded all the same, too large, or of a form that cannot be read, cannot be evaluated.
 */
export function compileDataMasking(policy: PolicyToCompile, { maskingKey }: PolicyParts): ResponsePolicy {
  const { rules, maxBodyBytes, failOpen } = dataMasking.configuration.parse(policy.configuration);
  const replace = replacer(maskingKey);
  const pathRules = rules.flatMap(({ jsonPath, replacement }) =>
    jsonPath === undefined ? [] : [{ path: jsonPath, replacement }],
  );
  const detectorRules = rules.flatMap(({ detector, replacement }) => (detector ? [{ detector, replacement }] : []));
  const text = detectorRules.length > 0 ? new TextRules(detectorRules, replace) : null;
  const masking: Omit<JsonMasking, 'isSequence'> = { paths: compilePaths(pathRules), text, replace, key: maskingKey };

  const maskerOf = (contentType: string | null): (() => Masker) | null => {
    const form = formOf(contentType);
    if (form === 'json' || form === 'sequence') {
      return () => new JsonMasker({ ...masking, isSequence: form === 'sequence' });
    }
    // What a path finds in JSON, a caller could ask for in another notation.
    if (form === null || (pathRules.length > 0 && (form === 'events' || form === 'data'))) return null;
    const textMasker = () => bytesMasker(text);
    // A path finds its values in JSON whatever it is called.
    const jsonMasker = () => new JsonMasker({ ...masking, isSequence: true });
    return pathRules.length > 0 ? () => sniffingMasker(jsonMasker, textMasker) : textMasker;
  };

  return {
    onRequest(exchange) {
      clearHit(exchange);
      const { method, headers } = exchange.request;
      headers.set('accept-encoding', 'identity');
      headers.remove('range');
      headers.remove('if-range');
      if (method === 'GET' || method === 'HEAD') headers.remove('if-none-match');
    },
    onHead(exchange, answer) {
      if (wasSeen(exchange)) return null;
      const { status, headers, contentLength, bodiless } = answer;
      if (status === 101) return failOpen ? null : unmaskable;
      const partial = status === 206 || headers.has('content-range');
      const encoded = headers.getAll('content-encoding').some((coding) => coding.toLowerCase() !== 'identity');
      for (const name of bodyHeaders) headers.remove(name);
      if (bodiless || contentLength === 0) return null;
      const create = headers.isRepeated('content-type') ? null : maskerOf(headers.get('content-type'));
      if (partial || encoded || create === null || (contentLength ?? 0) > maxBodyBytes) {
        return failOpen ? null : unmaskable;
      }
      const form = formOf(headers.get('content-type'));
      // Events are passed on as they come, and nothing of those before is held.
      if (form === 'events') return strict(create(), Infinity, 0);
      if (failOpen) return lenient(create, maxBodyBytes);
      if (contentLength !== null && contentLength <= maxHeldBytes) return strict(create(), maxBodyBytes, Infinity);
      // Lines and text may be read as they come.
      return strict(create(), maxBodyBytes, form === 'json' ? maxHeldBytes : 1);
    },
  };
}

/** Masks a body as it streams. */
function strict(masker: Masker, maxBodyBytes: number, heldBytes: number): BodyTransform {
  let sizeBytes = 0;
  return {
    heldBytes,
    changesLength: true,
    write(chunk) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > maxBodyBytes) throw new Error(`The response is larger than ${maxBodyBytes} bytes.`);
      return masker.write(chunk);
    },
    end: () => masker.end(),
  };
}

/** Masks a body once it is complete, or passes it unchanged if it can't be masked. */
function lenient(create: () => Masker, maxBodyBytes: number): BodyTransform {
  let chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  return {
    heldBytes: 0,
    changesLength: true,
    write(chunk) {
      const before = sizeBytes;
      sizeBytes += chunk.byteLength;
      if (before > maxBodyBytes) return chunk;
      chunks.push(Uint8Array.from(chunk));
      if (sizeBytes <= maxBodyBytes) return null;
      const held = Buffer.concat(chunks);
      chunks = [];
      return held;
    },
    end() {
      const body = Buffer.concat(chunks);
      try {
        const masker = create();
        const written = masker.write(body);
        const rest = masker.end();
        return Buffer.concat([written ?? Buffer.alloc(0), rest ?? Buffer.alloc(0)]);
      } catch {
        return body;
      }
    },
  };
}

/** Masks text by detectors, or passes it if there are none. */
function bytesMasker(rules: TextRules | null): Masker {
  if (!rules) return { write: (chunk) => chunk, end: () => null };
  const masker = new TextMasker(rules);
  return {
    write(chunk) {
      // UTF-16 and UTF-32 have such bytes wherever they hold ASCII.
      if (chunk.includes(0)) throw new Error('The response is not text in an ASCII-compatible encoding.');
      return bytesOf(masker.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')));
    },
    end: () => bytesOf(masker.end()),
  };
}

function bytesOf(text: string): Uint8Array | null {
  return text === '' ? null : Buffer.from(text, 'latin1');
}

/** Treats a body that starts like an object or array as JSON, otherwise as text. */
function sniffingMasker(json: () => Masker, text: () => Masker): Masker {
  let masker: Masker | null = null;
  const blank: Uint8Array[] = [];
  return {
    write(chunk) {
      if (masker) return masker.write(chunk);
      // White space and the parts of a byte order mark tell nothing yet.
      const first = chunk.find((byte) => !(byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf));
      if (first === undefined) {
        blank.push(Uint8Array.from(chunk));
        return null;
      }
      masker = first === 0x7b || first === 0x5b ? json() : text();
      return masker.write(Buffer.concat([...blank, chunk]));
    },
    end: () => (masker ? masker.end() : Buffer.concat(blank)),
  };
}

/** `data`: another notation for what JSON can hold. */
type Form = 'json' | 'sequence' | 'events' | 'data' | 'text';

/** ASCII-compatible encodings. */
const asciiCharset = /^(?:utf-?8|us-ascii|ascii|iso-8859-\d{1,2}|windows-125\d|latin-?1)$/i;

/** The value of a media type's parameter `charset`; null for another one. Split by hand, since a header is long. */
function charsetOf(parameter: string): string | null {
  const sign = parameter.indexOf('=');
  if (sign < 0 || parameter.slice(0, sign).trim() !== 'charset') return null;
  return parameter
    .slice(sign + 1)
    .trim()
    .replaceAll('"', '');
}

/** How a body of the media type is read; null where it cannot be. */
function formOf(contentType: string | null): Form | null {
  if (contentType === null || contentType.trim() === '') return 'text';
  const [type, ...parameters] = contentType.toLowerCase().split(';');
  const mediaType = type!.trim();
  const charset = parameters.map(charsetOf).find((name) => name !== null) ?? null;
  if (/^(?:application\/(?:x-)?(?:ndjson|jsonl|json-lines|jsonlines)|application\/json-seq)$/.test(mediaType))
    return 'sequence';
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(mediaType)) return 'json';
  if (charset !== null && !asciiCharset.test(charset)) return null;
  if (mediaType === 'text/event-stream') return 'events';
  const isData = /^(?:application|text)\/(?:[\w.-]+\+|x-)?(?:xml|yaml|javascript|ecmascript|csv|tab-separated-values)$/;
  if (isData.test(mediaType)) return 'data';
  return mediaType.startsWith('text/') ? 'text' : null;
}

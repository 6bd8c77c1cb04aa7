import { HeadWriter, PreparedText } from '@millrace/data-plane/head-writer';
import type { RequestRecord } from '@millrace/data-plane/record';

/** Room for what a line has besides its texts. */
const ownBytes = 4_096;
/** Of a character in JSON: an escape such as `\\u001f`. */
const bytesOfCharacter = 6;
/** Of each kind of known parts; all are forgotten at once, which costs them to be written again. */
const mostKnown = 4_096;

const quote = 0x22;
const backslash = 0x5c;

/** What a proxy's route has in common in all lines. */
interface RoutePart {
  readonly proxyId: string;
  readonly deploymentId: string;
  readonly revision: number;
  readonly text: PreparedText;
}

/** What an app has in common in all lines. */
interface AppPart {
  readonly productId: string | null;
  readonly termId: string | null;
  readonly text: PreparedText;
}

/**
 * Writes lines of the access log, bytes rather than text: a text of thirty parts is thirty objects, and is then copied
 * and encoded. What requests have in common is written in one piece.
 */
export class LineWriter {
  readonly #line = new HeadWriter(Buffer.allocUnsafeSlow(16_384));
  readonly #routes = new Map<string, RoutePart>();
  readonly #apps = new Map<string, AppPart>();
  #timeMs = Number.NaN;
  #time = '';

  /** The line of a request. It is overwritten by the next one. */
  request(record: RequestRecord): HeadWriter {
    const line = this.#line;
    this.#begin(record);
    line.prepared(parts.requestId);
    this.#text(record.requestId);
    line.prepared(parts.method);
    this.#text(record.method);
    line.prepared(parts.path);
    this.#text(record.path);
    line.prepared(parts.status);
    line.integer(record.status);
    if (record.grpcStatus !== null) {
      line.prepared(parts.grpcStatus);
      line.integer(record.grpcStatus);
    }
    line.prepared(parts.clientAddress);
    this.#text(record.clientAddress);
    line.prepared(parts.country);
    line.text(record.country);
    line.prepared(this.#routePartOf(record));
    line.prepared(this.#appPartOf(record));
    if (record.error === null && !record.refused && !record.limited) line.prepared(parts.admitted);
    else line.text(`"error":${jsonOf(record.error)},"refused":${record.refused},"limited":${record.limited},`);
    line.prepared(parts.requestBytes);
    line.integer(record.requestBytes);
    line.prepared(parts.responseBytes);
    line.integer(record.responseBytes);
    line.prepared(parts.microUnits);
    line.integer(record.microUnits);
    line.prepared(parts.unitsState[record.unitsState]);
    line.integer(record.latencyUs);
    line.prepared(parts.targetTimeUs);
    line.integer(record.targetTimeUs);
    line.prepared(parts.gatewayTimeUs);
    line.integer(record.gatewayTimeUs);
    if (record.target === null) {
      line.prepared(parts.noTarget);
    } else {
      line.prepared(parts.target);
      this.#text(record.target);
      line.prepared(parts.retries);
    }
    line.integer(record.retries);
    line.prepared(parts.end);
    return line;
  }

  /** A line about lines that were dropped. It is overwritten by the next one. */
  dropped(timeMs: number, count: number): HeadWriter {
    this.#line.length = 0;
    this.#line.text(`{"time":"${this.#timeOf(timeMs)}","type":"access","dropped":${count}}\n`);
    return this.#line;
  }

  #begin({ startedAtMs, requestId, method, path, clientAddress, target }: RequestRecord): void {
    const line = this.#line;
    const characters = requestId.length + method.length + path.length + clientAddress.length + (target?.length ?? 0);
    const wanted = ownBytes + bytesOfCharacter * characters;
    if (line.bytes.length < wanted) line.bytes = Buffer.allocUnsafeSlow(wanted);
    line.length = 0;
    line.prepared(parts.time);
    line.text(this.#timeOf(startedAtMs));
  }

  /** Built once for many requests in one millisecond. */
  #timeOf(ms: number): string {
    if (ms !== this.#timeMs) {
      this.#timeMs = ms;
      this.#time = new Date(ms).toISOString();
    }
    return this.#time;
  }

  /** A text within quotes. */
  #text(text: string): void {
    const line = this.#line;
    const { bytes } = line;
    let at = line.length;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code < 0x20 || code > 0x7e || code === quote || code === backslash) {
        line.length += bytes.write(JSON.stringify(text).slice(1, -1), line.length, 'utf8');
        return;
      }
      bytes[at++] = code;
    }
    line.length = at;
  }

  #routePartOf({ proxyId, deploymentId, revision, routeId }: RequestRecord): PreparedText {
    const known = this.#routes.get(routeId);
    if (known?.proxyId === proxyId && known.deploymentId === deploymentId && known.revision === revision) {
      return known.text;
    }
    const text = new PreparedText(
      `","proxyId":"${proxyId}","deploymentId":"${deploymentId}","revision":${revision},"routeId":"${routeId}",`,
    );
    if (this.#routes.size >= mostKnown) this.#routes.clear();
    this.#routes.set(routeId, { proxyId, deploymentId, revision, text });
    return text;
  }

  #appPartOf({ appId, productId, termId }: RequestRecord): PreparedText {
    const known = this.#apps.get(appId ?? '');
    if (known?.productId === productId && known.termId === termId) return known.text;
    const text = new PreparedText(
      `"appId":${jsonOf(appId)},"productId":${jsonOf(productId)},"termId":${jsonOf(termId)},`,
    );
    if (this.#apps.size >= mostKnown) this.#apps.clear();
    this.#apps.set(appId ?? '', { productId, termId, text });
    return text;
  }
}

const parts = {
  time: new PreparedText('{"time":"'),
  requestId: new PreparedText('","type":"access","requestId":"'),
  method: new PreparedText('","method":"'),
  path: new PreparedText('","path":"'),
  status: new PreparedText('","status":'),
  grpcStatus: new PreparedText(',"grpcStatus":'),
  clientAddress: new PreparedText(',"clientAddress":"'),
  country: new PreparedText('","country":"'),
  admitted: new PreparedText('"error":null,"refused":false,"limited":false,'),
  requestBytes: new PreparedText('"requestBytes":'),
  responseBytes: new PreparedText(',"responseBytes":'),
  microUnits: new PreparedText(',"microUnits":'),
  unitsState: {
    uncounted: new PreparedText(',"unitsState":"uncounted","latencyUs":'),
    counted: new PreparedText(',"unitsState":"counted","latencyUs":'),
    missing: new PreparedText(',"unitsState":"missing","latencyUs":'),
    unreadable: new PreparedText(',"unitsState":"unreadable","latencyUs":'),
  },
  targetTimeUs: new PreparedText(',"targetTimeUs":'),
  gatewayTimeUs: new PreparedText(',"gatewayTimeUs":'),
  noTarget: new PreparedText(',"target":null,"retries":'),
  target: new PreparedText(',"target":"'),
  retries: new PreparedText('","retries":'),
  end: new PreparedText('}\n'),
} as const;

function jsonOf(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text);
}

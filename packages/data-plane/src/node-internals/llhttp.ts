/**
 * llhttp, the HTTP/1 parser of Node, as the WebAssembly that undici ships (https://github.com/nodejs/llhttp). Strict: none
 * of its leniencies is set. Undici does not document these files.
 */
import { createRequire } from 'node:module';
import type { MessageReader, MessageSink, NewMessageReader, ReadOutcome } from './message-reader.ts';

/** What Node has of it and its types do not. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** What llhttp exports, apart from what is not used here. Numbers are addresses in its memory, or codes. */
interface Llhttp {
  readonly memory: { readonly buffer: ArrayBuffer };
  _initialize(): void;
  malloc(size: number): number;
  llhttp_alloc(type: number): number;
  llhttp_reset(parser: number): void;
  llhttp_execute(parser: number, data: number, length: number): number;
  llhttp_resume(parser: number): void;
  llhttp_get_error_pos(parser: number): number;
  llhttp_get_method(parser: number): number;
  llhttp_get_http_major(parser: number): number;
  llhttp_get_http_minor(parser: number): number;
}

interface Constants {
  readonly ERROR: Readonly<Record<'OK' | 'PAUSED', number>>;
  readonly METHODS: Readonly<Record<string, number>>;
  readonly TYPE: Readonly<Record<'REQUEST' | 'RESPONSE', number>>;
}

/** Bytes that are copied into its memory at once. */
const windowBytes = 16_384;

/**
 * Readers on undici's llhttp; null where undici does not have it there.
 *
 * @param load loads a module by its name
 */
export function loadLlhttp(load: (name: string) => unknown = createRequire(import.meta.url)): NewMessageReader | null {
  let source: unknown;
  let constants: unknown;
  try {
    source = load('undici/lib/llhttp/llhttp_simd-wasm.js');
    constants = load('undici/lib/llhttp/constants.js');
  } catch {
    return null;
  }
  if (!(source instanceof Uint8Array) || !isConstants(constants)) return null;
  return readersOn(new Uint8Array(source), constants);
}

function readersOn(source: Uint8Array, { ERROR, METHODS, TYPE }: Constants): NewMessageReader {
  /** Names of the methods by llhttp's numbers. */
  const methodNames: string[] = [];
  for (const [name, number] of Object.entries(METHODS)) methodNames[number] = name;
  /** Whose spans are reported now, and how far their positions are behind those in the window. */
  let current: MessageSink;
  let shift = 0;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(source), {
    env: {
      wasm_on_message_begin: () => 0,
      wasm_on_status: () => 0,
      wasm_on_url: (_parser: number, at: number, length: number) => {
        current.onUrl(at + shift, length);
        return 0;
      },
      wasm_on_header_field: (_parser: number, at: number, length: number) =>
        current.onName(at + shift, length) ? 0 : -1,
      wasm_on_header_value: (_parser: number, at: number, length: number) => {
        current.onValue(at + shift, length);
        return 0;
      },
      wasm_on_headers_complete: (_parser: number, status: number) => {
        current.onHead(status);
        return ERROR.PAUSED;
      },
      wasm_on_body: (_parser: number, at: number, length: number) => {
        current.onBody(at + shift, length);
        return 0;
      },
      wasm_on_message_complete: () => {
        current.onEnd();
        return ERROR.PAUSED;
      },
    },
  });
  // WebAssembly has no types for its exports; these are llhttp's.
  const llhttp = exports as Llhttp;
  llhttp._initialize();
  const window = llhttp.malloc(windowBytes);
  let windowView = new Uint8Array(0);
  /** Parsers whose connections have ended, by type. */
  const free = { request: [] as number[], answer: [] as number[] };

  class LlhttpReader implements MessageReader {
    readonly #free: number[];
    readonly #pointer: number;
    #isClosed = false;
    #resumes = false;
    position = 0;

    constructor(type: 'request' | 'answer') {
      this.#free = free[type];
      this.#pointer = this.#free.pop() ?? llhttp.llhttp_alloc(type === 'request' ? TYPE.REQUEST : TYPE.RESPONSE);
    }

    get method(): string {
      return methodNames[llhttp.llhttp_get_method(this.#pointer)] ?? '';
    }

    get version(): number {
      return llhttp.llhttp_get_http_major(this.#pointer) * 10 + llhttp.llhttp_get_http_minor(this.#pointer);
    }

    reset(): void {
      llhttp.llhttp_reset(this.#pointer);
      this.#resumes = false;
    }

    read(bytes: Buffer, start: number, end: number, sink: MessageSink): ReadOutcome {
      for (let at = start; at < end; at += windowBytes) {
        const length = Math.min(end - at, windowBytes);
        // The memory is another one after it has grown.
        if (windowView.byteLength === 0) windowView = new Uint8Array(llhttp.memory.buffer, window, windowBytes);
        if (length < 512) for (let index = 0; index < length; index++) windowView[index] = bytes[at + index]!;
        else windowView.set(bytes.subarray(at, at + length));
        if (this.#resumes) llhttp.llhttp_resume(this.#pointer);
        current = sink;
        shift = at - window;
        const result = llhttp.llhttp_execute(this.#pointer, window, length);
        this.#resumes = result === ERROR.PAUSED;
        if (this.#resumes) {
          this.position = llhttp.llhttp_get_error_pos(this.#pointer) + shift;
          return 'paused';
        }
        if (result !== ERROR.OK) return 'malformed';
      }
      return 'more';
    }

    close(): void {
      if (this.#isClosed) return;
      this.#isClosed = true;
      this.#free.push(this.#pointer);
    }
  }

  return (type) => new LlhttpReader(type);
}

function isConstants(value: unknown): value is Constants {
  if (typeof value !== 'object' || value === null) return false;
  return (['ERROR', 'METHODS', 'TYPE'] as const).every((name) => typeof Reflect.get(value, name) === 'object');
}

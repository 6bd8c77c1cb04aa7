import * as z from 'zod';
import {
  type AllOptional,
  type AnyOperation,
  type FileArgument,
  isOptional,
  type RequestArguments,
} from '../operation.ts';

/** Options of one call, besides its arguments. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** A successful response, with its headers. */
export type Answered<Called extends AnyOperation> = Parsed<Called> & { readonly headers: Headers };

type Parsed<Called extends AnyOperation> = {
  [Status in keyof Called['responses'] & number]: {
    readonly status: Status;
    readonly body: z.output<Called['responses'][Status]['body']>;
  };
}[keyof Called['responses'] & number];

type ArgumentsOf<Called extends AnyOperation> = RequestArguments<Called['request']>;

type Call<Called extends AnyOperation> =
  AllOptional<ArgumentsOf<Called>> extends true
    ? (args?: ArgumentsOf<Called>, options?: CallOptions) => Promise<Answered<Called>>
    : (args: ArgumentsOf<Called>, options?: CallOptions) => Promise<Answered<Called>>;

/** A method for each operation, by its id. */
export type Client<Operations extends readonly AnyOperation[]> = {
  readonly [Called in Operations[number] as Called['id']]: Call<Called>;
};

/** The content of an error's body. */
export interface ErrorContent {
  readonly code: string | null;
  readonly message: string;
  /** A message for each invalid field, by path. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** A response with an error status. `code` is null if the body is not the service's own error, or has no code. */
export class ResponseError extends Error {
  readonly status: number;
  readonly code: string | null;
  /** A message for each invalid field, by path, such as `routes.0.method`; empty if there are none. */
  readonly errors: Readonly<Record<string, string>>;
  readonly headers: Headers;

  constructor(
    status: number,
    code: string | null,
    message: string,
    headers: Headers,
    errors: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'ResponseError';
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.headers = headers;
  }
}

const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

function errorOfBody(_status: number, body: unknown): ErrorContent | null {
  return errorBody.safeParse(body).data?.error ?? null;
}

/**
 * A client whose methods, arguments and responses are derived from the operations.
 *
 * A call resolves with the response of its status, parsed with its schema. It rejects with a `ResponseError`, with
 * whatever `fetch` threw, or with a `ZodError` if the response doesn't match the operation.
 *
 * @param options.headers sent with every call, including the credential.
 * @param options.credentials whether a browser sends its cookies, as in `fetch`.
 * @param options.errorOf parses an error's body (null if it is not JSON); returns null if it is not the service's own.
 * Default: `{"error": {"code", "message"}}`.
 */
export function createClient<const Operations extends readonly AnyOperation[]>(
  operations: Operations,
  options: {
    readonly baseUrl: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly credentials?: 'omit' | 'same-origin' | 'include';
    readonly errorOf?: (status: number, body: unknown) => ErrorContent | null;
    readonly fetch?: typeof globalThis.fetch;
  },
): Client<Operations> {
  const { fetch: send = globalThis.fetch, errorOf = errorOfBody, credentials } = options;
  const call = async (operation: AnyOperation, args: UntypedArguments, { signal }: CallOptions) => {
    const request = requestOf(operation, options.baseUrl, args);
    const response = await send(request.url, {
      method: operation.method,
      headers: { ...options.headers, ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(credentials ? { credentials } : {}),
      ...(signal ? { signal } : {}),
    });
    const schema = operation.responses[response.status];
    if (schema && isBinary(schema.mediaType)) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, body: schema.body.parse(bytes), headers: response.headers };
    }
    const text = await response.text();
    if (!response.ok || !schema) {
      const message = `${operation.method} ${operation.path} returned ${response.status}.`;
      const error = errorOf(response.status, jsonOrNull(text)) ?? { code: null, message };
      throw new ResponseError(response.status, error.code, error.message, response.headers, error.errors);
    }
    const body = schema.body.parse(schema.mediaType === undefined ? JSON.parse(text) : text);
    return { status: response.status, body, headers: response.headers };
  };
  return Object.fromEntries(
    operations.map((operation) => [
      operation.id,
      (args: UntypedArguments = {}, callOptions: CallOptions = {}) => call(operation, args, callOptions),
    ]),
  ) as Client<Operations>;
}

/** Whether an answer of a media type is read as bytes rather than as text. */
function isBinary(mediaType = 'application/json'): boolean {
  return !/^text\/|[/+](json|yaml|xml)$/.test(mediaType);
}

interface UntypedArguments {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string | undefined>>;
  readonly file?: FileArgument;
}

function requestOf(operation: AnyOperation, baseUrl: string, args: UntypedArguments) {
  const path = operation.path.replaceAll(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(args.params?.[name] ?? ''),
  );
  const query = new URLSearchParams(given(args.query)).toString();
  const url = `${baseUrl.replace(/\/+$/, '')}${path}${query ? `?${query}` : ''}`;
  const headers = Object.fromEntries(given(args.headers));
  const { multipart } = operation.request;
  if (multipart) {
    const form = new FormData();
    for (const [name, value] of given(args.form)) form.append(name, value);
    if (args.file) {
      const { name, content } = args.file;
      form.append(multipart.file.name, content instanceof Blob ? content : new Blob([content]), name);
    }
    return { url, headers, body: form };
  }
  const { body: schema } = operation.request;
  // The types allow leaving out a body whose fields are all optional; the request then has to send `{}`.
  const body = args.body ?? (schema && !isOptional(schema) ? {} : undefined);
  if (body === undefined) return { url, headers, body: undefined };
  return { url, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function given(values: Readonly<Record<string, string | undefined>> = {}): [string, string][] {
  return Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

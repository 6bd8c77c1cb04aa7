import type * as z from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What an error code means: its HTTP status and the text that says what to do. */
export interface ErrorEntry {
  readonly status: number;
  readonly message: string;
}

/** Every error an application returns, by code. Closed: an error with another code doesn't compile. */
export type ErrorTable = Readonly<Record<string, ErrorEntry>>;

/** The vocabulary of an application's operations. */
export interface Vocabulary {
  /** Codes of the application's error table. */
  readonly errorCode: string;
  /** Names of its authentication methods. */
  readonly auth: string;
  /** Names of its rate limits. */
  readonly rateClass: string;
  /** What every operation declares beyond HTTP, such as its permission and audit row. */
  readonly extension: object;
}

/** The single file of a multipart form. The handler decides whether and how to reject a missing file. */
export interface FilePart {
  readonly name: string;
  readonly description: string;
  readonly mediaTypes: readonly string[];
}

/** A `multipart/form-data` body: text fields, each at most once, and one file. */
export interface MultipartBody {
  readonly fields: z.ZodObject;
  readonly file: FilePart;
}

export interface RequestSchemas {
  readonly params?: z.ZodObject;
  /** Every input is a string; a repeated parameter is rejected. */
  readonly query?: z.ZodObject;
  /** In lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly multipart?: MultipartBody;
}

export interface ResponseSchema {
  readonly description: string;
  /** Headers of its own, by their names in lower case. */
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: z.ZodType }>>;
  readonly body: z.ZodType;
  /** For a response that is text rather than JSON, such as `text/csv`; its body is that text. */
  readonly mediaType?: string;
}

/** Success responses by status. */
export type ResponseSchemas = Readonly<Record<number, ResponseSchema>>;

/** A file as received, with the name and media type that the caller claims. */
export interface UploadedFile {
  readonly name: string;
  readonly claimedMediaType: string;
  readonly bytes: Uint8Array;
}

/** Whether a request may omit this part. */
export function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

type SchemaPart = 'params' | 'query' | 'headers' | 'body';

/** What a handler receives: each declared part of the request, validated. */
export type ParsedRequest<Request extends RequestSchemas> = {
  readonly [Part in keyof Request & SchemaPart]: Request[Part] extends z.ZodType ? z.output<Request[Part]> : never;
} & (Request extends { readonly multipart: infer Body extends MultipartBody }
  ? { readonly form: z.output<Body['fields']>; readonly file: UploadedFile | null }
  : unknown);

/** Whether an empty object is a valid value. */
export type AllOptional<Value> = Record<never, never> extends Value ? true : false;

type Given<Key extends string, Value> =
  AllOptional<Value> extends true ? { readonly [K in Key]?: Value } : { readonly [K in Key]: Value };

type GivenPart<Request extends RequestSchemas, Part extends SchemaPart> = Request extends {
  readonly [K in Part]: infer Schema extends z.ZodType;
}
  ? Given<Part, z.input<Schema>>
  : unknown;

/** What a caller passes: each declared part of the request, before validation. A file is a `Blob` or its bytes. */
export type RequestArguments<Request extends RequestSchemas> = GivenPart<Request, 'params'> &
  GivenPart<Request, 'query'> &
  GivenPart<Request, 'headers'> &
  GivenPart<Request, 'body'> &
  (Request extends { readonly multipart: infer Body extends MultipartBody }
    ? Given<'form', z.input<Body['fields']>> & { readonly file?: FileArgument }
    : unknown);

/** A file to send. */
export interface FileArgument {
  readonly name: string;
  readonly content: Blob | Uint8Array<ArrayBuffer>;
}

/** An operation's successful responses, distinguished by `status`. */
export type Answer<Responses extends ResponseSchemas> = {
  [Status in keyof Responses & number]: { readonly status: Status; readonly body: z.input<Responses[Status]['body']> };
}[keyof Responses & number];

/**
 * One call, as shown in the reference and made by the tests. A file is given by name; the reader supplies its bytes.
 */
export type Example<Request extends RequestSchemas, Responses extends ResponseSchemas> = {
  readonly summary: string;
  readonly request: Omit<RequestArguments<Request>, 'file'> &
    (Request extends { readonly multipart: MultipartBody } ? { readonly fileName: string } : unknown);
  readonly answer: Answer<Responses>;
};

/** What every operation declares; an application adds its own declarations, such as a permission. */
export type Operation<
  Id extends string,
  Request extends RequestSchemas,
  Responses extends ResponseSchemas,
  Words extends Vocabulary,
> = Words['extension'] & {
  /** The method's name in the typed client and the `operationId` of the reference. */
  readonly id: Id;
  readonly method: Method;
  /** With `:name` for each path parameter. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly auth: Words['auth'];
  readonly rateClass: Words['rateClass'];
  readonly request: Request;
  readonly responses: Responses;
  /** Every error code it may return. */
  readonly errors: readonly Words['errorCode'][];
  readonly examples: readonly [Example<Request, Responses>, ...Example<Request, Responses>[]];
};

/** An operation whose exact types don't matter: for routing, the reference and coverage tests. */
export type AnyOperation = Omit<Operation<string, RequestSchemas, ResponseSchemas, Vocabulary>, 'examples'> & {
  readonly examples: readonly {
    readonly summary: string;
    readonly request: { readonly [Part in SchemaPart | 'form' | 'fileName']?: unknown };
    readonly answer: { readonly status: number; readonly body: unknown };
  }[];
};

/**
 * Creates an application's own `defineOperation`, which accepts only that application's vocabulary.
 *
 * An operation without an example, with an example that doesn't match its schemas, or with an unknown error code
 * doesn't compile.
 */
export function operationsIn<Words extends Vocabulary>() {
  return function defineOperation<
    const Id extends string,
    Request extends RequestSchemas,
    Responses extends ResponseSchemas,
  >(operation: Operation<Id, Request, Responses, Words>): Operation<Id, Request, Responses, Words> {
    return operation;
  };
}

import type * as z from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What an error code means: its HTTP status and the text that tells the caller what to do. */
export interface ErrorEntry {
  readonly status: number;
  readonly message: string;
}

/** Every error an application answers with, by code. Closed: an answer with another code does not compile. */
export type ErrorTable = Readonly<Record<string, ErrorEntry>>;

/** The words an application's operations are written in. */
export interface Vocabulary {
  /** Codes of the application's error table. */
  readonly errorCode: string;
  /** Names of its ways to authenticate. */
  readonly auth: string;
  /** Names of its rate limits. */
  readonly rateClass: string;
  /** What every operation states beyond HTTP, such as the permission it needs and the audit row it writes. */
  readonly extension: object;
}

/** The one file of a multipart form. Whether its absence is an error, and which, is the handler's. */
export interface FilePart {
  readonly name: string;
  readonly description: string;
  readonly mediaTypes: readonly string[];
}

/** A `multipart/form-data` body: text fields, each given at most once, and one file. */
export interface MultipartBody {
  readonly fields: z.ZodObject;
  readonly file: FilePart;
}

export interface RequestSchemas {
  readonly params?: z.ZodObject;
  /** Every input is a string: a parameter given twice is refused. */
  readonly query?: z.ZodObject;
  /** Names in lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly multipart?: MultipartBody;
}

export interface ResponseSchema {
  readonly description: string;
  readonly body: z.ZodType;
  /** Of an answer that is no JSON but a text, such as `text/csv`; its body is that text. */
  readonly mediaType?: string;
}

/** Success responses by status. */
export type ResponseSchemas = Readonly<Record<number, ResponseSchema>>;

/** A file as it arrived, with the name and the media type its sender claims. */
export interface UploadedFile {
  readonly name: string;
  readonly claimedMediaType: string;
  readonly bytes: Uint8Array;
}

/** Whether a request may leave this part out. */
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

/** Whether an empty object is such a value. */
export type AllOptional<Value> = Record<never, never> extends Value ? true : false;

type Given<Key extends string, Value> =
  AllOptional<Value> extends true ? { readonly [K in Key]?: Value } : { readonly [K in Key]: Value };

type GivenPart<Request extends RequestSchemas, Part extends SchemaPart> = Request extends {
  readonly [K in Part]: infer Schema extends z.ZodType;
}
  ? Given<Part, z.input<Schema>>
  : unknown;

/** What a caller gives: each declared part of the request, before validation. A file is a `Blob` or its bytes. */
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

/** An operation's successful answers, told apart by `status`. */
export type Answer<Responses extends ResponseSchemas> = {
  [Status in keyof Responses & number]: { readonly status: Status; readonly body: z.input<Responses[Status]['body']> };
}[keyof Responses & number];

/** One call, as it is shown in the reference and made by the tests. A file is named, its bytes are the reader's. */
export type Example<Request extends RequestSchemas, Responses extends ResponseSchemas> = {
  readonly summary: string;
  readonly request: Omit<RequestArguments<Request>, 'file'> &
    (Request extends { readonly multipart: MultipartBody } ? { readonly fileName: string } : unknown);
  readonly answer: Answer<Responses>;
};

/** What every operation states; an application's own statements, such as a permission, stand beside these. */
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
  /** Every code it may answer with. */
  readonly errors: readonly Words['errorCode'][];
  readonly examples: readonly [Example<Request, Responses>, ...Example<Request, Responses>[]];
};

/** An operation whose own types do not matter, as the binding, the reference and coverage tests take it. */
export type AnyOperation = Omit<Operation<string, RequestSchemas, ResponseSchemas, Vocabulary>, 'examples'> & {
  readonly examples: readonly {
    readonly summary: string;
    readonly request: { readonly [Part in SchemaPart | 'form' | 'fileName']?: unknown };
    readonly answer: { readonly status: number; readonly body: unknown };
  }[];
};

/**
 * Gives an application its own `defineOperation`, which accepts that application's words only.
 *
 * An operation without an example, with an example that its schemas do not accept, or with an unknown error code does
 * not compile.
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

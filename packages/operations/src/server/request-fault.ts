/**
 * Why a request was rejected before its handler ran:
 * - `invalid`: a parameter, header, field or body that doesn't match its schema, or a malformed body;
 * - `file_too_large`: the file, or the body around it, exceeds its limit;
 * - `wrong_content_type`: the body doesn't have the operation's content type;
 * - `timed_out`: the body stopped arriving;
 * - `aborted`: the connection closed before the body ended;
 * - `overloaded`: the memory for uploads is full.
 */
export type RequestFaultKind =
  | 'invalid'
  | 'file_too_large'
  | 'wrong_content_type'
  | 'timed_out'
  | 'aborted'
  | 'overloaded';

/** A request that can't be served as received. The messages may be shown to the caller. */
export class RequestFault extends Error {
  readonly kind: RequestFaultKind;
  /** A message for each invalid field, by path, such as `routes.0.method`; empty if no field is invalid. */
  readonly errors: Readonly<Record<string, string>>;

  constructor(
    kind: RequestFaultKind,
    message: string,
    { errors = {}, ...options }: ErrorOptions & { readonly errors?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, options);
    this.name = 'RequestFault';
    this.kind = kind;
    this.errors = errors;
  }
}

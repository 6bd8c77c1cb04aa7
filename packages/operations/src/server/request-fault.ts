/**
 * Why a request was refused before any handler saw it:
 * - `invalid`: a parameter, header, field or body that its schema does not accept, or a malformed body;
 * - `file_too_large`: the file, or the body around it, is beyond its limit;
 * - `wrong_content_type`: the body is not of the type that the operation takes;
 * - `timed_out`: the body stopped arriving;
 * - `aborted`: the connection closed before the body ended;
 * - `overloaded`: as many uploads are held in memory as are allowed.
 */
export type RequestFaultKind =
  | 'invalid'
  | 'file_too_large'
  | 'wrong_content_type'
  | 'timed_out'
  | 'aborted'
  | 'overloaded';

/** A request that cannot be served as it came. The messages may be shown to its sender. */
export class RequestFault extends Error {
  readonly kind: RequestFaultKind;
  /** A message for each field that is wrong, by its path, such as `routes.0.method`; empty where no field is. */
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

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

/** A request that cannot be served as it came. The message may be shown to its sender. */
export class RequestFault extends Error {
  readonly kind: RequestFaultKind;

  constructor(kind: RequestFaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RequestFault';
    this.kind = kind;
  }
}

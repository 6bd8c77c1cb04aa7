/** Kinds of a failure with the status 400 or 409 (RFC 7644, 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** A failure as the client of SCIM reads it. */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | null;

  constructor(status: number, scimType: ScimType | null, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.status = status;
    this.scimType = scimType;
  }

  /** The body of the answer (RFC 7644, 3.12). */
  get body(): object {
    return {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(this.status),
      ...(this.scimType === null ? {} : { scimType: this.scimType }),
      detail: this.message,
    };
  }
}

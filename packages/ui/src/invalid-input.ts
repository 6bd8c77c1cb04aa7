/** What was entered can't be sent; a sentence for each field, by its path. */
export class InvalidInput extends Error {
  readonly errors: Readonly<Record<string, string>>;

  constructor(errors: Readonly<Record<string, string>>) {
    super(Object.values(errors)[0]);
    this.errors = errors;
  }
}

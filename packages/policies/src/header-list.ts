/**
 * Header fields in the order in which they are sent: names as written, values as Latin-1 text. A field may stand more
 * than once. Names are looked up in lower case.
 */
export class HeaderList {
  /** Name, value, name, value, …; for whoever writes the head. */
  readonly fields: string[];
  readonly #lowerNames: string[];

  /** @param fields name, value, name, value, … */
  constructor(fields: readonly string[] = []) {
    this.fields = [...fields];
    this.#lowerNames = [];
    for (let index = 0; index < fields.length; index += 2) this.#lowerNames.push(fields[index]!.toLowerCase());
  }

  /** The first value of the field, or null. `name` in lower case, as in all that follows. */
  get(name: string): string | null {
    const index = this.#lowerNames.indexOf(name);
    return index < 0 ? null : this.fields[index * 2 + 1]!;
  }

  /** All values of the field, in their order. */
  getAll(name: string): readonly string[] {
    const values: string[] = [];
    for (const [index, known] of this.#lowerNames.entries()) {
      if (known === name) values.push(this.fields[index * 2 + 1]!);
    }
    return values;
  }

  has(name: string): boolean {
    return this.#lowerNames.includes(name);
  }

  /** Whether the field stands more than once. */
  isRepeated(name: string): boolean {
    return this.#lowerNames.indexOf(name) !== this.#lowerNames.lastIndexOf(name);
  }

  append(name: string, value: string): void {
    this.fields.push(name, value);
    this.#lowerNames.push(name.toLowerCase());
  }

  /** Writes the field in the place of those of the same name. */
  set(name: string, value: string): void {
    this.remove(name.toLowerCase());
    this.append(name, value);
  }

  remove(name: string): void {
    for (let index = this.#lowerNames.indexOf(name); index >= 0; index = this.#lowerNames.indexOf(name)) {
      this.#lowerNames.splice(index, 1);
      this.fields.splice(index * 2, 2);
    }
  }
}

import type { PageContext } from './context.ts';
import type { Schema } from './data.ts';
import { type Html, html } from './html.ts';

/** How deep fields are written out, and how many of a schema: a page stays readable and light. */
const maxDepth = 7;
const maxFields = 150;
const maxListedValues = 30;
const maxValueCharacters = 80;

/** A schema as a tree of fields, nested ones in details elements. */
export function schemaTree(context: PageContext, schema: Schema): Html {
  return new Tree(context).whole(schema);
}

/** What a schema says about its values beside type and description. */
export function constraintsOf(context: PageContext, schema: Schema): Html | null {
  if (schema.constraints.length === 0) return null;
  const each = schema.constraints.map(({ keyword, value }) => constraint(context, keyword, value));
  return html`<p class="small constraints">${each}</p>`;
}

function constraint({ texts }: PageContext, keyword: string, value: unknown): Html {
  const names: Readonly<Record<string, string>> = texts.constraints;
  const name = Object.hasOwn(names, keyword) ? names[keyword]! : keyword;
  const values = keyword === 'enum' && Array.isArray(value) ? value : [value];
  const shown = values.slice(0, maxListedValues).map((each) => html` <code>${valueText(each)}</code>`);
  return html`<span>${name}${shown}${values.length > maxListedValues && ' …'}</span>`;
}

/** Type and format as a reader says them. */
export function typeInWords({ texts }: PageContext, schema: Schema | null): string {
  if (schema === null || schema.type === '') return texts.anyType;
  return schema.format === null ? schema.type : `${schema.type} (${schema.format})`;
}

class Tree {
  readonly #context: PageContext;
  #left = maxFields;

  constructor(context: PageContext) {
    this.#context = context;
  }

  /** A schema that is nobody's field. */
  whole(schema: Schema): Html {
    const { texts } = this.#context;
    const children = this.#children(schema, 0);
    const plain = html`<p class="small muted">${typeInWords(this.#context, schema)}</p>${this.#about(schema)}`;
    if (schema.properties.length > 0) return html`${this.#description(schema)}${children}`;
    return html`${plain}${schema.items !== null && html`<p class="small">${texts.item}</p>`}${children}`;
  }

  #children(schema: Schema, depth: number): Html | null {
    const { texts } = this.#context;
    if (schema.cut === 'recursive') {
      return schema.name === null ? null : html`<p class="small">${texts.recursive(schema.name)}</p>`;
    }
    if (schema.cut === 'deep' || (depth >= maxDepth && hasChildren(schema))) return this.#truncated();
    const parts: Html[] = [];
    if (schema.properties.length > 0 || schema.additional !== null) parts.push(this.#fields(schema, depth));
    if (schema.items !== null) {
      const nested = this.#children(schema.items, depth + 1);
      if (nested !== null) parts.push(nested);
    }
    if (schema.variants !== null) parts.push(this.#variants(schema.variants, depth));
    return parts.length === 0 ? null : html`${parts}`;
  }

  #fields(schema: Schema, depth: number): Html {
    const { texts } = this.#context;
    const rows: Html[] = [];
    for (const { name, required, schema: property } of schema.properties) {
      if (this.#left-- <= 0) {
        rows.push(html`<li>${this.#truncated()}</li>`);
        return html`<ul class="plain fields">${rows}</ul>`;
      }
      rows.push(this.#field(html`<code>${name}</code>`, required, property, depth));
    }
    if (schema.additional !== null && this.#left-- > 0) {
      rows.push(this.#field(html`<strong>${texts.otherFields}</strong>`, false, schema.additional, depth));
    }
    return html`<ul class="plain fields">${rows}</ul>`;
  }

  #field(name: Html, required: boolean, schema: Schema, depth: number): Html {
    const { texts } = this.#context;
    const children = this.#children(schema, depth + 1);
    return html`<li><div class="field-head">${name}<span>${typeInWords(this.#context, schema)}</span>${required && html`<span class="required">${texts.required}</span>`}${schema.deprecated && html`<span>${texts.deprecated}</span>`}${schema.readOnly && html`<span>${texts.readOnly}</span>`}</div>${this.#about(schema)}${
      children !== null &&
      (schema.cut !== null
        ? children
        : html`<details class="tree"><summary>${fieldsTitle(this.#context, schema)}</summary>${children}</details>`)
    }</li>`;
  }

  #variants({ kind, schemas }: NonNullable<Schema['variants']>, depth: number): Html {
    const { texts } = this.#context;
    const label = kind === 'oneOf' ? texts.oneOf : kind === 'anyOf' ? texts.anyOf : texts.allOf;
    return html`<p class="small muted">${label}</p><ul class="plain fields">${schemas.map((schema, index) => {
      if (this.#left-- <= 0) return html`<li>${this.#truncated()}</li>`;
      const name = schema.name ?? texts.variant(String(index + 1));
      return this.#field(html`<strong>${name}</strong>`, false, schema, depth);
    })}</ul>`;
  }

  #about(schema: Schema): Html {
    return html`${this.#description(schema)}${constraintsOf(this.#context, schema)}`;
  }

  #description({ description }: Schema): Html | null {
    return description === '' ? null : html`<div class="prose">${this.#context.markdown(description)}</div>`;
  }

  #truncated(): Html {
    return html`<p class="small muted">${this.#context.texts.truncated}</p>`;
  }
}

function fieldsTitle({ texts }: PageContext, schema: Schema): string {
  const name = schema.items?.name ?? schema.name;
  return name === null ? texts.fields : texts.fieldsOf(name);
}

function hasChildren(schema: Schema): boolean {
  return (
    schema.properties.length > 0 || schema.additional !== null || schema.items !== null || schema.variants !== null
  );
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > maxValueCharacters ? `${text.slice(0, maxValueCharacters)}…` : text;
}

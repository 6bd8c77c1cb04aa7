import type { BodyOf, DataOf } from '../api.ts';
import { element, labelled, optionalFields } from '../dom.ts';
import type { TryTexts } from './texts.ts';

type Parameter = DataOf<'getCatalogOperation'>['parameters'][number];
type TryBody = BodyOf<'sendPortalTry'>;

/** The fields of an operation's parameters, and what is sent of them. */
export interface ParameterFields {
  readonly elements: readonly HTMLElement[];
  values(): Required<Pick<TryBody, 'pathParameters' | 'query' | 'headers'>>;
}

export function parameterFields(parameters: readonly Parameter[], texts: TryTexts): ParameterFields {
  const places = ['path', 'query', 'header'] as const;
  const fields = parameters
    .filter(({ in: place }) => place !== 'cookie')
    .map((parameter) => ({ parameter, input: inputOf(parameter) }));
  const own = ownHeaders(texts);
  const given = (place: string) =>
    fields
      .filter(({ parameter, input }) => parameter.in === place && input.value !== '')
      .map(({ parameter, input }) => ({ name: parameter.name, value: input.value }));
  const groups = (required: boolean) =>
    places.flatMap((place) => {
      const ofPlace = fields.filter(({ parameter }) => parameter.in === place && parameter.required === required);
      if (ofPlace.length === 0) return [];
      return element(
        'fieldset',
        {},
        element('legend', {}, texts.parameters[place]),
        ...ofPlace.map(({ parameter, input }) =>
          labelled(input, {
            label: parameter.name,
            required: required ? texts.required : undefined,
            help: firstSentence(parameter.description),
          }),
        ),
      );
    });
  const optional = fields.filter(({ parameter }) => !parameter.required).length;
  return {
    elements: [...groups(true), optionalFields(texts.optional, groups(false), optional), own.element].filter(
      (part) => part !== null,
    ),
    values: () => ({
      pathParameters: Object.fromEntries(given('path').map(({ name, value }) => [name, value])),
      query: given('query'),
      headers: [...given('header'), ...own.values()],
    }),
  };
}

function inputOf({ required, schema, example }: Parameter): HTMLInputElement | HTMLSelectElement {
  const listed = schema?.constraints.find(({ keyword }) => keyword === 'enum')?.value;
  const options = Array.isArray(listed) ? listed : schema?.type === 'boolean' ? [true, false] : null;
  const first = required && example !== null ? textOf(example) : '';
  if (options === null) {
    return element('input', { value: first, required, autocomplete: 'off', spellcheck: 'false' });
  }
  return element(
    'select',
    { required },
    ...(required ? [] : [element('option', { value: '' }, '–')]),
    ...options.map((option) => {
      const value = textOf(option);
      return element('option', { value, selected: value === first }, value);
    }),
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The first sentence of a description, without the signs of its Markdown. */
function firstSentence(description: string): string | undefined {
  const [first = ''] = description.split(/(?<=[.!?])\s|\n/);
  return first.replaceAll(/[`*_]/g, '') || undefined;
}

/** Headers that the specification doesn't name. */
function ownHeaders(texts: TryTexts): {
  readonly element: HTMLElement;
  values(): { readonly name: string; readonly value: string }[];
} {
  const rows = element('div', { class: 'try-headers' });
  const add = element('button', { type: 'button', class: 'button small' }, texts.addHeader);
  add.addEventListener('click', () => {
    const name = element('input', { 'aria-label': texts.headerName, placeholder: texts.headerName, maxlength: '200' });
    const value = element('input', { 'aria-label': texts.headerValue, placeholder: texts.headerValue });
    const remove = element('button', { type: 'button', class: 'button small', 'aria-label': texts.removeHeader }, '×');
    const row = element('div', { class: 'try-header' }, name, value, remove);
    remove.addEventListener('click', () => {
      row.remove();
      add.focus();
    });
    rows.append(row);
    name.focus();
  });
  return {
    element: element('div', {}, rows, add),
    values: () =>
      [...rows.children].flatMap((row) => {
        const [name, value] = [...row.querySelectorAll('input')].map((input) => input.value.trim());
        return name ? [{ name, value: value ?? '' }] : [];
      }),
  };
}

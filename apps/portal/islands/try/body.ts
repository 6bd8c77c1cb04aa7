import type { BodyOf, DataOf } from '../api.ts';
import { element, labelled, optionalFields } from '../dom.ts';
import type { TryTexts } from './texts.ts';

type RequestBody = NonNullable<DataOf<'getCatalogOperation'>['requestBody']>;
type Content = RequestBody['content'][number];
type SentBody = BodyOf<'sendPortalTry'>['body'];

/** The server takes 1 MiB, of which Base64 is three quarters. */
const mostBytes = 1_000_000;

/** What was entered can't be sent. */
export class InvalidBody extends Error {}

/** The fields of an operation's body. */
export interface BodyFields {
  readonly element: HTMLElement;
  /** @throws InvalidBody */
  value(): Promise<SentBody>;
}

interface Editor {
  readonly element: HTMLElement;
  value(): Promise<SentBody>;
}

export function bodyFields(body: RequestBody, texts: TryTexts): BodyFields {
  const editors = body.content.map((content) => ({ content, editor: editorOf(content, body.required, texts) }));
  const [first] = editors;
  const place = element('div', {}, first?.editor.element ?? '');
  const type = element(
    'select',
    {},
    ...editors.map(({ content }) => element('option', { value: content.mediaType }, content.mediaType)),
  );
  const chosen = () => editors[Math.max(0, type.selectedIndex)]?.editor;
  type.addEventListener('change', () => place.replaceChildren(chosen()?.element ?? ''));
  return {
    element: element(
      'fieldset',
      {},
      element('legend', {}, texts.body),
      editors.length > 1 ? labelled(type, { label: texts.mediaType }) : null,
      place,
    ),
    value: async () => (await chosen()?.value()) ?? null,
  };
}

function editorOf(content: Content, required: boolean, texts: TryTexts): Editor {
  const { mediaType, schema } = content;
  if (mediaType.startsWith('multipart/')) return partsEditor(content, texts);
  const isText = /json|xml|^text\/|x-www-form-urlencoded/.test(mediaType);
  return isText || schema === null ? textEditor(content, required, texts) : fileEditor(mediaType, required, texts);
}

function textEditor({ mediaType, examples }: Content, required: boolean, texts: TryTexts): Editor {
  const isJson = /[/+]json\b/.test(mediaType);
  const [example] = examples;
  const first =
    example === undefined
      ? ''
      : typeof example.value === 'string' && !isJson
        ? example.value
        : JSON.stringify(example.value, null, 2);
  const area = element('textarea', {
    rows: String(Math.min(20, Math.max(4, first.split('\n').length + 1))),
    required,
    spellcheck: 'false',
  });
  area.value = first;
  const problem = element('p', { class: 'try-problem small', role: 'status' });
  const check = () => {
    const wrong = isJson && area.value.trim() !== '' && !isValidJson(area.value);
    problem.textContent = wrong ? texts.notJson : '';
    area.setAttribute('aria-invalid', String(wrong));
  };
  area.addEventListener('input', check);
  return {
    element: element('div', {}, labelled(area, { label: mediaType }), problem),
    value: async () => (area.value === '' ? null : { kind: 'text', mediaType, text: area.value }),
  };
}

function isValidJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function fileEditor(mediaType: string, required: boolean, texts: TryTexts): Editor {
  const input = element('input', { type: 'file', required });
  return {
    element: labelled(input, { label: texts.file }),
    value: async () => {
      const [file] = checkedFiles([input], texts);
      return file === undefined
        ? null
        : { kind: 'base64', mediaType: file.type || mediaType, base64: await base64Of(file) };
    },
  };
}

/** A field for each part that the schema names: a file where its content is binary. */
function partsEditor({ schema }: Content, texts: TryTexts): Editor {
  const parts = (schema?.properties ?? []).map(({ name, required, schema: part }) => {
    const isList = part.type.startsWith('array');
    const item = isList ? (part.items ?? part) : part;
    const isFile = item.format === 'binary' || (item.type === 'anything' && item.constraints.length === 0);
    const input = element('input', {
      required,
      ...(isFile ? { type: 'file', multiple: isList } : { autocomplete: 'off', spellcheck: 'false' }),
    });
    const help = part.description.split(/(?<=[.!?])\s|\n/)[0]?.replaceAll(/[`*_]/g, '');
    return {
      name,
      input,
      isFile,
      required,
      element: labelled(input, { label: name, required: required ? texts.required : undefined, help }),
    };
  });
  const optional = parts.filter((part) => !part.required);
  return {
    element: element(
      'div',
      { class: 'try-fields' },
      ...parts.filter((part) => part.required).map((part) => part.element),
      optionalFields(
        texts.optionalParts,
        optional.map((part) => part.element),
        optional.length,
      ),
    ),
    value: async () => {
      const files = parts.filter(({ isFile }) => isFile);
      checkedFiles(
        files.map(({ input }) => input),
        texts,
      );
      const sent = await Promise.all(
        parts.map(async ({ name, input, isFile }) => {
          if (!isFile) return input.value === '' ? [] : [{ name, text: input.value }];
          return Promise.all(
            [...(input.files ?? [])].map(async (file) => ({
              name,
              fileName: file.name,
              mediaType: file.type || 'application/octet-stream',
              base64: await base64Of(file),
            })),
          );
        }),
      );
      const all = sent.flat();
      return all.length === 0 ? null : { kind: 'multipart', parts: all };
    },
  };
}

/** @throws InvalidBody */
function checkedFiles(inputs: readonly HTMLInputElement[], texts: TryTexts): readonly File[] {
  const files = inputs.flatMap((input) => [...(input.files ?? [])]);
  if (files.reduce((sum, { size }) => sum + size, 0) > mostBytes) throw new InvalidBody(texts.tooLarge);
  return files;
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}

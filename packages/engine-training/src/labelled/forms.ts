import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DocType, JsonValue } from '@millrace/document-model';
import type { AcceptedValues, EvaluationCase, Truth } from './cases.ts';

/** A line of `forms/labels.jsonl`: a document, or one of the documents on its page, as a person read it. */
interface LabelledForm {
  readonly file: string;
  readonly doc_type: DocType;
  readonly fields: Readonly<Record<string, JsonValue | { readonly any: AcceptedValues }>>;
  readonly lines: number | readonly Readonly<Record<string, JsonValue>>[] | null;
}

/** Real documents of many types. One that two documents share, such as a payslip with its check, is two cases. */
export async function formCases(dataFolder: string): Promise<readonly EvaluationCase[]> {
  const folder = path.join(dataFolder, 'forms');
  const text = await readFile(path.join(folder, 'labels.jsonl'), 'utf8');
  const forms = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): LabelledForm => JSON.parse(line));
  return forms.map((form) => {
    const isShared = forms.filter(({ file }) => file === form.file).length > 1;
    const truth = truthOf(form, isShared);
    return {
      key: form.file,
      path: path.join(folder, form.file),
      words: null,
      docType: form.doc_type,
      ignoreEmbedded: true,
      truth: async () => truth,
      countPrinted: false,
    };
  });
}

const countryFields = new Set(['nationality', 'issuing_country']);
const alpha2: Readonly<Record<string, string>> = { FRA: 'FR', USA: 'US' };

/** The engine answers ISO 3166-1 alpha-2; the labels have the codes of the machine-readable zone, which are alpha-3. */
function countryOf(value: LabelledForm['fields'][string]): AcceptedValues {
  return [alpha2[String(value)] ?? value];
}

function truthOf({ fields, lines, doc_type: docType }: LabelledForm, isShared: boolean): Truth {
  return {
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        countryFields.has(name) ? countryOf(value) : acceptedOf(value),
      ]),
    ),
    rows: Array.isArray(lines)
      ? lines.map((line) =>
          Object.fromEntries(Object.entries(line).map(([name, value]) => [name, [value] as AcceptedValues])),
        )
      : null,
    docType: isShared ? null : docType,
  };
}

function acceptedOf(value: LabelledForm['fields'][string]): AcceptedValues {
  const isChoice = typeof value === 'object' && value !== null && 'any' in value;
  return isChoice ? (value as { readonly any: AcceptedValues }).any : [value as JsonValue];
}

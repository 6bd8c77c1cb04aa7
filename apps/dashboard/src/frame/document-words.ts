import { docTypes } from '@millrace/document-model';
import { wordsOf } from '@millrace/ui/words';
import { useRead } from './api.ts';

/** How documents arrive. */
export const sourceNames = { dashboard: 'Dashboard', inbox: 'Inbox', api: 'API' } as const;

const builtIn = docTypes.map((docType) => ({ value: docType as string, label: wordsOf(docType) }));

/** Document types as options of a field: the built-in ones, then the account's own. */
export function useDocTypeOptions(): readonly { readonly value: string; readonly label: string }[] {
  const { data } = useRead('listDocumentTypes');
  const own = (data?.types ?? []).filter(({ isOwn }) => isOwn);
  return [...builtIn, ...own.map(({ name, title }) => ({ value: name, label: title }))];
}

/** What a document type is called: one of the account’s own by its title. */
export function useDocTypeName(): (docType: string) => string {
  const options = useDocTypeOptions();
  return (docType) => options.find(({ value }) => value === docType)?.label ?? wordsOf(docType);
}

/** The same, with the detection of the type before them. */
export function useAskedTypeOptions(): { value: string; label: string }[] {
  return [{ value: 'detect', label: 'Detect type automatically' }, ...useDocTypeOptions()];
}

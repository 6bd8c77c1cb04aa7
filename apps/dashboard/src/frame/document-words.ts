import { docTypes } from '@millrace/document-model';
import { wordsOf } from '@millrace/ui/words';

/** How documents arrive, by what people call it. */
export const sourceNames = { dashboard: 'Dashboard', inbox: 'Inbox', api: 'API' } as const;

/** Types of documents, as options of a field. */
export const docTypeOptions = docTypes.map((docType) => ({ value: docType, label: wordsOf(docType) }));

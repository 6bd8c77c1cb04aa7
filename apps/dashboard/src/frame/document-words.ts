import { docTypes } from '@millrace/document-model';
import { wordsOf } from '@millrace/ui/words';

/** How documents arrive. */
export const sourceNames = { dashboard: 'Dashboard', inbox: 'Inbox', api: 'API' } as const;

/** Document types as options of a field. */
export const docTypeOptions = docTypes.map((docType) => ({ value: docType, label: wordsOf(docType) }));

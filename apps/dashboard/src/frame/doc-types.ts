import { docTypes } from '@millrace/engine/document';
import { wordsOf } from '@millrace/interface/words';

/** Types of documents, as options of a field. */
export const docTypeOptions = docTypes.map((docType) => ({ value: docType, label: wordsOf(docType) }));

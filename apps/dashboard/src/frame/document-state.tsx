import { Mark, type Tone } from '@millrace/ui/mark';
import type { AnswerOf } from './api.ts';

type State = AnswerOf<'listDocuments'>['items'][number]['state'];

const marks: Readonly<Record<State, { readonly tone: Tone; readonly word: string }>> = {
  processing: { tone: 'active', word: 'Extracting' },
  done: { tone: 'good', word: 'Done' },
  error: { tone: 'bad', word: 'Failed' },
};

/** The status of a document. */
export function DocumentState({ state }: { readonly state: State }) {
  return <Mark tone={marks[state].tone}>{marks[state].word}</Mark>;
}

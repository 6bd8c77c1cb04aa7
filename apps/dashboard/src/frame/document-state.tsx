import { Mark, type Tone } from '@millrace/ui/mark';
import type { AnswerOf } from './api.ts';

type State = AnswerOf<'listDocuments'>['items'][number]['state'];

const marks: Readonly<Record<State, { readonly tone: Tone; readonly word: string }>> = {
  processing: { tone: 'active', word: 'Reading' },
  done: { tone: 'good', word: 'Done' },
  error: { tone: 'bad', word: 'Failed' },
};

/** How far a document is. */
export function DocumentState({ state }: { readonly state: State }) {
  return <Mark tone={marks[state].tone}>{marks[state].word}</Mark>;
}

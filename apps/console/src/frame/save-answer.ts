import { saveText } from '@millrace/ui/save-text';
import { type ArgumentsOf, callText, type TextOperationId } from './api.ts';

/** Has the browser save what an operation answers as text, under that name. */
export async function saveAnswer<Id extends TextOperationId>(
  id: Id,
  args: ArgumentsOf<Id>,
  name: string,
): Promise<void> {
  saveText(await callText(id, args), name);
}

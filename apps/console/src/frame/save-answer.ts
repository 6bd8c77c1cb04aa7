import { saveText } from '@millrace/ui/save-text';
import { type ArgumentsOf, callText, type TextOperationId } from './api.ts';

/** Downloads the text that an operation returns, under the name. */
export async function saveAnswer<Id extends TextOperationId>(
  id: Id,
  args: ArgumentsOf<Id>,
  name: string,
): Promise<void> {
  saveText(await callText(id, args), name);
}

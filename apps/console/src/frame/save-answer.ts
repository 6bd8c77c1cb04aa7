import { saveText } from '@millrace/ui/save-text';
import { type ArgumentsOf, callFile, type FileOperationId } from './api.ts';

/** Downloads the file that an operation returns, under the name. */
export async function saveAnswer<Id extends FileOperationId>(
  id: Id,
  args: ArgumentsOf<Id>,
  name: string,
): Promise<void> {
  saveText(await callFile(id, args), name);
}

import { type ArgumentsOf, callText, type TextOperationId } from './api.ts';

/** Has the browser save what an operation answers as text, under that name. */
export async function saveText<Id extends TextOperationId>(id: Id, args: ArgumentsOf<Id>, name: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([await callText(id, args)]));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

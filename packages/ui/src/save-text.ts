/** Has the browser save a text or the content of a file under that name. */
export function saveText(content: string | Blob, name: string): void {
  const address = URL.createObjectURL(new Blob([content]));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

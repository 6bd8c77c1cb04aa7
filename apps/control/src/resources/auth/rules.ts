/** What is wrong with a new password; null where nothing is. Its length is the schema's to check. */
export function passwordFault(
  password: string,
  owner: { readonly email: string; readonly name: string },
): string | null {
  const plain = comparable(password);
  const own = [owner.email, owner.email.split('@', 1)[0]!, owner.name].map(comparable);
  if (own.some((text) => text !== '' && (plain === text || (text.length >= 5 && plain.includes(text))))) {
    return 'Choose a password without your e-mail address or name in it.';
  }
  if (new Set(password).size < 5) return 'Choose a password of at least 5 different characters.';
  return null;
}

/** Letters and digits alone, in lower case. */
function comparable(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The first wait; each further failure doubles it. */
const firstWaitSeconds = 5;
const longestWaitSeconds = 900;

/** How long to wait after a number of failures, of which so many are free. */
export function waitSeconds(failures: number, free: number): number {
  if (failures < free) return 0;
  return Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(failures - free, 20));
}

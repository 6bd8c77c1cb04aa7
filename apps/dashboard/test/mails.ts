import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

/**
 * The link in the newest mail to somebody; mail is sent a moment after the answer.
 *
 * @param dataFolder of the service, which keeps its mail there
 * @param path of the page that the link leads to
 */
export async function linkOfMail(dataFolder: string, email: string, path: string): Promise<string> {
  let link: string | undefined;
  await until(() => {
    link = mailsOf(join(dataFolder, 'mail'))
      .filter((text) => text.includes(`To: ${email}`))
      .map((text) => new RegExp(`http://\\S+/${path}\\?token=[\\w-]+`).exec(text)?.[0])
      .findLast((found) => found !== undefined);
    return link !== undefined;
  }, `a mail to ${email} with a link to ${path}`);
  return link!;
}

/** The texts of the mails in a folder, the oldest first. */
function mailsOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='));
  } catch {
    return [];
  }
}

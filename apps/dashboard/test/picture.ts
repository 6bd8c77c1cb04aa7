import { join } from 'node:path';
import type { Page } from 'playwright-core';

const documentation = join(import.meta.dirname, '../../../docs');

/** Keeps a picture of the screen, or of the whole page, for the documentation, where it is asked for. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  if (process.env.MILLRACE_SCREENSHOTS !== '1') return;
  // The messages of what was done come and go.
  await page.locator('.mantine-Notification-root').first().waitFor({ state: 'detached' });
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))');
  await page.screenshot({ path: join(documentation, `dashboard-${name}.png`), fullPage });
}

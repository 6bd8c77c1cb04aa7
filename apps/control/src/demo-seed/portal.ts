import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '@millrace/identifiers';
import { tenantTransaction } from '@millrace/postgres';
import { hashPassword } from '@millrace/sign-in/passwords';
import type { ControlDatabase } from '../database/schema.ts';
import type { ControlClient } from './client.ts';
import { developer, guide, portal } from './content.ts';

/** Opens the developer portal, with its look, its texts, a guide in each language, and the product for all to try. */
export async function openPortal(owner: ControlClient, productId: string): Promise<void> {
  const { texts, theme, legal, title, registration } = portal;
  await owner.updatePortalSettings({
    body: {
      open: true,
      title,
      registration,
      texts,
      theme,
      legal,
      catalog: { order: [productId], featured: [productId], hidden: [] },
      sandboxProductIds: [productId],
    },
  });
  for (const { language, ...written } of guide.translations) {
    const file = join(import.meta.dirname, 'guides', `${guide.slug}.${language}.md`);
    const { body } = await owner.createGuide({
      body: { ...written, slug: guide.slug, language, productIds: [productId], source: await readFile(file, 'utf8') },
    });
    await owner.publishGuide({ params: { guideId: body.data.id }, body: {} });
  }
}

/** Makes the developer a portal user. Written past the API, by which only who reads their e-mails becomes one. */
export async function writePortalUser(
  database: ControlDatabase,
  user: { readonly organizationId: string; readonly developerId: string; readonly password: string },
): Promise<void> {
  const passwordHash = await hashPassword(user.password);
  await tenantTransaction(database, user.organizationId, (transaction) =>
    transaction
      .insertInto('portal_users')
      .values({
        id: newId('pus'),
        organization_id: user.organizationId,
        developer_id: user.developerId,
        email: developer.email,
        name: developer.name,
        role: 'owner',
        password_hash: passwordHash,
      })
      .execute(),
  );
}

import type { TenantTransaction } from '../../database/schema.ts';
import { fieldError } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import { type Application, changesOf, removing } from './application.ts';
import { declareGuide, declarePortal } from './declare.ts';
import type { DeclaredGuide } from './document.ts';
import { located } from './perform.ts';
import type { OrganizationState } from './state.ts';

/** Ids of products by their names. */
type ProductIds = ReadonlyMap<string, string>;

/** Makes the developer portal what the document says; the products that it names are there by then. */
export async function applyPortal(application: Application): Promise<void> {
  const { document, state, prune, perform, context } = application;
  if (document.portal === undefined) return;
  const { guides, ...settings } = document.portal;
  const ids = await loadProductIds(context.transaction);
  await applySettings(application, settings, ids);
  if (guides === undefined) return;
  const keyOf = ({ slug, language }: { readonly slug: string; readonly language: string }) => `${slug}/${language}`;
  const declared = new Set(guides.map(keyOf));
  for (const guide of prune ? state.guides.filter((present) => !declared.has(keyOf(present))) : []) {
    const params = { guideId: guide.id };
    await removing('portal.guides', keyOf(guide), () => perform(null, 'deleteGuide', { params }));
  }
  for (const [index, guide] of guides.entries()) {
    const present = state.guides.find((other) => keyOf(other) === keyOf(guide)) ?? null;
    await applyGuide(application, guide, { present, path: `portal.guides.${index}`, ids });
  }
}

async function loadProductIds(transaction: TenantTransaction): Promise<ProductIds> {
  const rows = await transaction
    .selectFrom('products')
    .select(['id', 'name'])
    .where('organization_id', '=', transaction.tenantId)
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

async function applySettings(
  { perform, state }: Application,
  declared: Omit<NonNullable<Application['document']['portal']>, 'guides'>,
  ids: ProductIds,
): Promise<void> {
  const changed = changesOf(declared, declarePortal(state));
  if (changed === null) return;
  const { catalog, sandboxProducts, ...others } = changed;
  const lists = await located('portal', () => ({
    ...(catalog && {
      catalog: {
        order: idsOf(ids, catalog.order, 'catalog.order'),
        featured: idsOf(ids, catalog.featured, 'catalog.featured'),
        hidden: idsOf(ids, catalog.hidden, 'catalog.hidden'),
      },
    }),
    ...(sandboxProducts && { sandboxProductIds: idsOf(ids, sandboxProducts, 'sandboxProducts') }),
  }));
  await perform('portal', 'updatePortalSettings', { body: { ...given(others), ...lists } });
}

async function applyGuide(
  { perform, state }: Application,
  declared: DeclaredGuide,
  {
    present,
    path,
    ids,
  }: { readonly present: OrganizationState['guides'][number] | null; readonly path: string; readonly ids: ProductIds },
): Promise<void> {
  const { published, products, ...fields } = declared;
  const productIds = await located(path, () => products && idsOf(ids, products, 'products'));
  if (present === null) {
    // The operation that creates a new one reports what is missing.
    const body = {
      ...given(fields),
      ...given({ productIds }),
      slug: fields.slug,
      title: fields.title!,
      source: fields.source!,
    };
    const params = { guideId: (await perform(path, 'createGuide', { body }))! };
    if (published === true) await perform(`${path}.published`, 'publishGuide', { params, body: {} });
    return;
  }
  const params = { guideId: present.id };
  const changed = changesOf({ ...fields, products }, declareGuide(present, state));
  if (changed !== null) {
    const { products: _, ...others } = changed;
    const body = { ...given(others), ...(changed.products === undefined ? {} : given({ productIds })) };
    await perform(path, 'updateGuide', { params, body });
  }
  const hasNewTexts = ['title', 'summary', 'source'].some((field) => Object.hasOwn(changed ?? {}, field));
  const wanted = published ?? present.state === 'published';
  if (wanted && (present.state === 'draft' || (hasNewTexts && published === true))) {
    await perform(`${path}.published`, 'publishGuide', { params, body: {} });
  }
  if (!wanted && present.state === 'published') await perform(`${path}.published`, 'unpublishGuide', { params });
}

function idsOf(ids: ProductIds, names: readonly string[], field: string): string[] {
  return names.map((name, index) => {
    const id = ids.get(name);
    if (id === undefined) throw fieldError(`${field}.${index}`, 'API product not found.');
    return id;
  });
}

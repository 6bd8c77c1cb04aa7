import { fieldError } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import { refuseDeletion } from '../../money/rate-plans/rules.ts';
import { type Application, changesOf, removing, unnamed } from './application.ts';
import { declareRatePlan } from './declare.ts';
import type { DeclaredRatePlan } from './document.ts';
import { located } from './perform.ts';
import { compare, type OrganizationState } from './state.ts';

type Present = OrganizationState['ratePlans'][number];

/** A product whose rate plans are applied. */
interface WithinProduct {
  readonly productId: string;
  /** Of the product in the document. */
  readonly path: string;
  /** Ids of API proxies by their names. */
  readonly proxyIds: ReadonlyMap<string, string>;
}

/** Deletes the drafts of a product's rate plans that the document does not name; what was published can't be deleted. */
export async function pruneRatePlans(
  { perform, state, prune }: Application,
  declared: readonly DeclaredRatePlan[] | undefined,
  { productId, path }: Pick<WithinProduct, 'productId' | 'path'>,
): Promise<void> {
  if (!prune || declared === undefined) return;
  const present = state.ratePlans.filter((plan) => plan.productId === productId);
  for (const plan of unnamed(present, declared)) {
    await removing(`${path}.ratePlans`, plan.name, async () => {
      // Of a published plan, the operation would delete an edit.
      refuseDeletion({ ...plan, draft: null });
      await perform(null, 'deleteRatePlan', { params: { ratePlanId: plan.id } });
    });
  }
}

/**
 * Makes a product's rate plans what the document says. What changes of a published plan is published as its next
 * version, instead of an edit that is not published yet.
 */
export async function applyRatePlans(
  application: Application,
  declared: readonly DeclaredRatePlan[] | undefined,
  within: WithinProduct,
): Promise<void> {
  for (const [index, plan] of (declared ?? []).entries()) {
    const at = { ...within, path: `${within.path}.ratePlans.${index}` };
    const present = application.state.ratePlans.find(
      ({ productId, name }) => productId === within.productId && name === plan.name,
    );
    await (present === undefined ? addRatePlan(application, plan, at) : changeRatePlan(application, plan, present, at));
  }
}

async function addRatePlan({ perform }: Application, declared: DeclaredRatePlan, within: WithinProduct): Promise<void> {
  const { state: wanted = 'draft', charges, ...fields } = declared;
  const { displayName, type, currency } = fields;
  // The operation that creates a new one reports what is missing.
  const body = {
    ...given(fields),
    ...given({ charges: charges && (await withIds(charges, within)) }),
    productId: within.productId,
    name: fields.name,
    displayName: displayName!,
    type: type!,
    currency: currency!,
  };
  const params = { ratePlanId: (await perform(within.path, 'createRatePlan', { body }))! };
  const path = `${within.path}.state`;
  if (wanted !== 'draft') await perform(path, 'publishRatePlan', { params });
  if (wanted === 'retired') await perform(path, 'retireRatePlan', { params });
}

async function changeRatePlan(
  { perform, state }: Application,
  declared: DeclaredRatePlan,
  present: Present,
  within: WithinProduct,
): Promise<void> {
  const { state: wanted = present.state, name: _, ...fields } = declared;
  const params = { ratePlanId: present.id };
  const path = `${within.path}.state`;
  if (wanted === 'draft' && present.state !== 'draft') {
    const problem = fieldError('', 'A published plan can’t become a draft again. Retire it, or leave this out.');
    await located(path, () => Promise.reject(problem));
  }
  const charges = fields.charges?.map((charge) => ({ ...charge, proxies: charge.proxies?.toSorted(compare) ?? null }));
  const changed = changesOf({ ...fields, charges }, declareRatePlan(present, state));
  if (changed !== null) {
    if (present.state === 'published' && present.draft !== null)
      await perform(within.path, 'deleteRatePlan', { params });
    const { charges: declaredCharges, ...others } = changed;
    const body = {
      ...given(others),
      ...given({ charges: declaredCharges && (await withIds(declaredCharges, within)) }),
    };
    await perform(within.path, 'updateRatePlan', { params, body });
  }
  const isPublished = wanted !== 'draft' && (present.state === 'draft' || changed !== null);
  if (isPublished || (wanted === 'published' && present.state === 'retired')) {
    await perform(path, 'publishRatePlan', { params });
  }
  if (wanted === 'retired' && present.state !== 'retired') await perform(path, 'retireRatePlan', { params });
}

/** The charges with the ids of the API proxies that they name. */
async function withIds(charges: NonNullable<DeclaredRatePlan['charges']>, { path, proxyIds }: WithinProduct) {
  return Promise.all(
    charges.map(async ({ proxies, ...charge }, index) => ({
      ...charge,
      proxyIds:
        proxies === null
          ? null
          : await located(`${path}.charges.${index}`, () => proxies.map((name, place) => idOf(proxyIds, name, place))),
    })),
  );
}

function idOf(proxyIds: ReadonlyMap<string, string>, name: string, place: number): string {
  const id = proxyIds.get(name);
  if (id !== undefined) return id;
  throw fieldError(`proxies.${place}`, 'API proxy not found.');
}

import { addApp, addDeveloper, addProduct, done } from '../../consumers/products/testing.ts';
import type { TestCaller } from '../../testing.ts';

/** A developer's subscription to a prepaid plan, at a cent a request, which may be in another currency than the organization's. */
export async function addPrepaid(
  caller: TestCaller,
  { developerId = '', currency = 'EUR', unitPrice = '0.01', creditExpiry = null as object | null } = {},
) {
  const productId = await addProduct(caller, { autoApprove: true });
  const charges = [{ name: 'calls', meter: 'requests', model: 'per_unit', unitPrice }];
  const terms = { type: 'prepaid', currency, creditExpiry, charges };
  const plan = { productId, name: 'prepaid', displayName: 'Prepaid', ...terms };
  const { id: ratePlanId } = await done(caller, 'POST', '/rate-plans', plan);
  await done(caller, 'POST', `/rate-plans/${ratePlanId}/publish`);
  const owner = developerId || (await addDeveloper(caller));
  const appId = await addApp(caller, owner);
  const { id, termId } = await done(caller, 'POST', '/subscriptions', { appId, productId, ratePlanId });
  return { developerId: owner, appId, productId, ratePlanId, id: id as string, termId: termId as string };
}

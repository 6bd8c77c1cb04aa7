import type { Prepaid } from '@millrace/gateway-configuration/consumers';
import { minorUnitOf, type PlanTerms } from '@millrace/pricing';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError } from '../../frame/errors.ts';

/** Decimal digits of a millionth of a minor unit. */
const microDigits = 6;

/** What calls cost by prepaid terms, as gateway nodes count it; null: they are not prepaid. */
export function prepaidCharges(terms: PlanTerms): Prepaid['charges'] | null {
  if (terms.type !== 'prepaid') return null;
  const digits = minorUnitOf(terms.currency) + microDigits;
  return terms.charges.flatMap((charge) => {
    if (charge.model !== 'per_unit') return [];
    const { meter, statusClasses, proxyIds, unitPrice } = charge;
    return { meter, statusClasses, proxyIds, price: Number(`${unitPrice}e${digits}`) };
  });
}

/**
 * Gives a subscription a balance in the currency of its prepaid plan, if it has none.
 *
 * @throws ApiError if it has money in another currency
 */
export async function openAccount(
  transaction: TenantTransaction,
  subscriptionId: string,
  currency: string,
): Promise<void> {
  const { rows } = await sql<{ currency: string }>`
    insert into prepaid_accounts as present (organization_id, subscription_id, currency)
    values (${transaction.tenantId}, ${subscriptionId}, ${currency})
    on conflict (organization_id, subscription_id) do update set
      currency = case when present.credit_micro = 0 then excluded.currency else present.currency end
    returning currency`.execute(transaction);
  const [account] = rows;
  if (account === undefined || account.currency === currency) return;
  throw new ApiError('conflict', {
    message: `The subscription has a prepaid balance in ${account.currency}. Choose a plan in that currency.`,
  });
}

import { type Charge, PricingError, priceUsage, toMajor } from '@millrace/pricing';
import { formatAmount, formatMoney, formatNumber, type PageContext, pathTo } from './context.ts';
import type { PeriodUnit, PricingCard, QuotaLimit } from './data.ts';
import { attributes, type Html, html } from './html.ts';

/** Bytes are priced by the gigabyte: a single one costs next to nothing. */
const gigabyteDigits = 9;
const isBytes = (meter: Charge['meter']): boolean => meter === 'request_bytes' || meter === 'response_bytes';

/** A decimal with its point moved to the right by so many digits, or to the left where negative; exactly. */
export function shiftPoint(decimal: string, digits: number): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const all = `${'0'.repeat(Math.max(0, -digits))}${whole}${fraction}${'0'.repeat(Math.max(0, digits))}`;
  const point = Math.max(0, -digits) + whole.length + digits;
  const [left, right] = [all.slice(0, point).replace(/^0+(?=\d)/, ''), all.slice(point).replace(/0+$/, '')];
  return `${left === '' ? '0' : left}${right === '' ? '' : `.${right}`}`;
}

/** What the words of a plan need. */
export type WordsContext = Pick<PageContext, 'language' | 'texts'>;

/** The terms of a plan, whoever shows them. */
export type PlanInWords = Omit<PricingCard, 'id' | 'name' | 'displayName' | 'description'>;

/** Formats prices and quantities of one charge. What the target counts is called as the charge is. */
function chargeWords(context: WordsContext, plan: Pick<PricingCard, 'currency'>, { meter, name }: Charge) {
  const { one, many } = context.texts.meters[meter];
  const named = name.replaceAll('-', ' ');
  const digits = isBytes(meter) ? gigabyteDigits : 0;
  return {
    one,
    many: meter === 'units' ? named : many,
    price: (unitPrice: string) => formatMoney(context, shiftPoint(unitPrice, digits), plan.currency),
    quantity: (quantity: string) => formatNumber(context, shiftPoint(quantity, -digits)),
    money: (amount: string) => formatMoney(context, amount, plan.currency),
  };
}

/** The published plans of a product side by side, their terms in words. */
export function pricingCards(
  context: PageContext,
  product: { readonly name: string; readonly plans: readonly PricingCard[]; readonly billingPeriod: PeriodUnit },
): Html {
  const { texts } = context;
  if (product.plans.length === 0) return html`<p class="empty">${texts.noPlan}</p>`;
  return html`<div class="plans">${product.plans.map((plan) => {
    const { amount, unit } = headlinePrice(context, plan, product.billingPeriod);
    return html`<article class="card"><h3>${plan.displayName}</h3>
<p class="price">${amount} <small>${unit}</small></p>
${plan.description !== '' && html`<p>${plan.description}</p>`}
<ul class="terms">${termsInWords(context, plan, product.billingPeriod).map((term) => html`<li>${term.text}${term.tiers !== null && tierTable(context, plan, term.tiers)}</li>`)}</ul>
<div class="foot"><a class="button" href="${`${pathTo(context, 'account', 'start')}?${new URLSearchParams({ product: product.name, plan: plan.name })}`}">${texts.choose}<span class="sr"> (${plan.displayName})</span></a></div></article>`;
  })}</div><p class="muted small after">${texts.withoutTax}</p>`;
}

interface TieredCharge {
  readonly charge: Extract<Charge, { tiers: unknown }>;
}

/** One term of a plan as a sentence, with the charge whose tiers belong to it. */
export interface TermInWords {
  readonly text: string;
  readonly tiers: TieredCharge | null;
}

/** The largest figure on a plan's card. */
export function headlinePrice(
  context: WordsContext,
  plan: PlanInWords,
  period: PeriodUnit,
): { readonly amount: string; readonly unit: string } {
  const { texts } = context;
  if (plan.recurringFee !== null && Number(plan.recurringFee) > 0) {
    return { amount: formatMoney(context, plan.recurringFee, plan.currency), unit: texts.perPeriod[period] };
  }
  const [first] = plan.charges;
  if (first === undefined) return { amount: texts.free, unit: '' };
  const { one, many, price, quantity, money } = chargeWords(context, plan, first);
  switch (first.model) {
    case 'per_unit':
      return { amount: price(first.unitPrice), unit: texts.per(one) };
    case 'package':
      return { amount: money(first.package.price), unit: texts.perMany(quantity(first.package.size), many) };
    case 'graduated':
    case 'volume':
      return { amount: price(first.tiers[0]!.unitPrice), unit: texts.perFirst(one) };
  }
}

/** Everything that a plan's terms say, as sentences. */
export function termsInWords(context: WordsContext, plan: PlanInWords, period: PeriodUnit): readonly TermInWords[] {
  const { texts } = context;
  const money = (amount: string) => formatMoney(context, amount, plan.currency);
  const plain = (text: string): TermInWords => ({ text, tiers: null });
  const several = plan.charges.length > 1;
  const terms = plan.charges.flatMap((charge) => {
    const name = several && charge.meter !== 'units' ? `${charge.name}: ` : '';
    return chargeInWords(context, plan, charge).map(({ text, tiers }) => ({ text: `${name}${text}`, tiers }));
  });
  const spend = texts.perPeriodOfUsage[period];
  return [
    ...(plan.trialDays > 0 ? [plain(texts.trial(formatNumber(context, plan.trialDays), plan.trialDays === 1))] : []),
    ...terms,
    ...(plan.setupFee !== null ? [plain(texts.setupFee(money(plan.setupFee)))] : []),
    ...(plan.minimumSpend !== null ? [plain(texts.minimumSpend(money(plan.minimumSpend), spend))] : []),
    ...(plan.maximumSpend !== null ? [plain(texts.maximumSpend(money(plan.maximumSpend), spend))] : []),
    ...(plan.recurringFee !== null
      ? [plain(plan.feeTiming === 'advance' ? texts.feeInAdvance : texts.feeInArrears)]
      : []),
    ...(plan.type === 'prepaid' ? [plain(texts.prepaidTerms)] : []),
    ...(plan.creditExpiry !== null
      ? [
          plain(
            texts.creditExpiry[plan.creditExpiry.unit](
              formatNumber(context, plan.creditExpiry.count),
              plan.creditExpiry.count === 1,
            ),
          ),
        ]
      : []),
    ...billedInWords(context, plan).map(plain),
  ];
}

function chargeInWords(context: WordsContext, plan: PlanInWords, charge: Charge): readonly TermInWords[] {
  const { texts } = context;
  const { one, many, price, quantity, money } = chargeWords(context, plan, charge);
  const hasAllowance = Number(charge.allowance) > 0;
  const allowance = quantity(charge.allowance);
  const after = (text: string): TermInWords => ({
    text: hasAllowance ? texts.thenUnitPrice(allowance, many, text) : text,
    tiers: null,
  });
  switch (charge.model) {
    case 'per_unit':
      return [after(texts.unitPrice(price(charge.unitPrice), one))];
    case 'package':
      return [after(texts.packagePrice(money(charge.package.price), quantity(charge.package.size), many))];
    case 'graduated':
    case 'volume':
      return [
        ...(hasAllowance ? [{ text: texts.included(allowance, many), tiers: null }] : []),
        { text: charge.model === 'graduated' ? texts.graduated(many) : texts.volume(many), tiers: { charge } },
      ];
  }
}

/** Which calls are billed; nothing where the charges differ in it. */
function billedInWords({ texts }: WordsContext, { charges }: PlanInWords): readonly string[] {
  const kinds = new Set(charges.map(({ statusClasses }) => [...statusClasses].sort().join()));
  const [kind] = kinds;
  if (kind === undefined || kinds.size > 1) return [];
  if (kind === '2' || kind === '2,3') return [texts.onlySuccessful];
  return [
    texts.billedClasses(
      kind
        .split(',')
        .map((digit) => `${digit}xx`)
        .join(', '),
    ),
  ];
}

function tierTable(context: PageContext, plan: PricingCard, { charge }: TieredCharge): Html {
  const { texts } = context;
  const { one, price, money } = chargeWords(context, plan, charge);
  const hasFees = charge.tiers.some(({ flatFee }) => Number(flatFee) > 0);
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label="${charge.name}"><table><thead><tr><th scope="col">${texts.tierQuantity}</th><th scope="col" class="end">${texts.tierPrice(one)}</th>${hasFees && html`<th scope="col" class="end">${texts.tierFee}</th>`}</tr></thead><tbody>${charge.tiers.map(
    ({ unitPrice, flatFee }, index) =>
      html`<tr><td>${tierQuantity(context, plan, charge, index)}</td><td class="end">${price(unitPrice)}</td>${hasFees && html`<td class="end">${money(flatFee)}</td>`}</tr>`,
  )}</tbody></table></div>`;
}

/** The tiers of a charge as lines, such as `Up to 1,000: €0.01 per call`. */
export function tiersInWords(context: WordsContext, plan: PlanInWords, { charge }: TieredCharge): readonly string[] {
  const { texts } = context;
  const { one, price, money } = chargeWords(context, plan, charge);
  return charge.tiers.map(({ unitPrice, flatFee }, index) => {
    const fee = Number(flatFee) > 0 ? ` + ${money(flatFee)}` : '';
    return `${tierQuantity(context, plan, charge, index)}: ${texts.unitPrice(price(unitPrice), one)}${fee}`;
  });
}

/** The range of a tier in words. */
export function tierQuantity(
  context: WordsContext,
  plan: PlanInWords,
  charge: TieredCharge['charge'],
  index: number,
): string {
  const { texts } = context;
  const { quantity } = chargeWords(context, plan, charge);
  const upTo = charge.tiers[index]?.upTo ?? null;
  const before = charge.tiers[index - 1]?.upTo ?? null;
  if (upTo !== null) return texts.tierUpTo(quantity(upTo));
  return before === null ? texts.tierAny : texts.tierAbove(quantity(before));
}

/** A quota in words, such as `10,000 requests per day`. */
export function quotaInWords(context: PageContext, { limit, window }: QuotaLimit): string {
  const { texts } = context;
  const { one, many } = texts.meters.requests;
  const unit = texts.quotaWindows[window.unit];
  const per = window.count === 1 ? unit.one : unit.many(formatNumber(context, window.count));
  return texts.quotaPer(`${formatNumber(context, limit)} ${limit === 1 ? one : many}`, per);
}

/** What a visitor asks the estimator: a plan, and a quantity as typed by the name of each charge. */
export interface EstimateQuery {
  readonly plan: string | null;
  readonly usage: Readonly<Record<string, string>>;
}

/** A period as long as any: an estimate is for a whole one. */
const wholePeriod = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };

/** Fields of the form are named `usage.` and the charge. */
export const usagePrefix = 'usage.';

/**
 * A form that asks for usage, and what it costs by the function that makes invoices. It works by a GET of the page; a
 * script only spares the reload.
 */
export function estimator(
  context: PageContext,
  product: { readonly name: string; readonly plans: readonly PricingCard[]; readonly billingPeriod: PeriodUnit },
  query: EstimateQuery,
): Html {
  const { texts } = context;
  const plan = product.plans.find(({ name }) => name === query.plan) ?? product.plans[0];
  if (plan === undefined) return html``;
  const usage = plan.charges.map((charge) => ({ charge, typed: query.usage[charge.name] ?? suggestedUsage(charge) }));
  const action = `${pathTo(context, 'products', product.name)}#estimate`;
  return html`<div class="estimator" data-estimator>
<form action="${action}" method="get"><p class="muted small">${texts.estimatorText}</p>
${
  product.plans.length > 1
    ? html`<div><label for="estimate-plan">${texts.estimatorPlan}</label><select id="estimate-plan" name="plan">${product.plans.map(({ name, displayName }) => html`<option value="${name}"${attributes({ selected: name === plan.name })}>${displayName}</option>`)}</select></div>`
    : html`<input type="hidden" name="plan" value="${plan.name}">`
}
${usage.map(({ charge, typed }, index) => {
  const { many } = chargeWords(context, plan, charge);
  const id = `estimate-${index}`;
  const label =
    plan.charges.length > 1 && charge.meter !== 'units'
      ? `${texts.estimatorOf(many)} (${charge.name})`
      : texts.estimatorOf(many);
  return html`<div><label for="${id}">${label}</label><input id="${id}" name="${`${usagePrefix}${charge.name}`}" value="${typed}" inputmode="decimal" autocomplete="off" maxlength="20"></div>`;
})}
<button class="button" type="submit">${texts.estimatorSubmit}</button></form>
<div aria-live="polite" data-estimate>${estimateResult(context, plan, product.billingPeriod, usage)}</div></div>`;
}

/** Enough to go beyond what is included. */
function suggestedUsage(charge: Charge): string {
  return isBytes(charge.meter)
    ? '10'
    : Number(charge.allowance) >= 10_000
      ? `${Number(charge.allowance) * 2}`
      : '10000';
}

function estimateResult(
  context: PageContext,
  plan: PricingCard,
  period: PeriodUnit,
  usage: readonly { readonly charge: Charge; readonly typed: string }[],
): Html {
  const { texts } = context;
  const entries = usage.map(({ charge, typed }) => [charge, quantityOf(typed, charge.meter)] as const);
  if (entries.some(([, quantity]) => quantity === null)) return html`<p class="note">${texts.estimatorInvalid}</p>`;
  const priced = priceOf(plan, Object.fromEntries(entries.map(([charge, quantity]) => [charge.name, quantity!])));
  if (priced === null) return html`<p class="note">${texts.estimatorInvalid}</p>`;
  const money = (amountMinor: number) => formatAmount(context, toMajor(amountMinor, priced.currency), priced.currency);
  return html`<p class="muted small">${texts.estimatorTotal}</p>
<p class="price">${money(priced.subtotalMinor)} <small>${texts.perPeriod[period]}</small></p>
<dl class="facts after">${priced.lines.map(
    (line) => html`<div><dt>${lineInWords(context, plan, line)}</dt><dd>${money(line.amountMinor)}</dd></div>`,
  )}</dl>
<p class="muted small after">${texts.withoutTax}</p>`;
}

type PricedLine = ReturnType<typeof priceUsage>['lines'][number];

function lineInWords(context: PageContext, plan: PricingCard, line: PricedLine): string {
  const { texts } = context;
  const charge = plan.charges.find(({ name }) => name === line.charge);
  if (charge === undefined) return texts.estimatorLine[line.kind];
  const { many, price, quantity } = chargeWords(context, plan, charge);
  if (line.isFlatFee) return `${charge.name}: ${texts.tierFee}`;
  if (charge.model === 'package')
    return `${charge.name}: ${formatNumber(context, line.quantity)} × ${formatMoney(context, line.unitPrice, plan.currency)}`;
  const used = `${quantity(line.quantity)} ${many} × ${price(line.unitPrice)}`;
  return plan.charges.length > 1 && charge.meter !== 'units' ? `${charge.name}: ${used}` : used;
}

function priceOf(plan: PricingCard, usage: Readonly<Record<string, string>>): ReturnType<typeof priceUsage> | null {
  const { charges, ...rest } = plan;
  try {
    return priceUsage({ terms: { ...rest, charges: [...charges] }, usage, period: wholePeriod, timeZone: 'UTC' });
  } catch (error) {
    if (error instanceof PricingError) return null;
    throw error;
  }
}

/** A typed quantity as a decimal in the meter's own unit; null if it is none. */
function quantityOf(typed: string, meter: Charge['meter']): string | null {
  const plain = typed.replaceAll(/[\s_\u00a0\u202f]/g, '') || '0';
  if (!/^\d{1,12}(?:\.\d{1,6})?$/.test(plain)) return null;
  return shiftPoint(plain, isBytes(meter) ? gigabyteDigits : 0);
}

import { headlinePrice, type PlanInWords, termsInWords, tiersInWords } from '@millrace/portal-pages/prices';
import { textsByLanguage } from '@millrace/portal-pages/texts';
import { place } from './place.ts';

const context = { language: place.language, texts: textsByLanguage[place.language] };

/** What a plan costs, in the words of its card on the product's page. */
export function planWords(plan: PlanInWords, period: 'week' | 'month' | 'quarter') {
  const { amount, unit } = headlinePrice(context, plan, period);
  const terms = termsInWords(context, plan, period).flatMap(({ text, tiers }) => [
    text,
    ...(tiers === null ? [] : tiersInWords(context, plan, tiers)),
  ]);
  return { amount, unit, terms };
}

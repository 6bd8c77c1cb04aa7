import { Radio, Text } from '@mantine/core';
import type { DataOf } from '../../frame/api.ts';
import { planWords } from '../../frame/plan-words.ts';
import { texts } from '../../frame/texts.ts';
import classes from './start.module.css';

type Product = DataOf<'getCatalogProduct'>;

/** The published plans of a product to choose from, with their terms in words. */
export function PlanChoice(props: {
  readonly plans: Product['plans'];
  readonly billingPeriod: Product['billingPeriod'];
  readonly chosen: string;
  readonly onChoose: (ratePlanId: string) => void;
  readonly error: string | undefined;
}) {
  const { plans, billingPeriod, chosen, onChoose, error } = props;
  if (plans.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {texts.start.noPlans}
      </Text>
    );
  }
  return (
    <Radio.Group aria-label={texts.start.plan} value={chosen} onChange={onChoose} error={error}>
      <div className={classes.cards}>
        {plans.map((plan) => {
          const { amount, unit, terms } = planWords(plan, billingPeriod);
          return (
            <Radio.Card key={plan.id} value={plan.id} className={classes.card!}>
              <Radio.Indicator />
              <div>
                <strong>{plan.displayName}</strong>
                <p className={classes.price}>
                  {amount} <small>{unit}</small>
                </p>
                {plan.description !== '' && <p>{plan.description}</p>}
                <ul>
                  {terms.map((term) => (
                    <li key={term}>{term}</li>
                  ))}
                </ul>
              </div>
            </Radio.Card>
          );
        })}
      </div>
    </Radio.Group>
  );
}

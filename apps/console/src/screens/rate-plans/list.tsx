import { IconPlus } from '@millrace/ui/icons';
import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import type { PermittedAction } from '../../frame/actions.tsx';
import { type DataOf, useList } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { typeNames, usePriceTexts } from './texts.ts';

type RatePlan = DataOf<'listRatePlans'>['ratePlans'][number];

const tones: Readonly<Record<RatePlan['state'], Tone>> = { draft: 'neutral', published: 'good', retired: 'warning' };

/** The state of a plan, and whether it has an edit that is not published. */
export function PlanMarks({ plan }: { readonly plan: Pick<RatePlan, 'state' | 'draft'> }) {
  const { state, draft } = plan;
  return (
    <>
      <Mark tone={tones[state]}>{wordsOf(state)}</Mark>{' '}
      {state === 'published' && draft !== null && <Mark tone="active">Version {draft.planVersion} drafted</Mark>}
    </>
  );
}

/** Opens the form for a new plan, of a product if it is given. */
export function createPlanAction(productId?: string): PermittedAction {
  return {
    label: 'Create rate plan',
    icon: IconPlus,
    primary: true,
    permission: 'rate-plan.write',
    link: { to: '/rate-plans/new', search: { productId } },
  };
}

/** The rate plans of the organization. */
export function RatePlanList() {
  const { summaryOf } = usePriceTexts();
  const numbers = useNumbers();
  return (
    <ListScreen
      title="Rate plans"
      description="What subscriptions to API products cost. A published version never changes."
      noun="rate plans"
      list={useList('listRatePlans')}
      actions={[createPlanAction()]}
      columns={[
        {
          title: 'Name',
          sort: 'displayName',
          cell: ({ id, displayName }) => (
            <TextLink to="/rate-plans/$ratePlanId" params={{ ratePlanId: id }}>
              {displayName}
            </TextLink>
          ),
        },
        { title: 'API product', cell: ({ productName }) => productName },
        { title: 'State', cell: (plan) => <PlanMarks plan={plan} /> },
        { title: 'Type', cell: ({ type }) => typeNames[type] },
        { title: 'Price', cell: summaryOf },
        { title: 'Subscribers', align: 'end', cell: ({ subscribers }) => numbers.count(subscribers) },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      hiddenColumns={['Type']}
      filters={[
        { name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) },
        {
          name: 'type',
          label: 'Type',
          options: Object.entries(typeNames).map(([value, label]) => ({ value, label })),
        },
      ]}
      empty={<EmptyList>No rate plans yet: every API product is free. Create one to charge for its usage.</EmptyList>}
    />
  );
}

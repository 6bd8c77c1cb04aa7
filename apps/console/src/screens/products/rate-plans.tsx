import { EmptyList, optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams } from '@tanstack/react-router';
import { type DataOf, useList } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';

type RatePlan = DataOf<'listProductRatePlans'>['ratePlans'][number];

const tones: Readonly<Record<RatePlan['state'], Tone>> = { draft: 'neutral', published: 'good', retired: 'warning' };

/** The rate plans of a product. */
export function ProductRatePlans() {
  const { productId } = useParams({ from: '/shell/products/$productId/rate-plans' });
  return (
    <ResourceList
      {...useList('listProductRatePlans', { productId })}
      noun="rate plans"
      columns={[
        { title: 'Name', sort: 'name', cell: ({ displayName }) => displayName },
        { title: 'Type', cell: ({ type }) => wordsOf(type) },
        { title: 'State', cell: ({ state }) => <Mark tone={tones[state]}>{wordsOf(state)}</Mark> },
        { title: 'Currency', cell: ({ currency }) => currency },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      filters={[{ name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) }]}
      empty={<EmptyList>No rate plans: calls through this API product are free.</EmptyList>}
    />
  );
}

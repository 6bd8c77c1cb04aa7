import { Text } from '@mantine/core';
import { optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { useParams, useSearch } from '@tanstack/react-router';
import { type DataOf, listQueryOf, useRead } from '../../frame/api.ts';
import { ResourceList } from '../../frame/resource-list.tsx';

type RatePlan = DataOf<'listProductRatePlans'>['ratePlans'][number];

const tones: Readonly<Record<RatePlan['state'], Tone>> = { draft: 'neutral', published: 'good', retired: 'warning' };

/** The rate plans of a product. */
export function ProductRatePlans() {
  const { productId } = useParams({ from: '/shell/products/$productId/rate-plans' });
  const search = useSearch({ from: '/shell/products/$productId/rate-plans' });
  const list = useRead('listProductRatePlans', { params: { productId }, query: listQueryOf(search) });
  return (
    <ResourceList
      noun="rate plans"
      rows={list.data?.ratePlans}
      total={list.data?.total}
      loading={list.isFetching}
      error={list.error}
      columns={[
        { title: 'Name', sort: 'name', cell: ({ displayName }) => displayName },
        { title: 'Type', cell: ({ type }) => wordsOf(type) },
        { title: 'State', cell: ({ state }) => <Mark tone={tones[state]}>{wordsOf(state)}</Mark> },
        { title: 'Currency', cell: ({ currency }) => currency },
        { title: 'Updated', sort: 'updatedAt', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
      ]}
      filters={[{ name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) }]}
      empty={
        <Text c="dimmed" my="lg">
          It has no rate plan: calls by it cost nothing.
        </Text>
      }
    />
  );
}

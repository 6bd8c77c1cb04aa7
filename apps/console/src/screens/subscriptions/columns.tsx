import { type Filter, optionsOf } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import type { Column } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import type { DataOf } from '../../frame/api.ts';
import { QuotaText } from '../../frame/quota.tsx';

export type Subscription = DataOf<'listSubscriptions'>['subscriptions'][number];

const tones: Readonly<Record<Subscription['state'], Tone>> = {
  pending: 'active',
  approved: 'good',
  rejected: 'bad',
  revoked: 'bad',
  cancelled: 'neutral',
};

/** The state of a subscription. */
export function SubscriptionState({ state }: Pick<Subscription, 'state'>) {
  return <Mark tone={tones[state]}>{wordsOf(state)}</Mark>;
}

/** Columns of every list of subscriptions. */
export const subscriptionColumns: readonly Column<Subscription>[] = [
  {
    title: 'App',
    cell: ({ id, appName }) => (
      <TextLink to="/subscriptions/$subscriptionId" params={{ subscriptionId: id }}>
        {appName}
      </TextLink>
    ),
  },
  {
    title: 'API product',
    cell: ({ id, productName }) => (
      <TextLink to="/subscriptions/$subscriptionId" params={{ subscriptionId: id }}>
        {productName}
      </TextLink>
    ),
  },
  { title: 'Developer', cell: ({ developerName }) => developerName },
  { title: 'State', sort: 'state', cell: ({ state }) => <SubscriptionState state={state} /> },
  { title: 'Rate plan', cell: ({ ratePlanName }) => ratePlanName ?? '–' },
  { title: 'Quota', cell: ({ quota }) => <QuotaText quota={quota} absent="The API product’s" /> },
  { title: 'Requested', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

export const subscriptionFilters: readonly Filter[] = [
  { name: 'state', label: 'State', options: optionsOf(Object.keys(tones)) },
];

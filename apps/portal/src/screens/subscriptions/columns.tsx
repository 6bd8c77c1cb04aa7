import type { Column } from '@millrace/ui/record-table';
import { TextLink } from '@millrace/ui/text-link';
import { Ago } from '@millrace/ui/values';
import type { DataOf } from '../../frame/api.ts';
import { StateMark } from '../../frame/state-mark.tsx';
import { texts } from '../../frame/texts.ts';

const words = texts.subscriptions;

/** Of every list of subscriptions. */
export function subscriptionColumns(): readonly Column<DataOf<'listPortalSubscriptions'>['subscriptions'][number]>[] {
  return [
    {
      title: words.product,
      cell: ({ id, productName }) => (
        <TextLink to="/account/subscriptions/$subscriptionId" params={{ subscriptionId: id }}>
          {productName}
        </TextLink>
      ),
    },
    { title: words.app, cell: ({ appName }) => appName },
    { title: words.plan, cell: ({ ratePlanName }) => ratePlanName ?? '–' },
    { title: words.state, sort: 'state', cell: ({ state }) => <StateMark state={state} /> },
    { title: words.since, sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  ];
}

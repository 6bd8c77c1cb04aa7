import { Text } from '@mantine/core';
import { EmptyList } from '@millrace/ui/list';
import { Mark, type Tone } from '@millrace/ui/mark';
import { useNumbers } from '@millrace/ui/numbers';
import { Ago, Lines } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import { createAction, deleteAction, editAction, RowActions } from '../../frame/actions.tsx';
import { type DataOf, useList, useWrite } from '../../frame/api.ts';
import { ListScreen } from '../../frame/list-screen.tsx';
import { useRanges } from './ranges.ts';
import { matcherText, scheduleText } from './schedule-text.ts';
import { SilenceForm } from './silence-form.tsx';

type Silence = DataOf<'listSilences'>['silences'][number];

const tones: Readonly<Record<Silence['state'], Tone>> = { active: 'active', scheduled: 'neutral', expired: 'neutral' };

/** When nobody is notified of some alerts: once, or in windows for maintenance that recur. */
export function SilenceList() {
  const rangeOf = useRanges();
  const numbers = useNumbers();
  const remove = useWrite('deleteSilence');
  const permission = 'alert.write';
  return (
    <ListScreen
      title="Silences"
      description="While a silence or maintenance window is in force, nobody is notified of alerts that match. They are still evaluated."
      noun="silences"
      list={useList('listSilences', undefined, { refetchInterval: 30_000 })}
      actions={[
        createAction({
          noun: 'silence',
          permission,
          large: true,
          body: (close) => <SilenceForm onCancel={close} onSaved={close} />,
        }),
      ]}
      columns={[
        { title: 'Comment', sort: 'comment', cell: ({ comment }) => comment },
        {
          title: 'State',
          cell: ({ state, suppressing }) => (
            <>
              <Mark tone={tones[state]}>{wordsOf(state)}</Mark>
              {suppressing > 0 && (
                <Text size="xs" c="dimmed">
                  {`silences ${numbers.count(suppressing)} now`}
                </Text>
              )}
            </>
          ),
        },
        { title: 'Alerts', cell: ({ matchers }) => <Lines texts={matchers.map(matcherText)} /> },
        { title: 'When', cell: ({ schedule }) => scheduleText(schedule, rangeOf) },
        {
          title: 'Next window',
          cell: ({ current, next, schedule }) => {
            const shown = current ?? next;
            if (schedule.kind === 'once' || shown === null) return '–';
            return `${current === null ? '' : 'Now, '}${rangeOf(shown.from, shown.to)}`;
          },
        },
        { title: 'Created by', cell: ({ createdByName }) => createdByName ?? '–' },
        { title: 'Created', sort: 'createdAt', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        {
          title: 'Actions',
          cell: (silence) => {
            const { id, comment, version } = silence;
            return (
              <RowActions
                actions={[
                  {
                    ...editAction({
                      noun: 'silence',
                      permission,
                      large: true,
                      body: (close) => <SilenceForm silence={silence} onCancel={close} onSaved={close} />,
                    }),
                    name: `Edit ${comment}`,
                  },
                  {
                    ...deleteAction({
                      name: comment,
                      permission,
                      text: 'Alerts that match are notified again from the next evaluation on.',
                      run: () => remove.mutateAsync({ params: { silenceId: id }, version }),
                    }),
                    name: `Delete ${comment}`,
                  },
                ]}
              />
            );
          },
        },
      ]}
      hiddenColumns={['Created by', 'Created']}
      filters={[
        {
          name: 'state',
          label: 'State',
          options: Object.keys(tones).map((value) => ({ value, label: wordsOf(value) })),
        },
      ]}
      empty={<EmptyList>No silences. Create one before work that sets off alerts.</EmptyList>}
    />
  );
}

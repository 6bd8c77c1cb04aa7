import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Action } from './action.ts';
import { ActionButton } from './action-button.tsx';
import { ActionItems } from './action-menu.tsx';
import { texts } from './texts.ts';
import { useActions } from './use-actions.tsx';

/** The actions of a screen as buttons, the rare ones in a menu at their end, with the dialogs that they open. */
export function ActionBar(props: {
  readonly actions: readonly Action[];
  /** Within a table or card. */
  readonly size?: 'compact-xs' | 'xs' | undefined;
  /** Of the menu, where a screen has several. */
  readonly menuLabel?: string | undefined;
}) {
  const { actions, size, menuLabel = texts().more } = props;
  const { shown, isRunning, start, dialogs } = useActions(actions);
  const rare = shown.filter(({ inMenu }) => inMenu);
  return (
    <>
      {shown
        .filter(({ inMenu }) => !inMenu)
        .map((action) => {
          const button = {
            size,
            'aria-label': action.name,
            variant: action.primary ? 'filled' : 'default',
            leftSection: action.icon && <action.icon size={15} stroke={1.8} aria-hidden />,
          };
          if (action.link && !action.blocked) {
            return (
              <Button key={action.label} {...button} renderRoot={(root) => <Link {...root} {...action.link} />}>
                {action.label}
              </Button>
            );
          }
          return (
            <ActionButton
              key={action.label}
              {...button}
              c={action.danger ? 'var(--mantine-color-error)' : undefined}
              blocked={action.blocked}
              loading={isRunning(action)}
              onClick={() => start(action)}
            >
              {action.label}
            </ActionButton>
          );
        })}
      {rare.length > 0 && <ActionItems label={menuLabel} variant="default" actions={rare} start={start} />}
      {dialogs}
    </>
  );
}

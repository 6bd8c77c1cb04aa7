import { ActionIcon, Menu, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Action } from './action.ts';
import { IconDots } from './icons.ts';
import { useActions } from './use-actions.tsx';

/** The actions of a row or card behind one button, with the dialogs that they open. */
export function ActionMenu(props: {
  /** For screen readers, such as `Actions for Quota`. */
  readonly label: string;
  readonly actions: readonly Action[];
}) {
  const { shown, start, dialogs } = useActions(props.actions);
  return (
    <>
      <ActionItems label={props.label} variant="subtle" actions={shown} start={start} />
      {dialogs}
    </>
  );
}

/** A button with a menu of actions. */
export function ActionItems(props: {
  readonly label: string;
  readonly variant: 'default' | 'subtle';
  readonly actions: readonly Action[];
  readonly start: (action: Action) => void;
}) {
  const { label, variant, actions, start } = props;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant={variant}
          color={variant === 'subtle' ? 'gray' : undefined}
          size={variant === 'subtle' ? 26 : 32}
          aria-label={label}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => {
          const item = {
            disabled: Boolean(action.blocked),
            ...(action.danger && !action.blocked ? { c: 'var(--mantine-color-error)' } : {}),
          };
          if (action.link) {
            return (
              <Menu.Item key={action.label} {...item} renderRoot={(root) => <Link {...root} {...action.link} />}>
                {action.label}
              </Menu.Item>
            );
          }
          return (
            <Menu.Item key={action.label} {...item} onClick={() => start(action)}>
              {action.label}
              {action.blocked && (
                <Text size="xs" c="dimmed" maw={240}>
                  {action.blocked}
                </Text>
              )}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

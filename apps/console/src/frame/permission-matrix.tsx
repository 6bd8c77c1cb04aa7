import { Checkbox, Group, Text, Tooltip } from '@mantine/core';
import { Loaded } from '@millrace/ui/page';
import type { FieldOptions } from '@millrace/ui/schema-form';
import { wordsOf } from '@millrace/ui/words';
import { useState } from 'react';
import { type DataOf, useRead } from './api.ts';

type Permission = DataOf<'listPermissions'>['permissions'][number];

/**
 * The permissions that operations need, in a row for each subject. Users can remove permissions that they don't have,
 * but not grant them. A permission that no operation needs yet is shown only if it is already granted.
 *
 * @param props.onChange absent if the permissions are read-only
 */
export function PermissionMatrix(props: {
  readonly chosen: readonly string[];
  readonly onChange?: (chosen: readonly string[]) => void;
  readonly error?: string | undefined;
}) {
  const catalogue = useRead('listPermissions', { query: { pageSize: 100 } });
  const chosen = new Set(props.chosen);
  const [heldBefore] = useState(chosen);
  const isOffered = ({ name, checked }: Permission) =>
    checked || (props.onChange !== undefined && heldBefore.has(name));
  return (
    <Loaded read={catalogue}>
      {({ permissions }) => (
        <div>
          {props.error && (
            <Text c="var(--mantine-color-error)" size="sm" role="alert" mb="xs">
              {props.error}
            </Text>
          )}
          {Object.entries(Object.groupBy(permissions.filter(isOffered), ({ subject }) => subject)).map(
            ([subject, rows = []]) => (
              <fieldset key={subject} className="permission-row">
                <legend>{wordsOf(subject)}</legend>
                <Group gap="md">
                  {rows.map((permission) => (
                    <PermissionBox
                      key={permission.name}
                      permission={permission}
                      checked={chosen.has(permission.name)}
                      onChange={
                        props.onChange &&
                        ((checked) => {
                          const others = props.chosen.filter((name) => name !== permission.name);
                          props.onChange?.(checked ? [...others, permission.name] : others);
                        })
                      }
                    />
                  ))}
                </Group>
              </fieldset>
            ),
          )}
        </div>
      )}
    </Loaded>
  );
}

/** The field of a form for the permissions of a role or a service account. */
export const permissionsField: FieldOptions = {
  render: ({ value, onChange, error }) => (
    <PermissionMatrix chosen={value as readonly string[]} onChange={onChange} error={error} />
  ),
};

function PermissionBox(props: {
  readonly permission: Permission;
  readonly checked: boolean;
  readonly onChange: ((checked: boolean) => void) | undefined;
}) {
  const { permission, checked, onChange } = props;
  const { name, subject, description, held } = permission;
  const locked = onChange !== undefined && !held && !checked;
  return (
    <Tooltip
      label={locked ? `${description}. You can’t grant permissions you don’t have.` : description}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={320}
    >
      <Checkbox
        label={name.slice(subject.length + 1)}
        aria-description={description}
        checked={checked}
        disabled={locked || onChange === undefined}
        onChange={(event) => onChange?.(event.currentTarget.checked)}
      />
    </Tooltip>
  );
}

import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { showFailure } from '@millrace/ui/form';
import { IconAdjustments } from '@millrace/ui/icons';
import { useState } from 'react';
import { type AnswerOf, useWrite } from '../../frame/api.ts';
import { fieldOf, ownTitles } from './columns.tsx';

type Chosen = AnswerOf<'getDocumentColumns'>;

const mostColumns = 20;

/** Chooses and orders the columns of the list; the server stores them for the user. */
export function ColumnChooser({ chosen }: { readonly chosen: Chosen }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconAdjustments size={15} aria-hidden />} onClick={() => setOpened(true)}>
        Columns
      </Button>
      {opened && <Chooser chosen={chosen} onClose={() => setOpened(false)} />}
    </>
  );
}

function Chooser({ chosen, onClose }: { readonly chosen: Chosen; readonly onClose: () => void }) {
  const { fields } = chosen;
  const [columns, setColumns] = useState<readonly string[]>(chosen.columns);
  const set = useWrite('setDocumentColumns');
  const titleOf = (column: string) => ownTitles[column] ?? fieldOf(column, fields)?.label ?? column;
  const move = (index: number, by: number) =>
    setColumns(columns.with(index, columns[index + by]!).with(index + by, columns[index]!));
  const keep = async (kept: readonly string[] | null) => {
    try {
      await set.mutateAsync({ body: { columns: kept && [...kept] } });
      onClose();
    } catch (error) {
      showFailure(error);
    }
  };
  const isFree = (column: string) => !columns.includes(column);
  return (
    <Modal opened onClose={onClose} title="Columns" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="xs">
        <Stack component="ol" gap={4} m={0} p={0} aria-label="Chosen columns" style={{ listStyle: 'none' }}>
          {columns.map((column, index) => (
            <Group key={column} component="li" justify="space-between" wrap="nowrap" gap={4}>
              <Text size="sm">{titleOf(column)}</Text>
              <Group gap={4} wrap="nowrap">
                <Button
                  variant="default"
                  size="compact-sm"
                  disabled={index === 0}
                  aria-label={`Move ${titleOf(column)} up`}
                  onClick={() => move(index, -1)}
                >
                  ↑
                </Button>
                <Button
                  variant="default"
                  size="compact-sm"
                  disabled={index === columns.length - 1}
                  aria-label={`Move ${titleOf(column)} down`}
                  onClick={() => move(index, 1)}
                >
                  ↓
                </Button>
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Remove ${titleOf(column)}`}
                  onClick={() => setColumns(columns.filter((each) => each !== column))}
                >
                  Remove
                </Button>
              </Group>
            </Group>
          ))}
        </Stack>
        <Select
          aria-label="Add a column"
          placeholder="Add a column"
          disabled={columns.length >= mostColumns}
          value={null}
          onChange={(column) => column && setColumns([...columns, column])}
          searchable
          data={[
            {
              group: 'Document',
              items: Object.entries(ownTitles).flatMap(([value, label]) => (isFree(value) ? [{ value, label }] : [])),
            },
            {
              group: 'Values',
              items: fields.flatMap(({ name, label }) =>
                isFree(`field.${name}`) ? [{ value: `field.${name}`, label }] : [],
              ),
            },
          ]}
        />
        <Group justify="space-between" mt="sm">
          <Button variant="subtle" onClick={() => keep(null)}>
            Reset
          </Button>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button onClick={() => keep(columns)} loading={set.isPending}>
              Save
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}

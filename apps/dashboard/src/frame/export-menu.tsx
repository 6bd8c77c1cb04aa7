import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@millrace/ui/icons';
import { type ArgumentsOf, operationOf } from './api.ts';

type ExportQuery = NonNullable<ArgumentsOf<'exportDocumentsCsv'>['query']>;

const files = [
  { rows: 'values', label: 'Values as Excel', operation: operationOf('exportDocumentsXlsx') },
  { rows: 'values', label: 'Values as CSV', operation: operationOf('exportDocumentsCsv') },
  { rows: 'lines', label: 'Line items as Excel', operation: operationOf('exportDocumentsXlsx') },
  { rows: 'lines', label: 'Line items as CSV', operation: operationOf('exportDocumentsCsv') },
] as const;

/**
 * Downloads documents as a file.
 *
 * @param props.query the documents: their ids, or a filter
 */
export function ExportMenu(props: {
  readonly query: Omit<ExportQuery, 'rows'>;
  readonly label?: string;
  readonly size?: 'xs';
}) {
  const { query, label = 'Export', size = 'sm' } = props;
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" size={size} rightSection={<IconChevronDown size={15} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {files.map(({ rows, label: name, operation }) => (
          <Menu.Item
            key={name}
            component="a"
            href={`${operation.path}?${new URLSearchParams([...given, ['rows', rows]])}`}
            download
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

import { SegmentedControl, Stack } from '@mantine/core';
import type { DataOf } from '../../../frame/api.ts';
import { useOpened } from '../opened.ts';
import { DocumentText } from './document-text.tsx';
import { LintFindings } from './lint-findings.tsx';
import { Operations } from './operations.tsx';
import { SpecificationChanges } from './specification-changes.tsx';

const views = [
  { value: 'operations', label: 'Operations' },
  { value: 'json', label: 'JSON' },
  { value: 'yaml', label: 'YAML' },
  { value: 'lint', label: 'Lint' },
  { value: 'changes', label: 'Changes' },
];

/** The operations of a specification, its document, its lint findings, and the changes since it was published. */
export function SpecificationViews({ specification }: { readonly specification: DataOf<'getSpecification'> }) {
  const { id, state } = specification;
  const [chosen, choose] = useOpened('view');
  const view = chosen ?? 'operations';
  return (
    <Stack>
      <SegmentedControl
        aria-label="View of the specification"
        size="xs"
        data={state === 'published' ? views : views.filter(({ value }) => value !== 'changes')}
        value={view}
        onChange={(value) => choose(value === 'operations' ? null : value)}
        style={{ alignSelf: 'start', maxWidth: '100%', overflowX: 'auto' }}
      />
      {view === 'operations' && <Operations specification={specification} />}
      {(view === 'json' || view === 'yaml') && <DocumentText specificationId={id} format={view} />}
      {view === 'lint' && <LintFindings specificationId={id} />}
      {view === 'changes' && <SpecificationChanges specificationId={id} />}
    </Stack>
  );
}

import { showDone } from '@millrace/ui/form';
import { SchemaForm } from '@millrace/ui/schema-form';
import { bodyOf, type DataOf, useWrite } from '../../frame/api.ts';

type Standard = DataOf<'getGovernanceStandard'>;

const firstRuleset = {
  rules: {
    'contact-is-named': {
      given: '$.info',
      severity: 'warn',
      // biome-ignore lint/suspicious/noThenProperty: the key is Spectral's.
      then: { field: 'contact', function: 'truthy' },
    },
  },
};

/** Creates a custom rule, or edits the given rule; of a built-in one, only severity and effect can be changed. */
export function StandardForm(props: {
  readonly standard?: Standard;
  readonly onCancel: () => void;
  readonly onSaved: (standard: Standard) => void;
}) {
  const { standard, onCancel, onSaved } = props;
  const create = useWrite('createGovernanceStandard');
  const update = useWrite('updateGovernanceStandard');
  const isBuiltIn = standard?.kind === 'built_in';
  const textOf = (ruleset: object) => JSON.stringify(ruleset, null, 2);
  return (
    <SchemaForm
      schema={bodyOf('createGovernanceStandard')}
      initial={standard && { ...standard, ruleset: textOf(standard.ruleset ?? {}) }}
      preset={{ ruleset: textOf(firstRuleset) }}
      order={['code', 'name', 'description', 'severity', 'blocking', 'enabled']}
      omit={[
        ...(standard ? (['code'] as const) : []),
        ...(isBuiltIn ? (['name', 'description', 'ruleset'] as const) : []),
      ]}
      fields={{
        code: { placeholder: 'CUS-001', help: null },
        blocking: { help: 'A finding stops the API proxy’s next lifecycle move' },
        ruleset: {
          label: 'Spectral ruleset',
          kind: 'code',
          help: 'JSON or YAML; can extend spectral:oas only, and can’t define functions',
        },
      }}
      submitLabel={standard ? 'Save' : 'Create'}
      onCancel={onCancel}
      send={async (body) => {
        const saved = standard
          ? await update.mutateAsync({ params: { code: standard.code }, body, version: standard.version })
          : await create.mutateAsync({ body });
        showDone(standard ? `${saved.code} saved.` : `${saved.code} created.`);
        onSaved(saved);
      }}
    />
  );
}

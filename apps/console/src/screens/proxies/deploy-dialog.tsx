import { Alert, List, NumberInput, Radio, Select, Stack, Textarea } from '@mantine/core';
import { showDone, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { FormDialog } from '@millrace/ui/form-dialog';
import { Loaded, Section } from '@millrace/ui/page';
import { type DataOf, useRead, useWrite } from '../../frame/api.ts';
import { useEnvironments } from '../../frame/environments.ts';
import { type Budget, BudgetFields, usualBudget } from '../deployments/budget.tsx';
import { type Split, SplitField } from '../deployments/split-field.tsx';
import { DiffView } from '../revisions/diff-view.tsx';
import { useProxy } from './proxy-context.tsx';

interface DeployValues {
  readonly revision: number;
  readonly strategy: 'direct' | 'canary';
  readonly weight: number;
  readonly split: Split;
  readonly note: string;
  /** Null: a canary is never rolled back automatically. */
  readonly budget: Budget | null;
}

/** Deploys a revision; shows first what it would change, and what blocks it. */
export function DeployDialog(props: { readonly environmentId: string; readonly onClose: () => void }) {
  const { environmentId, onClose } = props;
  const { proxy, deployments } = useProxy();
  const { nameOf } = useEnvironments();
  const revisions = useRead('listRevisions', { params: { proxyId: proxy.id }, query: { pageSize: 100 } });
  const create = useWrite('createDeployment');
  const body = ({ revision, strategy, weight, split }: DeployValues) => ({
    proxyId: proxy.id,
    environmentId,
    revision,
    strategy,
    ...(strategy === 'canary' ? { weight, split } : {}),
  });
  const form = useForm<DeployValues>(
    {
      revision: proxy.approvedRevision ?? proxy.latestRevision,
      strategy: 'direct',
      weight: 10,
      split: 'requests',
      note: '',
      budget: usualBudget,
    },
    async (values) => {
      const budget = values.strategy === 'canary' ? values.budget : null;
      await create.mutateAsync({ body: { ...body(values), note: values.note, budget } });
      showDone(`Revision ${values.revision} deployed to ${nameOf(environmentId)}.`);
      onClose();
    },
  );
  const { values } = form;
  const preflight = useRead('preflightDeployment', { body: body(values) });
  const alone = !deployments.some((deployment) => deployment.environmentId === environmentId);
  return (
    <FormDialog title={`Deploy to ${nameOf(environmentId)}`} opened onClose={onClose} large>
      <FormBody form={form} submitLabel="Deploy" onCancel={onClose} disabled={preflight.data?.deployable !== true}>
        <Select
          label="Revision"
          data={(revisions.data?.revisions ?? []).map(({ revision, note, approvedAt }) => ({
            value: String(revision),
            label: `${revision}${approvedAt ? ', approved' : ''}${note ? `: ${note}` : ''}`,
          }))}
          value={String(values.revision)}
          onChange={(revision) => revision && form.set('revision', Number(revision))}
          error={form.errorAt('revision')}
          allowDeselect={false}
        />
        <Radio.Group
          label="Strategy"
          value={values.strategy}
          onChange={(strategy) => form.set('strategy', strategy as DeployValues['strategy'])}
          error={form.errorAt('strategy')}
        >
          <Stack gap={6} mt={6}>
            <Radio value="direct" label="Direct: all calls at once" />
            <Radio
              value="canary"
              label="Canary: a share of the calls"
              disabled={alone}
              description={alone ? 'Needs a live deployment in this environment' : undefined}
            />
          </Stack>
        </Radio.Group>
        {values.strategy === 'canary' && (
          <>
            <NumberInput
              label="Share of calls (percent)"
              min={1}
              max={99}
              allowDecimal={false}
              value={values.weight}
              onChange={(weight) => form.set('weight', Number(weight))}
              error={form.errorAt('weight')}
            />
            <SplitField
              value={form.values.split}
              onChange={(split) => form.set('split', split)}
              error={form.errorAt('split')}
            />
            <BudgetFields form={form} />
          </>
        )}
        <Textarea label="Note" autosize minRows={2} {...form.text('note')} />
        <div aria-live="polite">
          <Loaded read={preflight}>{(data) => <Preflight preflight={data} />}</Loaded>
        </div>
      </FormBody>
    </FormDialog>
  );
}

function Preflight({ preflight }: { readonly preflight: DataOf<'preflightDeployment'> }) {
  const { problems, diff, deployable } = preflight;
  return (
    <Stack>
      {problems.length > 0 && (
        <Alert color={deployable ? 'yellow' : 'red'} title={deployable ? 'Warnings' : 'This can’t be deployed yet'}>
          <List size="sm" spacing={6}>
            {problems.map(({ code, message, remedy, blocking }) => (
              <List.Item key={`${code} ${message}`}>
                {message} {remedy}
                {!blocking && !deployable && ' (not blocking)'}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Section title="Changes">
        <DiffView diff={diff} same="None: the same content is live already." />
      </Section>
    </Stack>
  );
}

import { Stack, Text } from '@mantine/core';
import { Condition } from '@millrace/alerting';
import { showDone } from '@millrace/ui/form';
import { Page, Section } from '@millrace/ui/page';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useRead, useWrite } from '../../frame/api.ts';
import { EntityScreen } from '../../frame/entity-screen.tsx';
import classes from './alert-rules.module.css';
import { useMetricValues } from './metric-values.ts';
import { fieldsUsedBy } from './metrics.ts';
import { RuleSentences } from './overview.tsx';
import { PreviewTest, StoredTest } from './past-test.tsx';
import { type RuleBody, RuleForm } from './rule-form.tsx';
import { useRuleNames } from './rule-names.ts';
import { ruleSentences } from './rule-text.ts';

/** Creates an alert rule. */
export function NewAlertRule() {
  const navigate = useNavigate();
  const create = useWrite('createAlertRule');
  const [typed, setTyped] = useState<RuleBody | null>(null);
  return (
    <Page title="Create alert rule" crumbs={[{ label: 'Alert rules', to: '/alert-rules' }]}>
      <div className={classes.columns}>
        <RuleForm
          submitLabel="Create"
          onCancel={() => navigate({ to: '/alert-rules' })}
          onValues={setTyped}
          send={async (body) => {
            const { id, name } = await create.mutateAsync({ body });
            showDone(`${name} created.`);
            await navigate({ to: '/alert-rules/$alertRuleId', params: { alertRuleId: id } });
          }}
        />
        <Beside typed={typed}>
          {(rule) => <PreviewTest rule={rule.name.trim() === '' ? { ...rule, name: 'New rule' } : rule} />}
        </Beside>
      </div>
    </Page>
  );
}

/** Edits an alert rule. */
export function EditAlertRule() {
  const { alertRuleId } = useParams({ from: '/shell/alert-rules/$alertRuleId/edit' });
  const params = { alertRuleId };
  const read = useRead('getAlertRule', { params });
  const navigate = useNavigate();
  const update = useWrite('updateAlertRule');
  const [typed, setTyped] = useState<RuleBody | null>(null);
  const back = () => navigate({ to: '/alert-rules/$alertRuleId', params });
  return (
    <EntityScreen read={read}>
      {(rule) => (
        <Page
          title={`Edit ${rule.name}`}
          description="A change of what is watched or of the condition begins again: alerts that fire are resolved first."
          crumbs={[
            { label: 'Alert rules', to: '/alert-rules' },
            { label: rule.name, to: '/alert-rules/$alertRuleId', params },
          ]}
        >
          <div className={classes.columns}>
            <RuleForm
              rule={rule}
              submitLabel="Save"
              onCancel={back}
              onValues={setTyped}
              send={async (body) => {
                await update.mutateAsync({ params, body, version: rule.version });
                showDone('Alert rule saved.');
                await back();
              }}
            />
            <Beside typed={typed}>{(changes) => <StoredTest alertRuleId={alertRuleId} changes={changes} />}</Beside>
          </div>
        </Page>
      )}
    </EntityScreen>
  );
}

/** What is typed means, and what it would have done. */
function Beside(props: { readonly typed: RuleBody | null; readonly children: (rule: RuleBody) => ReactNode }) {
  const { typed } = props;
  const condition = typed === null ? null : conditionOf(typed);
  return (
    <div className={classes.beside}>
      <div className={classes.panel}>
        <Stack>
          <Section title="In words">
            {typed === null || condition === null ? (
              <Text size="sm" c="dimmed">
                Shown once the condition is complete.
              </Text>
            ) : (
              <Words typed={typed} condition={condition} />
            )}
          </Section>
          {typed !== null && condition !== null && (
            <Section title="Test on the past">
              {fieldsUsedBy(typed.metric).past ? (
                props.children(typed)
              ) : (
                <Text size="sm" c="dimmed">
                  Only metrics of traffic can be tested on the past.
                </Text>
              )}
            </Section>
          )}
        </Stack>
      </div>
    </div>
  );
}

/** Null while it is incomplete. */
function conditionOf(typed: RuleBody): Condition | null {
  const names = Object.keys(Condition.shape) as (keyof Condition)[];
  return Condition.safeParse(Object.fromEntries(names.map((name) => [name, typed[name]]))).data ?? null;
}

function Words({ typed, condition }: { readonly typed: RuleBody; readonly condition: Condition }) {
  const formatValue = useMetricValues();
  const names = useRuleNames({
    environmentId: typed.environmentId ?? null,
    proxyId: typed.proxyId ?? null,
    appId: typed.appId ?? null,
    productId: typed.productId ?? null,
    integrationIds: typed.integrationIds ?? [],
    escalateAfterMinutes: typed.escalateAfterMinutes ?? null,
  });
  return (
    <div aria-live="polite">
      <RuleSentences sentences={ruleSentences({ ...condition, ...names }, formatValue)} />
    </div>
  );
}

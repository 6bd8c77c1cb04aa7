import { Badge, Group, Stack, Text, TextInput, Title, UnstyledButton } from '@mantine/core';
import { findPolicyKind, policyKinds } from '@millrace/policies';
import type { PolicyFlow, PolicyKind } from '@millrace/policies/kind';
import { FormDialog } from '@millrace/ui/form-dialog';
import { useState } from 'react';
import { type DataOf, useRead } from '../../../frame/api.ts';
import { AttachForm } from './attach-form.tsx';
import { useDiscardQuestion } from './discard-question.tsx';
import { kindTitle, type Policy, rankNames } from './flows.ts';
import classes from './policies.module.css';

type Template = DataOf<'getPolicyTemplate'>;

/** The policies and templates that can be attached to a flow; then the form of the chosen one. */
export function PolicyPalette(props: {
  readonly flow: PolicyFlow;
  readonly policies: readonly Policy[];
  readonly routes: DataOf<'listRoutes'>['routes'];
  readonly onClose: () => void;
}) {
  const { flow, policies, onClose } = props;
  const [chosen, setChosen] = useState<{ readonly kind: PolicyKind; readonly template: Template | null } | null>(null);
  const templates = useRead('listPolicyTemplates', { query: { pageSize: 100 } });
  const discarding = useDiscardQuestion();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const matches = (...texts: readonly string[]) => texts.some((text) => text.toLowerCase().includes(wanted));
  const kinds = policyKinds.filter(
    (kind) => kind.flows.includes(flow) && matches(kind.kind, kind.title, kind.description),
  );
  const ranks = [...new Set(kinds.map((kind) => kind.rank[flow]!))].sort((one, other) => one - other);
  const fitting = (templates.data?.policyTemplates ?? []).filter(
    ({ kind, name, description }) => findPolicyKind(kind)?.flows.includes(flow) && matches(name, description, kind),
  );
  const used = (kind: PolicyKind) =>
    policies.filter((policy) => policy.flow === flow && policy.kind === kind.kind).length;
  const full = (kind: PolicyKind) => kind.maxPerFlow !== null && used(kind) >= kind.maxPerFlow;
  if (chosen) {
    const { kind, template } = chosen;
    return (
      <FormDialog title={`Attach ${kind.title}`} opened onClose={onClose} large>
        <AttachForm
          flow={flow}
          kind={kind}
          name={freeName(policies, flow, kind)}
          configuration={template?.configuration ?? kind.defaultConfiguration}
          templateId={template?.id ?? null}
          discarding={discarding}
          routes={props.routes}
          onBack={() => setChosen(null)}
          onClose={onClose}
        />
        {discarding.question}
      </FormDialog>
    );
  }
  return (
    <FormDialog title={`Attach policy to the ${flow} flow`} opened onClose={onClose} large>
      <Stack>
        <TextInput
          type="search"
          aria-label="Search policies"
          placeholder="Search policies"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          data-autofocus
        />
        {ranks.map((rank) => (
          <section key={rank}>
            <Title order={3} size="h6" mb="xs">
              {rankNames[flow][rank] ?? `Rank ${rank}`}
            </Title>
            <Stack gap="xs">
              {kinds
                .filter((kind) => kind.rank[flow] === rank)
                .map((kind) => (
                  <Choice
                    key={kind.kind}
                    title={kind.title}
                    description={kind.description}
                    disabled={full(kind) ? `The ${flow} flow already has one.` : null}
                    onClick={() => setChosen({ kind, template: null })}
                  />
                ))}
            </Stack>
          </section>
        ))}
        {fitting.length > 0 && (
          <section>
            <Title order={3} size="h6" mb="xs">
              Templates
            </Title>
            <Stack gap="xs">
              {fitting.map((template) => {
                const kind = findPolicyKind(template.kind)!;
                return (
                  <Choice
                    key={template.id}
                    title={template.name}
                    mark={kindTitle(template.kind)}
                    description={template.description}
                    disabled={full(kind) ? `The ${flow} flow already has one.` : null}
                    onClick={() => setChosen({ kind, template })}
                  />
                );
              })}
            </Stack>
          </section>
        )}
        {ranks.length === 0 && fitting.length === 0 && <Text c="dimmed">No policies match.</Text>}
      </Stack>
    </FormDialog>
  );
}

function Choice(props: {
  readonly title: string;
  readonly mark?: string;
  readonly description: string;
  readonly disabled: string | null;
  readonly onClick: () => void;
}) {
  return (
    <UnstyledButton
      className={classes.kind}
      aria-disabled={props.disabled !== null}
      onClick={props.disabled === null ? props.onClick : undefined}
    >
      <Group gap="xs">
        <Text fw={600} size="sm">
          {props.title}
        </Text>
        {props.mark && (
          <Badge size="sm" variant="default" tt="none">
            {props.mark}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {props.disabled ?? props.description}
      </Text>
    </UnstyledButton>
  );
}

/** A name that no policy of the same kind and flow has yet: the kind's title, then `Quota 2` and so on. */
function freeName(policies: readonly Policy[], flow: PolicyFlow, { kind, title }: PolicyKind): string {
  const taken = new Set(
    policies.filter((policy) => policy.flow === flow && policy.kind === kind).map(({ name }) => name),
  );
  for (let number = 1; ; number++) {
    const name = number === 1 ? title : `${title} ${number}`;
    if (!taken.has(name)) return name;
  }
}

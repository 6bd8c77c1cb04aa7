import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { showDone, WriteCancelled } from '@millrace/ui/form';
import { type ReactNode, useMemo, useState } from 'react';
import { call, type DataOf, editsWorkingCopy } from './api.ts';
import { type EditGuard, EditGuardContext } from './edit-guard.ts';

type Overview = DataOf<'getProxyOverview'>;

/** Wraps all screens: asks before an edit that voids an approval or a request, or cuts a revision. */
export function EditQuestion(props: { readonly children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const guard = useMemo<EditGuard>(() => {
    const ask = (overview: Overview) => new Promise<boolean>((answer) => setQuestion({ overview, answer }));
    return async (id, args, write) => {
      const proxyId = editsWorkingCopy(id) ? await proxyOf(args) : null;
      // A user who can't read the proxy can still write what they have permission for.
      const before = proxyId === null ? null : await overviewOf(proxyId);
      const effects = before === null ? [] : announced(before);
      if (before !== null && effects.length > 0 && !(await ask(before))) throw new WriteCancelled();
      const result = await write();
      if (before !== null && effects.length > 0) {
        const after = await overviewOf(before.proxy.id);
        const done = after === null ? [] : happened(before, after);
        if (done.length > 0) showDone(done.join(' '));
      }
      return result;
    };
  }, []);
  const close = (goOn: boolean) => {
    question?.answer(goOn);
    setQuestion(null);
  };
  return (
    <EditGuardContext value={guard}>
      {props.children}
      {question && (
        <Modal
          opened
          onClose={() => close(false)}
          title="Save this edit?"
          closeButtonProps={{ 'aria-label': 'Close' }}
          // Above the form's own drawer or dialog.
          zIndex={310}
        >
          <Stack>
            <Text size="sm">Deployed revisions stay as they are. The edit also has these effects:</Text>
            <List size="sm" spacing={4}>
              {announced(question.overview).map((effect) => (
                <List.Item key={effect}>{effect}</List.Item>
              ))}
            </List>
            <Group justify="flex-end">
              <Button variant="default" onClick={() => close(false)}>
                Don’t save
              </Button>
              <Button onClick={() => close(true)} data-autofocus>
                Save edit
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </EditGuardContext>
  );
}

interface Question {
  readonly overview: Overview;
  answer(goOn: boolean): void;
}

/** The proxy whose working copy the write edits. */
async function proxyOf(args: unknown): Promise<string | null> {
  const { params, body } = args as {
    readonly params?: { readonly proxyId?: string; readonly specificationId?: string };
    readonly body?: { readonly proxyId?: string | null };
  };
  const named = params?.proxyId ?? body?.proxyId ?? null;
  if (named !== null) return named;
  const specificationId = params?.specificationId;
  if (specificationId === undefined) return null;
  return call('getSpecification', { params: { specificationId } }).then(
    (specification) => specification.proxyId,
    () => null,
  );
}

function overviewOf(proxyId: string): Promise<Overview | null> {
  return call('getProxyOverview', { params: { proxyId } }).catch(() => null);
}

function announced({ workingCopy: { nextEdit }, pendingRequest }: Overview): readonly string[] {
  const { voidsApprovalOf, voidsRequest, cutsRevision } = nextEdit;
  return [
    ...(voidsApprovalOf === null
      ? []
      : [
          `It voids the approval of revision ${voidsApprovalOf}: the API proxy becomes a draft and needs a new approval.`,
        ]),
    ...(voidsRequest && pendingRequest !== null
      ? [`It voids the pending request of ${pendingRequest.requestedByName}.`]
      : []),
    ...(cutsRevision === null ? [] : [`It cuts revision ${cutsRevision}, which can then be deployed.`]),
  ];
}

function happened(before: Overview, after: Overview): readonly string[] {
  const { voidsApprovalOf, cutsRevision } = before.workingCopy.nextEdit;
  return [
    ...(voidsApprovalOf !== null && after.proxy.approvedRevision === null
      ? [`The approval of revision ${voidsApprovalOf} is void; the API proxy is a draft again.`]
      : []),
    ...(before.pendingRequest !== null && after.pendingRequest?.id !== before.pendingRequest.id
      ? ['The pending request is void.']
      : []),
    ...(cutsRevision !== null && after.proxy.latestRevision >= cutsRevision
      ? [`Revision ${after.proxy.latestRevision} was cut.`]
      : []),
  ];
}

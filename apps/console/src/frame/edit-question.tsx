import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { showDone, WriteCancelled } from '@millrace/ui/form';
import { type ReactNode, useMemo, useState } from 'react';
import { call, type DataOf } from './api.ts';
import { type EditGuard, EditGuardContext } from './edit-guard.ts';

/** Writes that change a working copy. What else there is of them is in the server's `contentChanged`. */
const edits: ReadonlySet<string> = new Set([
  'updateProxy',
  'createRoute',
  'updateRoute',
  'deleteRoute',
  'attachPolicy',
  'updatePolicy',
  'detachPolicy',
  'orderPolicies',
  'uploadSpecification',
  'generateSpecification',
  'updateSpecification',
  'updateSpecificationOperation',
  'deleteSpecification',
  'restoreRevision',
]);

type Overview = DataOf<'getProxyOverview'>;

/** Stands around all screens: asks before an edit that voids an approval or a request or cuts a revision, once for all forms. */
export function EditQuestion(props: { readonly children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const guard = useMemo<EditGuard>(() => {
    const ask = (overview: Overview) => new Promise<boolean>((answer) => setQuestion({ overview, answer }));
    return async (id, args, write) => {
      const proxyId = edits.has(id) ? await proxyOf(args) : null;
      // Who may not read the proxy is not kept from what they may write.
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
          // Above the drawer or dialog that the form stands in.
          zIndex={310}
        >
          <Stack>
            <Text size="sm">What is deployed stays as it is. The edit also does this:</Text>
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
                Save the edit
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

/** The proxy whose working copy the write is about. */
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
      ? [`It voids the request of ${pendingRequest.requestedByName} that is waiting for a decision.`]
      : []),
    ...(cutsRevision === null ? [] : [`It cuts revision ${cutsRevision}, which then can be deployed.`]),
  ];
}

function happened(before: Overview, after: Overview): readonly string[] {
  const { voidsApprovalOf, cutsRevision } = before.workingCopy.nextEdit;
  return [
    ...(voidsApprovalOf !== null && after.proxy.approvedRevision === null
      ? [`The approval of revision ${voidsApprovalOf} is void, and the API proxy is a draft.`]
      : []),
    ...(before.pendingRequest !== null && after.pendingRequest?.id !== before.pendingRequest.id
      ? ['The pending request is void.']
      : []),
    ...(cutsRevision !== null && after.proxy.latestRevision >= cutsRevision
      ? [`Revision ${after.proxy.latestRevision} was cut.`]
      : []),
  ];
}

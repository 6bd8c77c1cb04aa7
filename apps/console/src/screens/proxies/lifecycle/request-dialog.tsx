import { Alert, Loader, Stack, Text, Textarea } from '@mantine/core';
import { showDone, showFailure, useForm } from '@millrace/ui/form';
import { FormBody } from '@millrace/ui/form-body';
import { FormDialog } from '@millrace/ui/form-dialog';
import { counted } from '@millrace/ui/words';
import { useEffect, useRef } from 'react';
import { type DataOf, useRead, useWrite } from '../../../frame/api.ts';
import { useSession } from '../../../frame/session.tsx';
import { FindingCard } from '../../governance/finding-card.tsx';
import { useProxy } from '../proxy-context.tsx';
import { moveMeanings, moveNames } from './moves.ts';

type Move = DataOf<'getProxyLifecycle'>['moves'][number];
type Governance = DataOf<'getProxyGovernance'>;

/** Requests a move, with a note. Blocking findings are shown first, with how to fix them. */
export function RequestDialog(props: { readonly move: Move; readonly onClose: () => void }) {
  const { onClose } = props;
  const { toStage, approvalRequired } = props.move;
  const { proxy } = useProxy();
  const governed = toStage === 'approved' || toStage === 'published';
  const name = moveNames[toStage][approvalRequired ? 'request' : 'act'];
  const create = useWrite('createLifecycleRequest');
  const form = useForm({ note: '' }, async ({ note }) => {
    const made = await create.mutateAsync({ params: { proxyId: proxy.id }, body: { toStage, note } });
    showDone(made.state === 'pending' ? 'Requested. The approvers are notified.' : `The API proxy is ${toStage} now.`);
    onClose();
  });
  const governance = useCurrentGovernance(governed);
  const blocked = governed && governance !== null && governance.blocking > 0;
  return (
    <FormDialog title={name} opened onClose={onClose} large>
      <FormBody form={form} submitLabel={name} onCancel={onClose} disabled={blocked}>
        <Text size="sm">{moveMeanings[toStage]}</Text>
        {governed && <BlockingFindings governance={governance} />}
        <Textarea
          label="Note"
          description={approvalRequired ? 'For the reviewer: what changed, and why' : 'For the record'}
          autosize
          minRows={3}
          {...form.text('note')}
          data-autofocus
        />
      </FormBody>
    </FormDialog>
  );
}

/** The evaluation of the working copy as it is now, which is evaluated if it changed since the last time. */
function useCurrentGovernance(wanted: boolean): Governance | null {
  const { proxy } = useProxy();
  const { can } = useSession();
  const params = { proxyId: proxy.id };
  const readable = wanted && can('governance.read');
  const read = useRead('getProxyGovernance', { params, query: { pageSize: 100 } }, { enabled: readable });
  const evaluate = useWrite('evaluateProxyGovernance');
  const asked = useRef<string | null>(null);
  const stale = read.data !== undefined && !read.data.current;
  useEffect(() => {
    // Once per content: a failed evaluation is not retried forever.
    if (!stale || asked.current === proxy.contentHash) return;
    asked.current = proxy.contentHash;
    evaluate.mutateAsync({ params: { proxyId: proxy.id } }).catch(showFailure);
  }, [stale, proxy.id, proxy.contentHash, evaluate.mutateAsync]);
  return read.data?.current ? read.data : null;
}

function BlockingFindings({ governance }: { readonly governance: Governance | null }) {
  if (governance === null) return <Loader size="sm" aria-label="Evaluating the working copy" role="status" />;
  const blocking = governance.findings.filter((finding) => finding.blocking && finding.waiver === null);
  if (blocking.length === 0) {
    return (
      <Text size="sm" role="status">
        No blocking findings: score {governance.score}, {counted(governance.total, 'finding')}.
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Alert color="red" role="alert" title={`Blocked by ${counted(blocking.length, 'finding')}`}>
        Fix or waive them, then request the move again.
      </Alert>
      {blocking.map((finding) => (
        <FindingCard key={finding.id} finding={{ ...finding, waived: false }} />
      ))}
    </Stack>
  );
}

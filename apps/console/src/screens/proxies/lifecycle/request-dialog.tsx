import { Alert, Loader, Stack, Text, Textarea } from '@mantine/core';
import { showDone, showFailure, useForm } from '@millrace/ui/form';
import { FormBody, FormDialog } from '@millrace/ui/form-dialog';
import { useEffect, useRef } from 'react';
import { type DataOf, useRead, useWrite } from '../../../frame/api.ts';
import { useSession } from '../../../frame/session.tsx';
import { FindingCard } from '../governance/finding-card.tsx';
import { useProxy } from '../proxy-context.tsx';
import { moveMeanings, moveNames } from './moves.ts';

type Move = DataOf<'getProxyLifecycle'>['moves'][number];

/** Requests a move, with a note. What governance objects to is shown beforehand, with the way to fix it. */
export function RequestDialog(props: { readonly move: Move; readonly onClose: () => void }) {
  const { onClose } = props;
  const { toStage, approvalRequired } = props.move;
  const { proxy } = useProxy();
  const governed = toStage === 'approved' || toStage === 'published';
  const name = moveNames[toStage][approvalRequired ? 'request' : 'act'];
  const create = useWrite('createLifecycleRequest');
  const form = useForm({ note: '' }, async ({ note }) => {
    const made = await create.mutateAsync({ params: { proxyId: proxy.id }, body: { toStage, note } });
    showDone(made.state === 'pending' ? 'Requested. Whoever may approve it is told.' : `It is ${toStage} now.`);
    onClose();
  });
  const standing = useStanding(governed);
  const stopped = governed && standing !== null && standing.blocking > 0;
  return (
    <FormDialog title={name} opened onClose={onClose} large>
      <FormBody form={form} submitLabel={name} onCancel={onClose} disabled={stopped}>
        <Text size="sm">{moveMeanings[toStage]}</Text>
        {governed && <Objections standing={standing} />}
        <Textarea
          label="Note"
          description={approvalRequired ? 'For whoever decides: what is new, and why.' : 'For the record.'}
          autosize
          minRows={3}
          {...form.text('note')}
          data-autofocus
        />
      </FormBody>
    </FormDialog>
  );
}

/** How the working copy stands before the rules as it is now: it is evaluated where that was not done yet. */
function useStanding(wanted: boolean): DataOf<'getProxyGovernance'> | null {
  const { proxy } = useProxy();
  const { can } = useSession();
  const params = { proxyId: proxy.id };
  const readable = wanted && can('governance.read');
  const read = useRead('getProxyGovernance', { params, query: { pageSize: 100 } }, { enabled: readable });
  const evaluate = useWrite('evaluateProxyGovernance');
  const asked = useRef<string | null>(null);
  const stale = read.data !== undefined && !read.data.current;
  useEffect(() => {
    // Once for each content: an evaluation that fails is not tried without end.
    if (!stale || asked.current === proxy.contentHash) return;
    asked.current = proxy.contentHash;
    evaluate.mutateAsync({ params: { proxyId: proxy.id } }).catch(showFailure);
  }, [stale, proxy.id, proxy.contentHash, evaluate.mutateAsync]);
  return read.data?.current ? read.data : null;
}

function Objections({ standing }: { readonly standing: DataOf<'getProxyGovernance'> | null }) {
  if (standing === null) return <Loader size="sm" aria-label="Governance evaluates the working copy" role="status" />;
  const stopping = standing.findings.filter(({ blocking, waiver }) => blocking && waiver === null);
  if (stopping.length === 0) {
    return (
      <Text size="sm" role="status">
        Governance does not stop it: score {standing.score}, {standing.total}{' '}
        {standing.total === 1 ? 'finding' : 'findings'}.
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Alert
        color="red"
        role="alert"
        title={`Governance stops it: ${stopping.length} blocking ${stopping.length === 1 ? 'finding' : 'findings'}`}
      >
        Fix them, or have them waived, and request the move again.
      </Alert>
      {stopping.map((finding) => (
        <FindingCard key={finding.id} finding={{ ...finding, waived: false }} />
      ))}
    </Stack>
  );
}

import { Text } from '@mantine/core';
import { Mark, type Tone } from '@millrace/ui/mark';
import { Moment } from '@millrace/ui/values';
import { wordsOf } from '@millrace/ui/words';
import type { ReactNode } from 'react';
import { type PermittedAction, reasonAction } from '../../frame/actions.tsx';
import type { DataOf } from '../../frame/api.ts';

type State = DataOf<'getLifecycleRequest'>['state'];

/** What lifecycle requests and production changes have in common. */
interface Decided {
  readonly state: State;
  readonly requestedByName: string;
  readonly createdAt: string;
  readonly decidedByName: string | null;
  readonly decidedAt: string | null;
  readonly reason: string | null;
  readonly note: string;
}

export const requestTones: Readonly<Record<State, Tone>> = {
  pending: 'active',
  approved: 'good',
  rejected: 'bad',
  withdrawn: 'neutral',
  void: 'neutral',
};

export function RequestState({ state }: { readonly state: State }) {
  return <Mark tone={requestTones[state]}>{wordsOf(state)}</Mark>;
}

/** Who requested and who decided something, as properties. */
export function decisionProperties(request: Decided): Readonly<Record<string, ReactNode>> {
  const { state, decidedByName, decidedAt, reason, note } = request;
  return {
    'Requested by': request.requestedByName,
    Requested: <Moment at={request.createdAt} />,
    Note: note !== '' && <Multiline>{note}</Multiline>,
    [`${wordsOf(state)} by`]: decidedByName,
    Decided: decidedAt && <Moment at={decidedAt} />,
    Reason: reason && <Multiline>{reason}</Multiline>,
  };
}

function Multiline({ children }: { readonly children: string }) {
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
      {children}
    </Text>
  );
}

/** The actions of approvers, and of the requester. */
export function decisionActions(options: {
  readonly name: string;
  readonly permission: string;
  readonly approval: { readonly allowed: boolean; readonly reason: string | null };
  readonly approveHelp: string;
  readonly approve: (body: { readonly reason: string }) => Promise<{ readonly state: State }>;
  readonly reject: (body: { readonly reason: string }) => Promise<{ readonly state: State }>;
  /** Null if the user can't withdraw it. */
  readonly withdraw: (() => Promise<unknown>) | null;
}): readonly PermittedAction[] {
  const { name, permission, approval, approveHelp, approve, reject, withdraw } = options;
  return [
    reasonAction({
      label: 'Approve',
      primary: true,
      permission,
      blocked: !approval.allowed && approval.reason,
      title: `Approve ${name}?`,
      help: approveHelp,
      optional: true,
      send: async (body) => `${wordsOf((await approve(body)).state)}.`,
    }),
    reasonAction({
      label: 'Reject',
      danger: true,
      permission,
      title: `Reject ${name}?`,
      help: 'What has to change; the requester is notified',
      send: async (body) => `${wordsOf((await reject(body)).state)}.`,
    }),
    ...(withdraw ? [{ label: 'Withdraw', run: withdraw, done: 'Request withdrawn.' }] : []),
  ];
}

/** Why the signed-in user can't approve what is pending. */
export function ApprovalNote(props: { readonly state: State; readonly approval: { readonly reason: string | null } }) {
  const { state, approval } = props;
  if (state !== 'pending' || approval.reason === null) return null;
  return (
    <Text size="sm" c="dimmed">
      You can’t approve this. {approval.reason}
    </Text>
  );
}

/** Filters of a list of requests. */
export const whoseFilters = [
  { name: 'approvable', label: 'Decision', options: [{ value: 'true', label: 'Waits for me' }] },
  {
    name: 'mine',
    label: 'Requested by',
    options: [
      { value: 'true', label: 'Me' },
      { value: 'false', label: 'Others' },
    ],
  },
];

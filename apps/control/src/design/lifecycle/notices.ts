import type { TenantTransaction } from '../../database/schema.ts';
import type { Mail } from '../../frame/handler.ts';
import { listHolders, type Person } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import { listCommenters, listPeopleBehind, type PresentedRequest } from './store.ts';

/** What sending a notice needs. */
interface Sending {
  readonly transaction: TenantTransaction;
  readonly now: Date;
  /** Of the console. */
  readonly publicUrl: string;
  mail(message: Mail): Promise<void>;
}

function linkOf({ id }: PresentedRequest): string {
  return `/review-queue/${id}`;
}

/** Asks those who may approve the request to look at it. */
export async function askApprovers(sending: Sending, request: PresentedRequest): Promise<void> {
  const people = await listHolders(sending.transaction, 'lifecycle.approve', request.authorIds);
  const title = `${request.proxyName}: review the move from ${request.fromStage} to ${request.toStage}`;
  const detail = `${request.requestedByName} asks to move the API proxy ${request.proxyName} from ${request.fromStage} to ${request.toStage}.`;
  await notifyAndMail(sending, request, people, 'lifecycle_request', title, [
    detail,
    ...(request.note === '' ? [] : [request.note]),
  ]);
}

/** Notifies the requester about the decision. */
export async function notifyRequester(sending: Sending, request: PresentedRequest): Promise<void> {
  const people = await listPeopleBehind(sending.transaction, [request.requestedBy]);
  const others = people.filter(({ id }) => id !== request.decidedBy);
  const title = `${request.proxyName}: your request to move to ${request.toStage} was ${request.state}`;
  const detail = `${request.decidedByName} ${request.state} the move of the API proxy ${request.proxyName} to ${request.toStage}.`;
  await notifyAndMail(sending, request, others, 'lifecycle_decision', title, [
    detail,
    ...(request.reason ? [request.reason] : []),
  ]);
}

/** Notifies the participants of a discussion about a comment; without e-mail, as discussions are quick. */
export async function notifyDiscussion(
  { transaction, now }: Pick<Sending, 'transaction' | 'now'>,
  request: PresentedRequest,
  author: { readonly id: string; readonly name: string },
): Promise<void> {
  const taking = [request.requestedBy, ...(await listCommenters(transaction, request.id))];
  const people = await listPeopleBehind(transaction, taking);
  const userIds = people.map(({ id }) => id).filter((id) => id !== author.id);
  const title = `${author.name} commented on the review of ${request.proxyName}`;
  await notify(transaction, { userIds, kind: 'lifecycle_comment', title, link: linkOf(request) }, now);
}

async function notifyAndMail(
  { transaction, now, publicUrl, mail }: Sending,
  request: PresentedRequest,
  people: readonly Person[],
  kind: 'lifecycle_request' | 'lifecycle_decision',
  title: string,
  lines: readonly string[],
): Promise<void> {
  const link = linkOf(request);
  const userIds = people.map(({ id }) => id);
  await notify(transaction, { userIds, kind, title, link }, now);
  const text = [...lines, `${publicUrl}${link}`].join('\n\n');
  for (const { email } of people) await mail({ to: email, subject: title, text });
}

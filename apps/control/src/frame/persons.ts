import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { ApiError } from './errors.ts';

/*
 * Author and approver are different persons, not only different accounts. Whoever created an account, invited its owner or
 * changed its address may be able to sign in to it, and counts as that account for a week; so does whoever did that to
 * them, and so on. Accounts that had the same mailbox at any time count as one for good, deleted ones included.
 *
 * Two accounts with the same maker count as one too, since the maker may use both. Only the accounts that were made in an
 * organization's first day do not: one person makes all of them, and nothing could be approved otherwise. Their maker
 * counts as each of them all the same.
 */

/** How long someone who created an account, or changed its address, counts as it. */
export const makerDays = 7;
/** How long after its creation an organization counts as being set up. */
const foundingHours = 24;

/** Who acts: a user, or a service account and the users behind it. */
export interface Actor {
  readonly id: string;
  readonly userIds: readonly string[];
}

/** Who may be behind a call, as far as approvals are concerned. */
export interface Persons extends Actor {
  /** To be stored with what the caller writes or requests: ids, and marked ids; {@link accountIds} returns the ids. */
  readonly authorKeys: readonly string[];
  /** To be compared with stored author keys: with one in common, author and approver may be the same person. */
  readonly approverKeys: readonly string[];
}

/**
 * Marks, among author keys, the makers of an author's account. One of an organization's first day counts as the account,
 * but not together with another account that they made then.
 */
const makerMark = 'maker:';
const founderMark = 'founder:';

type Standing = 'own' | 'maker' | 'founder';

/** Finds who may be behind a call. Needed when writing something that gets approved, and when approving it. */
export async function loadPersons(transaction: Kysely<Schema>, { id, userIds }: Actor): Promise<Persons> {
  const { rows } = await sql<{ id: string; standing: Standing }>`
    with recursive reached (id, standing) as (
      select own.id, 'own'::text from unnest(${[...userIds]}::text[]) as own(id)
      union
      select next.id, next.standing from reached cross join lateral (
        select maker.maker_id, case when reached.standing <> 'own' then reached.standing
                                    when maker.founding then 'founder' else 'maker' end
        from account_makers maker
        where maker.user_id = reached.id and maker.at > now() - ${makerDays} * interval '1 day'
        union all
        select twin.user_id, reached.standing
        from account_addresses address join account_addresses twin using (address_digest)
        where address.user_id = reached.id
      ) as next (id, standing)
    )
    select id, standing from reached order by id, standing`.execute(transaction);
  const idsOf = (standing: Standing) => rows.filter((row) => row.standing === standing).map((row) => row.id);
  const [own, makers, founders] = [[...new Set([id, ...idsOf('own')])], idsOf('maker'), idsOf('founder')];
  const marked = (mark: string, ids: readonly string[]) => ids.map((account) => `${mark}${account}`);
  return {
    id,
    userIds,
    authorKeys: [...own, ...marked(makerMark, makers), ...marked(founderMark, founders)],
    approverKeys: [
      ...new Set([...own, ...makers, ...founders]),
      ...marked(makerMark, [...own, ...makers, ...founders]),
      ...marked(founderMark, [...own, ...makers]),
    ],
  };
}

/** The accounts among author keys. */
export function accountIds(authorKeys: readonly string[]): readonly string[] {
  return [...new Set(authorKeys.map((key) => key.slice(key.indexOf(':') + 1)))];
}

/** Whether the approver may be one of the authors. */
function isSamePerson({ approverKeys }: Persons, authorKeys: Iterable<string>): boolean {
  const authors = new Set(authorKeys);
  return approverKeys.some((key) => authors.has(key));
}

/**
 * Rejects an approval by someone who may be one of the authors.
 *
 * @param own the message if the approver's own account is among them
 * @throws ApiError `forbidden`
 */
export function refuseSamePerson(approver: Persons, authorKeys: readonly string[], own: string): void {
  if (approver.userIds.length === 0) {
    throw new ApiError('forbidden', {
      message: 'This service account has no owner. Ask a person to approve it.',
    });
  }
  if (!isSamePerson(approver, authorKeys)) return;
  const isOwn = [approver.id, ...approver.userIds].some((id) => authorKeys.includes(id));
  throw new ApiError('forbidden', {
    message: isOwn
      ? own
      : `Your account and an author’s may belong to one person: they shared an e-mail address, or in the last ${makerDays} days one created, invited or readdressed the other, or the same person did that to both. Ask someone else to approve it.`,
  });
}

/** Records who just created or changed an account: they count as it for {@link makerDays} days. */
export async function addMakers(
  transaction: Kysely<Schema>,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  makerIds: readonly string[],
): Promise<void> {
  await sql`
    insert into account_makers (user_id, maker_id, founding)
    select ${userId}, maker.id, organizations.created_at > now() - ${foundingHours} * interval '1 hour'
    from unnest(${[...makerIds]}::text[]) as maker(id) join organizations on organizations.id = ${organizationId}
    where maker.id <> ${userId}
    on conflict (user_id, maker_id) do update set founding = excluded.founding, at = excluded.at`.execute(transaction);
}

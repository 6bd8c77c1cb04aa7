import type { Origin } from '../../frame/caller.ts';
import { sendMail } from '../../frame/outbox.ts';
import type { Parts } from '../../frame/parts.ts';
import { writeAsSystem } from '../../frame/system-write.ts';
import type { Account } from '../auth/store.ts';
import { listHolders } from '../users/holders.ts';
import { notify } from '../users/notify.ts';

/**
 * Reports to every administrator that somebody signed in with a password although the organization enforces its
 * provider, with an audit row of its own.
 */
export async function reportBreakGlass(
  { database, chain, outbox }: Pick<Parts, 'database' | 'chain' | 'outbox'>,
  account: Pick<Account, 'id' | 'organization_id' | 'name' | 'email'>,
  { ip }: Origin,
): Promise<void> {
  const { id, organization_id: organizationId, name, email } = account;
  const title = `${name} signed in with a password, past the identity provider`;
  await writeAsSystem({ database, chain }, organizationId, async (transaction, now) => {
    const administrators = await listHolders(transaction, 'identity-provider.write');
    await notify(
      transaction,
      { userIds: administrators.map((person) => person.id), kind: 'break_glass', title, link: '/audit' },
      now,
    );
    for (const administrator of administrators) {
      await sendMail(outbox, transaction, {
        to: administrator.email,
        organizationId,
        ...breakGlassText(name, email, ip),
      });
    }
    return {
      operation: 'breakGlassSignIn',
      entityType: 'user',
      entityId: id,
      note: `Signed in with a password from ${ip}; ${administrators.length} administrators were notified.`,
      before: null,
      after: null,
      severity: 'high',
    };
  });
}

function breakGlassText(name: string, email: string, ip: string) {
  return {
    subject: `${name} signed in past the identity provider`,
    text: [
      `${name} (${email}) signed in to Millrace with a password from the address ${ip}.`,
      'Your organization signs in by its identity provider; this account is the one exception, for emergencies.',
      'If nobody expected this, suspend the account and look at the audit trail.',
    ].join('\n\n'),
  };
}

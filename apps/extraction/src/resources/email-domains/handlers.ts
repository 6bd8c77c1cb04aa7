import type { Handlers } from '@millrace/operations/server';
import { tenantTransaction } from '@millrace/postgres';
import {
  createTextLookup,
  recordNameOf,
  recordValueOf,
  verificationProblem,
} from '@millrace/sign-in/domain-verification';
import type { ExtractionDatabase } from '../../database/schema.ts';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import { ApiError, fieldError } from '../../http/errors.ts';
import type { EmailDomainAnswer, emailDomainOperations } from './contract.ts';
import {
  deleteDomain,
  findDomain,
  insertDomain,
  isDomainTaken,
  listDomains,
  noteLookup,
  type StoredDomain,
} from './store.ts';

export interface EmailDomainParts {
  readonly database: ExtractionDatabase;
  readonly settings: { readonly dnsServers: readonly string[] };
}

const mostDomains = 20;

export function emailDomainHandlers({
  database,
  settings,
}: EmailDomainParts): Handlers<typeof emailDomainOperations, DashboardCaller> {
  const lookUp = createTextLookup(settings.dnsServers);
  return {
    async listEmailDomains(_input, { accountId }) {
      const domains = await tenantTransaction(database, accountId, listDomains);
      return { status: 200, body: { domains: domains.map(domainAnswer) } };
    },

    async addEmailDomain({ body: { domain } }, { accountId }) {
      const added = await tenantTransaction(database, accountId, async (transaction) => {
        if ((await listDomains(transaction)).length >= mostDomains) {
          throw new ApiError('conflict', {
            message: `An account has at most ${mostDomains} domains. Remove one first.`,
          });
        }
        return insertDomain(transaction, domain);
      }).catch((error: unknown) => {
        throw isDomainTaken(error) === 'here' ? fieldError('domain', 'The account has this domain already.') : error;
      });
      return { status: 201, body: domainAnswer(added) };
    },

    async verifyEmailDomain({ params: { id } }, { accountId }) {
      const domain = await tenantTransaction(database, accountId, (transaction) => findDomain(transaction, id));
      if (domain === null) throw new ApiError('not_found');
      const answer = domainAnswer(domain);
      // DNS can take seconds, and no transaction waits for it.
      const problem = verificationProblem(answer, await lookUp(answer.recordName));
      const noted = await tenantTransaction(database, accountId, (transaction) =>
        noteLookup(transaction, id, problem),
      ).catch((error: unknown) => {
        if (isDomainTaken(error) !== 'elsewhere') throw error;
        throw new ApiError('conflict', { message: 'Another account has verified this domain. Remove it there first.' });
      });
      if (noted === null) throw new ApiError('not_found');
      return { status: 200, body: domainAnswer(noted) };
    },

    async removeEmailDomain({ params: { id } }, { accountId }) {
      const isRemoved = await tenantTransaction(database, accountId, (transaction) => deleteDomain(transaction, id));
      if (!isRemoved) throw new ApiError('not_found');
      return { status: 200, body: {} };
    },
  };
}

function domainAnswer({ id, domain, token, verified_at, checked_at, problem }: StoredDomain): EmailDomainAnswer {
  return {
    id,
    domain,
    state: verified_at === null ? 'pending' : 'verified',
    recordName: recordNameOf(domain),
    recordValue: recordValueOf(token),
    checkedAt: checked_at?.toISOString() ?? null,
    problem,
  };
}

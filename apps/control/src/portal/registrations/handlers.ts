import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSessionCookie, writeSessionCookie } from '@millrace/sign-in/browsers';
import { hashPassword, passwordMatches } from '@millrace/sign-in/passwords';
import { hashSecret, newSecret } from '@millrace/sign-in/secrets';
import { addressCounter, countAttempt, forgetAttempts, mailCounter, sessionCounter } from '@millrace/sign-in/throttle';
import { sql } from 'kysely';
import { conflictsAt } from '../../frame/database-errors.ts';
import { fieldError, found } from '../../frame/errors.ts';
import type { Handlers, Mail } from '../../frame/handler.ts';
import type { Parts } from '../../frame/parts.ts';
import { findPortalPlace, type PortalPlace } from '../../frame/portals.ts';
import { ownAccount } from '../../identity/auth/own-account.ts';
import { refuseWaiting, refuseWeakPassword } from '../../identity/auth/rules.ts';
import { listHolders } from '../../identity/users/holders.ts';
import { notify } from '../../identity/users/notify.ts';
import { portalRealm } from '../auth/realm.ts';
import { findCurrentSession } from '../auth/store.ts';
import { textsIn } from '../mails/languages.ts';
import { admit } from './admit.ts';
import type { portalRegistrationOperations } from './contract.ts';
import { type AddressStanding, confirmationHours, refuseClosed, refuseDecided, uselessLink } from './rules.ts';
import {
  decideRegistration,
  findRegistrationMode,
  findStanding,
  findUnconfirmed,
  insertRegistration,
  listRegistrations,
  lockRegistration,
  presentRegistration,
  type RegistrationRow,
  takeRegistration,
} from './store.ts';

/** Hides what is left of the difference between a known address and another: attempts are too few to average it out. */
const mostNoiseMs = 60;
const browserCookieName = 'millrace_portal_registration';

/** What the audit trail records of an address; whoever registered doesn’t learn it. */
const notes: Readonly<Record<AddressStanding, string>> = {
  new: 'A link to confirm the address was sent.',
  user: 'The address has an account: it was sent a notice.',
  pending: 'A registration of the address awaits approval: it was sent a notice.',
  account: 'The address belongs to a developer account with other users: it was sent a notice.',
};

export function portalRegistrationHandlers(parts: Parts): Handlers<typeof portalRegistrationOperations> {
  const realm = portalRealm(parts);
  const own = ownAccount(parts, realm);
  const { system } = parts.database;
  const browserCookie = { name: browserCookieName, secure: parts.secureCookies };
  return {
    registerDeveloper: {
      prepare: async ({ body }, { organizationId, origin }) => {
        refuseWaiting(await countAttempt(system, [addressCounter('registration', origin.ip, organizationId)]));
        refuseClosed(await findRegistrationMode(system, organizationId));
        const place = await findPortalPlace(system, organizationId, parts.publicUrl());
        refuseWeakPassword('password', body.password, { ...body, organization: place.displayName });
        const passwordHash = await hashPassword(body.password);
        await sleep(randomInt(mostNoiseMs));
        // An address that was sent enough e-mails gets none for a while, and the answer doesn’t tell.
        const isMailed = (await countAttempt(system, [mailCounter('registration', body.email, organizationId)])) === 0;
        return async ({ transaction, mail, now, setHeader }) => {
          const standing = await findStanding(transaction, body.email);
          const { secret, hash } = newSecret();
          const browser = readSessionCookie(origin.cookies, browserCookie) ?? newSecret().secret;
          const id = await insertRegistration(
            transaction,
            isMailed && standing === 'new',
            { ...body, tokenHash: hash, browserHash: hashSecret(browser), passwordHash },
            now,
          );
          if (isMailed) await mail(registrationMail(standing, body, place, secret));
          // The time of a statement, as the mail’s takes.
          else await sql`select 1`.execute(transaction);
          setHeader('set-cookie', writeSessionCookie(browserCookie, browser, confirmationHours * 3_600));
          const { email, name, company, locale } = body;
          return {
            data: {},
            change: {
              entityId: id,
              before: null,
              after: { email, name, company, locale },
              note: isMailed ? notes[standing] : 'Nothing was sent: the address was sent too many e-mails.',
            },
          };
        };
      },
    },

    confirmRegistration: {
      prepare: async ({ body }, { caller, organizationId, origin }) => {
        const tokenHash = hashSecret(body.token);
        const unconfirmed = await findUnconfirmed(system, organizationId, tokenHash);
        if (unconfirmed === null) throw uselessLink();
        const browser = readSessionCookie(origin.cookies, browserCookie);
        if (browser === null || unconfirmed.browser_hash?.equals(hashSecret(browser)) !== true) {
          await checkRegistrant(parts, unconfirmed, body.password);
        }
        return async (context) => {
          const { transaction, now, mail } = context;
          const mode = await findRegistrationMode(transaction, organizationId);
          refuseClosed(mode);
          const taken = await conflictsAt(takeRegistration(transaction, tokenHash, now), {
            portal_registrations_pending: [null, 'Your registration already awaits approval. You will get an e-mail.'],
          });
          if (taken === null) throw uselessLink();
          if (mode === 'approval') {
            const after = presentRegistration(taken);
            const { displayName } = await findPortalPlace(transaction, organizationId, parts.publicUrl());
            await mail({ to: taken.email, ...textsIn(taken.locale).awaitsApproval(displayName) });
            const userIds = (await listHolders(transaction, 'developer.write')).map(({ id }) => id);
            const notice = { kind: 'portal_registration', title: `${after.email} asks to join the developer portal` };
            await notify(transaction, { userIds, ...notice, link: '/developer-portal/registrations' }, now);
            return {
              data: { outcome: 'awaiting_approval', session: null },
              change: { entityId: taken.id, before: null, after },
            };
          }
          const user = await admit(transaction, taken);
          const decision = { state: 'approved', by: null, reason: null, developerId: user.developer_id } as const;
          const after = await decideRegistration(transaction, taken.id, decision, now);
          const deviceId = realm.devicesOf(organizationId).read(origin.cookies, user.email);
          const { sessionId } = await own.beginSession(user, { caller, origin, now, deviceId }, context);
          return {
            data: { outcome: 'signed_in', session: await findCurrentSession(transaction, user.id, sessionId) },
            change: {
              entityId: taken.id,
              before: null,
              after,
              actor: { kind: 'portal_user', id: user.id, name: user.name },
            },
          };
        };
      },
    },

    listPortalRegistrations: ({ query }, { transaction }) => listRegistrations(transaction, query),

    approvePortalRegistration: async ({ params: { registrationId } }, context) => {
      const { caller, organizationId, transaction, mail, now } = context;
      const before = found(await lockRegistration(transaction, registrationId));
      refuseDecided(presentRegistration(before));
      const user = await admit(transaction, before);
      const decision = { state: 'approved', by: caller, reason: null, developerId: user.developer_id } as const;
      const after = await decideRegistration(transaction, registrationId, decision, now);
      const { displayName, url } = await findPortalPlace(transaction, organizationId, parts.publicUrl());
      await mail({ to: before.email, ...textsIn(before.locale).approved(displayName, `${url}/sign-in`) });
      return { data: after, change: { entityId: registrationId, before: presentRegistration(before), after } };
    },

    rejectPortalRegistration: async ({ params: { registrationId }, body: { reason } }, context) => {
      const { caller, organizationId, transaction, mail, now } = context;
      const before = found(await lockRegistration(transaction, registrationId));
      refuseDecided(presentRegistration(before));
      const decision = { state: 'rejected', by: caller, reason, developerId: null } as const;
      const after = await decideRegistration(transaction, registrationId, decision, now);
      const { displayName } = await findPortalPlace(transaction, organizationId, parts.publicUrl());
      await mail({ to: before.email, ...textsIn(before.locale).rejected(displayName, reason) });
      return { data: after, change: { entityId: registrationId, before: presentRegistration(before), after } };
    },
  };
}

/**
 * Asks for the password of the registration: a link alone would let a stranger have the owner of an address confirm an
 * account whose password only the stranger knows.
 *
 * @throws ApiError for the field `password`
 */
async function checkRegistrant(
  { database }: Parts,
  { id, password_hash }: RegistrationRow,
  password: string | undefined,
): Promise<void> {
  if (password === undefined) {
    throw fieldError('password', 'Enter the password that you chose when you registered.');
  }
  const counter = sessionCounter(id);
  refuseWaiting(await countAttempt(database.system, [counter]));
  if (!(await passwordMatches(password_hash, password))) throw fieldError('password', 'This password is wrong.');
  await forgetAttempts(database.system, counter);
}

/** @param token confirms the registration, once */
function registrationMail(
  standing: AddressStanding,
  { email, locale }: { readonly email: string; readonly locale: string },
  { displayName, url }: PortalPlace,
  token: string,
): Mail {
  const texts = textsIn(locale);
  const text = {
    new: () => texts.confirmRegistration(displayName, `${url}/confirm?token=${token}`, confirmationHours),
    user: () => texts.accountExists(displayName, `${url}/sign-in`, `${url}/forgot-password`),
    pending: () => texts.awaitsApproval(displayName),
    account: () => texts.askOwner(displayName),
  }[standing]();
  return { to: email, ...text };
}

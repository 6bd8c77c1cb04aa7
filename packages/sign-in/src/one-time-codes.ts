import { createHash, randomBytes } from 'node:crypto';
import type { Sealer } from '@millrace/encryption';
import { type QueryExecutorProvider, sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';

/*
 * Secrets stand in the application's table of users: `mfa_secret` and `mfa_pending_secret`, encrypted, and `mfa_last_step`
 * (bigint); recovery codes in a table of their own: `user_id`, `code_hash` and `used_at`. Both name the tenant.
 */

/** What authenticator apps take unless a secret names something else: SHA-1, six digits, 30 seconds (RFC 6238). */
const algorithm = { algorithm: 'SHA1', digits: 6 } as const;
const recoveryCodeCount = 10;
const recoveryAlphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A user whose one-time codes are meant. */
export interface CodeOwner {
  readonly tenantId: string;
  readonly userId: string;
}

/** The one-time codes (TOTP) of an application's users. */
export interface OneTimeCodes {
  /** Makes a secret of 160 bits, for typing and for a QR code; it is in use once confirmed. */
  begin(
    database: QueryExecutorProvider,
    owner: CodeOwner & {
      readonly email: string;
      /** What the authenticator app names the account by, such as `Millrace`. */
      readonly issuer: string;
    },
  ): Promise<{ readonly secret: string; readonly otpauthUrl: string }>;
  /**
   * Puts the pending secret to use, should the code be of it.
   *
   * @returns the recovery codes, to be shown this once; null where the code is wrong
   */
  confirm(
    database: QueryExecutorProvider,
    owner: CodeOwner & { readonly pendingSecret: Uint8Array },
    code: string,
    now: Date,
  ): Promise<readonly string[] | null>;
  /** Uses a code up: of the app, where its time step was not used yet, or a recovery code. */
  take(
    system: QueryExecutorProvider,
    owner: CodeOwner & { readonly secret: Uint8Array },
    code: string,
    now: Date,
  ): Promise<boolean>;
  /** Ends the use of one-time codes, and of the recovery codes with them. */
  remove(database: QueryExecutorProvider, owner: CodeOwner): Promise<void>;
}

/** @param options.sealer encrypts secrets, bound to their user's id */
export function oneTimeCodesIn(options: {
  readonly users: string;
  readonly recoveryCodes: string;
  readonly tenantColumn: string;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
}): OneTimeCodes {
  const { sealer } = options;
  const users = sql.table(options.users);
  const recoveryCodes = sql.table(options.recoveryCodes);
  const tenant = sql.ref(options.tenantColumn);
  const changeUser = (
    database: QueryExecutorProvider,
    { tenantId, userId }: CodeOwner,
    changes: ReturnType<typeof sql>,
  ) => sql`update ${users} set ${changes} where ${tenant} = ${tenantId} and id = ${userId}`.execute(database);

  async function replaceRecoveryCodes(
    database: QueryExecutorProvider,
    { tenantId, userId }: CodeOwner,
    codes: readonly string[],
  ): Promise<void> {
    await sql`delete from ${recoveryCodes} where ${tenant} = ${tenantId} and user_id = ${userId}`.execute(database);
    await sql`
      insert into ${recoveryCodes} (${tenant}, user_id, code_hash)
      select ${tenantId}, ${userId}, hash from unnest(${codes.map(hashRecoveryCode)}::bytea[]) as hash`.execute(
      database,
    );
  }

  return {
    async begin(database, owner) {
      const secret = new Secret({ size: 20 });
      await changeUser(database, owner, sql`mfa_pending_secret = ${sealer.seal(secret.bytes, owner.userId)}`);
      const totp = new TOTP({ ...algorithm, issuer: owner.issuer, label: owner.email, secret });
      return { secret: secret.base32, otpauthUrl: totp.toString() };
    },

    async confirm(database, owner, code, now) {
      const step = stepOfCode(sealer.open(owner.pendingSecret, owner.userId), code, now);
      if (step === null) return null;
      await changeUser(
        database,
        owner,
        sql`mfa_secret = ${owner.pendingSecret}, mfa_pending_secret = null, mfa_last_step = ${step}`,
      );
      const codes = newRecoveryCodes();
      await replaceRecoveryCodes(database, owner, codes);
      return codes;
    },

    async take(system, { tenantId, userId, secret }, code, now) {
      if (!isAppCode(code)) {
        const { numAffectedRows } = await sql`
          update ${recoveryCodes} set used_at = now()
          where ${tenant} = ${tenantId} and user_id = ${userId} and code_hash = ${hashRecoveryCode(code)}
            and used_at is null`.execute(system);
        return numAffectedRows === 1n;
      }
      const step = stepOfCode(sealer.open(secret, userId), code, now);
      if (step === null) return false;
      const { numAffectedRows } = await sql`
        update ${users} set mfa_last_step = ${step}
        where ${tenant} = ${tenantId} and id = ${userId} and coalesce(mfa_last_step < ${step}, true)`.execute(system);
      return numAffectedRows === 1n;
    },

    async remove(database, owner) {
      await changeUser(database, owner, sql`mfa_secret = null, mfa_pending_secret = null, mfa_last_step = null`);
      await replaceRecoveryCodes(database, owner, []);
    },
  };
}

/** The time step of a code, taken also from the step before and the one after; null where it is none of theirs. */
function stepOfCode(secret: Uint8Array, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const token = code.replaceAll(/[ -]/g, '');
  const delta = TOTP.validate({
    ...algorithm,
    token,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    timestamp,
    window: 1,
  });
  return delta === null ? null : TOTP.counter({ timestamp }) + delta;
}

/** Whether a text is written as an app's code is; otherwise it may be a recovery code. */
function isAppCode(text: string): boolean {
  return /^\d{3}[ -]?\d{3}$/.test(text);
}

/** Codes of 80 random bits, each good for one sign-in without the app. */
function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const letters = [...randomBytes(16)].map((byte) => recoveryAlphabet.charAt(byte & 31)).join('');
    return letters.replaceAll(/(.{4})(?=.)/g, '$1-');
  });
}

/** SHA-256, however the code is written: 80 random bits cannot be guessed from it. */
function hashRecoveryCode(code: string): Buffer {
  const letters = code.toLowerCase().replaceAll(/[^0-9a-z]/g, '');
  return createHash('sha256').update(`recovery ${letters}`).digest();
}

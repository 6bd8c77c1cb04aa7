import type { Mail as PlainMail } from '@millrace/mail';
import type { ParsedRequest } from '@millrace/operations';
import type { Kysely } from 'kysely';
import type * as z from 'zod';
import type { Schema, TenantTransaction } from '../database/schema.ts';
import type { Caller, NodeCaller, Origin, PortalCaller } from './caller.ts';
import type { AnyControlOperation } from './operation.ts';

/** What a handler works with, besides its input. */
export interface Context<Transaction> {
  /** Null in a public operation without a signed-in caller. */
  readonly caller: Caller | null;
  readonly origin: Origin;
  /** The organization that the call is about; of a portal operation, the one whose portal it is. */
  readonly organizationId: string;
  /** Everything is read and written in this transaction; it commits after the handler, together with the audit row. */
  readonly transaction: Transaction;
  /** The time of the call, the same everywhere in it. */
  readonly now: Date;
  /** Puts mail into the outbox of this transaction: it is sent after the commit, or not at all. */
  mail(message: Mail): Promise<void>;
  /** Sets a response header, if the transaction commits. */
  setHeader(name: string, value: string | readonly string[]): void;
  /**
   * Carries out what follows from the writes so far, where the answer shows it; before the commit it is carried out in
   * any case.
   *
   * @param by whoever the writes are by, where that is not the caller
   */
  settle(by?: Caller): Promise<void>;
  /** Calls the function once the transaction has committed; the call doesn't wait for what it starts. */
  afterCommit(begin: () => void): void;
}

/** A handler's context with a caller. */
export interface CallerContext<Transaction> extends Context<Transaction> {
  readonly caller: Caller;
}

/** A handler's context with a gateway node as caller. */
export interface NodeContext<Transaction> extends Context<Transaction> {
  readonly caller: NodeCaller;
}

/** A handler's context with a portal user as caller. */
interface PortalContext<Transaction> extends Context<Transaction> {
  readonly caller: PortalCaller;
}

/** A handler's context with whoever visits the developer portal. */
interface VisitorContext<Transaction> extends Context<Transaction> {
  readonly caller: PortalCaller | null;
}

export interface Mail extends PlainMail {
  /** Whose mail it is, where the call is about no organization yet, as that of a public operation. */
  readonly organizationId?: string;
}

/** An entity as the audit trail compares it: its public form, without secrets. */
export type Audited = object | null;

/** What a write changed, for its audit row. */
export interface Change {
  readonly entityId: string | null;
  /** The entity before the write; null if the write created it. `If-Match` is compared with its `version`. */
  readonly before: Audited;
  /** Null if the write removed it. */
  readonly after: Audited;
  /** A note for the audit entry, such as a given reason. */
  readonly note?: string;
  /** The organization that was written to, if it isn't the caller's. */
  readonly organizationId?: string;
  /** Who acted in a public operation, such as the user who signs in. */
  readonly actor?: {
    readonly kind: 'user' | 'gateway_node' | 'portal_user';
    readonly id: string;
    readonly name: string;
  };
  /** Such as `high` for a reveal; by default the operation's own. */
  readonly severity?: 'low' | 'medium' | 'high';
  /** For a write that carries out others: whether one of them changed what production callers get. */
  readonly production?: boolean;
}

/** The result of a write: its response, and what it changed. */
export interface Written<Data> {
  readonly data: Data;
  /** Null if nothing was written that belongs to an organization. */
  readonly change: Change | null;
  /** Another operation that was carried out with it, such as an approved one. */
  readonly also?: CarriedOut;
}

/** An operation that a write carried out for someone else; it has its own audit row. */
interface CarriedOut {
  readonly operation: AnyControlOperation;
  readonly caller: Caller;
  readonly change: Change;
}

/** The body of a download: text, text in pieces as it is made, or the bytes of a file. */
export interface Download {
  readonly text: string | AsyncIterable<string> | Uint8Array;
  readonly fileName: string;
  readonly mediaType?: string;
}

type DataOf<Bound extends AnyControlOperation> = Bound['responses'][keyof Bound['responses']] extends {
  readonly body: infer Body extends z.ZodType;
}
  ? z.input<Body> extends { data: infer Data }
    ? Data
    : never
  : never;

type ResultOf<Bound extends AnyControlOperation> = Bound['download'] extends null ? DataOf<Bound> : Download;

type TransactionOf<Bound extends AnyControlOperation> = Bound['scope'] extends 'platform'
  ? Kysely<Schema>
  : TenantTransaction;

type ContextOf<Bound extends AnyControlOperation> = Bound['auth'] extends 'public'
  ? Context<TransactionOf<Bound>>
  : Bound['auth'] extends 'node'
    ? NodeContext<TransactionOf<Bound>>
    : Bound['auth'] extends 'portal'
      ? PortalContext<TransactionOf<Bound>>
      : Bound['auth'] extends 'portal_visitor'
        ? VisitorContext<TransactionOf<Bound>>
        : CallerContext<TransactionOf<Bound>>;

type AnswerOf<Bound extends AnyControlOperation> = Promise<
  Bound['audit'] extends null ? ResultOf<Bound> : Written<ResultOf<Bound>>
>;

/** What is known about a call before its transaction. */
type BeforeTransaction<Full> = Omit<Full, 'transaction' | 'mail' | 'setHeader' | 'settle' | 'afterCommit'>;

/**
 * Handles one operation: load from the store, decide in the rules, write through the store, return.
 *
 * Work that no transaction should wait for, such as the check of a password, comes first in the form with `prepare`:
 * what that returns then runs in the transaction. An error thrown by `prepare` is returned without an audit entry.
 */
type Handler<Bound extends AnyControlOperation> =
  | ((input: ParsedRequest<Bound['request']>, context: ContextOf<Bound>) => AnswerOf<Bound>)
  | {
      prepare(
        input: ParsedRequest<Bound['request']>,
        context: BeforeTransaction<ContextOf<Bound>>,
      ): Promise<(context: ContextOf<Bound>) => AnswerOf<Bound>>;
    };

/** A handler for each operation of a list, by its id: a missing or surplus one does not compile. */
export type Handlers<Operations extends readonly AnyControlOperation[]> = {
  readonly [Bound in Operations[number] as Bound['id']]: Handler<Bound>;
};

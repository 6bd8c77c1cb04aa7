import type { portalOperations } from '@millrace/control/portal-contracts';
import type { Client } from '@millrace/operations/client';
import type * as z from 'zod';

type Operations = (typeof portalOperations)[number];
type Calls = Client<typeof portalOperations>;

/** The `data` of an operation's response. */
export type DataOf<Id extends Operations['id']> = Awaited<ReturnType<Calls[Id]>>['body'] extends { data: infer Data }
  ? Data
  : never;

/** The body of an operation's request. */
export type BodyOf<Id extends Operations['id']> =
  Extract<Operations, { readonly id: Id }> extends { readonly request: { readonly body: infer Body extends z.ZodType } }
    ? z.input<Body>
    : never;

/** A call that was refused, with the server's message. */
export class Refused extends Error {
  readonly status: number;
  /** A message for each invalid field, by path. */
  readonly errors: Readonly<Record<string, string>>;

  constructor(status: number, message: string, errors: Readonly<Record<string, string>>) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** Calls an operation of the portal. It is not checked here: the page is small, and the server is its own. */
export type CallPortal = <Data>(path: string, body?: unknown) => Promise<Data>;

/** @param organization whose portal it is, by its name */
export function portalOf(organization: string): CallPortal {
  return async <Data>(path: string, body?: unknown) => {
    const url = new URL(`/api/portal${path}`, window.location.origin);
    url.searchParams.set('organization', organization);
    const response = await fetch(url, {
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const answer: { readonly data?: unknown } = await response.json().catch(() => ({}));
    if (response.ok) return answer.data as Data;
    const { message = response.statusText, errors = {} } = (answer.data ?? {}) as Partial<Refused>;
    throw new Refused(response.status, message, errors);
  };
}

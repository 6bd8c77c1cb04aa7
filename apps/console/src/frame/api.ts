import { operations } from '@millrace/control/contracts';
import { createClient, ResponseError } from '@millrace/operations/client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';

export { ResponseError } from '@millrace/operations/client';

type Operations = typeof operations;
type OperationId = Operations[number]['id'];

const failure = z.object({
  data: z.object({ message: z.string(), errors: z.record(z.string(), z.string()).optional() }),
});

/** Another organization that a Super Admin looks at; null: the caller's own. Kept for this tab. */
const organizationKey = 'millrace.organization';

export function chosenOrganization(): string | null {
  return sessionStorage.getItem(organizationKey);
}

export function chooseOrganization(id: string | null): void {
  if (id === null) sessionStorage.removeItem(organizationKey);
  else sessionStorage.setItem(organizationKey, id);
}

/** The management API, typed from its operations. */
const client = createClient(operations, {
  baseUrl: '',
  errorOf: (_status, body) => {
    const parsed = failure.safeParse(body);
    if (!parsed.success) return null;
    const { message, errors = {} } = parsed.data.data;
    return { code: null, message, errors };
  },
  fetch: (input, init) => {
    const headers = new Headers(init?.headers);
    const organization = chosenOrganization();
    if (organization !== null) headers.set('x-organization-id', organization);
    return fetch(input, { ...init, headers });
  },
});

type Calls = typeof client;
/** What a call of an operation takes. */
export type ArgumentsOf<Id extends OperationId> = NonNullable<Parameters<Calls[Id]>[0]>;
/** What an operation's answer holds in `data`. */
export type DataOf<Id extends OperationId> = Awaited<ReturnType<Calls[Id]>>['body'] extends { data: infer Data }
  ? Data
  : never;

/** Calls an operation; its `data`, or a `ResponseError` with the message and the field errors. */
export async function call<Id extends OperationId>(id: Id, args?: ArgumentsOf<Id>): Promise<DataOf<Id>> {
  const send = client[id] as unknown as (args: unknown) => Promise<{ body: { data: DataOf<Id> } }>;
  return (await send(args ?? {})).body.data;
}

/** Reads by an operation and keeps what it answered; while the next page loads, the last one stays. */
export function useRead<Id extends OperationId>(
  id: Id,
  args?: ArgumentsOf<Id>,
  options: { readonly enabled?: boolean; readonly refetchInterval?: number } = {},
) {
  return useQuery({
    queryKey: [id, args ?? {}, chosenOrganization()],
    queryFn: () => call(id, args),
    placeholderData: keepPreviousData,
    retry: (failures, error) => !(error instanceof ResponseError) && failures < 2,
    ...options,
  });
}

/** Writes by an operation. Whatever was read before may have changed by it, and is read again. */
export function useWrite<Id extends OperationId>(id: Id) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (args: ArgumentsOf<Id>) => call(id, args),
    onSuccess: () => cache.invalidateQueries(),
  });
}

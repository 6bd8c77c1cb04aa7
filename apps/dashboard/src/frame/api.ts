import { dashboardOperations } from '@millrace/extraction/dashboard-contracts';
import { createClient, type ErrorContent, ResponseError } from '@millrace/operations/client';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';

type Operations = typeof dashboardOperations;
type OperationId = Operations[number]['id'];

const failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
});

/** The dashboard's operations, typed from their contracts. */
const client = createClient(dashboardOperations, { baseUrl: '', errorOf });

/** How an operation is declared. */
export function operationOf<Id extends OperationId>(id: Id) {
  return dashboardOperations.find(
    (operation): operation is Extract<Operations[number], { readonly id: Id }> => operation.id === id,
  )!;
}

/** What an error's body says; null where it is not the service's own. */
export function errorOf(_status: number, body: unknown): ErrorContent | null {
  const parsed = failure.safeParse(body);
  if (!parsed.success) return null;
  const { code, message, fields = [] } = parsed.data.error;
  return { code, message, errors: Object.fromEntries(fields.map((field) => [field.path, field.message])) };
}

type Calls = typeof client;
/** What a call of an operation takes. */
export type ArgumentsOf<Id extends OperationId> = NonNullable<Parameters<Calls[Id]>[0]>;
/** What an operation answers. */
export type AnswerOf<Id extends OperationId> = Awaited<ReturnType<Calls[Id]>>['body'];

/** Calls an operation; its answer, or a `ResponseError` with the message and the field errors. */
export async function call<Id extends OperationId>(
  id: Id,
  args?: ArgumentsOf<Id>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<AnswerOf<Id>> {
  const send = client[id] as unknown as (args: unknown, options: object) => Promise<{ body: AnswerOf<Id> }>;
  return (await send(args ?? {}, options)).body;
}

/** How an operation's answer is read and kept, for a query and for what is known without one. */
export function readOf<Id extends OperationId>(id: Id, args?: ArgumentsOf<Id>) {
  return queryOptions<AnswerOf<Id>, Error>({
    queryKey: [id, args ?? {}],
    queryFn: ({ signal }) => call(id, args, { signal }),
    // A list keeps its last page; of one thing, another one's values would be shown as its own.
    ...(id.startsWith('list') ? { placeholderData: keepPreviousData } : {}),
    retry: (failures, error) => !(error instanceof ResponseError) && failures < 2,
  });
}

/** Reads by an operation and keeps what it answered; while the next page of a list loads, the last one stays. */
export function useRead<Id extends OperationId>(
  id: Id,
  args?: ArgumentsOf<Id>,
  options: {
    readonly enabled?: boolean;
    /** In milliseconds; false for never, by what was answered last. */
    readonly refetchInterval?:
      | number
      | ((query: { readonly state: { readonly data: AnswerOf<Id> | undefined } }) => number | false);
  } = {},
) {
  return useQuery({ ...readOf(id, args), ...options });
}

/** Writes by an operation. Whatever was read before may have changed by it, and is read again. */
export function useWrite<Id extends OperationId>(id: Id) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (args: ArgumentsOf<Id>) => call(id, args),
    onSuccess: () => cache.invalidateQueries(),
  });
}

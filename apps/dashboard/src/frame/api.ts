import { dashboardOperations } from '@millrace/extraction/dashboard-contracts';
import type { AnyOperation } from '@millrace/operations';
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

type BodyOf<Id extends OperationId> =
  Extract<Operations[number], { readonly id: Id }> extends { readonly request: { readonly body: infer Body } }
    ? Body extends z.ZodObject
      ? Body
      : never
    : never;

/** The schema of an operation's body, for a form. */
export function bodyOf<Id extends OperationId>(id: Id): BodyOf<Id> {
  const operation: AnyOperation = operationOf(id);
  return operation.request.body as BodyOf<Id>;
}

/** The content of an error response; null if it isn't the service's own. */
export function errorOf(_status: number, body: unknown): ErrorContent | null {
  const parsed = failure.safeParse(body);
  if (!parsed.success) return null;
  const { code, message, fields = [] } = parsed.data.error;
  return { code, message, errors: Object.fromEntries(fields.map((field) => [field.path, field.message])) };
}

type Calls = typeof client;
/** The arguments of an operation. */
export type ArgumentsOf<Id extends OperationId> = NonNullable<Parameters<Calls[Id]>[0]>;
/** The response body of an operation. */
export type AnswerOf<Id extends OperationId> = Awaited<ReturnType<Calls[Id]>>['body'];

/**
 * Calls an operation and returns the response body.
 *
 * @throws ResponseError with the message and the field errors
 */
export async function call<Id extends OperationId>(
  id: Id,
  args?: ArgumentsOf<Id>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<AnswerOf<Id>> {
  const send = client[id] as unknown as (args: unknown, options: object) => Promise<{ body: AnswerOf<Id> }>;
  return (await send(args ?? {}, options)).body;
}

/** How an operation is read and cached: for `useQuery`, for prefetching, and to write to the cache. */
export function readOf<Id extends OperationId>(id: Id, args?: ArgumentsOf<Id>) {
  return queryOptions<AnswerOf<Id>, Error>({
    queryKey: [id, args ?? {}],
    queryFn: ({ signal }) => call(id, args, { signal }),
    // A list keeps its last page. A single object doesn't: it would show another object's values.
    ...(id.startsWith('list') ? { placeholderData: keepPreviousData } : {}),
    retry: (failures, error) => !(error instanceof ResponseError) && failures < 2,
  });
}

/** Reads with an operation and caches the response; while the next page of a list loads, the last one stays. */
export function useRead<Id extends OperationId>(
  id: Id,
  args?: ArgumentsOf<Id>,
  options: {
    readonly enabled?: boolean;
    /** In milliseconds, or derived from the latest response; false for never. */
    readonly refetchInterval?:
      | number
      | ((query: { readonly state: { readonly data: AnswerOf<Id> | undefined } }) => number | false);
  } = {},
) {
  return useQuery({ ...readOf(id, args), ...options });
}

/** Writes with an operation, then refetches everything that was read before. */
export function useWrite<Id extends OperationId>(id: Id) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (args: ArgumentsOf<Id>) => call(id, args),
    onSuccess: () => cache.invalidateQueries(),
  });
}

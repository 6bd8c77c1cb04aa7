import { operations } from '@millrace/control/contracts';
import type { AnyOperation } from '@millrace/operations';
import { createClient, type ErrorContent, ResponseError } from '@millrace/operations/client';
import { WaitsForApproval } from '@millrace/ui/form';
import type { ListSearch } from '@millrace/ui/list-search';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import * as z from 'zod';
import { useEditGuard } from './edit-guard.ts';

export { ResponseError } from '@millrace/operations/client';

type Operations = typeof operations;
export type OperationId = Operations[number]['id'];

const failure = z.object({
  data: z.object({ message: z.string(), errors: z.record(z.string(), z.string()).optional() }),
});

/** The organization that the address names, which a Super Admin has open; null for the caller's own. */
export function chosenOrganization(): string | null {
  return /^\/o\/([a-z0-9_]{1,64})(?:\/|$)/.exec(window.location.pathname)?.[1] ?? null;
}

/**
 * Where the screens of an organization begin. Another organization's are loaded from scratch: whatever was read or
 * typed before belongs to the previous one.
 */
export function addressOf(organizationId: string, ownOrganizationId: string): string {
  return organizationId === ownOrganizationId ? '/' : `/o/${organizationId}/`;
}

/** The management API, typed from its operations. */
const client = createClient(operations, { baseUrl: '', errorOf, fetch: fetchInOrganization });

function errorOf(_status: number, body: unknown): ErrorContent | null {
  const parsed = failure.safeParse(body);
  if (!parsed.success) return null;
  const { message, errors = {} } = parsed.data.data;
  return { code: null, message, errors };
}

function fetchInOrganization(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  const organization = chosenOrganization();
  if (organization !== null) headers.set('x-organization-id', organization);
  return fetch(input, { ...init, headers });
}

type Calls = typeof client;
/** The arguments of an operation. */
export type ArgumentsOf<Id extends OperationId> = NonNullable<Parameters<Calls[Id]>[0]>;
/** The `data` of an operation's response. */
export type DataOf<Id extends OperationId> = Awaited<ReturnType<Calls[Id]>>['body'] extends { data: infer Data }
  ? Data
  : never;

/** The schema of an operation's body, for a form. */
export function bodyOf<Id extends OperationId>(id: Id): BodyOf<Id> {
  const operation: AnyOperation = operations.find((candidate) => candidate.id === id)!;
  return operation.request.body as BodyOf<Id>;
}

type BodyOf<Id extends OperationId> =
  Extract<Operations[number], { readonly id: Id }> extends { readonly request: { readonly body: infer Body } }
    ? Body extends z.ZodObject
      ? Body
      : never
    : never;

/** Whether an operation edits the working copy of an API proxy. */
export function editsWorkingCopy(id: OperationId): boolean {
  const production = operations.find((operation) => operation.id === id)?.production;
  return typeof production === 'object' && production?.exempt === 'working_copy';
}

/**
 * Calls an operation and resolves to its `data`, or throws a `ResponseError` with the message and the field errors.
 *
 * @throws WaitsForApproval if the change to production waits for another person's approval
 */
export async function call<Id extends OperationId>(id: Id, args?: ArgumentsOf<Id>): Promise<DataOf<Id>> {
  const send = client[id] as unknown as (args: unknown) => Promise<Sent<Id>>;
  const answer = await send(args ?? {});
  if (answer.status === 202) throw new WaitsForApproval(`/production-changes/${answer.body.data.id}`);
  return answer.body.data;
}

/** A response of an operation: its own, or the change that waits for approval. */
type Sent<Id extends OperationId> =
  | { readonly status: 200 | 201; readonly body: { readonly data: DataOf<Id> } }
  | { readonly status: 202; readonly body: { readonly data: { readonly id: string } } };

/** Operations that return a file, such as CSV or a PDF, instead of an envelope. */
export type FileOperationId = Extract<Operations[number], { readonly download: object }>['id'];

/** Calls an operation that returns a file, or throws a `ResponseError`. */
export async function callFile<Id extends FileOperationId>(id: Id, args: ArgumentsOf<Id>): Promise<Blob> {
  const operation: AnyOperation = operations.find((candidate) => candidate.id === id)!;
  const { params = {}, query = {} } = args as FileArguments;
  const path = operation.path.replaceAll(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const response = await fetchInOrganization(`${path}?${new URLSearchParams(given)}`, { method: operation.method });
  if (response.ok) return response.blob();
  const body: unknown = await response.json().catch(() => null);
  const { code, message, errors } = errorOf(response.status, body) ?? { code: null, message: response.statusText };
  throw new ResponseError(response.status, code, message, response.headers, errors);
}

interface FileArguments {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

/**
 * Arguments of a write. With `version`, it is rejected if the entity was edited after that version was read; with an
 * idempotency key, repeating it, for example after a lost response, does nothing a second time.
 */
export type WriteOf<Id extends OperationId> = ArgumentsOf<Id> & {
  readonly version?: number;
  readonly idempotencyKey?: string;
};

/** Reads with an operation and caches the response; while the next page of a list loads, the last one stays. */
export function useRead<Id extends OperationId>(
  id: Id,
  args?: ArgumentsOf<Id>,
  options: {
    readonly enabled?: boolean;
    readonly refetchInterval?: number;
    /** Shows the last data while other arguments are read, as a preview does. */
    readonly keepsPrevious?: boolean;
  } = {},
) {
  const { keepsPrevious = id.startsWith('list'), ...polling } = options;
  return useQuery({
    queryKey: [id, args ?? {}, chosenOrganization()],
    queryFn: () => call(id, args),
    // An entity's screen would show the fields of the one before.
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    retry: (failures, error) => !(error instanceof ResponseError) && failures < 2,
    ...polling,
  });
}

/**
 * Lists with an operation, with the page, search, filters and sorting of the screen's address. Anything else in the
 * address, such as what is open beside the list, is ignored.
 */
export function useList<Id extends ListOperationId>(
  id: Id,
  params?: Readonly<Record<string, string>>,
  options: { readonly refetchInterval?: number; readonly query?: Readonly<Record<string, string>> } = {},
): ListRead<Id> {
  const operation: AnyOperation = operations.find((candidate) => candidate.id === id)!;
  const { shape } = operation.request.query as z.ZodObject;
  const search = listQueryOf(useSearch({ strict: false }) as ListSearch);
  const { query: fixed, ...polling } = options;
  const query = { ...Object.fromEntries(Object.entries(search).filter(([name]) => name in shape)), ...fixed };
  const read = useRead(id, (params ? { params, query } : { query }) as unknown as ArgumentsOf<Id>, polling);
  const data = read.data as { readonly total: number } | undefined;
  const rows = Object.values(data ?? {}).find(Array.isArray) as ListRead<Id>['rows'];
  return {
    data: read.data,
    rows,
    total: data?.total,
    loading: options.refetchInterval ? read.isPending : read.isFetching,
    error: read.error,
  };
}

/** Operations that return a page of rows and their total. */
export type ListOperationId = Extract<OperationId, `list${string}`>;

export interface ListRead<Id extends ListOperationId> {
  /** The whole page, with what else the operation returns beside the rows. */
  readonly data: DataOf<Id> | undefined;
  readonly rows: readonly RowOf<DataOf<Id>>[] | undefined;
  readonly total: number | undefined;
  readonly loading: boolean;
  readonly error: Error | null;
}

type RowOf<Data> = { [Name in keyof Data]: Data[Name] extends readonly (infer Row)[] ? Row : never }[keyof Data];

/** A list's state as the query of its operation. */
export function listQueryOf(search: ListSearch): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}

/**
 * Writes with an operation, after which everything is read again. An edit of a working copy asks first if it has other
 * effects.
 */
export function useWrite<Id extends OperationId>(id: Id) {
  const cache = useQueryClient();
  const guard = useEditGuard();
  return useMutation({
    mutationFn: ({ version, idempotencyKey, ...args }: WriteOf<Id>) => {
      const headers = {
        ...(version === undefined ? {} : { 'if-match': `"v${version}"` }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      };
      return guard(id, args, () => call(id, { ...args, headers } as unknown as ArgumentsOf<Id>));
    },
    onSuccess: () => cache.invalidateQueries(),
    onError: (error) => {
      if (error instanceof WaitsForApproval) cache.invalidateQueries();
    },
  });
}

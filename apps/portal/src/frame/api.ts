import { portalOperations } from '@millrace/control/portal-contracts';
import type { AnyOperation } from '@millrace/operations';
import { createClient, type ErrorContent, ResponseError } from '@millrace/operations/client';
import type { ListSearch } from '@millrace/ui/list-search';
import { saveText } from '@millrace/ui/save-text';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import * as z from 'zod';
import { place } from './place.ts';
import { texts } from './texts.ts';

type Operations = typeof portalOperations;
export type OperationId = Operations[number]['id'];

const failure = z.object({
  data: z.object({ message: z.string(), errors: z.record(z.string(), z.string()).optional() }),
});

/** The portal's operations, typed from their contracts. */
const client = createClient(portalOperations, { baseUrl: '', errorOf, fetch: fetchOfPortal });

function errorOf(_status: number, body: unknown): ErrorContent | null {
  const parsed = failure.safeParse(body);
  if (!parsed.success) return null;
  const { message, errors = {} } = parsed.data.data;
  const translated = Object.entries(errors).map(([path, text]) => [path, texts.serverText(text)]);
  return { code: null, message: texts.serverText(message), errors: Object.fromEntries(translated) };
}

/** Names the organization in every call. */
function fetchOfPortal(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = new URL(String(input), window.location.origin);
  url.searchParams.set('organization', place.organization);
  return fetch(url, init);
}

type Calls = typeof client;
/** The arguments of an operation. */
export type ArgumentsOf<Id extends OperationId> = NonNullable<Parameters<Calls[Id]>[0]>;
/** The `data` of an operation's response. */
export type DataOf<Id extends OperationId> = Awaited<ReturnType<Calls[Id]>>['body'] extends { data: infer Data }
  ? Data
  : never;

function operationOf(id: OperationId): AnyOperation {
  return portalOperations.find((operation) => operation.id === id)!;
}

type BodyOf<Id extends OperationId> =
  Extract<Operations[number], { readonly id: Id }> extends { readonly request: { readonly body: infer Body } }
    ? Body extends z.ZodObject
      ? Body
      : never
    : never;

/** The schema of an operation's body, for a form. */
export function bodyOf<Id extends OperationId>(id: Id): BodyOf<Id> {
  return operationOf(id).request.body as BodyOf<Id>;
}

/** The roles of a developer account's users that may call an operation. */
export function rolesOf(id: OperationId): readonly string[] {
  return portalOperations.find((operation) => operation.id === id)!.portalRoles;
}

/** Calls an operation and resolves to its `data`, or throws a `ResponseError` with the message and the field errors. */
export async function call<Id extends OperationId>(id: Id, args?: ArgumentsOf<Id>): Promise<DataOf<Id>> {
  const send = client[id] as unknown as (args: unknown) => Promise<{ readonly body: { readonly data: DataOf<Id> } }>;
  return (await send(args ?? {})).body.data;
}

type FileOperationId = Extract<Operations[number], { readonly download: object }>['id'];

/** Saves the file that an operation returns. @throws ResponseError */
export async function saveFile<Id extends FileOperationId>(
  id: Id,
  args: { readonly params: Readonly<Record<string, string>>; readonly query?: Readonly<Record<string, string>> },
  name: string,
): Promise<void> {
  const { method, path } = operationOf(id);
  const address = path.replaceAll(/:(\w+)/g, (_match, part: string) => encodeURIComponent(args.params[part] ?? ''));
  const response = await fetchOfPortal(`${address}?${new URLSearchParams(args.query)}`, { method });
  if (response.ok) return saveText(await response.blob(), name);
  const body: unknown = await response.json().catch(() => null);
  const { code, message, errors } = errorOf(response.status, body) ?? { code: null, message: response.statusText };
  throw new ResponseError(response.status, code, message, response.headers, errors);
}

/** Reads with an operation and caches the response; while the next page of a list loads, the last one stays. */
export function useRead<Id extends OperationId>(
  id: Id,
  args?: ArgumentsOf<Id>,
  options: { readonly enabled?: boolean; readonly refetchInterval?: number } = {},
) {
  return useQuery({
    queryKey: [id, args ?? {}],
    queryFn: () => call(id, args),
    ...(id.startsWith('list') ? { placeholderData: keepPreviousData } : {}),
    retry: (failures, error) => !(error instanceof ResponseError) && failures < 2,
    ...options,
  });
}

/** Operations that return a page of rows and their total. */
export type ListOperationId = Exclude<Extract<OperationId, `list${string}`>, 'listCatalog'> | 'getPortalBalance';

type RowOf<Data> = { [Name in keyof Data]: Data[Name] extends readonly (infer Row)[] ? Row : never }[keyof Data];

/** Lists with an operation, with the page, search, filters and sorting of the screen's address. */
export function useList<Id extends ListOperationId>(id: Id, params?: Readonly<Record<string, string>>) {
  const { shape } = operationOf(id).request.query as z.ZodObject;
  const search = useSearch({ strict: false }) as ListSearch;
  const query = Object.fromEntries(
    Object.entries(search)
      .filter(([name, value]) => value !== undefined && name in shape)
      .map(([name, value]) => [name, String(value)]),
  );
  const read = useRead(id, { ...(params && { params }), query } as unknown as ArgumentsOf<Id>);
  const data = read.data as { readonly total: number } | undefined;
  const rows = Object.values(data ?? {}).find(Array.isArray) as readonly RowOf<DataOf<Id>>[] | undefined;
  return { rows, total: data?.total, loading: read.isFetching, error: read.error, data: read.data };
}

/** With `version`, a write is rejected if the object was edited after that version was read. */
type WriteOf<Id extends OperationId> = ArgumentsOf<Id> & { readonly version?: number };

/** Writes with an operation, after which everything is read again. */
export function useWrite<Id extends OperationId>(id: Id) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ version, ...args }: WriteOf<Id>) => {
      const headers = version === undefined ? {} : { 'if-match': `"v${version}"` };
      return call(id, { ...args, headers } as unknown as ArgumentsOf<Id>);
    },
    onSuccess: () => cache.invalidateQueries(),
  });
}

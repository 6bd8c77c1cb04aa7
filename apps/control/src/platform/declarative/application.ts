import type { Sealer } from '@millrace/encryption';
import { canonicalJson } from '@millrace/revision/hash';
import type { TenantTransaction } from '../../database/schema.ts';
import { ApiError } from '../../frame/errors.ts';
import { given } from '../../frame/given.ts';
import type { CallerContext } from '../../frame/handler.ts';
import type { OrganizationDocument } from './document.ts';
import type { Perform } from './perform.ts';
import type { OrganizationState } from './state.ts';

/** What every step of an apply works with. */
export interface Application {
  readonly context: CallerContext<TenantTransaction>;
  readonly perform: Perform;
  readonly sealer: Sealer;
  readonly state: OrganizationState;
  readonly document: OrganizationDocument;
  /** Whether what the lists of the document do not name is deleted. */
  readonly prune: boolean;
}

/** Those of the given fields that are not yet so; null where all are. */
export function changesOf<Fields extends object>(fields: Fields, present: object): Partial<Fields> | null {
  const now = present as Readonly<Record<string, unknown>>;
  const changed = Object.entries(given(fields)).filter(
    ([name, value]) => canonicalJson(value) !== canonicalJson(now[name] ?? null),
  );
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Fields>);
}

/** Those that a list of the document does not name. */
export function unnamed<Present extends { readonly name: string }>(
  present: readonly Present[],
  declared: readonly { readonly name: string }[],
): readonly Present[] {
  const names = new Set(declared.map(({ name }) => name));
  return present.filter(({ name }) => !names.has(name));
}

/** Removes what the document does not name; a refusal says what, since no path of the document does. */
export async function removing(path: string, name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const message = `${name} is not in the document but can’t be deleted: ${error.message}`;
    throw new ApiError(error.code, { message, errors: { [path]: message }, cause: error });
  }
}

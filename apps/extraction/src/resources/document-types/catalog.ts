import type { OwnType } from '@millrace/document-model/own-type';
import type { OwnTypeFile, TypeFigures } from '@millrace/extraction-contract/document-types';
import { tenantTransaction } from '@millrace/postgres';
import type * as z from 'zod';
import type { ExtractionDatabase } from '../../database/schema.ts';
import { ApiError } from '../../http/errors.ts';
import { figuresOf } from './rules.ts';
import {
  deleteOwnType,
  findConfirmedValues,
  findOwnType,
  insertOwnType,
  listOwnTypes,
  type StoredType,
  updateOwnType,
} from './store.ts';

/** An account's own document types, as the API and the dashboard work on them. */
export interface TypeCatalog {
  list(accountId: string): Promise<readonly StoredType[]>;
  /** @throws ApiError `not_found` */
  find(accountId: string, name: string): Promise<StoredType>;
  /** @throws ApiError `conflict` where the name is taken, `invalid_request` where there are too many */
  create(accountId: string, type: OwnType): Promise<StoredType>;
  /** @throws ApiError `not_found`, or `conflict` where the version is no longer the newest */
  change(accountId: string, type: OwnType, version: number): Promise<StoredType>;
  /** @throws ApiError `not_found` */
  remove(accountId: string, name: string): Promise<void>;
  /** Creates a file's type, or replaces the one of its name. @throws ApiError as `create` */
  take(accountId: string, file: z.output<typeof OwnTypeFile>, replace: boolean): Promise<StoredType>;
  /** @throws ApiError `not_found` */
  figures(accountId: string, name: string): Promise<z.output<typeof TypeFigures>>;
}

export function createTypeCatalog(database: ExtractionDatabase): TypeCatalog {
  return {
    list: (accountId) => tenantTransaction(database, accountId, listOwnTypes, { access: 'read only' }),
    async find(accountId, name) {
      const found = await tenantTransaction(database, accountId, (transaction) => findOwnType(transaction, name), {
        access: 'read only',
      });
      if (!found) throw new ApiError('not_found');
      return found;
    },
    create: (accountId, type) =>
      tenantTransaction(database, accountId, (transaction) => insertOwnType(transaction, type)),
    change: (accountId, type, version) =>
      tenantTransaction(database, accountId, async (transaction) => {
        const found = await findOwnType(transaction, type.name, { lock: true });
        if (!found) throw new ApiError('not_found');
        if (found.version !== version) throw new ApiError('conflict');
        return updateOwnType(transaction, type);
      }),
    async remove(accountId, name) {
      const removed = await tenantTransaction(database, accountId, (transaction) => deleteOwnType(transaction, name));
      if (!removed) throw new ApiError('not_found');
    },
    take: (accountId, { type }, replace) =>
      tenantTransaction(database, accountId, async (transaction) => {
        const found = replace ? await findOwnType(transaction, type.name, { lock: true }) : null;
        return found ? updateOwnType(transaction, type) : insertOwnType(transaction, type);
      }),
    figures: (accountId, name) =>
      tenantTransaction(
        database,
        accountId,
        async (transaction) => {
          const found = await findOwnType(transaction, name);
          if (!found) throw new ApiError('not_found');
          return figuresOf(found.type, await findConfirmedValues(transaction, name));
        },
        { access: 'read only' },
      ),
  };
}

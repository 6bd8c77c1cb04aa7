import { documentTypes } from '@millrace/engine/types';
import type { Handlers } from '@millrace/operations/server';
import type * as z from 'zod';
import type { DashboardCaller } from '../../http/dashboard-caller.ts';
import type { TypeCatalog } from './catalog.ts';
import type { documentTypeDashboardOperations, OwnTypeDetail } from './dashboard-contract.ts';
import { fileOf } from './rules.ts';
import type { StoredType } from './store.ts';

export function documentTypeDashboardHandlers(
  catalog: TypeCatalog,
): Handlers<typeof documentTypeDashboardOperations, DashboardCaller> {
  return {
    async listDocumentTypes(_request, { accountId }) {
      const own = await catalog.list(accountId);
      const types = [
        ...documentTypes.map((type) => ({ type, isOwn: false, updatedAt: null })),
        ...own.map(({ type, updated_at }) => ({ type, isOwn: true, updatedAt: updated_at.toISOString() })),
      ].map(({ isOwn, type: { description, fields, name, title }, updatedAt }) => ({
        name,
        title,
        description,
        isOwn,
        fieldCount: fields.length,
        updatedAt,
      }));
      return { status: 200, body: { types } };
    },
    async createDocumentType({ body }, { accountId }) {
      return { status: 201, body: detailOf(await catalog.create(accountId, body)) };
    },
    async getDocumentType({ params }, { accountId }) {
      return { status: 200, body: detailOf(await catalog.find(accountId, params.name)) };
    },
    async changeDocumentType({ body: { version, ...definition }, params }, { accountId }) {
      const changed = await catalog.change(accountId, { name: params.name, ...definition }, version);
      return { status: 200, body: detailOf(changed) };
    },
    async deleteDocumentType({ params }, { accountId }) {
      await catalog.remove(accountId, params.name);
      return { status: 200, body: {} };
    },
    async exportDocumentType({ params }, { accountId }) {
      const { type } = await catalog.find(accountId, params.name);
      const headers = { 'content-disposition': `attachment; filename="${type.name}.json"` };
      return { status: 200, body: fileOf(type), headers };
    },
    async importDocumentType({ body: { file, replace } }, { accountId }) {
      return { status: 200, body: detailOf(await catalog.take(accountId, file, replace)) };
    },
    async getDocumentTypeFigures({ params }, { accountId }) {
      return { status: 200, body: await catalog.figures(accountId, params.name) };
    },
  };
}

function detailOf({ created_at, type, updated_at, version }: StoredType): z.input<typeof OwnTypeDetail> {
  return {
    ...fileOf(type).type,
    version,
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  };
}

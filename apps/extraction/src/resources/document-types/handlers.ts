import type { documentTypeOperations, OwnTypeAnswer } from '@millrace/extraction-contract/document-types';
import type { Handlers } from '@millrace/operations/server';
import type * as z from 'zod';
import type { Caller } from '../../http/authenticate.ts';
import type { TypeCatalog } from './catalog.ts';
import { fileOf, listedTypes } from './rules.ts';
import type { StoredType } from './store.ts';

export function documentTypeHandlers(catalog: TypeCatalog): Handlers<typeof documentTypeOperations, Caller> {
  return {
    async listTypes(_request, { accountId }) {
      return { status: 200, body: { types: listedTypes(await catalog.list(accountId)) } };
    },
    async createType({ body }, { accountId }) {
      return { status: 201, body: typeAnswer(await catalog.create(accountId, body)) };
    },
    async getType({ params }, { accountId }) {
      return { status: 200, body: typeAnswer(await catalog.find(accountId, params.name)) };
    },
    async updateType({ body: { version, ...definition }, params }, { accountId }) {
      const changed = await catalog.change(accountId, { name: params.name, ...definition }, version);
      return { status: 200, body: typeAnswer(changed) };
    },
    async deleteType({ params }, { accountId }) {
      await catalog.remove(accountId, params.name);
      return { status: 200, body: { deleted: true } };
    },
    async exportType({ params }, { accountId }) {
      const { type } = await catalog.find(accountId, params.name);
      const headers = { 'content-disposition': `attachment; filename="${type.name}.json"` };
      return { status: 200, body: fileOf(type), headers };
    },
    async importType({ body, query }, { accountId }) {
      return { status: 200, body: typeAnswer(await catalog.take(accountId, body, query.replace ?? false)) };
    },
    async getTypeFigures({ params }, { accountId }) {
      return { status: 200, body: await catalog.figures(accountId, params.name) };
    },
  };
}

function typeAnswer({ created_at, type, updated_at, version }: StoredType): z.input<typeof OwnTypeAnswer> {
  return {
    ...fileOf(type).type,
    version,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

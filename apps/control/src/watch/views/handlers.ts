import { ApiError, found, permissionRequired } from '../../frame/errors.ts';
import type { Handlers } from '../../frame/handler.ts';
import { type analyticsViewOperations, mostViews } from './contract.ts';
import { countViews, deleteView, findView, insertView, listViews, requireSubjects } from './store.ts';

export function analyticsViewHandlers(): Handlers<typeof analyticsViewOperations> {
  return {
    listAnalyticsViews: ({ query }, { transaction, caller }) => listViews(transaction, caller.id, query),
    createAnalyticsView: async ({ body }, { transaction, caller }) => {
      if ((await countViews(transaction, caller.id)) >= mostViews) {
        throw new ApiError('conflict', { message: `You have ${mostViews} views. Delete one first.` });
      }
      await requireSubjects(transaction, body.query);
      const view = await insertView(transaction, caller.id, body);
      return { data: view, change: { entityId: view.id, before: null, after: view } };
    },
    deleteAnalyticsView: async ({ params }, { transaction, caller }) => {
      const view = found(await findView(transaction, params.viewId, caller.id));
      if (!view.own && !caller.permissions.has('organization.write')) {
        throw new ApiError('forbidden', {
          message: permissionRequired(['organization.write'], 'the view is someone else’s'),
        });
      }
      await deleteView(transaction, view.id);
      return { data: {}, change: { entityId: view.id, before: view, after: null } };
    },
  };
}

import type { Handlers } from '../../frame/handler.ts';
import { pageOf } from '../../frame/listing.ts';
import { eventCatalogue, type eventOperations } from './contract.ts';

export function eventHandlers(): Handlers<typeof eventOperations> {
  return {
    listEvents: async ({ query }) => {
      const { rows, total } = pageOf(eventCatalogue, query, ['kind', 'description']);
      return { events: [...rows], total };
    },
  };
}

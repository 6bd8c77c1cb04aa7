import { defineEvent } from '../frame/events.ts';

/** Settings, guides or domains of the developer portal changed. */
export const portalContentChanged = defineEvent<Record<never, never>>('portalContentChanged', () => 'portal');

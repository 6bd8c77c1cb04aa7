import type { OpenApiDocument } from '@millrace/openapi/document';
import type { RevisionContent } from '@millrace/revision/content';
import type { Schema } from '../database/schema.ts';
import { defineEvent } from '../frame/events.ts';

/** Something of a proxy's working copy was written: its fields, routes, policies or specification. */
export const proxyContentChanged = defineEvent<{ readonly proxyId: string }>(
  'proxyContentChanged',
  ({ proxyId }) => proxyId,
);

/** The working copy of a proxy that there was has another content. */
export interface RewrittenProxy {
  readonly proxyId: string;
  readonly content: RevisionContent;
  readonly contentHash: string;
  readonly stage: Schema['proxies']['stage']['__select__'];
  /** Of the approved content; null if there is none. */
  readonly approvedHash: string | null;
}

export const proxyRewritten = defineEvent<RewrittenProxy>('proxyRewritten', ({ proxyId }) => proxyId);

/** Somebody asked for a review of an API proxy, or decided about it. */
export const reviewMoved = defineEvent<{ readonly requestId: string; readonly move: 'requested' | 'decided' }>(
  'reviewMoved',
  ({ requestId, move }) => `${requestId} ${move}`,
);

interface InEnvironment {
  readonly environmentId: string;
}

/** The environment itself or one of its variables was changed. */
export const environmentChanged = defineEvent<InEnvironment>(
  'environmentChanged',
  ({ environmentId }) => environmentId,
);

export const targetServerChanged = defineEvent<InEnvironment>(
  'targetServerChanged',
  ({ environmentId }) => environmentId,
);

/** What is published of a proxy's specifications is another document; null: none. */
export const specificationPublished = defineEvent<{
  readonly proxyId: string;
  readonly before: OpenApiDocument | null;
  readonly after: OpenApiDocument | null;
}>('specificationPublished', ({ proxyId }) => proxyId);

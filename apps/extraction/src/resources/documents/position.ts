import * as z from 'zod';
import { ApiError } from '../../http/errors.ts';
import type { ListPosition } from './dashboard-store.ts';

const Position = z.tuple([z.string().regex(/^doc_[0-9a-z]{26}$/), z.int().min(0).nullable()]);

/** The cursor of the page behind a document. */
export function cursorOf({ id, total }: ListPosition): string {
  return Buffer.from(JSON.stringify([id, total])).toString('base64url');
}

/**
 * Where a cursor points to; null without one.
 *
 * @throws ApiError `invalid_request` where it is none that a list gave.
 */
export function positionOf(cursor: string | undefined): ListPosition | null {
  if (cursor === undefined) return null;
  try {
    const [id, total] = Position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { id, total };
  } catch {
    throw new ApiError('invalid_request', { message: 'Use the nextCursor of the previous page as cursor.' });
  }
}

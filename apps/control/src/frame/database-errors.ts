import { ApiError, fieldError } from './errors.ts';

/**
 * Translates a violated constraint into what it means to the caller: an error of a field or, if the field is null, a
 * state that doesn't allow the write.
 *
 * @param meanings field and message by the constraint's name
 */
export async function conflictsAt<Result>(
  statement: Promise<Result>,
  meanings: Readonly<Record<string, readonly [field: string | null, message: string]>>,
): Promise<Result> {
  try {
    return await statement;
  } catch (error) {
    const constraint = error instanceof Error && 'constraint' in error ? String(error.constraint) : '';
    const meaning = meanings[constraint];
    if (meaning === undefined) throw error;
    const [field, message] = meaning;
    throw field === null ? new ApiError('conflict', { message, cause: error }) : fieldError(field, message);
  }
}

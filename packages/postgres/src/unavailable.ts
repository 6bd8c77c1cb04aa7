/** For a full disk or quota; 53100 is PostgreSQL's own. */
const fullCodes: readonly string[] = ['ENOSPC', 'EDQUOT', '53100'];

/**
 * Whether a statement or a write failed because the database is unreachable, starting, stopping or full, because its
 * connection was lost or none was free, because it lost a race for a lock, or because a disk is full: the same work may
 * soon succeed. Takes what `pg` and its pool throw, some of which is only a text.
 *
 * Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html; severity FATAL ends a session.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('syscall' in error && error.syscall === 'connect') return true;
  if ('severity' in error && error.severity === 'FATAL') return true;
  return (
    isFull(error) ||
    /^(E(CONN[A-Z]+|PIPE|TIMEDOUT|HOST[A-Z]+)|(08|53|57P)\w{2,3}|40001|40P01|55P03)$/.test(codeOf(error)) ||
    /connection terminated|not queryable|timeout e(xceeded|xpired)/i.test(error.message)
  );
}

/** Whether a disk or a quota is full. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && fullCodes.includes(codeOf(error));
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

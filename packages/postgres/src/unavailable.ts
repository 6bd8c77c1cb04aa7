/** Of a full disk or quota; 53100 is PostgreSQL's own. */
const fullCodes: readonly string[] = ['ENOSPC', 'EDQUOT', '53100'];

/**
 * Whether a statement or a write failed since the database is away, starting, stopping or full, since its connection was
 * lost or none was free, since it lost a race for a lock, or since a disk is full: the same work may succeed soon. Takes
 * what `pg` and its pool throw, which is in part no more than a text.
 *
 * Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html; of the severity FATAL is what ends a session.
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

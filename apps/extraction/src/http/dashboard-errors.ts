import type { ErrorTable } from '@millrace/operations';

/** Errors of the dashboard's operations, beside those of the API. */
export const dashboardErrors = {
  not_signed_in: { status: 401, message: 'Sign in.' },
  sign_in_failed: { status: 401, message: 'The e-mail address or the password is wrong.' },
  forbidden: { status: 403, message: 'Ask an administrator of your account to do this.' },
  conflict: { status: 409, message: 'This has changed in the meantime. Reload it.' },
} as const satisfies ErrorTable;

export type DashboardErrorCode = keyof typeof dashboardErrors;

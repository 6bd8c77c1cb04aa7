import * as z from 'zod';
import {
  anyDashboardErrors,
  defineDashboardOperation,
  everyDashboardOperation,
  Nothing,
} from '../../http/dashboard-operation.ts';
import { GivenPassword, OneTimeCode } from '../sessions/contract.ts';

const tag = 'Sessions';
const everyOperation = { ...everyDashboardOperation, rateClass: 'sign_in', tag } as const;
const errors = ['invalid_request', 'conflict', ...anyDashboardErrors] as const;
const examplePassword = 'correct horse battery staple';

const startMfa = defineDashboardOperation({
  ...everyOperation,
  id: 'startMfa',
  method: 'POST',
  path: '/api/dashboard/v1/session/mfa',
  summary: 'Set up one-time codes',
  description:
    'Creates a secret for an authenticator app (TOTP, RFC 6238). Codes are required at sign-in once the first one is ' +
    'confirmed. Starting again creates another secret.',
  request: { body: z.strictObject({ password: GivenPassword }) },
  responses: {
    200: {
      description: 'The secret.',
      body: z.object({
        secret: z.string().describe('In base 32, for typing.'),
        otpauthUrl: z.string().describe('The `otpauth://` address, for a QR code.'),
      }),
    },
  },
  errors,
  examples: [
    {
      summary: 'A secret',
      request: { body: { password: examplePassword } },
      answer: {
        status: 200,
        body: {
          secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
          otpauthUrl:
            'otpauth://totp/Millrace:robin%40example.com?issuer=Millrace&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        },
      },
    },
  ],
});

const confirmMfa = defineDashboardOperation({
  ...everyOperation,
  id: 'confirmMfa',
  method: 'POST',
  path: '/api/dashboard/v1/session/mfa/confirmation',
  summary: 'Confirm the first one-time code',
  description:
    'Signing in then needs a one-time code. Only this response contains the recovery codes: each can be used once ' +
    'instead of a code. Your other sessions end.',
  request: { body: z.strictObject({ oneTimeCode: z.string().regex(/^\d{6}$/, 'Enter 6 digits.') }) },
  responses: { 200: { description: 'In use.', body: z.object({ recoveryCodes: z.array(z.string()) }) } },
  errors,
  examples: [
    {
      summary: 'The first code',
      request: { body: { oneTimeCode: '123456' } },
      answer: { status: 200, body: { recoveryCodes: ['abcd-efgh-jkmn-pqrs'] } },
    },
  ],
});

const removeMfa = defineDashboardOperation({
  ...everyOperation,
  id: 'removeMfa',
  method: 'DELETE',
  path: '/api/dashboard/v1/session/mfa',
  summary: 'Turn off one-time codes',
  description:
    'Needs the password and a one-time code or recovery code. Codes are no longer required, and the recovery codes are ' +
    'deleted.',
  request: { body: z.strictObject({ password: GivenPassword, oneTimeCode: OneTimeCode }) },
  responses: { 200: { description: 'No longer in use.', body: Nothing } },
  errors,
  examples: [
    {
      summary: 'With a code',
      request: { body: { password: examplePassword, oneTimeCode: '123456' } },
      answer: { status: 200, body: {} },
    },
  ],
});

export const oneTimeCodeOperations = [startMfa, confirmMfa, removeMfa] as const;

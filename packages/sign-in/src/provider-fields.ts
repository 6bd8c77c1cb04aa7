import { displayName } from '@millrace/operations/display-name';
import { hostName } from '@millrace/operations/host-name';
import * as z from 'zod';

/** A domain whose e-mail addresses a provider may state. */
const EmailDomain = hostName('Enter a domain, such as example.com.');

/** A group as the provider names it in its claim, or by SCIM. */
export const GroupName = z.string().trim().min(1).max(256);

const Scope = z
  .string()
  .max(100)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'This is not a scope.');

/** What is configured of an identity provider wherever people sign in; safe for browsers. */
export const providerFields = {
  name: displayName(60).describe('As the button names it: Sign in with …'),
  issuer: z.url({ protocol: /^https?$/, error: 'Enter the address that the provider names itself by.' }).max(300),
  clientId: z.string().trim().min(1).max(300),
  scopes: z
    .array(Scope)
    .max(20)
    .refine((scopes) => scopes.includes('openid'), 'Keep the scope openid.')
    .default(['openid', 'email', 'profile', 'offline_access'])
    .describe('With `offline_access`, the provider is asked again and again whether the user is still active.'),
  groupsClaim: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .nullable()
    .default(null)
    .describe('The claim with the user’s groups; null: roles don’t follow from the sign-in.'),
  emailDomains: z
    .array(EmailDomain)
    .max(50)
    .default([])
    .describe('Users with other addresses are refused. Empty: any address of the provider is accepted.'),
  createsUsers: z.boolean().default(false).describe('Whether somebody unknown gets an account at the first sign-in.'),
  recheckSeconds: z
    .int()
    .min(20)
    .max(86_400)
    .default(45)
    .describe('How often the provider is asked by the refresh token whether a signed-in user is still active.'),
};

/** The secret of the client, as it is sent; no answer has it. */
export const ClientSecret = z
  .string()
  .min(1)
  .max(1_000)
  .nullable()
  .optional()
  .describe(
    'Absent: keeps the stored one, if issuer and client stay the same. Null: a public client, which proves itself by PKCE alone.',
  );

/** What answers say of a stored secret. */
export const hasClientSecret = z.boolean().describe('Whether a client secret is stored. It is never returned.');

/** The addresses that are registered at a provider, and the one that opens its sign-in. */
export const providerAddresses = {
  redirectUri: z.string().describe('The address to register at the provider for responses.'),
  backChannelLogoutUri: z.string().describe('The address to register at the provider for back-channel logout.'),
  signOutReturnUri: z.string().describe('The address to register at the provider for the return after signing out.'),
  signInUrl: z.string().describe('Opens the sign-in by this provider.'),
};

/** The query of the address that a provider sent the browser to. */
export const ResponseParameters = z.string().min(1).max(8_000);

/** The same of the reference’s examples. */
export const exampleProviderFields = {
  name: 'Example ID',
  issuer: 'https://id.example.com',
  clientId: 'millrace',
  scopes: ['openid', 'email', 'profile', 'offline_access'],
  groupsClaim: 'groups',
  emailDomains: ['example.com'],
  createsUsers: true,
  recheckSeconds: 45,
};

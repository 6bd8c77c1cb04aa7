import { openApiDocument } from '@millrace/operations/openapi';
import { addReferencePages } from '@millrace/operations/reference';
import { cookieNameOf } from '@millrace/sign-in/browsers';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { operations } from '../contracts.ts';
import { portalSessionCookieName, sessionCookieName } from '../frame/authenticate.ts';
import { errors } from '../frame/errors.ts';
import type { AnyControlOperation, Tag } from '../frame/operation.ts';

const sections: Readonly<Record<Tag, string>> = {
  Auth: 'Sign in, own profile and sessions, navigation and search.',
  Organizations: 'Organizations, their settings, and their configuration as one document.',
  Access: 'Users, invitations, roles and service accounts.',
  Environments: 'Where proxies are deployed, and the variables there.',
  'Target servers': 'Backends, by the same name in every environment.',
  'API proxies': 'Proxies and their routes.',
  Policies: 'Policy kinds, the policies of a proxy, and templates.',
  Revisions: 'Numbered copies of a proxy’s routes and policies.',
  Specifications: 'OpenAPI documents, generated, imported or uploaded.',
  Governance: 'Rules, findings and waivers.',
  Lifecycle: 'Stages, requests to move, and the review queue.',
  Deployments: 'Which revision is live in which environment.',
  'Production changes': 'Changes to what production callers get, which wait for another person’s approval.',
  'API products': 'Proxies bundled for consumers, with a quota.',
  Developers: 'Who builds on the APIs.',
  Apps: 'What developers register, and the credentials of each.',
  Subscriptions: 'Which app may call which product.',
  'Rate plans': 'What subscriptions to API products cost, in versions that never change once they are published.',
  Billing: 'Billing periods, invoices, payments, credit notes and revenue.',
  Analytics: 'Traffic, errors and latency: over time, by what they are about, compared, and as CSV.',
  Portal:
    'What the developer portal’s visitors and users can do. `organization` selects the portal by its organization’s name, unless the host name does.',
  Alerts: 'Rules that are evaluated every ten seconds, what they found, silences, and the incidents that rules open.',
  'Gateway nodes': 'The nodes that serve traffic, and their calls to the management API.',
  Integrations:
    'Where notifications, metrics and audit entries are sent, what became of each notification, and the kinds of event.',
  Audit: 'The append-only trail of every write and every denied attempt.',
};

const ErrorAnswer = z
  .object({
    code: z.int().describe('The HTTP status.'),
    status: z.literal(false),
    data: z.object({
      message: z.string().describe('What happened and what to do, for people.'),
      errors: z.record(z.string(), z.string()).optional().describe('By field path, if individual fields are invalid.'),
    }),
  })
  .meta({ id: 'Error' });

/** The reference as an OpenAPI 3.1 document, from the operations alone. */
export function referenceDocument(baseUrl: string | null): object {
  return openApiDocument(operations, {
    title: 'Millrace API management',
    version: '1',
    description:
      'Every response has the envelope `{code, status, data}`. Sign in with `POST /api/auth/login`, which sets a session ' +
      'cookie, or send a service account’s token as `Authorization: Bearer`. Each operation lists the permission that ' +
      'its caller needs; any one of several is enough.',
    contact: { name: 'The administrators of this installation' },
    tags: Object.entries(sections).map(([name, description]) => ({ name, description })),
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: cookieNameOf({ name: sessionCookieName, secure: baseUrl?.startsWith('https:') ?? false }),
      },
      portal: {
        type: 'apiKey',
        in: 'cookie',
        name: cookieNameOf({ name: portalSessionCookieName, secure: baseUrl?.startsWith('https:') ?? false }),
      },
      serviceAccount: { type: 'http', scheme: 'bearer' },
      gatewayNode: { type: 'http', scheme: 'bearer' },
    },
    auth: {
      session: ['session', 'serviceAccount'],
      node: ['gatewayNode'],
      portal: ['portal'],
      public: [],
      portal_visitor: [],
    },
    errors,
    errorBody: ErrorAnswer,
    errorExample: (_code, { status, message }) => ({ code: status, status: false, data: { message } }),
    webhooks: {},
    responseHeaders: {
      'X-Request-Id': {
        description: 'Identifies this call in the log and the audit trail.',
        schema: { type: 'string' },
      },
    },
    describe: (operation) => describeOperation(operation as AnyControlOperation),
    commonParameters: (operation) => commonParameters(operation as AnyControlOperation),
    servers: [{ url: baseUrl ?? '/' }],
  });
}

/** Who may call what asks for no permission. */
const callers: Readonly<Record<string, string>> = {
  public: 'No sign-in is needed.',
  node: 'Gateway nodes only, by token.',
  session: 'Any signed-in caller.',
  portal: 'Portal users signed in to the developer portal, by their role in the developer account: {roles}.',
  portal_visitor: 'Any visitor of the developer portal; no sign-in is needed.',
};

function describeOperation(operation: AnyControlOperation) {
  const { permissions, alsoNeeded, restriction, portalRoles, auth, audit, description } = operation;
  const right =
    permissions.length === 0
      ? callers[auth]!.replace('{roles}', portalRoles.join(', '))
      : `Permission: ${[permissions.map((permission) => `\`${permission}\``).join(' or '), ...alsoNeeded.map((permission) => `\`${permission}\``)].join(' and ')}.`;
  const kept = restriction === null ? '' : ` Only for the role ${restriction}.`;
  const audited = audit === null ? '' : ` Audited as ${audit.category}.`;
  return {
    description: `${description}\n\n${right}${kept}${audited}`,
    extensions: {
      'x-permissions': permissions,
      'x-role-restriction': restriction,
      'x-audit-category': audit?.category ?? null,
    },
  };
}

function commonParameters(operation: AnyControlOperation) {
  const ofPortal = operation.auth === 'portal' || operation.auth === 'portal_visitor';
  if (operation.auth !== 'session' && !ofPortal) return [];
  const parameters: { readonly name: string; readonly in: string; readonly [key: string]: unknown }[] = [
    ofPortal
      ? {
          name: 'organization',
          in: 'query',
          required: false,
          description: 'Name of the organization whose portal it is; not needed at a portal’s own host name.',
          schema: { type: 'string' },
        }
      : {
          name: 'organizationId',
          in: 'query',
          required: false,
          description: 'Another organization, for a Super Admin; `X-Organization-Id` does the same.',
          schema: { type: 'string' },
        },
  ];
  if (operation.method === 'POST' && operation.auth !== 'portal_visitor') {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'Repeats of the same call within 24 hours get the first one’s response.',
      schema: { type: 'string', maxLength: 255 },
    });
  }
  if (operation.errors.includes('version_conflict')) {
    parameters.push({
      name: 'If-Match',
      in: 'header',
      required: false,
      description: 'The ETag that was read: the call is rejected if the entity has changed since.',
      schema: { type: 'string' },
    });
  }
  return parameters;
}

/** Serves `/api-docs.json` and, from this server alone, the pages of `/api-docs`. */
export function addReference(server: FastifyInstance, baseUrl: string | null): void {
  addReferencePages(server, () => referenceDocument(baseUrl), 'Millrace API management');
}

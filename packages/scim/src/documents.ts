import { groupSchema, userSchema } from './resources.ts';

const mostResults = 200;

/** How many resources a page has at most. */
export const largestPage = mostResults;

/** What the service supports (RFC 7643, 5). */
export function serviceProviderConfig(baseUrl: string): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: mostResults },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A provisioning token of the organization, as Authorization: Bearer.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  };
}

/** The kinds of resources (RFC 7643, 6). */
export function resourceTypes(baseUrl: string): readonly { readonly id: string }[] {
  return [
    { id: 'User', endpoint: '/Users', schema: userSchema },
    { id: 'Group', endpoint: '/Groups', schema: groupSchema },
  ].map((type) => ({
    ...type,
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    name: type.id,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${type.id}` },
  }));
}

interface Attribute {
  readonly name: string;
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly caseExact?: boolean;
  readonly mutability?: 'readOnly' | 'readWrite' | 'immutable';
  readonly uniqueness?: 'none' | 'server';
  readonly subAttributes?: readonly Attribute[];
}

function attributeOf({ subAttributes, ...attribute }: Attribute): object {
  return {
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...attribute,
    ...(subAttributes === undefined ? {} : { type: 'complex', subAttributes: subAttributes.map(attributeOf) }),
  };
}

const value: Attribute = { name: 'value' };
const reference: Attribute = { name: '$ref', type: 'reference', mutability: 'readOnly' };

/** The attributes of each kind of resource (RFC 7643, 7). */
export function schemas(baseUrl: string): readonly { readonly id: string }[] {
  const user: readonly Attribute[] = [
    { name: 'userName', required: true, uniqueness: 'server' },
    { name: 'externalId', caseExact: true },
    {
      name: 'name',
      subAttributes: [{ name: 'formatted' }, { name: 'givenName' }, { name: 'familyName' }],
    },
    { name: 'displayName' },
    { name: 'active', type: 'boolean' },
    {
      name: 'emails',
      multiValued: true,
      subAttributes: [value, { name: 'type' }, { name: 'primary', type: 'boolean' }],
    },
    {
      name: 'groups',
      multiValued: true,
      mutability: 'readOnly',
      subAttributes: [{ ...value, mutability: 'readOnly' }, reference, { name: 'display', mutability: 'readOnly' }],
    },
  ];
  const group: readonly Attribute[] = [
    { name: 'displayName', required: true, uniqueness: 'server' },
    { name: 'externalId', caseExact: true },
    {
      name: 'members',
      multiValued: true,
      subAttributes: [
        { ...value, mutability: 'immutable' },
        { ...reference, mutability: 'immutable' },
        { name: 'display', mutability: 'readOnly' },
        { name: 'type', mutability: 'immutable' },
      ],
    },
  ];
  return [
    { id: userSchema, name: 'User', attributes: user.map(attributeOf) },
    { id: groupSchema, name: 'Group', attributes: group.map(attributeOf) },
  ].map((schema) => ({
    ...schema,
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
  }));
}

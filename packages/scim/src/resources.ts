import { ScimError } from './errors.ts';
import { isObject, listOf, type ScimObject, valueAt } from './patch.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** What is kept of a user that a client provisions. */
export interface ScimUser {
  readonly userName: string;
  /** The client’s own id of the user. */
  readonly externalId: string | null;
  /** In lower case: the primary address, or else the user name. */
  readonly email: string;
  readonly displayName: string;
  readonly active: boolean;
  /** As the client sent them, but for what the service states itself. */
  readonly attributes: ScimObject;
}

/** What is kept of a group that a client provisions. */
export interface ScimGroup {
  readonly displayName: string;
  readonly externalId: string | null;
  /** Ids of users. */
  readonly memberIds: readonly string[];
}

const longestText = 256;
const longestAttributes = 16_384;
const mostMembers = 10_000;
const email = /^[^\s@<>,;"']{1,64}@[a-z0-9.-]{1,190}$/i;

/**
 * Reads a user, as it was sent or as a PATCH left it.
 *
 * @throws ScimError `invalidValue` with the attribute
 */
export function readUser(resource: unknown): ScimUser {
  if (!isObject(resource)) throw new ScimError(400, 'invalidSyntax', 'Send a user as a JSON object.');
  const userName = textAt(resource, 'userName');
  if (userName === null) throw missing('userName');
  const emails = listOf(valueAt(resource, 'emails'));
  const primary = emails.find((entry) => isObject(entry) && booleanOf(valueAt(entry, 'primary')) === true) ?? emails[0];
  const given = isObject(primary) ? textAt(primary, 'value') : typeof primary === 'string' ? primary : null;
  const address = given ?? userName;
  if (!email.test(address)) throw invalid('emails', 'Send an e-mail address in emails or as userName.');
  const name = valueAt(resource, 'name');
  const active = booleanOf(valueAt(resource, 'active') ?? true);
  if (active === null) throw invalid('active', 'Send true or false.');
  const { id: _id, meta: _meta, schemas: _schemas, groups: _groups, password: _password, ...attributes } = resource;
  if (JSON.stringify(attributes).length > longestAttributes) {
    throw new ScimError(400, 'tooMany', `Send at most ${longestAttributes} characters of attributes.`);
  }
  return {
    userName,
    externalId: textAt(resource, 'externalId'),
    email: address.toLowerCase(),
    displayName: (textAt(resource, 'displayName') ?? fullName(name) ?? address).slice(0, 100),
    active,
    attributes: { ...attributes, active },
  };
}

/** @throws ScimError `invalidValue` with the attribute */
export function readGroup(resource: unknown): ScimGroup {
  if (!isObject(resource)) throw new ScimError(400, 'invalidSyntax', 'Send a group as a JSON object.');
  const displayName = textAt(resource, 'displayName');
  if (displayName === null) throw missing('displayName');
  const members = listOf(valueAt(resource, 'members'));
  if (members.length > mostMembers) throw new ScimError(400, 'tooMany', `A group has at most ${mostMembers} members.`);
  const memberIds = members.map((member) => {
    const value = isObject(member) ? valueAt(member, 'value') : member;
    if (typeof value !== 'string' || !/^[a-z]{3}_[0-9a-z_]{1,60}$/.test(value)) {
      throw invalid('members', 'Send the ids of users as value.');
    }
    return value;
  });
  return { displayName, externalId: textAt(resource, 'externalId'), memberIds: [...new Set(memberIds)] };
}

/** What the service states of a resource, whatever kind it is. */
export interface ScimRow {
  readonly id: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A user as it is answered. */
export function presentUser(
  row: ScimRow,
  user: Omit<ScimUser, 'attributes'> & { readonly attributes: ScimObject | null },
  groups: readonly { readonly id: string; readonly displayName: string }[],
  baseUrl: string,
): ScimObject {
  return {
    name: { formatted: user.displayName },
    emails: [{ value: user.email, type: 'work', primary: true }],
    ...user.attributes,
    schemas: [userSchema],
    id: row.id,
    ...(user.externalId === null ? {} : { externalId: user.externalId }),
    userName: user.userName,
    displayName: user.displayName,
    active: user.active,
    groups: groups.map(({ id, displayName }) => ({ value: id, display: displayName, $ref: `${baseUrl}/Groups/${id}` })),
    meta: metaOf('User', row, `${baseUrl}/Users/${row.id}`),
  };
}

/** A group as it is answered. */
export function presentGroup(
  row: ScimRow,
  group: Omit<ScimGroup, 'memberIds'>,
  members: readonly { readonly id: string; readonly displayName: string }[],
  baseUrl: string,
): ScimObject {
  return {
    schemas: [groupSchema],
    id: row.id,
    ...(group.externalId === null ? {} : { externalId: group.externalId }),
    displayName: group.displayName,
    members: members.map(({ id, displayName }) => ({
      value: id,
      display: displayName,
      type: 'User',
      $ref: `${baseUrl}/Users/${id}`,
    })),
    meta: metaOf('Group', row, `${baseUrl}/Groups/${row.id}`),
  };
}

function metaOf(resourceType: string, { version, createdAt, updatedAt }: ScimRow, location: string): object {
  const times = { created: createdAt.toISOString(), lastModified: updatedAt.toISOString() };
  return { resourceType, ...times, location, version: `W/"${version}"` };
}

/** A boolean, also as the text that Microsoft sends; null for anything else. */
function booleanOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  const text = value.toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : null;
}

function textAt(object: ScimObject, name: string): string | null {
  const value = valueAt(object, name);
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw invalid(name, 'Send a text.');
  const text = value.trim();
  if (text.length > longestText || /\p{Cc}/u.test(text)) throw invalid(name, `Send at most ${longestText} characters.`);
  return text === '' ? null : text;
}

function fullName(name: unknown): string | null {
  if (!isObject(name)) return null;
  const parts = [textAt(name, 'givenName'), textAt(name, 'familyName')].filter((part) => part !== null);
  return textAt(name, 'formatted') ?? (parts.length === 0 ? null : parts.join(' '));
}

function missing(attribute: string): ScimError {
  return new ScimError(400, 'invalidValue', `${attribute} is missing.`);
}

function invalid(attribute: string, detail: string): ScimError {
  return new ScimError(400, 'invalidValue', `${attribute}: ${detail}`);
}

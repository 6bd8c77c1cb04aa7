import { randomBytes } from 'node:crypto';
import { ownNamePattern, ownTypeLimits } from '@millrace/document-model/own-type';

/** Messages that stay listed for each account. */
export const keptMessages = 200;
/** A message that a server sends again after so long counts as a new one: servers give up sooner. */
export const keptDays = 10;

/** Answers a day to one sender, and from one account to all of them. */
export const answerLimits = { perSender: 5, perAccount: 100 } as const;

const tokenAlphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** The local part of an inbox's address: 130 random bits, in the letters and digits that nobody confuses (RFC 4648). */
export function newToken(): string {
  return Array.from(randomBytes(26), (byte) => tokenAlphabet.charAt(byte & 31)).join('');
}

/** What an address of the inbox's domain names: an account's token, and the type of its documents if it gives one, which
 * the account may not have. */
export interface InboxAddress {
  readonly token: string;
  readonly docType: string | null;
}

/** Reads `token@domain` or `token+doc_type@domain`; null where the address is none of an inbox. */
export function readAddress(address: string, domain: string): InboxAddress | null {
  const at = address.lastIndexOf('@');
  if (address.slice(at + 1).toLowerCase() !== domain.toLowerCase()) return null;
  const [token = '', tag, ...rest] = address.slice(0, at).toLowerCase().split('+');
  const docType =
    tag !== undefined && tag.length <= ownTypeLimits.nameCharacters && ownNamePattern.test(tag) ? tag : null;
  if (!/^[a-z2-7]{26}$/.test(token) || rest.length > 0 || (tag !== undefined && docType === null)) return null;
  return { token, docType };
}

/** Whether an account takes mail from an address: it, or its domain behind an `@`, is listed, or nothing is. */
export function isAllowed(from: string, allowList: readonly string[]): boolean {
  if (allowList.length === 0) return true;
  const domain = from.slice(from.lastIndexOf('@'));
  return from !== '' && allowList.some((entry) => entry === from || entry === domain);
}

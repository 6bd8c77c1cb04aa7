import * as identifiers from '@millrace/identifiers';

/** What an identifier names, by its prefix. */
type IdentifierPrefix =
  | 'acc'
  | 'usr'
  | 'key'
  | 'doc'
  | 'job'
  | 'sec'
  | 'whe'
  | 'ntf'
  | 'dlv'
  | 'inb'
  | 'cor'
  | 'snd'
  | 'ses'
  | 'inv'
  | 'pwr'
  | 'mail'
  | 'call';

/** A new identifier of something that the service keeps; those of one prefix sort by their time of creation. */
export const newId: <Prefix extends IdentifierPrefix>(prefix: Prefix) => `${Prefix}_${string}` = identifiers.newId;

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
  | 'call'
  | 'bulk'
  | 'sct'
  | 'sgr'
  | 'emd';

/** A new identifier of something that the service keeps; those of one prefix sort by their time, that of creation. */
export const newId: <Prefix extends IdentifierPrefix>(prefix: Prefix, timeMs?: number) => `${Prefix}_${string}` =
  identifiers.newId;

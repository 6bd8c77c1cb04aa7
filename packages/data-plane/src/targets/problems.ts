/** What went wrong with a connection, by its code, in a sentence for whoever sees to the target. */
export const connectionProblems: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'Nothing listens there: the connection was refused.'],
  ['ECONNRESET', 'It ended the connection.'],
  ['EPIPE', 'It ended the connection.'],
  ['ENOTFOUND', 'There is no host of this name.'],
  ['EAI_AGAIN', 'The name of the host could not be looked up.'],
  ['EHOSTUNREACH', 'There is no way to this host.'],
  ['ENETUNREACH', 'There is no way to this network.'],
  ['ETIMEDOUT', 'It did not answer.'],
]);

/** The same of what a gateway meets beyond that: reasons of its own, and of TLS. */
const gatewayProblems: ReadonlyMap<string, string> = new Map([
  ...connectionProblems,
  ['closed', 'It closed the connection before its answer was whole.'],
  ['no connection', 'It took too long to connect.'],
  ['malformed chunks', 'Its answer is no HTTP: the body is not divided as its head says.'],
  ['a malformed head', 'Its answer is no HTTP: its head cannot be read, or is too long.'],
  ['an answer that is ambiguous', 'Its answer can be read in more than one way, such as one with two lengths.'],
  ['as many connections as there may be', 'It has as many connections as a gateway keeps to one target.'],
  ['ADDRESS_REFUSED', 'Its address is one that this node does not connect to.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Its certificate is for another host name.'],
  ['CERT_HAS_EXPIRED', 'Its certificate has expired.'],
]);

/** Why an attempt failed, in a sentence; a reason that is not known stays as it is. */
export function problemOf(reason: string): string {
  if (/^(?:ERR_SSL_|EPROTO$)/.test(reason)) return 'It does not speak TLS, or not a version of today.';
  if (/SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(reason))
    return 'Its certificate is not of an authority that is trusted.';
  return gatewayProblems.get(reason) ?? reason;
}

/** What went wrong with a connection, by error code, in a sentence for whoever maintains the target server. */
export const connectionProblems: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'Nothing listens there: the connection was refused.'],
  ['ECONNRESET', 'It closed the connection.'],
  ['EPIPE', 'It closed the connection.'],
  ['ENOTFOUND', 'Its host name doesn’t exist.'],
  ['EAI_AGAIN', 'Its host name couldn’t be resolved.'],
  ['EHOSTUNREACH', 'This host is unreachable.'],
  ['ENETUNREACH', 'This network is unreachable.'],
  ['ETIMEDOUT', 'It did not respond.'],
]);

/** The same, with the reasons of the gateway itself and of TLS. */
const gatewayProblems: ReadonlyMap<string, string> = new Map([
  ...connectionProblems,
  ['closed', 'It closed the connection before its response was complete.'],
  ['no connection', 'It took too long to connect.'],
  ['malformed chunks', 'Its response is not valid HTTP: the chunks of its body are malformed.'],
  ['a malformed head', 'Its response is not valid HTTP: its head is malformed or too long.'],
  ['an answer that is ambiguous', 'Its response is ambiguous, such as one with two lengths.'],
  ['as many connections as there may be', 'The gateway already has the maximum of connections to this target.'],
  ['ADDRESS_REFUSED', 'This node does not connect to its address.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Its certificate is for another host name.'],
  ['CERT_HAS_EXPIRED', 'Its certificate has expired.'],
]);

/** Why an attempt failed, in a sentence; an unknown reason is returned unchanged. */
export function problemOf(reason: string): string {
  if (/^(?:ERR_SSL_|EPROTO$)/.test(reason)) return 'It does not support TLS, or only outdated versions.';
  if (/SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(reason)) return 'Its certificate is not from a trusted authority.';
  return gatewayProblems.get(reason) ?? reason;
}

const BOUND = 'SCRAM-SHA-256-PLUS';

/**
 * Holds a node-postgres client that is not yet connected, with enableChannelBinding, to libpq's channel_binding=require: by itself it
 * binds to the TLS channel only where the server offers that. A server that does not, or that asks for a password in another way or for
 * none at all, is left before it is told anything.
 */
export function requireChannelBinding({ connection }) {
  let bound = false;
  const leave = () => {
    connection.removeAllListeners('readyForQuery'); // it may have come already, right behind what is refused
    connection.emit('error', new Error('channel binding is required, and the server did without'));
    connection.stream.destroy();
  };
  connection.on('authenticationSASL', ({ mechanisms }) => mechanisms.includes(BOUND) || leave());
  connection.on('authenticationSASLFinal', () => {
    bound = true;
  });
  for (const other of ['authenticationOk', 'authenticationCleartextPassword', 'authenticationMD5Password'])
    connection.on(other, () => bound || leave());
}

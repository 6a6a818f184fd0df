/** Node's own codes of a connection that could not be made or broke. */
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])

/** SQLSTATE: shutdown, crash, starting up, too many connections, and the class of connection exceptions. */
const stateCodes = /^(57P0[123]|53300|08...)$/

/** node-postgres gives these no code. */
const texts =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** True when an error says that the database cannot be reached now, rather than that a query is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.some(isDatabaseAway)) return true
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // A unix socket that is not there: the server has not been started.
  const missingSocket = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
  return socketCodes.has(code) || missingSocket || stateCodes.test(code) || texts.test(error.message)
}

/** PostgreSQL holds no NUL in text; a value with one was never a valid argument. */
export function isUnstorableText(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '22021' || error.code === '22P05')
}

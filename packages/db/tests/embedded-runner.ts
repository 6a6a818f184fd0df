import { startEmbeddedPostgres } from '../src/embedded/index.ts'

/** A platform in a process of its own: it prints the server's pid and url, then waits, or ends when asked to. */
const [data_dir = '', then = 'wait'] = process.argv.slice(2)
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error }
const server = await startEmbeddedPostgres({ data_dir, log })
console.log(JSON.stringify({ pid: server.pid, connection_string: server.connection_string }))
if (then === 'exit') process.exit(0)
setInterval(() => undefined, 60_000)

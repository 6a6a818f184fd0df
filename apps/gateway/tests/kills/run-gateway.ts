import { randomUUID } from 'node:crypto'
import { createLogger, createMetrics } from '@svc/boot'
import { createDatabase } from '@svc/db'
import { startGateway } from '../../src/serve.ts'

/** A gateway in a process of its own, as its deployable runs it. It says its port, and serves until it is killed or left. */
const [connection_string = ''] = process.argv.slice(2)
const gateway = await startGateway(
  {
    db: createDatabase(connection_string),
    now: () => new Date(),
    newId: () => randomUUID(),
    metrics: createMetrics('gateway'),
    log: createLogger({ name: 'gateway', level: 'error', destination: process.stderr }),
    upstream: null,
    outbound_addresses: ['127.0.0.0/8'],
  },
  { host: '127.0.0.1', port: 0 },
)
if (process.send === undefined) console.log(gateway.port)
else {
  process.send({ port: gateway.port })
  for (const left of ['message', 'disconnect']) process.once(left, () => process.exit(0))
}

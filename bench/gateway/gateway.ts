import { randomUUID } from 'node:crypto'
import { createLogger, createMetrics } from '@svc/boot'
import { createDatabase } from '@svc/db'
import { startGateway } from '../../apps/gateway/src/serve.ts'

/** This project's gateway, as its deployable runs it. */
const gateway = await startGateway(
  {
    db: createDatabase(process.argv[2] ?? ''),
    now: () => new Date(),
    newId: () => randomUUID(),
    metrics: createMetrics('gateway'),
    log: createLogger({ name: 'gateway', level: 'error', destination: process.stderr }),
    upstream: null,
    outbound_addresses: ['127.0.0.0/8'],
  },
  { host: '127.0.0.1', port: 0 },
)
process.send?.({ port: gateway.port })
for (const ended of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(ended, () => process.exit(0))

/**
 * A platform in a process of its own, for tests that kill it: opens a provider with the options in its first argument,
 * creates the sandbox of its second, prints the answer and stays.
 */
import { createProcessProvider } from '../../src/providers/process/create-process-provider.ts'
import { Order } from './platform-order.ts'

const order = Order.parse(JSON.parse(process.argv[2] ?? ''))
const provider = await createProcessProvider({ ...order.options, log: () => undefined })
process.stdout.write('opened\n')
const created = await provider.create({
  sandbox_id: order.sandbox_id,
  environment: { FROM: 'the first platform' },
})
process.stdout.write(`${JSON.stringify(created)}\n`)
setInterval(() => undefined, 1_000)

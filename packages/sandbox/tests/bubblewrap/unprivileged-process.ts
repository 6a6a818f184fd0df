/**
 * A platform of an ordinary user, for tests that run as root: opens a provider with the options in its first argument,
 * and answers each line of its input, a method and its arguments, with a line.
 */
import { createInterface } from 'node:readline'
import { createProcessProvider } from '../../src/providers/process/create-process-provider.ts'
import { Ask, UnprivilegedOptions } from './unprivileged-orders.ts'

const options = UnprivilegedOptions.parse(JSON.parse(process.argv[2] ?? ''))
const provider = await createProcessProvider({ ...options, isolation: 'bubblewrap', log: () => undefined })
const say = (answer: object): void => void process.stdout.write(`${JSON.stringify(answer)}\n`)
say({ id: 0, value: provider.describe() })

async function answer(ask: Ask): Promise<unknown> {
  switch (ask.method) {
    case 'create':
      return provider.create(ask.spec)
    case 'start':
      return provider.start(ask.external_id)
    case 'stop':
      return provider.stop(ask.external_id)
    case 'status':
      return provider.status(ask.external_id)
    case 'exitReport':
      return provider.exitReport(ask.external_id)
    case 'close':
      await Promise.all((await provider.list()).map((external_id) => provider.destroy(external_id)))
      return provider.close({ stop_sandboxes: false })
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ask } = Ask.parse(JSON.parse(line))
  answer(ask).then(
    (value) => say({ id, value: value ?? null }),
    (error: unknown) => say({ id, error: String(error) }),
  )
}

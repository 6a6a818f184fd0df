import { createInterface } from 'node:readline'
import type { Cli } from '../../cli.ts'
import { OperationError, UsageError } from '../../failures.ts'
import { plain } from '../../output/plain.ts'
import { type Compose, findCompose } from '../../self-host/compose.ts'
import { placesOf } from '../../self-host/places.ts'
import { follow, lastLines, sizeOf } from '../../self-host/read-log.ts'
import { findRunning } from '../../self-host/running.ts'
import { positive } from '../flags.ts'
import type { Configure } from '../groups.ts'

const services = [
  ...['api', 'gateway', 'executor', 'merge-worker', 'sandbox-worker', 'scheduler', 'app-worker', 'app-proxy'],
  ...['channel-worker', 'engine-gate', 'database'],
]

interface Flags {
  readonly lines: number
  readonly follow?: true
}

export const logs: Configure = (command, cli) => {
  command
    .argument('[service]', `one of ${services.join(', ')}; in one process they write into one log`)
    .option('--lines <number>', 'how many of the last lines', positive, 100)
    .option('-f, --follow', 'and what is added, until Ctrl-C')
    .action(async (service: string | undefined, flags: Flags) => {
      if (service !== undefined && !services.includes(service)) {
        throw new UsageError(`there is no service ${service}`, `one of ${services.join(', ')}`)
      }
      const places = await placesOf(cli.io.env)
      const running = await findRunning(places.process)
      const compose = running === null ? await findCompose(cli.io.env, places) : null
      const of_containers = ((await compose?.running()) ?? []).length > 0
      if (compose !== null && (of_containers || (await sizeOf(places.log)) === 0)) {
        return logsOfContainers(cli, compose, service, flags)
      }
      await logsOfProcess(cli, places.log, service, flags)
    })
}

async function logsOfProcess(
  cli: Cli,
  log: string,
  service: string | undefined,
  flags: Flags,
): Promise<void> {
  const size = await sizeOf(log)
  const lines = await lastLines(log, flags.lines)
  if (lines === null) throw new OperationError('nothing was logged yet', 'svc self-host start')
  if (service !== undefined) cli.out.note('All services run in one process here and write one log.')
  for (const line of lines) cli.out.line(plain(line))
  if (!flags.follow) return
  const left = new AbortController()
  const undo = cli.io.onInterrupt(() => left.abort())
  for await (const text of follow(log, size, left.signal)) cli.io.stdout.write(plain(text))
  undo()
}

async function logsOfContainers(
  cli: Cli,
  compose: Compose,
  service: string | undefined,
  flags: Flags,
): Promise<void> {
  const name = service === 'database' ? 'postgres' : service
  const child = compose.spawn(
    ...['logs', '--no-color', '--tail', String(flags.lines)],
    ...(flags.follow ? ['--follow'] : []),
    ...(name === undefined ? [] : [name]),
  )
  const undo = cli.io.onInterrupt(() => void child.kill('SIGINT'))
  child.stderr?.resume()
  if (child.stdout !== null) {
    for await (const line of createInterface({ input: child.stdout })) cli.out.line(plain(line))
  }
  undo()
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Cli } from '../../cli.ts'
import { OperationError } from '../../failures.ts'
import { findCompose, logTail } from '../../self-host/compose.ts'
import { type Places, placesOf } from '../../self-host/places.ts'
import { findRunning, forgetRunning, type Running } from '../../self-host/running.ts'
import { plain } from '../../output/plain.ts'
import { waitingFor } from '../../output/spinner.ts'
import { readSettings } from '../../self-host/settings.ts'
import { stopSandboxes } from '../../self-host/stop-sandboxes.ts'
import type { Configure } from '../groups.ts'

const pauseMs = 100
/** Longer than the platform takes to end its own processes. */
const maxMs = 90_000

export const stop: Configure = (command, cli) => {
  command.action(async () => {
    const places = await placesOf(cli.io.env)
    const running = await findRunning(places.process)
    if (running === null) {
      await forgetRunning(places.process)
      if (await stopCompose(cli, places)) return cli.out.line('Stopped')
      cli.out.line('Not running')
      return cli.out.note('A platform that was started with `npm start` ends with Ctrl-C in its terminal.')
    }
    process.kill(running.pid, 'SIGTERM')
    await waitingFor(cli, 'Stopping', ended(places, running))
    await forgetRunning(places.process)
    cli.out.line('Stopped')
  })
}

/** False when no container of it runs. */
async function stopCompose(cli: Cli, places: Places): Promise<boolean> {
  const compose = await findCompose(cli.io.env, places)
  if (compose === null) return false
  const running = await compose.running()
  if (running === null) {
    throw new OperationError(
      'compose does not tell which containers run',
      'look whether Docker runs; `svc self-host start --compose` writes anew what compose reads',
    )
  }
  if (running.length === 0) return false
  const { code, output } = await waitingFor(cli, 'Stopping', compose.run('stop'))
  if (code === 0) {
    const { SVC_DEPLOYMENT: deployment = '' } = await readSettings(places.compose_env)
    await waitingFor(cli, 'Stopping sandboxes', stopSandboxes(cli.io.env, deployment))
    return true
  }
  for (const line of logTail(output, 5)) cli.out.note(`  ${plain(line)}`)
  throw new OperationError('the containers could not be stopped', 'docker ps tells which still run')
}

async function ended(places: Places, { pid }: Running): Promise<void> {
  for (const give_up = Date.now() + maxMs; (await findRunning(places.process)) !== null;) {
    if (Date.now() > give_up) {
      throw new OperationError(`process ${pid} has not ended yet`, 'svc self-host logs tells why')
    }
    await sleep(pauseMs)
  }
}

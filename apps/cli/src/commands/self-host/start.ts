import { spawn } from 'node:child_process'
import { mkdir, open, rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cli } from '../../cli.ts'
import { OperationError } from '../../failures.ts'
import { type Places, placesOf } from '../../self-host/places.ts'
import { lastLines } from '../../self-host/read-log.ts'
import { findCompose } from '../../self-host/compose.ts'
import { findRunning, forgetRunning, rememberRunning, startScript } from '../../self-host/running.ts'
import { waitingFor } from '../../output/spinner.ts'
import type { Configure } from '../groups.ts'
import { startCompose } from './start-compose.ts'

const pauseMs = 200
/** A first start installs and builds, which a slow network makes long. */
const maxMs = 30 * 60_000

export const start: Configure = (command, cli) => {
  command
    .option('--compose', 'as containers, with PostgreSQL and Redis of their own; needs Docker')
    .option('--no-build', 'of --compose: with the images that are there')
    .action(async (flags: { compose?: true; build: boolean }) => {
      const places = await placesOf(cli.io.env)
      if (flags.compose) return startCompose(cli, places, flags.build)
      const containers = await (await findCompose(cli.io.env, places))?.running()
      if (containers?.includes('api'))
        throw new OperationError('it runs already, as containers', 'svc self-host stop')
      const running = await findRunning(places.process)
      if (running !== null) return cli.out.line(`It runs already, as process ${running.pid}`)
      await forgetRunning(places.process)
      await startPlatform(cli, places)
    })
}

async function startPlatform(cli: Cli, places: Places): Promise<void> {
  await mkdir(places.data, { recursive: true }).catch((cause: unknown) => {
    throw new OperationError(`cannot make ${places.data}`, 'choose another folder with SVC_DATA_DIR', {
      cause,
    })
  })
  await rename(places.log, places.previous_log).catch(() => undefined)
  const log = await open(places.log, 'a', 0o600)
  const child = spawn(process.execPath, [startScript], {
    cwd: places.checkout,
    env: { ...cli.io.env, SVC_DATA_DIR: places.data, NO_COLOR: '1' },
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  })
  await log.close()
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  if (child.pid === undefined)
    throw new OperationError('the platform could not be started', 'mend what the lines above say')
  if (!(await rememberRunning(places.process, { pid: child.pid }))) {
    child.kill()
    throw new OperationError('another `svc self-host start` is under way', 'svc self-host logs --follow')
  }
  cli.out.note(`Starting; the first time it also installs and builds (svc self-host logs --follow)`)
  const started = await waitingFor(cli, 'Starting', Promise.race([ready(places.log), ended]))
  if (started === undefined) {
    await forgetRunning(places.process)
    for (const line of (await lastLines(places.log, 15)) ?? []) cli.out.note(`  ${line}`)
    throw new OperationError(
      'the platform did not start',
      'mend what the lines above say, with `svc self-host env set` if it is a setting',
    )
  }
  child.unref()
  cli.out.line(`Running at ${started.origin}`)
  if (started.dashboard !== undefined) cli.out.note(`Dashboard ${started.dashboard}`)
  cli.out.note(`Process ${child.pid}, data in ${places.data}; \`svc self-host stop\` ends it`)
}

interface Started {
  readonly origin: string
  readonly dashboard: string | undefined
}

/** The platform's message once it is ready, which it writes in one piece. */
async function ready(log: string): Promise<Started> {
  for (const give_up = Date.now() + maxMs; Date.now() < give_up;) {
    const text = ((await lastLines(log, Number.POSITIVE_INFINITY)) ?? []).join('\n')
    const origin = /svc is ready at (\S+)/.exec(text)?.[1]
    if (origin !== undefined) return { origin, dashboard: /^ +Dashboard +(\S+)$/m.exec(text)?.[1] }
    await sleep(pauseMs)
  }
  throw new OperationError('the platform is not ready after half an hour', 'svc self-host logs')
}

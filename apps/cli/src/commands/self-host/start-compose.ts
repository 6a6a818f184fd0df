import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cli } from '../../cli.ts'
import { saveLogin } from '../../config/save-login.ts'
import { OperationError } from '../../failures.ts'
import { gitMaybe } from '../../git.ts'
import { isObject, stringOf } from '../../json-values.ts'
import { waitingFor } from '../../output/spinner.ts'
import { openCompose } from '../../self-host/compose.ts'
import { composeStep } from '../../self-host/compose-step.ts'
import { writeComposeEnv } from '../../self-host/compose-env.ts'
import type { Places } from '../../self-host/places.ts'
import { findRunning } from '../../self-host/running.ts'

const pauseMs = 500
/** The max time from containers that run to an API that answers. */
const maxMs = 5 * 60_000

/** Builds the images, unless they are there, and starts every service as a container. */
export async function startCompose(cli: Cli, places: Places, build: boolean): Promise<void> {
  const running = await findRunning(places.process)
  if (running !== null) {
    throw new OperationError(`it runs already, as process ${running.pid}`, 'svc self-host stop')
  }
  const commit = (await gitMaybe(places.checkout, ['rev-parse', 'HEAD'])) ?? 'unknown'
  const values = await writeComposeEnv(places, cli.io.env, commit)
  const compose = await openCompose(cli.io.env, places)
  const host = values['SVC_HOST'] ?? '127.0.0.1'
  const origin = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${values['SVC_PORT'] ?? ''}`
  if ((await compose.running())?.includes('api') && (await answers(origin))) {
    return cli.out.line(`It runs already, as containers, at ${origin}`)
  }
  if (build) {
    cli.out.note('Building the images; the first time this takes minutes')
    await composeStep(cli, compose, 'Building', 'build', 'net', 'sandbox-image')
  }
  // All anew: a container that stayed would hold on to the network of the one before.
  await composeStep(cli, compose, 'Starting', 'up', '--detach', '--no-build', '--force-recreate')
  await waitingFor(cli, 'Waiting for the API', ready(origin))
  cli.out.line(`Running at ${origin}`)
  await logIn(cli, places, origin)
  cli.out.note('Containers; `svc self-host stop` ends them and keeps what they hold')
}

async function ready(origin: string): Promise<void> {
  for (const give_up = Date.now() + maxMs; !(await answers(origin)); await sleep(pauseMs)) {
    if (Date.now() > give_up) throw new OperationError(`${origin} does not answer`, 'svc self-host logs api')
  }
}

async function answers(origin: string): Promise<boolean> {
  return fetch(`${origin}/v1/health`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Logs in as the start of the platform in one process does: this machine's client is the first account's owner. */
async function logIn(cli: Cli, places: Places, api_url: string): Promise<void> {
  const file = join(places.compose_data, 'state/bootstrap.json')
  const first: unknown = await readFile(file, 'utf8').then(JSON.parse, () => null)
  const token = isObject(first) ? stringOf(first, 'token') : null
  if (!isObject(first) || token === null) return
  const { host } = await saveLogin({ api_url, token, config_file: cli.config_file })
  cli.out.note(`Dashboard ${stringOf(first, 'dashboard_url') ?? ''}; svc is logged in to it as ${host}`)
}

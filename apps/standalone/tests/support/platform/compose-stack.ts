import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../../../../../scripts/free-port.ts'
import { images, makeImages } from './compose-images.ts'
import { output, type Result, run } from './run.ts'

/** The engine that `npm run test:compose` starts. */
const { SVC_TEST_DOCKER_SOCKET: socket = '', SVC_TEST_DOCKER_IMAGE: base = '' } = process.env
const launcher = fileURLToPath(new URL('../../../../cli/bin/svc.mjs', import.meta.url))
const stackFile = fileURLToPath(new URL('../../../../../infra/compose/compose.yaml', import.meta.url))

export interface ComposeStack {
  /** For what its tests keep; its data is below. */
  readonly folder: string
  readonly origin: string
  /** Names its containers, and the folder of its data. */
  readonly env: Readonly<Record<string, string>>
  /** `svc self-host` of it. */
  svc(...args: string[]): Promise<Result>
  /** The same for a command that must work: what it prints. */
  done(...args: string[]): Promise<string>
  /** The token that its first start made for this machine. */
  token(): Promise<string>
  docker(...args: string[]): string
  /** The same ports and images under another name, with data of its own. */
  beside(name: string): ComposeStack
  /** Kills the containers at once, and removes what they kept. */
  down(): void
  close(): Promise<void>
}

/** The stack of infra/compose with images of this tree, on free ports; nothing of it runs yet. */
export async function makeComposeStack(): Promise<ComposeStack> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-compose-'))
  const docker_host = `unix://${socket}`
  makeImages(docker_host, base, join(folder, 'images'))
  const [port = 0, gateway = 0, apps = 0] = await freePorts(3)
  const stack = stackOf(folder, `http://127.0.0.1:${port}`, {
    HOME: folder,
    DOCKER_HOST: docker_host,
    COMPOSE_PROJECT_NAME: `svc-test-${port}`,
    SVC_DATA_DIR: join(folder, 'data'),
    SVC_CONFIG_FILE: join(folder, 'config.json'),
  })
  const ports = { SVC_PORT: port, SVC_GATEWAY_PORT: gateway, SVC_APPS_PORT: apps }
  const settings = Object.entries({ ...images, ...ports, SVC_DOCKER_IMAGE: base })
  await stack.done('env', 'set', ...settings.map(([name, value]) => `${name}=${value}`))
  return stack
}

function stackOf(folder: string, origin: string, env: Readonly<Record<string, string>>): ComposeStack {
  const { COMPOSE_PROJECT_NAME: name = '', SVC_DATA_DIR: data = '', SVC_CONFIG_FILE: config = '' } = env
  const all = { ...process.env, ...env }
  const words = (args: readonly string[]) => [launcher, 'self-host', ...args]
  const svc = (...args: string[]) => run(process.execPath, words(args), { env })
  const done = (...args: string[]) => output(process.execPath, words(args), { env })
  function down(): void {
    const place = ['--project-name', name, '--env-file', join(data, 'compose.env'), '--file', stackFile]
    execFileSync('docker-compose', [...place, 'down', '--volumes', '--timeout', '0'], {
      env: all,
      stdio: 'ignore',
    })
  }
  return {
    ...{ folder, origin, env, svc, done, down },
    token: async () => JSON.parse(await readFile(config, 'utf8')).hosts['local-dev'].token,
    docker: (...args) => execFileSync('docker', args, { env: all, encoding: 'utf8' }),
    beside: (other) =>
      stackOf(folder, origin, {
        ...env,
        COMPOSE_PROJECT_NAME: `${name}-${other}`,
        SVC_DATA_DIR: join(folder, other),
      }),
    async close() {
      await svc('stop')
      down()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

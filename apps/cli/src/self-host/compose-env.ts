import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OperationError } from '../failures.ts'
import type { Env } from '../io.ts'
import { projectName } from './compose.ts'
import type { Places } from './places.ts'
import { readSettings, type Settings, writeSettings } from './settings.ts'

/** Made at the first start and kept: the volumes and the sealed data in them open with nothing else. */
const passwords = ['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'GRAFANA_PASSWORD'] as const
/** The same, unless the settings give them. */
const masterKeys = ['SVC_MASTER_KEY', 'SVC_GATEWAY_MASTER_KEY'] as const
/** The settings that the file of the stack itself asks for; services read all of them. */
const passedOn =
  /^SVC_(HOST|IMAGE|POSTGRES_IMAGE|REDIS_IMAGE|MAIL_URL|SANDBOX_PROVIDER|DOCKER_IMAGE|SERVICE_MEMORY|SERVICE_CPUS|PROMETHEUS_IMAGE|GRAFANA_IMAGE|GRAFANA_PORT|OBJECT_STORE)$/
/** The settings that only the stack of containers is filled in with. */
export const composeOnly = [
  'SVC_IMAGE',
  'SVC_POSTGRES_IMAGE',
  'SVC_REDIS_IMAGE',
  'SVC_GATEWAY_PORT',
  'SVC_APPS_PORT',
  'SVC_SERVICE_MEMORY',
  'SVC_SERVICE_CPUS',
  'SVC_PROMETHEUS_IMAGE',
  'SVC_GRAFANA_IMAGE',
  'SVC_GRAFANA_PORT',
] as const
const folders = [
  ...(['state', 'repositories', 'repositories/objects', 'mirrors'] as const),
  ...(['sandboxes', 'engine', 'programs', 'app-engine'] as const),
] as const
const mirrors = [
  ...(['api', 'executor', 'scheduler', 'merge-worker', 'sandbox-worker'] as const),
  ...(['app-worker', 'channel-worker', 'operator'] as const),
]
/** The user id of the services where root starts them; a container needs no name for it. */
const unprivileged = 1000

/** Writes the settings that the stack is filled in with, mode 0600, and makes the folders that it names. */
export async function writeComposeEnv(places: Places, env: Env, commit: string): Promise<Settings> {
  const [kept, settings] = await Promise.all([
    readSettings(places.compose_env),
    readSettings(places.settings),
  ])
  const keptOrNew = (name: string) => [name, kept[name] ?? randomBytes(32).toString('hex')] as const
  const made = [
    ...passwords.map(keptOrNew),
    ...masterKeys.map((name) => [name, settings[name] ?? keptOrNew(name)[1]] as const),
  ]
  const port = settings['SVC_PORT'] ?? '7700'
  const apps_port = settings['SVC_APPS_PORT'] ?? String(Number(port) + 3)
  const deployment = settings['SVC_DEPLOYMENT'] ?? projectName(env).replaceAll('_', '-')
  const owner = await ownerOfData()
  const engine = await engineSocket(env)
  const values = {
    ...Object.fromEntries(Object.entries(settings).filter(([name]) => passedOn.test(name))),
    ...Object.fromEntries(made),
    SVC_PORT: port,
    SVC_GATEWAY_PORT: settings['SVC_GATEWAY_PORT'] ?? String(Number(port) + 2),
    SVC_APPS_PORT: apps_port,
    SVC_APPS_URL: settings['SVC_APPS_URL'] ?? `http://localhost:${apps_port}`,
    SVC_PUBLIC_URL: settings['SVC_PUBLIC_URL'] ?? `http://127.0.0.1:${port}`,
    SVC_COMMIT: commit,
    SVC_DEPLOYMENT: deployment,
    SVC_APPS_DEPLOYMENT: appsDeployment(deployment),
    SVC_UID: String(owner.uid),
    SVC_GID: String(owner.gid),
    SVC_ENGINE_SOCKET: engine.socket,
    SVC_ENGINE_GID: String(engine.gid),
    SVC_COMPOSE_DIR: places.compose_data,
    SVC_SETTINGS_FILE: places.settings,
  }
  await makeFolders(places.compose_data, owner)
  // The stack names the file, so that it has to be there.
  await writeSettings(places.settings, settings)
  await writeSettings(places.compose_env, values)
  return values
}

/** The name of programs of apps beside that of sessions, as the app-worker makes it. */
export function appsDeployment(deployment: string): string {
  return `${deployment.slice(0, 35)}-apps`
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

async function ownerOfData(): Promise<Owner> {
  const uid = process.getuid?.() ?? unprivileged
  return uid === 0
    ? { uid: unprivileged, gid: unprivileged }
    : { uid, gid: process.getgid?.() ?? unprivileged }
}

/** The engine passes through the closed folder to mount what lies in it; other users of the machine do not. */
async function makeFolders(data: string, { uid, gid }: Owner): Promise<void> {
  await mkdir(data, { recursive: true })
  await chmod(data, 0o700)
  const all = [...folders, ...mirrors.map((name) => join('mirrors', name))].map((name) => join(data, name))
  for (const folder of all) {
    await mkdir(folder, { recursive: true })
    if (process.getuid?.() === 0) await chown(folder, uid, gid)
  }
}

/** The engine's socket, and the group that may use it. */
async function engineSocket(env: Env): Promise<{ readonly socket: string; readonly gid: number }> {
  const host = env['DOCKER_HOST'] || 'unix:///var/run/docker.sock'
  const socket = /^unix:\/\/(\/.+)$/.exec(host)?.[1]
  if (socket === undefined) {
    throw new OperationError(
      `DOCKER_HOST is ${host}, which is not on this machine`,
      'give it as unix:///path, or leave it out: sandboxes are containers of the same engine',
    )
  }
  const gid = await stat(socket).then(
    (found) => found.gid,
    (cause: unknown) => {
      const next = 'start Docker; without one leave --compose out: everything runs in one process'
      throw new OperationError(`there is no Docker engine at ${socket}`, next, { cause })
    },
  )
  return { socket, gid }
}

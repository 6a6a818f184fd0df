import { execFile, spawn } from 'node:child_process'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Client, createClient } from '@svc/sdk'
import { program } from './program.ts'
import { freePort } from '../../scripts/free-port.ts'

export interface Site {
  readonly client: Client
  readonly project_id: string
  /** The checkout, with the app's folder `site`. */
  readonly folder: string
  /** The address of the app-proxy on this machine. */
  readonly proxy: string
  /** The host of an app, by its name. */
  hostOf(app: 'site' | 'api'): string
  /** Commits what is in the checkout and pushes it to the default branch. */
  push(): Promise<void>
  close(): Promise<void>
}

const main = fileURLToPath(new URL('../../apps/standalone/dist/main.js', import.meta.url))
const run = promisify(execFile)

/** The platform as `npm start` runs it, with two public apps: one of these files, and a program. */
export async function openSite(root: string, files: ReadonlyMap<string, Buffer>): Promise<Site> {
  const [port, internal, apps] = await Promise.all([freePort(), freePort(), freePort()])
  const data = join(root, 'data')
  const env = {
    ...process.env,
    HOME: root,
    SVC_DATA_DIR: data,
    SVC_PORT: String(port),
    SVC_INTERNAL_PORT: String(internal),
    SVC_APPS_PORT: String(apps),
    SVC_LOG_LEVEL: 'error',
    SVC_WARM_POOL_SIZE: '0',
  }
  const child = spawn(process.execPath, [main], { env, stdio: 'ignore' })
  const exited = once(child, 'exit')
  process.once('exit', () => child.kill('SIGKILL'))
  const origin = `http://127.0.0.1:${port}`
  const token = await eventually(async () => {
    if (!(await fetch(`${origin}/v1/health`)).ok) throw new Error('not yet')
    return String(JSON.parse(await readFile(join(data, 'bootstrap.json'), 'utf8')).token)
  })
  const client = createClient({ api_url: `${origin}/v1`, token })
  const { project_id, repo_url } = await client.projects.provision({ name: 'Bench', seed_starter: true })
  await client.projects.features.set(project_id, { apps: true })
  const folder = join(root, 'checkout')
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64')
  const git = (...args: string[]) =>
    run('git', ['-c', `http.extraHeader=Authorization: Basic ${basic}`, ...args], {
      cwd: args[0] === 'clone' ? root : folder,
      env: {
        ...env,
        GIT_AUTHOR_NAME: 'b',
        GIT_AUTHOR_EMAIL: 'b@svc.invalid',
        GIT_COMMITTER_NAME: 'b',
        GIT_COMMITTER_EMAIL: 'b@svc.invalid',
      },
    })
  await git('clone', '--quiet', repo_url, folder)
  await mkdir(join(folder, 'site'))
  for (const [name, bytes] of files) await writeFile(join(folder, 'site', name), bytes)
  await mkdir(join(folder, 'api'))
  await writeFile(join(folder, 'api/server.js'), program)
  await appendFile(
    join(folder, 'svc.yaml'),
    'apps:\n  site: { type: static, path: site }\n  api: { type: bundle, path: api, command: [node, server.js], readiness_path: / }\n',
  )
  const push = async () => {
    await git('add', '--all')
    await git('commit', '--quiet', '--message', 'Change')
    await git('push', '--quiet', 'origin', 'HEAD:main')
  }
  await push()
  const served = async (name: string) => {
    const url = await eventually(async () => {
      const app = await client.projects.apps.get(project_id, name)
      if (app.latest_release?.status === 'failed') return null
      if (app.state !== 'serving' || app.url === null) throw new Error('not yet')
      return app.url
    })
    if (url === null) throw new Error(`The release of ${name} failed`)
    await client.projects.apps.update(project_id, name, { access_mode: 'public', max_concurrency: 1000 })
    return new URL(url).host
  }
  const hosts = { site: await served('site'), api: await served('api') }
  return {
    ...{ client, project_id, folder, push, hostOf: (app) => hosts[app] },
    proxy: `http://127.0.0.1:${apps}`,
    close: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await look()
    } catch (error) {
      if (tries > 600) throw error
      await sleep(100)
    }
  }
}

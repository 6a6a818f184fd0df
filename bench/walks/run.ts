import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createLifecycle, createLogger } from '@svc/boot'
import { z } from 'zod'
import { readEnv } from '../../apps/standalone/src/env.ts'
import { startPlatform } from '../../apps/standalone/src/platform.ts'
import { openCoverage, type Ran } from './coverage.ts'
import { isFrame } from './frame.ts'
import { openClient } from './client.ts'

const exec = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'svc-walks-'))
const app_dir = fileURLToPath(new URL('../../apps/standalone', import.meta.url))
const log = createLogger({ name: 'walks', level: 'fatal' })
const lifecycle = createLifecycle(log, {
  host: { on: (event, listener) => process.on(event, listener), exit: (code) => process.exit(code) },
})
const env = readEnv({
  PATH: process.env['PATH'],
  SVC_DATA_DIR: folder,
  SVC_CONFIG_FILE: join(folder, 'config.json'),
  SVC_PORT: process.env['SVC_PORT'] ?? '7790',
  SVC_SANDBOX_PROVIDER: 'process',
})
const secret = 'a secret of a walk that signs its body'
const hook = { slug: 'hook', type: 'webhook', secret_env: 'HOOK_SECRET', prompt: 'Say what happened.' }
const walks = new Map<string, Ran>()

await lifecycle.run(async (stopping) => {
  const { bootstrap } = await startPlatform(env, app_dir, log, lifecycle, stopping)
  const { api_url, token } = bootstrap
  const { call, until } = openClient(api_url, token)
  const coverage = await openCoverage()

  async function walk(name: string, act: () => Promise<unknown>) {
    await sleep(2_000)
    await coverage.take()
    await act()
    walks.set(name, await coverage.take())
  }

  const { project_id } = await call('POST', '/projects/provision', z.object({ project_id: z.string() }), {
    name: 'walks',
  })
  const project = `/projects/${project_id}`
  const clone = join(folder, 'clone')
  const git = (...args: readonly string[]) =>
    exec('git', ['-C', clone, '-c', 'user.name=Walker', '-c', 'user.email=walker@localhost', ...args])
  await exec('git', [
    'clone',
    '-q',
    `${api_url.replace('://', `://x:${token}@`)}/git/${project_id}.git`,
    clone,
  ])
  await git('checkout', '-q', '-b', 'topic')
  writeFileSync(join(clone, 'NOTES.md'), 'A walk.\n')
  await git('add', '-A')
  await git('commit', '-qm', 'Add notes')
  await git('push', '-q', 'origin', 'topic')
  await call('PUT', `${project}/secrets/HOOK_SECRET`, z.unknown(), { value: secret })
  const { cr_id } = await call('POST', `${project}/change-requests`, z.object({ cr_id: z.string() }), {
    head_ref: 'topic',
    title: 'Notes',
  })

  await walk('idle', () => sleep(8_000))
  await walk('merge', () => call('POST', `${project}/change-requests/${cr_id}/merge`, z.unknown()))
  await walk('session to prompt', async () => {
    const { session_id } = await call('POST', `${project}/sessions`, z.object({ session_id: z.string() }), {})
    const session = `${project}/sessions/${session_id}`
    const Status = z.object({ status: z.string() })
    await until('it runs', async () => (await call('GET', session, Status)).status === 'running')
    await call('POST', `${session}/prompts`, z.unknown(), { text: 'Hello' })
    const Prompts = z.object({ prompts: z.array(z.object({ state: z.string() })) })
    await until('the agent has the prompt', async () =>
      (await call('GET', `${session}/prompts`, Prompts)).prompts.every(({ state }) => state !== 'pending'),
    )
  })

  await call('POST', `${project}/triggers`, z.unknown(), hook)
  const sessions = async () => (await call('GET', `${project}/sessions`, z.array(z.unknown()))).length
  const before = await sessions()
  await walk('webhook to session', async () => {
    const body = JSON.stringify({ what: 'a walk' })
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const answer = await fetch(`${api_url}/webhooks/projects/${project_id}/hook`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    })
    if (answer.status !== 202) throw new Error(`The webhook was answered with ${answer.status}`)
    await until('the trigger fired', async () => (await sessions()) > before)
  })
  coverage.close()
})

const idle = walks.get('idle') ?? new Map()
walks.delete('idle')
for (const [name, ran] of walks) {
  const own = [...ran.keys()].filter((file) => !idle.has(file) && !isFrame(file)).sort()
  process.stdout.write(`${name}: ${own.length} files of its own, ${ran.size} in all\n`)
  if (process.argv.includes('--files')) process.stdout.write(own.map((file) => `  ${file}\n`).join(''))
}
rmSync(folder, { recursive: true, force: true })
await lifecycle.stop('the walks are over', 0)

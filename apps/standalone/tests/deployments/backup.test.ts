import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Project, Session } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../support/clients/git.ts'
import { svc } from '../support/clients/svc.ts'
import { builtEntry } from '../support/platform/apps.ts'
import { makeBegunPlace, type Place, type Platform, startOn } from '../support/platform/platform.ts'
import { expectNoProcesses } from '../support/platform/processes.ts'
import { run } from '../support/platform/run.ts'
import {
  awaitTurn,
  bash,
  commitAndPush,
  promptAgent,
  script,
  startSession,
  write,
} from '../support/sessions/agent.ts'
import { awaitEvent, commandRuns } from '../support/sessions/events.ts'

let place: Place
let platform: Platform
let project: Project
let session: Session
let backups: string

beforeAll(async () => {
  place = await makeBegunPlace()
  platform = await startOn(place)
  backups = join(place.root, 'backups')
  project = await platform.client.projects.provision({ name: 'Backups' })
})
afterAll(async () => {
  if (platform && !platform.child.ended) await platform.stop()
  await place?.remove()
})

/** Of a person's shell, which has not all that the platform of a test is given. */
function shell() {
  const { SVC_INTERNAL_PORT: _, ...env } = place.env
  return { ...env, NO_COLOR: '1' }
}
const selfHost = (...args: string[]) =>
  run(process.execPath, [builtEntry('cli'), 'self-host', ...args], { env: shell() })
const restoreOf = (name: string) => ['restore', '--from', join(backups, name)]
const keys = () =>
  ['master', 'gateway'].flatMap((key) => [`--${key}-key-file`, join(place.root, `${key}.key`)])

/** The name of the backup that was written. */
async function backUp(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await selfHost('backup', '--to', backups, '--json', ...args)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout).name
}

/** Holds a program for ever at a line of its own: one that only hears of the line may be killed a step later. */
const holdAt = (line: string) =>
  `data:text/javascript,${encodeURIComponent(`
    const write = process.stderr.write.bind(process.stderr)
    process.stderr.write = (text, ...rest) => {
      const written = write(text, ...rest)
      if (text === ${JSON.stringify(`${line}\n`)}) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      return written
    }`)}`

/** Runs a restore until it says that a step begins, and kills all of it then. Returns the steps that it had finished. */
async function killAt(step: string, args: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [builtEntry('cli'), 'self-host', ...args], {
    env: { PATH: process.env.PATH, ...shell(), NODE_OPTIONS: `--import=${holdAt(step)}` },
    // A group of its own: what is killed is the command with the program that it runs.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line)
    if (line === step) process.kill(-(child.pid ?? 0), 'SIGKILL')
  }
  const [, signal] = await ended
  expect(signal, said.join('\n')).toBe('SIGKILL')
  return JSON.parse(await readFile(join(place.data_dir, 'repositories/restore.json'), 'utf8')).done
}

test('a backup is taken of a platform that works, without its keys', async () => {
  const { project_id } = project
  await svc(platform, ['secrets', 'set', 'MY_SECRET=kept'], { project_id })
  session = await platform.client.projects.sessions.create(project_id, {
    initial_prompt: 'Add a file NOTES.md that says what this repository is for.',
  })
  await awaitTurn(platform.client, session)
  const busy = await platform.client.projects.sessions.create(project_id, {
    initial_prompt: script(bash('sleep 600')),
  })
  await awaitEvent(platform.client, busy, 'the command runs', commandRuns('sleep 600'))

  const { code, stdout, stderr } = await selfHost('backup', '--to', backups)
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/^svc-backup-\S+ in file:.*, 1 repositories\nThe master key is not in it: .*\n$/)
  const [name = ''] = await readdir(backups)
  expect(await readdir(join(backups, name))).not.toContain('master.key')
  expect((await stat(join(backups, name))).mode & 0o777).toBe(0o700)
  // What comes afterwards is not in it.
  await platform.client.projects.provision({ name: 'Later' })
})

test('one with the keys says so; one of a platform that is stopped starts its database and ends it', async () => {
  const open = await selfHost('backup', '--to', backups, '--with-master-key')
  expect(open.stdout).toContain(
    'The master key is in it (master.key): every reader of the backup reads every secret.',
  )
  const [name = ''] = (await readdir(backups)).toSorted().slice(-1)
  expect((await stat(join(backups, name, 'master.key'))).mode & 0o777).toBe(0o600)
  const running = await selfHost(...restoreOf(name))
  expect(running.code).toBe(1)
  expect(running.stderr).toContain('is in use by the running process')

  for (const key of ['master.key', 'gateway.key']) await cp(join(place.data_dir, key), join(place.root, key))
  await platform.stop()
  const { code, stderr } = await selfHost('backup', '--to', backups)
  expect(code, stderr).toBe(0)
  await expectNoProcesses(place.markers)
})

test('everything is lost, and a restore that is killed at each of its steps goes on with the same command', async () => {
  await rename(place.data_dir, join(place.root, 'lost'))
  await rm(place.config_file)
  const names = (await readdir(backups)).toSorted()
  expect(names).toHaveLength(3)
  const [hot = ''] = names

  const without_key = await selfHost(...restoreOf(hot))
  expect(without_key.code).toBe(1)
  expect(without_key.stderr).toMatch(/restore: Key k-[0-9a-f]{12} is needed/)
  const args = [...restoreOf(hot), ...keys()]
  const steps = ['schema', 'rows', 'repositories', 'objects', 'checks']
  for (const [index, step] of steps.entries()) {
    expect(await killAt(step, args)).toEqual(steps.slice(0, index))
    const early = await run(process.execPath, [builtEntry('standalone')], { env: { ...place.env } })
    expect(early.code).toBe(1)
    expect(early.stderr).toContain('was not finished')
  }
  const { code, stdout, stderr } = await selfHost(...args)
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('The platform is read-only until you have looked')
  expect(stdout).not.toContain('Checks found')
  await expectNoProcesses(place.markers)
  const again = await selfHost(...restoreOf(names[1] ?? ''))
  expect(again.stderr).toContain('The database is not empty: it has 1 projects.')
})

test('the restored platform has the branch, the change request, the secret and the sessions of the moment', async () => {
  platform = await startOn(place)
  const { project_id } = project
  const { projects } = platform.client
  expect((await projects.list()).map(({ name }) => name)).toEqual(['Backups'])
  const closed = await svc(platform, ['cr', 'merge', '1'], { project_id })
  expect(closed.stderr).toContain('it is looked at before it opens')
  // That it is closed is all that is found.
  const found = (await svc(platform, ['doctor'])).stdout.trimEnd().split('\n').slice(1)
  expect(found).toEqual([expect.stringMatching(/^maintenance .*Restored from the backup of/)])
  const opened = await svc(platform, ['admin', 'maintenance', 'off'])
  expect(opened.code, opened.stderr).toBe(0)

  const { items } = await projects.sessions.list(project_id)
  expect(items.map(({ status, stop_reason }) => [status, stop_reason])).toEqual([
    ['stopped', 'platform_shutdown'],
    ['stopped', 'platform_shutdown'],
  ])
  const { change_request } = await projects.changeRequests.merge(project_id, '1')
  expect(change_request.status).toBe('merged')
  const clone = join(place.root, 'clone')
  await git(['clone', '-q', project.repo_url, clone], { token: platform.token })
  expect(await readFile(join(clone, 'NOTES.md'), 'utf8')).not.toBe('')
  // The session goes on from its branch, in a sandbox of this data directory.
  const old = await promptAgent(platform.client, session, bash('cat NOTES.md'))
  expect(old, old.outputs.join('\n')).toMatchObject({ status: 'completed' })
  const { turn } = await startSession(platform.client, project_id, [
    bash('echo "[$MY_SECRET]"'),
    write('after.txt', 'after'),
    commitAndPush('After the restore'),
  ])
  expect(turn.outputs[0]).toContain('[kept]')
  expect(turn.status).toBe('completed')
  const clean = await svc(platform, ['doctor'])
  expect([clean.code, clean.stdout]).toEqual([0, ''])
  expect(clean.stderr).toContain('Nothing is wrong.')
})

test('a backup with its keys is restored without any, and opened at once', async () => {
  await platform.stop()
  const name = await backUp('--with-master-key')
  await rm(place.data_dir, { recursive: true })
  const { code, stdout, stderr } = await selfHost(...restoreOf(name), '--resume')
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('The platform is open.')
  for (const key of ['master.key', 'gateway.key'])
    expect((await stat(join(place.data_dir, key))).mode & 0o777).toBe(0o600)
  platform = await startOn(place)
  const { turn } = await startSession(platform.client, project.project_id, [bash('echo "[$MY_SECRET]"')])
  expect(turn.outputs[0]).toContain('[kept]')
})

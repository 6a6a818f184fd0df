import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { bash, script } from '../support/sessions/agent.ts'
import { builtEntry } from '../support/platform/apps.ts'
import { Child } from '../support/platform/child.ts'
import { awaitEvent, commandRuns } from '../support/sessions/events.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import {
  makeBegunPlace,
  makePlace,
  type Place,
  type Platform,
  startOn,
} from '../support/platform/platform.ts'
import { portOf } from '../support/platform/ports.ts'
import { expectNoProcesses, processesWith } from '../support/platform/processes.ts'
import { waitFor } from '../support/wait-for.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const children: Child[] = []
const places: Place[] = []

afterEach(async () => {
  for (const child of children.splice(0)) if (!child.ended) await child.end('SIGKILL')
  for (const place of places.splice(0)) {
    for (const { pid } of await processesWith(place.markers)) process.kill(pid, 'SIGKILL')
    await place.remove()
  }
})

function begin(place: Place): Child {
  const env = { ...place.env, SVC_LOG_LEVEL: 'info' }
  const child = new Child(process.execPath, [builtEntry('standalone')], env)
  children.push(child)
  return child
}

async function newPlace(make: () => Promise<Place>): Promise<Place> {
  const place = await make()
  places.push(place)
  return place
}

/** It ends by itself, well, closes no pool under a worker, and leaves no process of any kind behind. */
async function expectEnd(place: Place, child: Child): Promise<void> {
  const code = await child.end('SIGINT')
  expect(code, child.stdout + child.stderr).toBe(0)
  expect(child.stdout + child.stderr).not.toContain('Cannot use a pool')
  await expectNoProcesses(place.markers)
}

/** Moments of a start, each by the trace that it leaves outside of the process. */
const answers = (place: Place) =>
  fetch(`${place.origin}/healthz`).then(
    () => true,
    () => false,
  )
const inDatabase = (place: Place, isIt: (name: string) => boolean) => {
  const folder = join(place.data_dir, 'postgres')
  return existsSync(folder) && readdirSync(folder).some(isIt)
}

describe('Ctrl-C while the platform starts ends it, and leaves nothing', () => {
  test('while its database is made', async () => {
    const place = await newPlace(makePlace)
    const child = begin(place)
    const isMade = () => inDatabase(place, (name) => name.startsWith('initdb-'))
    await waitFor('initdb runs', isMade, { every_ms: 5 })
    await expectEnd(place, child)
  })

  test('while its database starts', async () => {
    const place = await newPlace(makeBegunPlace)
    const child = begin(place)
    const file = join(place.data_dir, 'postgres/cluster/postmaster.pid')
    await waitFor('the server starts', () => existsSync(file), { every_ms: 5 })
    await expectEnd(place, child)
  })

  test('while its services open', async () => {
    const place = await newPlace(makeBegunPlace)
    const child = begin(place)
    await waitFor('the API answers', () => answers(place), { every_ms: 5 })
    await expectEnd(place, child)
  })
})

describe('Ctrl-C ends a platform whose agent works', () => {
  async function working(place: Place): Promise<Platform> {
    const platform = await startOn(place)
    children.push(platform.child)
    const project = await piProject(platform.client, platform.token, 'Shutdown')
    const session = await platform.client.projects.sessions.create(project.project_id, {
      initial_prompt: script(bash('sleep 6789')),
    })
    await awaitEvent(platform.client, session, 'the command runs', commandRuns('sleep 6789'))
    return platform
  }

  test('and that was killed and starts again: its sandboxes end with it', async () => {
    const place = await newPlace(makeBegunPlace)
    await (await working(place)).kill()
    expect(await processesWith(place.markers)).not.toEqual([])
    const child = begin(place)
    await waitFor('the API answers', () => answers(place), { every_ms: 5 })
    await expectEnd(place, child)
  })

  test('and whose database was killed a moment ago', async () => {
    const place = await newPlace(makeBegunPlace)
    const { child } = await working(place)
    const servers = (await processesWith([`${place.data_dir}/postgres/cluster`])).filter(({ command }) =>
      command.includes('-D'),
    )
    expect(servers).toHaveLength(1)
    for (const { pid } of servers) process.kill(pid, 'SIGKILL')
    await expectEnd(place, child)
  })

  test('and whose model does not answer', async () => {
    const asked = createServer()
    asked.listen(0, '127.0.0.1')
    await once(asked, 'listening')
    try {
      const model = { SVC_MODEL_BASE_URL: `http://127.0.0.1:${portOf(asked)}`, SVC_MODEL: 'silent' }
      const place = await newPlace(() => makeBegunPlace({ ...model, SVC_MODEL_API_KEY: 'none' }))
      const { child, client, token } = await startOn(place)
      children.push(child)
      const project = await piProject(client, token, 'Silent')
      const question = once(asked, 'request')
      await client.projects.sessions.create(project.project_id, { initial_prompt: 'Say something.' })
      await question
      await expectEnd(place, child)
    } finally {
      asked.closeAllConnections()
      asked.close()
    }
  })
})

describe('SIGTERM to npm ends what it runs', () => {
  test.each([
    ['npm start', ['start'], 'svc is ready at'],
    ['npm run demo', ['run', 'demo'], 'The agent works'],
  ] as const)('%s', async (_name, words, text) => {
    const place = await newPlace(makeBegunPlace)
    const child = new Child('npm', ['--prefix', root, ...words], place.env)
    children.push(child)
    await child.printed(text)
    // Its output ends with the last process that holds it.
    await child.end('SIGTERM')
    await expectNoProcesses(place.markers)
  })
})

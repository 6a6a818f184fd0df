import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { getApp, listAppReleases, releaseApp, rollbackApp, updateApp } from '@svc/apps'
import { bundle, instancesOf, openStage, type Stage } from '@svc/apps/testing'
import { lookAfterInstances, runRelease, runRollout } from '@svc/apps/work'
import { createLogger } from '@svc/boot'
import { DatabaseListener } from '@svc/db'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunningAppProxy } from '../src/serve-visits.ts'
import { startAppProxy } from '../src/start.ts'

const connections = 200
const good = 20
const bad = 4
const back = 5

let stage: Stage
let proxy: RunningAppProxy
let listener: DatabaseListener
const agent = new Agent({ keepAlive: true, maxSockets: connections })

beforeAll(async () => {
  stage = await openStage({ running: true })
  listener = new DatabaseListener(stage.world.connection_string)
  const { db, base } = stage.world
  const log = createLogger({ name: 'app-proxy', level: 'fatal' })
  const parts = { db, listener, objects: base.objects, log, public_url: undefined }
  proxy = await startAppProxy(
    { ...parts, apps_url: 'http://apps.example.test:7703', now: () => stage.world.clock.now().getTime() },
    { host: '127.0.0.1', port: 0 },
  )
  return () => stage.programs.close()
})
afterAll(async () => {
  agent.destroy()
  await proxy.close(AbortSignal.abort())
  await listener.close()
})

it('answers 200 visitors over 20 releases, 5 moves back and 4 failures at once, always by a release that was shown', async () => {
  const { db } = stage.world
  const project = await stage.project(bundle('word'))
  const { ctx, project_id } = project
  const address = { project_id, app: 'api' }
  await stage.settle(project)
  const host = new URL((await getApp(ctx, address)).app.url ?? '').host
  await updateApp(ctx, { ...address, access_mode: 'public', max_concurrency: 2000 })
  const broken = await project.commit('main', { 'api/server.js': 'process.exit(3)' })
  const works = await project.commit('main', bundle('word'))

  let over = false
  const statuses = new Map<number, number>()
  const seen = new Set<number>()
  const visitor = async () => {
    while (!over) {
      const asked = request({ port: proxy.port, agent, headers: { host } }).end()
      const [answer] = await once(asked, 'response')
      seen.add(Number(/release (\d+)/.exec(await text(answer))?.[1]))
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
      // Of 200 visitors, so many that a switch meets some, and so few that the releases get on.
      await sleep(100)
    }
  }
  const currents = new Set<number>()
  const watcher = async () => {
    while (!over) {
      const { releases } = await listAppReleases(ctx, { ...address, limit: 50 })
      currents.add(releases.filter(({ current }) => current).length)
      await sleep(20)
    }
  }
  const caretaker = async () => {
    while (!over) {
      stage.world.clock.advance(1000)
      await lookAfterInstances(stage.worker())
      await sleep(50)
    }
  }
  const others = [watcher(), caretaker(), ...Array.from({ length: connections }, visitor)]

  const commits = [...Array<string>(good).fill(works), ...Array<string>(bad).fill(broken)]
  const releases = await Promise.all(
    commits.map(async (commit_sha) => (await releaseApp(ctx, { ...address, commit_sha })).release),
  )
  const waiting = releases.toSorted((a, b) => ((a.number * 7) % 25) - ((b.number * 7) % 25)).values()
  const worker = async () => {
    for (const { release_id } of waiting) await runRelease(stage.worker(), { release_id })
  }
  let moved = 0
  const mover = async () => {
    while (moved < back) {
      await sleep(300)
      const rollout = await rollbackApp(ctx, address).catch(() => null)
      if (rollout === null) continue
      await runRollout(stage.worker(), rollout.rollout)
      moved += 1
    }
  }
  await Promise.all([worker(), worker(), worker(), mover()])
  await sleep(500)
  over = true
  await Promise.all(others)

  expect([...statuses.keys()]).toEqual([200])
  expect(statuses.get(200)).toBeGreaterThan(connections)
  expect([...currents]).toEqual([1])
  const made = await listAppReleases(ctx, { ...address, limit: 50 })
  expect(made.releases.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 1 + good + bad }, (_, n) => n + 1),
  )
  expect(made.releases.filter(({ status }) => status === 'failed')).toHaveLength(bad)
  const numberOf = new Map(made.releases.map(({ release_id, number }) => [release_id, number]))
  const switches = await db
    .selectFrom('app_switches')
    .select(['seq', 'from_release_id', 'to_release_id'])
    .where('to_release_id', 'in', [...numberOf.keys()])
    .orderBy('seq')
    .execute()
  // Each move begins where the one before it ended: at no time were there two current versions.
  expect(switches.slice(1).map(({ from_release_id }) => from_release_id)).toEqual(
    switches.slice(0, -1).map(({ to_release_id }) => to_release_id),
  )
  const shown = new Set(switches.map(({ to_release_id }) => numberOf.get(to_release_id)))
  expect([...seen].filter((number) => !shown.has(number))).toEqual([])
  const live = (await instancesOf(db, project_id)).filter(({ state }) => state === 'healthy')
  expect(live.map(({ release_id }) => release_id)).toEqual([switches.at(-1)?.to_release_id])
})

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectorCalls, type ConnectorCallRow } from '@svc/db'
import { getInbox } from '@svc/services'
import { agentPrincipal, openWorld, runningSession } from '@svc/services/testing'
import { createVault } from '@svc/vault'
import { afterAll, expect } from 'vitest'
import { bundleProcess } from '../../../../scripts/bundle-process.ts'
import {
  callConnector,
  type CallOutcome,
  type ConnectorContext,
  decideApproval,
  getApproval,
  settleCall,
} from '../../src/index.ts'
import { openExecutor, openPlace, type Place, startService } from '../support/place.ts'
import { type Child, endChildren, startChild } from './processes.ts'
import type { ApiMessage, ApiRequest, ApiSettings } from './run-api.ts'
import type { DoorSettings } from './run-executor-door.ts'

/** A session of its own for each line, so that no call that is held holds up another. */
export interface Seat {
  readonly place: Place
  readonly session_id: string
  readonly agent: ConnectorContext
}

/** A write that runs at once is a `post`; a `put` waits for a person. */
export type Way = 'direct' | 'approved'

const policies = '      - { match: post, action: always_run }\n'
const idempotency = '    idempotency_header: Idempotency-Key'

/** A world whose API and executor are processes of their own, and a service that counts. */
export async function openStage() {
  const world = await openWorld({ session_cap: 500 })
  const master_key = randomBytes(32)
  Object.assign(world.base, { vault: createVault(master_key, { key_id: 'test' }) })
  const sweeper = openExecutor(world)
  const service = await startService()
  const [api, door] = await Promise.all(
    ['run-api.ts', 'run-executor-door.ts'].map((file) => bundleProcess(new URL(file, import.meta.url))),
  )
  const folder = await mkdtemp(join(tmpdir(), 'svc-kills-'))
  afterAll(() => rm(folder, { recursive: true }))
  endChildren()
  const shared = () => ({
    ...{ connection_string: world.connection_string, folder, master_key: master_key.toString('hex') },
    now: world.clock.now().toISOString(),
  })
  const rowOf = async (call_id: string): Promise<ConnectorCallRow> => {
    const row = await connectorCalls.find(world.db, call_id)
    if (row === undefined) throw new Error(`The call ${call_id} is lost`)
    return row
  }
  const callsOf = (session_id: string, since: Date): Promise<ConnectorCallRow[]> =>
    world.db
      .selectFrom('connector_calls')
      .selectAll()
      .where('session_id', '=', session_id)
      .where('created_at', '>=', since)
      .execute()
  const input = ({ place }: Seat, way: Way, path: string, wait_seconds: number) => ({
    ...{ project_id: place.project_id, connector: 'tracker', action: way === 'direct' ? 'post' : 'put' },
    ...{ args: { path, body: { path } }, wait_seconds, door: 'executor' as const },
  })
  /** Without an executor it is one itself, as in a platform of one process. */
  const startApi = (executor: Child | null) =>
    startChild(api ?? '', { ...shared(), executor_url: executor?.url ?? null } satisfies ApiSettings)

  return {
    ...{ world, service, sweeper, rowOf, input, startApi },
    openPlace: (kind: 'plain' | 'keyed') =>
      openPlace(world, sweeper, service, { policies, ...(kind === 'keyed' ? { more: idempotency } : {}) }),
    openSeat: async (place: Place): Promise<Seat> => {
      const { project_id } = place
      const session = await runningSession(world, place.project)
      const agent = {
        ...place.agent,
        ...world.as(agentPrincipal({ ...session, project_id }, [])),
      }
      return { place, session_id: session.session_id, agent }
    },
    startExecutor: (lines: Readonly<Record<string, string>>) =>
      startChild(door ?? '', { ...shared(), lines } satisfies DoorSettings),
    /** The one call of a session since then. */
    callOf: async ({ session_id }: Seat, since: Date): Promise<ConnectorCallRow> => {
      const [row, ...more] = await callsOf(session_id, since)
      expect(more).toEqual([])
      if (row === undefined) throw new Error(`The call of ${session_id} is lost`)
      return row
    },
    freeze: async (seat: Seat, path: string): Promise<string> =>
      (await callConnector(seat.agent, input(seat, 'approved', path, 0))).call_id ?? '',
    countOf: async ({ session_id }: Seat, since: Date): Promise<number> =>
      (await callsOf(session_id, since)).length,
    /** The same place, with a person who signed in a moment ago. */
    fresh: async (place: Place): Promise<Place> => ({
      ...place,
      person: await place.as(place.project.owner),
    }),
    /** The messages of a call in its session. */
    prompts: async (call_id: string): Promise<number> => {
      const key = `connector-call:${call_id}`
      const rows = await world.db
        .selectFrom('session_prompts')
        .select('dedupe_key')
        .where('dedupe_key', 'in', [key, `${key}:settled`])
        .execute()
      return rows.length
    },
    count: (figures: Figures, { doubled, read, prompts, status }: Counted): void => {
      figures.doubled += Number(doubled)
      figures.lost += Number(read + prompts === 0)
      figures.twice += Number(read + prompts > 1)
      figures.inline += read
      figures.prompts += prompts
      figures.unknown += Number(status === 'unknown')
    },
    /** A person of a sign-in of a moment ago approves it. */
    approve: async (place: Place, call_id: string): Promise<void> => {
      const { project_id } = place
      const person = await place.as(place.project.owner)
      const { digest } = await getApproval(person, { project_id, call_id })
      await decideApproval(person, { project_id, call_id, decision: 'approve', digest })
    },
    /** Waits until it is noted that these were answered: the API does that a moment after the last byte. */
    noted: async (call_ids: readonly string[]): Promise<void> => {
      await expect
        .poll(async () => {
          const rows = await Promise.all(call_ids.map(rowOf))
          return rows.filter(({ delivered_at }) => delivered_at === null).length
        })
        .toBe(0)
    },
    /** The clock of an API, 11 seconds later. */
    moveOn: async (child: Child): Promise<void> => {
      const now = new Date(world.clock.now().getTime() + 11_000).toISOString()
      child.send({ now } satisfies ApiMessage)
      await expect.poll(() => child.reached).toContain(now)
    },
    /** Sweeps as executors do, 11 seconds later, until nothing is owed and all of these calls have ended. */
    sweep: async (call_ids: readonly string[]): Promise<void> => {
      world.clock.advance(11_000)
      // PostgreSQL frees the locks of a killed process when it sees the end of its connection, a moment later.
      await expect
        .poll(async () => {
          const owed = await sweeper.sweep()
          const rows = await Promise.all(call_ids.map(rowOf))
          return owed + rows.filter(({ ended_at }) => ended_at === null).length
        })
        .toBe(0)
    },
  }
}

type Figures = ReturnType<typeof openFigures>['figures']

interface Counted {
  readonly doubled: boolean
  readonly read: number
  readonly prompts: number
  readonly status: string
}

export type Stage = Awaited<ReturnType<typeof openStage>>

/** The answer that a client read to its end, or null where the connection was lost before. */
export async function ask({ url }: Child, request: ApiRequest): Promise<CallOutcome | null> {
  try {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(request) })
    return (await response.json()) as CallOutcome
  } catch {
    return null
  }
}

/** 1 where it says how the call ended. */
export const isEnd = (outcome: CallOutcome | null): number =>
  outcome === null || outcome.status === 'pending' ? 0 : 1

/** An unknown call waits in the inbox; a person settles it, once, and its session gets one message more. */
export async function settle(stage: Stage, { person, project_id }: Place, call_id: string): Promise<void> {
  const inInbox = async () => {
    const { items } = await getInbox(person, { project_id, kind: 'unknown_call', limit: 100 })
    return items.filter(({ path }) => path.endsWith(call_id)).length
  }
  expect(await inInbox()).toBe(1)
  const before = await stage.prompts(call_id)
  const key = { project_id, call_id, outcome: 'happened' } as const
  const settled = await Promise.allSettled([settleCall(person, key), settleCall(person, key)])
  expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(settleCall(person, key)).rejects.toMatchObject({ code: 'CALL_NOT_UNKNOWN' })
  expect(await stage.prompts(call_id)).toBe(before + 1)
  expect(await inInbox()).toBe(0)
}

/** The counts over all kills of a test; with more than one of each, `show` prints it after each round. */
export function openFigures(name: string) {
  const figures = {
    ...{ processes: 0, stopped: 0, doubled: 0, lost: 0, twice: 0, inline: 0, prompts: 0 },
    ...{ unknown: 0, settled: 0 },
  }
  const began = performance.now()
  const show = () => {
    const seconds = Math.round((performance.now() - began) / 1000)
    if (kills > 1) process.stderr.write(`${name}: ${JSON.stringify({ ...figures, seconds })}\n`)
  }
  return { figures, show }
}

/** Of each process at each line; `KILLS` asks for more. */
export const kills = Number(process.env['KILLS'] ?? 1)

/** Grows with them: no verdict depends on how fast they are. */
export const timeout = 420_000 + kills * 60_000

import type { Context } from '@svc/context'
import { type SessionRuntimeRow, sessionRuntimes } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { type AskingHabit, askingHabits, knownHarness } from '@svc/harness'
import { z } from 'zod'
import { driveSandbox } from '../sandboxes/drive.ts'
import type { SessionInput } from './find-session.ts'
import { requireDriver, requireReader } from './session-access.ts'

const Capabilities = z.object({
  revert: z.boolean().catch(false),
  resume: z.boolean().catch(false),
  images: z.boolean().catch(false),
  questions: z.boolean().catch(false),
  permissions: z.enum(askingHabits).catch('by_mode'),
  commands: z.boolean().catch(false),
  mcp: z.array(z.string()).catch([]),
})

const Option = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    category: z.string().nullable(),
    description: z.string().nullable(),
    currentValue: z.union([z.string(), z.boolean()]),
    options: z.array(z.object({ value: z.string(), name: z.string() }).loose()),
  })
  .loose()
const Command = z.object({ name: z.string(), description: z.string() }).loose()

/** Of a runtime with a server of its own: all that the platform has ever offered. */
const ofServers = {
  ...{ revert: true, resume: true, images: false, questions: true },
  ...{ permissions: 'by_mode' as const, commands: false, mcp: ['http'] },
}

/** Of an agent that has not introduced itself yet. */
function expected(permissions: AskingHabit = 'by_mode', resume = true, mcp: readonly string[] = []) {
  return { revert: false, resume, images: false, questions: true, permissions, commands: true, mcp: [...mcp] }
}

/** The program that is a session's agent, as it said of itself last. */
export async function getSessionRuntime(ctx: Pick<Context, 'db' | 'principal'>, input: SessionInput) {
  const { session } = await requireReader(ctx, input)
  return present(await rowOf(ctx, session.session_id))
}

async function rowOf({ db }: Pick<Context, 'db'>, session_id: string): Promise<SessionRuntimeRow> {
  const row = await sessionRuntimes.find(db, session_id)
  if (row === undefined) throw new Error(`The session ${session_id} has no runtime`)
  return row
}

function present(row: SessionRuntimeRow) {
  const { harness, version, auth, settings, state, agent_info, protocol_version, updated_at } = row
  const known = knownHarness(harness)
  const capabilities =
    settings === null
      ? ofServers
      : Capabilities.parse(row.capabilities ?? expected(known?.asks, known?.resume, known?.mcp))
  return {
    ...{ harness, version, auth, metered: auth === 'gateway', state },
    agent_info: Facts.parse(agent_info),
    ...{ protocol_version, capabilities },
    config_options: z
      .array(Option)
      .catch([])
      .parse(row.config_options ?? []),
    commands: z
      .array(Command)
      .catch([])
      .parse(row.commands ?? []),
    updated_at,
  }
}

const Facts = z.record(z.string(), z.unknown()).nullable().catch(null)

const configMs = 15_000

const Configured = z.object({ config_options: z.array(z.unknown()) })

/** Sets options of the agent of a running session. */
export async function setSessionRuntime(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'vault' | 'log'>,
  { config, ...input }: SessionInput & { readonly config: Readonly<Record<string, string | boolean>> },
) {
  const { session } = await requireDriver(ctx, input)
  const { session_id } = session
  const row = await rowOf(ctx, session_id)
  if (row.settings === null)
    throw new ServiceError(
      'RUNTIME_UNSUPPORTED',
      `The runtime ${row.harness} has no options that can be set while it runs; name a model with the prompt instead`,
      { feature: 'config' },
    )
  const act = {
    ...{ action: 'setSessionRuntime', path: '/svc/runtime/config', timeout_ms: configMs },
    body: { config },
  }
  const { config_options } = Configured.parse(await driveSandbox(ctx, session, act))
  // The agent's own report may be on its way still.
  const info = { epoch: row.epoch, state: row.state, config_options }
  await sessionRuntimes.note(ctx.db, session_id, info, ctx.now())
  return present(await rowOf(ctx, session_id))
}

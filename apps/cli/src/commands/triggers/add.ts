import { text } from 'node:stream/consumers'
import { type Overlap, overlaps, sessionModes } from '@svc/facts'
import type { CreateTriggerInput } from '@svc/sdk'
import { Option } from 'commander'
import { UsageError } from '../../failures.ts'
import { type JsonFlag, jsonFlag, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'
import { printedProposal } from './proposed.ts'

/** A pinned trigger names its session, which the manifest alone can say. */
const shownModes = sessionModes.filter((mode) => mode !== 'pinned')

interface Flags extends JsonFlag, ProjectFlag {
  readonly prompt: string
  readonly cron?: string
  readonly runAt?: string
  readonly timezone?: string
  readonly webhook?: string
  readonly monitor?: string
  readonly interval?: string
  readonly expectEventWithin?: string
  readonly agent?: string
  readonly model?: string
  readonly session?: (typeof shownModes)[number]
  readonly key?: string
  readonly overlap?: Overlap
  readonly filter?: readonly string[]
}

export const add: Configure = (command, cli) => {
  command
    .argument('<slug>')
    .requiredOption('--prompt <text>', 'the first message of its sessions; - reads it from stdin')
    .option('--cron <expression>', 'six fields: second minute hour day month weekday')
    .option('--run-at <instant>', 'once, such as 2030-01-31T09:00:00Z')
    .option('--timezone <name>', 'an IANA name, such as Europe/Berlin; UTC by default')
    .option('--webhook <secret>', 'fired by a POST that proves this secret of the project')
    .option('--monitor <command>', 'fired by each line that this command prints; it is kept running')
    .option('--interval <duration>', 'of a monitor: runs it so often instead, such as 5m; at least 30s')
    .option('--expect-event-within <duration>', 'of a monitor: fires as well when nothing comes, such as 1d')
    .option('--agent <name>', 'an agent of svc.yaml')
    .option('--model <provider/model>', 'the model of its sessions')
    .addOption(new Option('--session <mode>', 'which session it goes on with').choices(shownModes))
    .option('--key <template>', 'fires with the same text share a session')
    .addOption(new Option('--overlap <policy>', 'while an earlier fire is worked on').choices(overlaps))
    .option('--filter <path=text...>', 'only payloads with these values')
  projectFlag(jsonFlag(command)).action(async (slug: string, flags: Flags) => {
    const input = triggerInput(slug, flags, flags.prompt === '-' ? await text(cli.io.stdin) : flags.prompt)
    const { client, project_id } = await cli.project(flags.project)
    const trigger = await client.projects.triggers.create(project_id, input)
    if (flags.json) return cli.out.json(trigger)
    if (printedProposal(cli, trigger)) return
    cli.out.line(`Added ${trigger.slug}`)
    if (trigger.next_fire_at !== null) cli.out.note(`It fires next at ${trigger.next_fire_at}.`)
    if (trigger.webhook_url === null) return
    cli.out.note(`POST to ${trigger.webhook_url}`)
    cli.out.note(`It takes none before its secret has a value: svc secrets set ${flags.webhook ?? 'NAME'}=-`)
  })
}

function triggerInput(slug: string, flags: Flags, prompt: string): CreateTriggerInput {
  const { timezone, agent, model, session, key, overlap } = flags
  const fields = {
    ...whatFires(flags),
    timezone,
    agent,
    model,
    session_mode: session,
    session_key: key,
    overlap,
    filter: flags.filter && filterOf(flags.filter),
  }
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return { slug, type: typeOf(flags), prompt, ...given }
}

/** An interval says that a monitor polls; without one it streams. */
function whatFires(flags: Flags) {
  const { cron, runAt: run_at, webhook: secret_env, monitor: run } = flags
  const { interval, expectEventWithin: expect_event_within } = flags
  if ([cron, run_at, secret_env, run].filter((given) => given !== undefined).length !== 1)
    throw new UsageError('give exactly one of --cron, --run-at, --webhook and --monitor')
  if (run !== undefined)
    return { run, mode: interval === undefined ? 'stream' : 'poll', interval, expect_event_within }
  if (interval !== undefined || expect_event_within !== undefined)
    throw new UsageError(
      '--interval and --expect-event-within belong to --monitor; give that, or leave them out',
    )
  return { cron, run_at, secret_env }
}

function typeOf({ webhook, monitor }: Flags): CreateTriggerInput['type'] {
  if (monitor !== undefined) return 'monitor'
  return webhook === undefined ? 'cron' : 'webhook'
}

function filterOf(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=')
      if (at < 1) throw new UsageError(`${word} is not path=text`, 'such as --filter body.action=opened')
      return [word.slice(0, at), word.slice(at + 1)]
    }),
  )
}

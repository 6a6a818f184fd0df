import { usd } from '@svc/facts'
import type { ModelCall } from '@svc/sdk'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cli } from '../../cli.ts'
import { oneLine } from '../../output/plain.ts'
import { type JsonFlag, jsonFlag, positive, type ProjectFlag, projectFlag } from '../flags.ts'
import type { Configure } from '../groups.ts'

interface LogFlags extends JsonFlag, ProjectFlag {
  readonly follow?: true
  readonly session?: string
  readonly agent?: string
  readonly model?: string
  readonly code?: string
  readonly limit: number
}

const everyMs = 2_000
/** Calls that ran when they were last asked for are asked for again, for as long as a call may run. */
const maxCallMs = 3_600_000

export const logs: Configure = (command, cli) => {
  projectFlag(jsonFlag(command))
    .argument('[call-id]', 'one call, with the price card of its cost')
    .option('--session <id>', 'of a session')
    .option('--agent <name>', 'of an agent')
    .option('--model <name>', 'of a model')
    .option('--code <code>', 'that ended so, such as budget_exceeded')
    .option('--limit <count>', 'how many', positive, 50)
    .option('-f, --follow', 'go on with the calls that end from now on, a line each')
    .action(async (call_id: string | undefined, flags: LogFlags) => {
      const { client, project_id } = await cli.project(flags.project)
      const api = client.projects.gateway.logs
      if (call_id !== undefined) return cli.out.json(await api.get(project_id, call_id))
      const { session, agent, model, code, limit, json } = flags
      const filter = {
        ...(session !== undefined && { session_id: session }),
        ...(agent !== undefined && { agent }),
        ...(model !== undefined && { model }),
        ...(code !== undefined && { code }),
      }
      if (flags.follow) {
        const read = (since: string) => api.list(project_id, { ...filter, since, limit: 200 })
        return follow(cli, read, json === true)
      }
      const { items } = await api.list(project_id, { ...filter, limit: Math.min(limit, 200) })
      if (json) return cli.out.json(items)
      if (items.length === 0) return cli.out.note('No such calls.')
      cli.out.table(
        [
          { header: 'AT' },
          { header: 'STATUS' },
          { header: 'MODEL', flexible: true },
          { header: 'IN', optional: true },
          { header: 'OUT', optional: true },
          { header: 'COST' },
          { header: 'AGENT', optional: true, flexible: true },
          { header: 'ID' },
        ],
        items.map(cells),
      )
    })
}

function cells(call: ModelCall): string[] {
  const { at, status, code, model, input_tokens, output_tokens, agent_name, call_id } = call
  return [
    at,
    code === null ? status : `${status} ${code}`,
    oneLine(model ?? '-'),
    String(input_tokens),
    String(output_tokens),
    costOf(call),
    oneLine(agent_name ?? '-'),
    call_id,
  ]
}

function costOf({ cost_micros, expires_at }: ModelCall): string {
  if (cost_micros !== null) return usd(cost_micros)
  return expires_at === null ? 'no price' : 'runs'
}

type Read = (since: string) => AsyncIterable<ModelCall>

/** Prints each call once it has ended, the oldest first, until it is interrupted. */
async function follow(cli: Cli, read: Read, is_json: boolean): Promise<never> {
  const began = new Date().toISOString()
  const shown = new Set<string>()
  const running = new Map<string, number>()
  let since = began
  for (;;) {
    const calls: ModelCall[] = []
    for await (const call of read(since)) calls.push(call)
    for (const call of calls.reverse()) {
      if (shown.has(call.call_id)) continue
      if (call.expires_at !== null) running.set(call.call_id, Date.parse(call.at))
      else {
        shown.add(call.call_id)
        running.delete(call.call_id)
        cli.out.line(is_json ? JSON.stringify(call) : cells(call).join('  '))
      }
    }
    since = nextSince(calls, running, since)
    await sleep(everyMs)
  }
}

/** From the oldest call that still runs, else from the newest that was seen. */
function nextSince(calls: readonly ModelCall[], running: ReadonlyMap<string, number>, since: string): string {
  const newest = calls.at(-1)?.at ?? since
  const oldest = Math.min(...running.values(), Date.parse(newest))
  return new Date(Math.max(oldest, Date.parse(newest) - maxCallMs)).toISOString()
}

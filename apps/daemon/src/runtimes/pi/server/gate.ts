import { relative, resolve } from 'node:path'
import type { ExtensionFactory } from '@earendil-works/pi-coding-agent'
import { z } from 'zod'
import type { AgentFile } from '../../agent-files/agent-file.ts'
import { awaitFile } from './arrival.ts'
import type { Asks } from './asks.ts'
import { connectorPrefix } from './connectors/tools.ts'
import { commandsOf, decide, matches, rulesOf } from '../../agent-files/permissions.ts'

/** The permission that a tool is under. */
export function permissionOf(tool: string): string {
  return tool === 'write' ? 'edit' : tool
}

const Input = z.object({
  command: z.string().optional(),
  path: z.string().optional(),
  subagent_type: z.string().optional(),
})

/** The gate for what the present turn's agent may do and how it speaks with the model; asked anew at each step. */
export function createGate(parts: {
  readonly session_id: string
  readonly workspace: string
  /** Nothing is read, changed or run before this file is there. */
  readonly arrival: string
  readonly agent: () => AgentFile | null
  readonly stepsTaken: () => number
  readonly signal: () => AbortSignal | undefined
  readonly asks: Asks
}): ExtensionFactory {
  const { session_id, workspace, arrival, agent, asks } = parts
  const granted: { readonly permission: string; readonly pattern: string }[] = []

  function patternsOf(tool: string, input: unknown): string[] {
    if (tool.startsWith(connectorPrefix)) return ['*']
    const { command, path, subagent_type } = Input.parse(input)
    if (tool === 'bash') return commandsOf(command ?? '')
    if (tool === 'task') return [subagent_type ?? '*']
    return [path === undefined ? '*' : relative(workspace, resolve(workspace, path))]
  }

  async function refusal(tool: string, input: unknown): Promise<string | null> {
    const { steps, permission: rules } = agent() ?? {}
    if (steps !== undefined && parts.stepsTaken() > steps)
      return 'No further step is allowed: answer with what you know'
    const permission = permissionOf(tool)
    const patterns = patternsOf(tool, input)
    const verdict = decide(rulesOf(rules), permission, patterns)
    if (verdict === 'allow') return null
    if (verdict === 'deny') return `The rules of this agent forbid ${permission}: ${patterns.join(', ')}`
    const isGranted = patterns.every((pattern) =>
      granted.some((grant) => grant.permission === permission && matches(grant.pattern, pattern)),
    )
    if (isGranted) return null
    const { reply, message } = await asks.permission({ session_id, permission, patterns }, parts.signal())
    if (reply === 'always') {
      granted.push(...patterns.map((pattern) => ({ permission, pattern: alwaysOf(tool, pattern) })))
    }
    return reply === 'reject' ? (message ?? 'The person does not allow this') : null
  }

  return (pi) => {
    pi.on('before_agent_start', ({ systemPrompt }) => {
      const own = agent()?.prompt ?? ''
      return own === '' ? {} : { systemPrompt: `${own}\n\n${systemPrompt}` }
    })
    pi.on('tool_call', async ({ toolName, input }) => {
      if (!(await awaitFile(arrival, parts.signal()))) return { block: true, reason: 'The turn was aborted' }
      const reason = await refusal(toolName, input)
      return reason === null ? {} : { block: true, reason }
    })
    pi.on('before_provider_request', ({ payload }) => {
      const { temperature, top_p } = agent() ?? {}
      const body = z.record(z.string(), z.unknown()).safeParse(payload)
      if (!body.success) return payload
      return {
        ...body.data,
        ...(temperature === undefined ? {} : { temperature }),
        ...(top_p === undefined ? {} : { top_p }),
      }
    })
  }
}

/** Leave for a command is leave for that program, whatever its arguments. */
function alwaysOf(tool: string, pattern: string): string {
  return tool === 'bash' ? `${pattern.split(/\s/)[0] ?? pattern} *` : pattern
}

import type { ToolDefinition } from '@earendil-works/pi-coding-agent'
import { z } from 'zod'
import { executorName, hasConnectors } from '../../../connectors.ts'
import { askExecutor, type ExecutorAddress } from './client.ts'

/** All of these names begin so, as OpenCode has it; what they are asked for is no file of the workspace. */
export const connectorPrefix = `${executorName}_`

const listMs = 10_000
/** A call is answered after 45 seconds at the latest. */
const callMs = 90_000

const Listed = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      title: z.string().optional(),
      description: z.string().default(''),
      inputSchema: z.record(z.string(), z.unknown()),
    }),
  ),
})
type Listed = z.infer<typeof Listed>['tools'][number]

const Result = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  isError: z.boolean().default(false),
})

/** The platform's server of connectors as a session is told of it; undefined where the session has none. */
export function executorOf(env: Readonly<Record<string, string | undefined>>): ExecutorAddress | undefined {
  const { SVC_API_URL, SVC_EXECUTOR_TOKEN: token } = env
  if (!hasConnectors(env) || SVC_API_URL === undefined || token === undefined) return undefined
  return { url: `${SVC_API_URL}/executor/mcp`, token }
}

/** The connectors of the session as tools; none where it has none, or where the platform cannot be asked now. */
export async function connectorTools(address: ExecutorAddress | undefined): Promise<ToolDefinition[]> {
  if (address === undefined) return []
  try {
    const asked = { method: 'tools/list', params: {} }
    const { tools } = Listed.parse(await askExecutor(address, asked, AbortSignal.timeout(listMs)))
    return tools.map((tool) => toolOf(address, tool))
  } catch (error) {
    process.stderr.write(`The connectors of this session could not be listed: ${String(error)}\n`)
    return []
  }
}

function toolOf(address: ExecutorAddress, { name, title, description, inputSchema }: Listed): ToolDefinition {
  return {
    name: `${connectorPrefix}${name}`,
    label: title ?? name,
    description,
    parameters: inputSchema,
    execute: async (_id, args, signal) => {
      const signals = [AbortSignal.timeout(callMs), ...(signal === undefined ? [] : [signal])]
      const asked = { method: 'tools/call', params: { name, arguments: args } }
      const { content, isError } = Result.parse(await askExecutor(address, asked, AbortSignal.any(signals)))
      const text = content.map((part) => part.text ?? '').join('\n')
      if (isError) throw new Error(text)
      return { content: [{ type: 'text', text }], details: {} }
    },
  }
}

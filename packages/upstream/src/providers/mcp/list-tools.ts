import { type ConnectorAction, riskOfAnnotations } from '@svc/connector'
import { z } from 'zod'
import { maxActions } from '../../limits.ts'
import { UpstreamRefusal } from '../../shapes.ts'
import type { McpSession } from './session.ts'

const page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })
const text = z.string().optional().catch(undefined)
const tool = z.looseObject({
  name: z.string().min(1),
  title: text,
  description: text,
  inputSchema: z.record(z.string(), z.unknown()).catch({ type: 'object' }),
  annotations: z.looseObject({ title: text }).optional().catch(undefined),
})
const maxPages = 500

/** Every tool that the server has, pages after pages; of two with one name the first. Throws `UpstreamRefusal` above 5,000. */
export async function listTools({ client }: McpSession, name: string, signal: AbortSignal) {
  const actions = new Map<string, ConnectorAction>()
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const params = cursor === undefined ? {} : { cursor }
    const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, page, { signal })
    for (const action of tools.flatMap(actionOf))
      if (!actions.has(action.action)) actions.set(action.action, action)
    if (actions.size > maxActions)
      throw unusable(`${name} has more than ${maxActions} tools; connect a server with fewer`)
    if (nextCursor === undefined) return [...actions.values()]
    if (cursors.has(nextCursor)) break
    cursors.add(nextCursor)
    cursor = nextCursor
  }
  throw unusable(`${name} lists its tools without an end; the server's pages are at fault`)
}

const unusable = (message: string) => new UpstreamRefusal('connector_unusable', message)

/** An entry that is no tool is left out: the others can be called. */
function actionOf(entry: unknown): readonly ConnectorAction[] {
  const parsed = tool.safeParse(entry)
  if (!parsed.success) return []
  const { name, title, description = '', inputSchema, annotations } = parsed.data
  return [
    {
      action: name,
      title: title ?? annotations?.title ?? null,
      description,
      risk: riskOfAnnotations(annotations),
      input_schema: inputSchema,
      binding: { tool: name },
    },
  ]
}

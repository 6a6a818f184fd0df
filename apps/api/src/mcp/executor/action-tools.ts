import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { listTools } from '@svc/connectors'

type ActionTool = Awaited<ReturnType<typeof listTools>>[number]

const maxTools = 40
const maxBytes = 48 * 1024

/** Each action as a tool of its own; none where they are so many that they would flood the context of an agent. */
export function actionTools(actions: readonly ActionTool[]): readonly Tool[] {
  if (actions.length > maxTools) return []
  const tools = actions.map(presentTool)
  return Buffer.byteLength(JSON.stringify(tools)) > maxBytes ? [] : tools
}

function presentTool({ tool, title, description, risk, needs_approval, input_schema }: ActionTool): Tool {
  const approval = needs_approval ? 'A person approves each call.' : ''
  return {
    name: tool,
    ...(title === null ? {} : { title }),
    description: [description, approval].filter((line) => line !== '').join('\n\n'),
    inputSchema: { ...input_schema, type: 'object' },
    annotations: {
      readOnlyHint: risk === 'read',
      destructiveHint: risk === 'destructive',
      openWorldHint: true,
    },
  }
}

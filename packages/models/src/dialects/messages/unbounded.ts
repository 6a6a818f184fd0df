import type { Body } from '../kit/body.ts'
import { listOf, objectOf } from '../kit/json.ts'

/** Tools that the client runs, or that only search among the tools of the call. The provider runs all others. */
const clientTools = /^(custom|bash_|text_editor_|computer_|memory_|tool_search_tool_)/

/** Fields of a message request whose cost no limit of it bounds. */
export function unboundedFields({ value }: Body): string[] {
  const tools = listOf(value['tools']).flatMap((tool, at) => {
    const { type = 'custom', max_uses } = objectOf(tool)
    const isBounded = clientTools.test(String(type)) || typeof max_uses === 'number'
    return isBounded ? [] : [`tools.${at}`]
  })
  const edits = listOf(objectOf(value['context_management'])['edits']).flatMap((edit, at) =>
    String(objectOf(edit)['type']).startsWith('compact') ? [`context_management.edits.${at}`] : [],
  )
  const { container, inference_geo, mcp_servers, speed } = value
  return [
    ...tools,
    ...edits,
    ...((container ?? null) === null ? [] : ['container']),
    ...(listOf(mcp_servers).length === 0 ? [] : ['mcp_servers']),
    // Both multiply the price of the list.
    ...([undefined, null, 'standard'].some((listed) => listed === speed) ? [] : ['speed']),
    ...([undefined, null, 'global'].some((listed) => listed === inference_geo) ? [] : ['inference_geo']),
  ]
}

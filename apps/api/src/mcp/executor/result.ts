import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'

/** An answer as both forms that clients read. What was denied or failed is an error; what is pending is not. */
export function resultOf(answer: object): CallToolResult {
  const { ok = true, status } = answer as { readonly ok?: boolean; readonly status?: string }
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: { ...answer },
    isError: !ok && status !== 'pending',
  }
}

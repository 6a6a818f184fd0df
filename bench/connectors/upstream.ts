import { oddServer } from '../../packages/upstream/src/testing/odd-server.ts'
import { manyTools } from './tools.ts'

/**
 * Two MCP servers of the SDK in one process: one of few tools, and one of many. It says when the request of a tool that
 * names itself was there.
 */
const few = [
  {
    name: 'get_issue',
    description: 'Reads an issue of the tracker.',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { tag: { type: 'string' } } },
  },
  {
    name: 'create_issue',
    description: 'Makes an issue in the tracker.',
    annotations: { readOnlyHint: false, destructiveHint: false },
    inputSchema: { type: 'object', properties: { tag: { type: 'string' }, title: { type: 'string' } } },
  },
]
const text = 'An issue of some length, as services say them. '.repeat(20)

const small = await oddServer({
  tools: () => few,
  call: async (name) => ({ content: [{ type: 'text', text: `${name}: ${text}` }] }),
  before: (_req, _res, body) => {
    const at = Date.now()
    const { method, params } = JSON.parse(body === '' ? '{}' : body) as Asked
    if (method === 'tools/call' && params?.name === 'create_issue')
      process.send?.({ tag: params.arguments?.tag, at })
    return false
  },
})
const large = await oddServer({ tools: () => manyTools })

interface Asked {
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: { readonly tag?: string } }
}

process.send?.({ few: small.url, many: large.url })
for (const end of ['message', 'disconnect', 'SIGINT', 'SIGTERM']) process.once(end, () => process.exit(0))

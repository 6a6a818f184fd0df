import type { Provider, Target } from '../../shapes.ts'
import { exchange, type Upstream } from '../../wire/exchange.ts'
import { readDocument } from '../../wire/read-document.ts'
import { isObject, unreadable } from '../catalogue/words.ts'
import { baseAddress } from '../confined-url.ts'
import { openapiBinding } from './binding.ts'
import { openapiDocument } from './document.ts'
import { actionsOf } from './operations.ts'
import { requestFor } from './request.ts'

/** The address of a document is asked while a person or a call waits. */
const documentMs = 20_000

/** An API that an OpenAPI document describes, an action for each operation. */
export function openapiProvider(upstream: Upstream): Provider {
  async function read(target: Pick<Target, 'connector' | 'readFile'>, signal: AbortSignal) {
    const { spec, base_url } = settingsOf(target)
    if (spec === null)
      throw unreadable('The connector names no document: set `spec` to a path or an https address.')
    const document = openapiDocument(await readDocument(upstream, target, spec, signal))
    return { document, server: base_url === null ? serverOf(document, spec) : null }
  }

  return {
    list: async (target, signal) => {
      const { document, server } = await read(target, signal)
      const actions = actionsOf(document, server)
      if (actions.length === 0) throw unreadable(await troubleIn(document))
      return actions
    },
    call: (target, { binding }, args, options) =>
      exchange(
        upstream,
        target,
        () => {
          const { data: bound } = openapiBinding.safeParse(binding)
          if (bound === undefined)
            throw unreadable('The action is of an older catalogue: sync the connector.')
          const address = settingsOf(target).base_url ?? bound.server
          if (address === null) throw unreadable('The action has no address: sync the connector.')
          return requestFor(baseAddress(address), bound, args)
        },
        options,
      ),
    origin: async (target) => {
      const { base_url } = settingsOf(target)
      if (base_url !== null) return baseAddress(base_url).origin
      const { server } = await read(target, AbortSignal.timeout(documentMs))
      return baseAddress(server ?? '').origin
    },
  }
}

function settingsOf({ connector }: Pick<Target, 'connector'>) {
  return connector.provider === 'openapi' ? connector : { spec: null, base_url: null }
}

/** The first of `servers`, with the defaults of its variables. One without a host is below the document's address. */
function serverOf(document: Readonly<Record<string, unknown>>, spec: string): string {
  const servers = document['servers']
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined
  const { url, variables } = isObject(first) ? first : { url: '/', variables: {} }
  const named = String(url).replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined
    return isObject(variable) ? String(variable['default'] ?? '') : ''
  })
  const from = URL.canParse(spec) ? spec : undefined
  if (!URL.canParse(named, from))
    throw unreadable('The document names no whole address in `servers`: set `base_url` in the manifest.')
  return baseAddress(new URL(named, from).href, 'servers').href
}

/** The words for a document in which no operation was found. */
async function troubleIn(document: Readonly<Record<string, unknown>>): Promise<string> {
  const none = 'The document describes no operation'
  try {
    const { validate } = await import('@readme/openapi-parser')
    const result = await validate<never, object>(JSON.parse(JSON.stringify(document)), {
      resolve: { external: false },
    })
    const [first] = result.valid ? [] : result.errors
    return first === undefined ? `${none} below \`paths\`.` : `${none}: ${first.message.slice(0, 300)}`
  } catch {
    return `${none} below \`paths\`: correct it.`
  }
}

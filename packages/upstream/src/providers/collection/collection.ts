import type { Provider, Target } from '../../shapes.ts'
import { exchange, type Upstream } from '../../wire/exchange.ts'
import { readDocument } from '../../wire/read-document.ts'
import { unreadable } from '../catalogue/words.ts'
import { baseAddress } from '../confined-url.ts'
import { collectionBinding } from './binding.ts'
import { collectionFile } from './file.ts'
import { requestFor } from './request.ts'

const documentMs = 20_000

/** Requests that a Postman collection holds, an action for each. */
export function collectionProvider(upstream: Upstream): Provider {
  async function read(target: Pick<Target, 'connector' | 'readFile'>, signal: AbortSignal) {
    const { spec, base_url } = settingsOf(target)
    if (spec === null)
      throw unreadable('The connector names no file: set `spec` to a path or an https address.')
    const file = collectionFile(await readDocument(upstream, target, spec, signal))
    // Its reader is large, and few connectors need it.
    const { actionsOf } = await import('./actions.ts')
    const actions = actionsOf(file, base_url !== null)
    if (actions.length === 0)
      throw unreadable('The collection holds no request: add one, or name another file.')
    return actions
  }

  return {
    list: read,
    call: (target, { binding }, args, options) =>
      exchange(
        upstream,
        target,
        () => {
          const { data: bound } = collectionBinding.safeParse(binding)
          const address = settingsOf(target).base_url ?? bound?.server ?? null
          if (bound === undefined || address === null)
            throw unreadable('The action is of an older catalogue: sync the connector.')
          return requestFor(baseAddress(address), bound, args)
        },
        options,
      ),
    origin: async (target) => {
      const { base_url } = settingsOf(target)
      if (base_url !== null) return baseAddress(base_url).origin
      const [first] = await read(target, AbortSignal.timeout(documentMs))
      return new URL(String(first?.binding['server'])).origin
    },
  }
}

function settingsOf({ connector }: Pick<Target, 'connector'>) {
  return connector.provider === 'collection' ? connector : { spec: null, base_url: null }
}

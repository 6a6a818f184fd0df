import { type Provider, type Target, UpstreamRefusal } from '../../shapes.ts'
import type { ComputerCalls } from './hub.ts'
import { offline } from './outcomes.ts'

/** Tools of a person's own machine; `external_ref` of a target is the id of its connection. */
export function computerProvider(computers: ComputerCalls): Provider {
  return {
    list: async (target) => {
      const tools = computers.tools(refOf(target))
      if (tools === null && !offline.ok) throw new UpstreamRefusal(offline.reason, offline.message)
      return (tools ?? []).map((tool) => ({ ...tool, binding: {} }))
    },
    call: async (target, { action }, args, options) => {
      if (target.external_ref === null) return offline
      return computers.call(target.external_ref, { action, args }, options)
    },
    origin: async () => null,
  }
}

function refOf({ external_ref, connector }: Target): string {
  if (external_ref !== null) return external_ref
  throw new UpstreamRefusal(
    'connector_not_connected',
    `No computer is paired with ${connector.name}; run \`svc connectors serve computer\` on the one to pair`,
  )
}

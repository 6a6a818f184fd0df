import type { SessionRuntime } from '@svc/sdk'

const payers: Readonly<Record<SessionRuntime['auth'], string>> = {
  gateway: 'the model gateway',
  secrets: 'keys of the project’s own',
  personal: 'a person’s own subscription',
}

/** A badge for an agent whose model calls the gateway does not see; nothing for the others. */
export function Unmetered({ runtime }: { readonly runtime: SessionRuntime | undefined }) {
  if (runtime === undefined || runtime.metered) return null
  const reason = `Its model calls go by ${payers[runtime.auth]}: no budget holds for them, and their cost is not in the spend.`
  return (
    <span className="chip" title={reason}>
      unmetered
      <span className="sr-only">: {reason}</span>
    </span>
  )
}

import { connectDaemon, type SandboxEndpoint } from '@svc/sandbox'

/** The address that httpxy connects to, and the headers that the way there adds to the caller's own. */
export function targetOf(endpoint: SandboxEndpoint) {
  const { place, headers } = connectDaemon(endpoint)
  return { target: place, headers: { ...headers } }
}

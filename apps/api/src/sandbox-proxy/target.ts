import { connectDaemon, type SandboxEndpoint } from '@svc/sandbox'

/** Where httpxy connects to, and what the way there asks of each request beside the caller's own headers. */
export function targetOf(endpoint: SandboxEndpoint) {
  const { place, headers } = connectDaemon(endpoint)
  return { target: place, headers: { ...headers } }
}

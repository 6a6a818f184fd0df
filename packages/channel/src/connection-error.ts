import { ChannelRefused, MessageRefused, RateLimited } from './adapter.ts'

/** The error of the seam in what a request met; null where it may be tried again. */
export function connectionError(error: unknown): Error | null {
  for (const cause of causes(error)) {
    if (cause instanceof ChannelRefused || cause instanceof RateLimited || cause instanceof MessageRefused)
      return cause
    // Of the package `outbound`, which is above this one.
    if (cause.name === 'RefusedTarget') return new ChannelRefused('private_address', cause.message)
    // fetch keeps away from ports of other protocols.
    if (cause.message === 'bad port')
      return new ChannelRefused('unreachable', 'The port of the API is one of another protocol')
  }
  return null
}

function causes(error: unknown): Error[] {
  const found: Error[] = []
  for (let one = error; one instanceof Error && found.length < 8; one = one.cause) found.push(one)
  return found
}

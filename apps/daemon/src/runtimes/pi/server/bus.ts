import { randomUUID } from 'node:crypto'

/** An event as the runtime's stream carries it. */
export interface WireEvent {
  readonly id: string
  readonly type: string
  readonly properties: object
}

export interface Bus {
  publish(type: string, properties: object): void
  follow(onEvent: (event: WireEvent) => void): () => void
}

export function createBus(): Bus {
  const followers = new Set<(event: WireEvent) => void>()
  return {
    publish: (type, properties) => {
      const event = { id: `evt_${randomUUID()}`, type, properties }
      for (const tell of followers) tell(event)
    },
    follow: (onEvent) => {
      followers.add(onEvent)
      return () => followers.delete(onEvent)
    },
  }
}

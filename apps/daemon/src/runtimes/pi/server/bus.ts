import { randomUUID } from 'node:crypto'
import type { SentEvents } from '../../opencode-wire/schemas.ts'

/** An event as the runtime's stream carries it. */
export interface WireEvent {
  readonly id: string
  readonly type: keyof SentEvents
  readonly properties: object
}

export interface Bus {
  publish<Type extends keyof SentEvents>(type: Type, properties: SentEvents[Type]): void
  follow(onEvent: (event: WireEvent) => void): () => void
}

export function createBus(): Bus {
  const followers = new Set<(event: WireEvent) => void>()
  return {
    publish: (type, properties) => {
      const event = { id: `evt_${randomUUID()}`, type, properties }
      for (const notify of followers) notify(event)
    },
    follow: (onEvent) => {
      followers.add(onEvent)
      return () => followers.delete(onEvent)
    },
  }
}

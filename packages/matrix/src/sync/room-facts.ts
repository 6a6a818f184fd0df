import { z } from 'zod'
import type { MatrixEvent } from '../read/schema.ts'
import { type Call, path } from '../web/client.ts'
import { unlessRefused } from '../web/identify.ts'

const Joined = z.object({ joined: z.record(z.string(), z.unknown()) })

export interface RoomFacts {
  isEncrypted(room: string, signal: AbortSignal): Promise<boolean>
  /** The bot and one more person. */
  isOfTwo(room: string, signal: AbortSignal): Promise<boolean>
  /** Forgets facts that the event may have changed. */
  changed(room: string, event: MatrixEvent): void
}

/** Facts about rooms, asked for once as long as nothing changes them. */
export function roomFacts(call: Call): RoomFacts {
  const [encrypted, ofTwo] = [new Map<string, boolean>(), new Map<string, boolean>()]

  async function known(
    facts: Map<string, boolean>,
    room: string,
    ask: () => Promise<boolean>,
  ): Promise<boolean> {
    const fact = facts.get(room) ?? (await ask())
    facts.set(room, fact)
    return fact
  }

  return {
    isEncrypted: (room, signal) =>
      known(encrypted, room, async () => {
        const asked = { path: path`v3/rooms/${room}/state/m.room.encryption/` }
        return (await unlessRefused(call(signal, asked, z.unknown()))) !== undefined
      }),
    isOfTwo: (room, signal) =>
      known(ofTwo, room, async () => {
        const asked = { path: path`v3/rooms/${room}/joined_members` }
        // The list of a very large room is refused for its length.
        const members = await unlessRefused(call(signal, asked, Joined))
        return Object.keys(members?.joined ?? {}).length === 2
      }),
    changed: (room, { type, state_key }) => {
      if (type === 'm.room.member') ofTwo.delete(room)
      // The room's state alone says so: any member may send an event that is encrypted.
      if (type === 'm.room.encryption' && state_key === '') encrypted.set(room, true)
    },
  }
}

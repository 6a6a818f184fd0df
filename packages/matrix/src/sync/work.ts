import type { Received } from '@svc/channel'
import { type EventRoom, readEvent } from '../read/event.ts'
import type { MatrixEvent } from '../read/schema.ts'
import type { Bot } from '../read/text.ts'
import type { Call } from '../web/client.ts'
import type { DirectRooms } from '../web/direct-rooms.ts'
import { unlessRefused } from '../web/identify.ts'
import { findEvent } from '../web/threads.ts'
import { changedDirectRooms, type InvitedRoom, type JoinedRoom, type SyncAnswer } from './answer.ts'
import { noticeEncrypted } from './encrypted.ts'
import { acceptInvite } from './invites.ts'
import { roomFacts } from './room-facts.ts'
import { timelineOf } from './timeline.ts'

type Rooms = Readonly<Record<string, JoinedRoom>>

interface Working {
  readonly call: Call
  readonly bot: Bot
  /** The rooms of the bot and one person alone. */
  readonly direct: DirectRooms
  readonly take: (received: readonly Received[]) => Promise<void>
  readonly signal: AbortSignal
}

/** Works one answer of a sync after another; resolves once all that it says was taken. */
export function workerOf({ call, bot, take, signal, ...more }: Working) {
  const facts = roomFacts(call)
  const noticed = new Set<string>()
  const invites = new Map<string, InvitedRoom>()
  let { direct } = more

  return async ({ rooms, ...answer }: SyncAnswer, since: string | null): Promise<void> => {
    const { join = {}, invite = {}, leave = {} } = rooms ?? {}
    direct = changedDirectRooms(answer) ?? direct
    // Before the first start there was nothing for the bot.
    if (since !== null) await workRooms(join, leave, since)
    for (const [room, invited] of Object.entries(invite)) invites.set(room, invited)
    await acceptInvites()
  }

  async function workRooms(join: Rooms, leave: Rooms, since: string): Promise<void> {
    for (const [room, joined] of Object.entries(join)) {
      for (const event of joined.state?.events ?? []) facts.changed(room, event)
      await workRoom(room, await timelineOf(call, joined, { room, bot: bot.user_id, since }, signal))
    }
    for (const [room, left] of Object.entries(leave)) {
      const moves = left.timeline?.events.filter(({ type }) => type === 'm.room.member') ?? []
      await takeAll(moves, eventRoom(room))
    }
  }

  /** A flood of invitations makes no message wait: those that the homeserver does not take now are for the next answer. */
  async function acceptInvites(): Promise<void> {
    for (const [room, invited] of invites) {
      if (!(await acceptInvite(call, { room, bot: bot.user_id, invited }, signal))) return
      invites.delete(room)
    }
  }

  async function workRoom(room: string, events: readonly MatrixEvent[]): Promise<void> {
    for (const event of events) facts.changed(room, event)
    if (!(await facts.isEncrypted(room, signal))) {
      await takeAll(events, eventRoom(room))
    } else if (!noticed.has(room)) {
      await noticeEncrypted(call, { room, bot: bot.user_id }, signal)
      noticed.add(room)
    }
  }

  async function takeAll(events: readonly MatrixEvent[], room: EventRoom): Promise<void> {
    const received: Received[] = []
    for (const event of events) {
      const one = await readEvent(event, room)
      if (one !== null) received.push(one)
    }
    if (received.length > 0) await take(received)
  }

  /** The room as one answer shows it: an event that several of its events are about is fetched once. */
  function eventRoom(room: string): EventRoom {
    const found = new Map<string, MatrixEvent | null>()
    return {
      ...{ room, bot },
      isDirect: async () =>
        Object.values(direct).some((rooms) => rooms.includes(room)) || (await facts.isOfTwo(room, signal)),
      eventOf: async (event_id) => {
        const known = found.get(event_id)
        if (known !== undefined) return known
        const event = (await unlessRefused(findEvent(call, room, event_id, signal))) ?? null
        found.set(event_id, event)
        return event
      },
    }
  }
}

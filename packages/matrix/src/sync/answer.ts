import { z } from 'zod'
import { DirectRooms } from '../web/direct-rooms.ts'
import { MatrixEvents } from '../read/schema.ts'

const Events = z.object({ events: MatrixEvents }).optional().catch(undefined)

const JoinedRoom = z.object({
  state: Events,
  timeline: z
    .object({ events: MatrixEvents, limited: z.boolean().optional(), prev_batch: z.string().optional() })
    .optional()
    .catch(undefined),
})
export type JoinedRoom = z.infer<typeof JoinedRoom>

/** Events of rooms that the bot is not in yet have no ids. */
const Stripped = z.object({
  type: z.string(),
  sender: z.string(),
  state_key: z.string().optional(),
  content: z.record(z.string(), z.unknown()),
})

const InvitedRoom = z.object({
  invite_state: z
    .object({
      events: z
        .array(z.unknown())
        .transform((events) => events.flatMap((event) => Stripped.safeParse(event).data ?? [])),
    })
    .optional()
    .catch(undefined),
})
export type InvitedRoom = z.infer<typeof InvitedRoom>

export const SyncAnswer = z.object({
  next_batch: z.string(),
  account_data: z
    .object({ events: z.array(z.object({ type: z.string(), content: z.unknown() })) })
    .optional()
    .catch(undefined),
  rooms: z
    .object({
      join: z.record(z.string(), JoinedRoom).optional(),
      invite: z.record(z.string(), InvitedRoom).optional(),
      leave: z.record(z.string(), JoinedRoom).optional(),
    })
    .optional(),
})
export type SyncAnswer = z.infer<typeof SyncAnswer>

/** The rooms of people alone, where they changed. */
export function changedDirectRooms({
  account_data,
}: Pick<SyncAnswer, 'account_data'>): DirectRooms | undefined {
  const event = account_data?.events.find(({ type }) => type === 'm.direct')
  return DirectRooms.safeParse(event?.content).data
}

/** Of all that happens in rooms, those from which something follows. */
export const readTypes = [
  'm.room.message',
  'm.reaction',
  'm.room.redaction',
  'm.room.member',
  'm.room.encrypted',
  'm.room.encryption',
]

const nothing = { types: [] }

/** The filter of a sync: what was written since, or only the rooms that wait for the bot. */
export const filterOf = (since: string | null) =>
  JSON.stringify({
    presence: nothing,
    account_data: { types: ['m.direct'] },
    room: {
      ephemeral: nothing,
      account_data: nothing,
      ...(since === null
        ? { timeline: { ...nothing, limit: 1 }, state: nothing }
        : {
            timeline: { types: readTypes, limit: 20 },
            state: { types: ['m.room.encryption'], lazy_load_members: true },
          }),
    },
  })

import { z } from 'zod'
import { MatrixEvents } from '../read/schema.ts'
import { type Call, path } from './client.ts'
import { unlessRefused } from './identify.ts'

/** The content of `m.direct`: the rooms that the bot has with each person alone. */
export const DirectRooms = z.record(z.string(), z.array(z.string()).catch([]))
export type DirectRooms = z.infer<typeof DirectRooms>

const Created = z.object({ room_id: z.string() })

const accountData = (bot: string) => path`v3/user/${bot}/account_data/m.direct`

export async function directRooms(call: Call, bot: string, signal: AbortSignal): Promise<DirectRooms> {
  return (await unlessRefused(call(signal, { path: accountData(bot) }, DirectRooms))) ?? {}
}

/** Keeps in the account of the bot that a room is one of this person and the bot alone. */
export async function rememberDirectRoom(
  call: Call,
  { bot, user, room }: { readonly bot: string; readonly user: string; readonly room: string },
  signal: AbortSignal,
): Promise<void> {
  const known = await directRooms(call, bot, signal)
  const rooms = known[user] ?? []
  if (rooms.includes(room)) return
  const body = { ...known, [user]: [...rooms, room] }
  await call(signal, { method: 'PUT', path: accountData(bot), body }, z.unknown())
}

/** The room of the bot and a person; it is made where there is none that both are in, or may be. */
export async function directRoomWith(
  call: Call,
  bot: string,
  user: string,
  signal: AbortSignal,
): Promise<string> {
  const known = await directRooms(call, bot, signal)
  for (const room of (known[user] ?? []).toReversed())
    if (await isUsable(call, { bot, user, room }, signal)) return room
  const body = { is_direct: true, preset: 'trusted_private_chat', invite: [user] }
  const { room_id: room } = await call(signal, { method: 'POST', path: 'v3/createRoom', body }, Created)
  await rememberDirectRoom(call, { bot, user, room }, signal)
  return room
}

async function isUsable(
  call: Call,
  { bot, user, room }: { readonly bot: string; readonly user: string; readonly room: string },
  signal: AbortSignal,
): Promise<boolean> {
  const state = await unlessRefused(call(signal, { path: path`v3/rooms/${room}/state` }, MatrixEvents))
  if (state === undefined || state.some(({ type }) => type === 'm.room.encryption')) return false
  const membershipOf = (member: string) =>
    state.find(({ type, state_key }) => type === 'm.room.member' && state_key === member)?.content[
      'membership'
    ]
  return membershipOf(bot) === 'join' && ['join', 'invite'].includes(String(membershipOf(user)))
}

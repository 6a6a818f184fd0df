import { type BotIdentity, type ChannelCheck, ChannelRefused, MessageRefused } from '@svc/channel'
import { z } from 'zod'
import { serverOf } from '../read/ids.ts'
import { type Call, path } from './client.ts'

const WhoAmI = z.object({ user_id: z.string().regex(/^@[^:]*:.+$/) })
const Profile = z.object({ displayname: z.string().nullish() })
const RoomName = z.object({ name: z.string() })

/** The bot whose token this is. */
export async function identifyBot(call: Call, signal: AbortSignal): Promise<BotIdentity> {
  const { user_id } = await call(signal, { path: 'v3/account/whoami' }, WhoAmI)
  const tenant = serverOf(user_id)
  return { tenant, tenant_name: tenant, user_id, name: await userName(call, user_id, signal) }
}

/** The address and the token; throws nothing. */
export async function checkBot(call: Call, signal: AbortSignal): Promise<readonly ChannelCheck[]> {
  try {
    const { user_id, name } = await identifyBot(call, signal)
    return [reached, { name: 'credential', ok: true, message: `${name} (${user_id})` }]
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The homeserver was not reached'
    const isToken = error instanceof ChannelRefused && error.reason === 'credential_refused'
    return isToken
      ? [reached, { name: 'credential', ok: false, message }]
      : [{ name: 'address', ok: false, message }]
  }
}

const reached: ChannelCheck = { name: 'address', ok: true, message: 'The homeserver answers' }

/** The name that a user chose; the id where there is none. */
export async function userName(call: Call, user: string, signal: AbortSignal): Promise<string> {
  const asked = { path: path`v3/profile/${user}/displayname` }
  return (await unlessRefused(call(signal, asked, Profile)))?.displayname || user
}

/** The name of a room; the id where it has none. */
export async function roomName(call: Call, room: string, signal: AbortSignal): Promise<string> {
  const asked = { path: path`v3/rooms/${room}/state/m.room.name/` }
  return (await unlessRefused(call(signal, asked, RoomName)))?.name || room
}

/** Undefined for what is not there, or not for the bot. */
export async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof MessageRefused) return undefined
    throw error
  }
}

import { ChannelRefused, RateLimited } from '@svc/channel'
import { z } from 'zod'
import { type Call, path } from '../web/client.ts'
import { rememberDirectRoom } from '../web/direct-rooms.ts'
import type { InvitedRoom } from './answer.ts'

/**
 * Comes to a room to which the bot was invited; false where the homeserver asks to wait. A room that does not let it in is
 * left alone: the bot may be invited again.
 */
export async function acceptInvite(
  call: Call,
  { room, bot, invited }: { readonly room: string; readonly bot: string; readonly invited: InvitedRoom },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await call(signal, { method: 'POST', path: path`v3/rooms/${room}/join`, body: {} }, z.unknown())
    const own = invited.invite_state?.events.find(
      ({ type, state_key }) => type === 'm.room.member' && state_key === bot,
    )
    if (own?.content['is_direct'] === true)
      await rememberDirectRoom(call, { bot, user: own.sender, room }, signal)
    return true
  } catch (error) {
    if (signal.aborted || error instanceof ChannelRefused) throw error
    return !(error instanceof RateLimited)
  }
}

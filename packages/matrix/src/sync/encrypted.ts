import { z } from 'zod'
import { type Call, path } from '../web/client.ts'
import { unlessRefused } from '../web/identify.ts'

const field = 'dev.svc.encrypted'
const text =
  'This room is encrypted. I read plain rooms only: invite me to one, or write to me directly in one.'

/** Says once in a room that the bot does not read it; that it did is kept with the room in its account. */
export async function noticeEncrypted(
  call: Call,
  { room, bot }: { readonly room: string; readonly bot: string },
  signal: AbortSignal,
): Promise<void> {
  const kept = path`v3/user/${bot}/rooms/${room}/account_data/${field}`
  if ((await unlessRefused(call(signal, { path: kept }, z.unknown()))) !== undefined) return
  const notice = {
    method: 'PUT',
    path: path`v3/rooms/${room}/send/m.room.message/${field}`,
    body: { msgtype: 'm.notice', body: text, 'm.mentions': {} },
  } as const
  await unlessRefused(call(signal, notice, z.unknown()))
  await unlessRefused(call(signal, { method: 'PUT', path: kept, body: { noticed: true } }, z.unknown()))
}

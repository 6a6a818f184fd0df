import { type ChannelCheck, ChannelRefused } from '@svc/channel'
import { requireWritesOpen } from '@svc/context'
import type { ChannelContext } from '../context.ts'
import { connectedOf } from '../sealing.ts'
import { type ChannelInput, requireChannel } from './find.ts'

const testMs = 20_000

/** Asks the platform whether it lets the bot in, and says nothing there. */
export async function testChannel(ctx: ChannelContext, input: ChannelInput) {
  const { row } = await requireChannel(ctx, input, 'project.connector.connections.manage')
  requireWritesOpen(ctx)
  const checks = await checksOf(ctx, row)
  return { ok: checks.every(({ ok }) => ok), checks: [...checks] }
}

async function checksOf(
  ctx: ChannelContext,
  row: Awaited<ReturnType<typeof requireChannel>>['row'],
): Promise<readonly ChannelCheck[]> {
  const connected = connectedOf(ctx, row)
  if (connected === null)
    return [{ name: 'connected', ok: false, message: 'It is disconnected; connect it anew' }]
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(testMs)])
  try {
    return await ctx.channel_platforms.open(row.platform, connected).check(signal)
  } catch (error) {
    const message = error instanceof ChannelRefused ? error.message : 'The platform did not answer'
    return [{ name: 'reachable', ok: false, message }]
  }
}

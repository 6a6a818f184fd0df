import { type BotIdentity, type ChannelPlatform, ChannelRefused, RateLimited } from '@svc/channel'
import { issuesOf } from '@svc/contract/issues'
import { ServiceError } from '@svc/errors'
import { z } from 'zod'
import type { ChannelContext, Connected } from '../context.ts'

const tryMs = 15_000

/** The bot whose credentials these are; 422 `channel_not_usable` where they let no bot in. */
export async function tryCredentials(
  ctx: Pick<ChannelContext, 'channel_platforms' | 'signal'>,
  platform: ChannelPlatform,
  connected: Connected,
): Promise<BotIdentity> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(tryMs)])
  try {
    const adapter = ctx.channel_platforms.open(platform, connected)
    const checks = await adapter.check(signal)
    const missing = checks.find(({ name, ok }) => name === 'scopes' && !ok)
    if (missing !== undefined) throw new ChannelRefused('missing_scope', missing.message)
    const identity = await adapter.identify(signal)
    const refused = checks.find(({ name, ok }) => name === 'socket' && !ok)
    if (refused !== undefined) throw new ChannelRefused('credential_refused', refused.message)
    return identity
  } catch (error) {
    throw notUsable(error)
  }
}

function notUsable(error: unknown): ServiceError {
  if (error instanceof z.ZodError) {
    const message = 'The credentials are not those of this platform; give the ones that `issues` asks for'
    return new ServiceError('invalid_request', message, { issues: issuesOf(error) })
  }
  const [reason, message] =
    error instanceof ChannelRefused
      ? [error.reason, error.message]
      : error instanceof RateLimited
        ? (['unreachable', 'The platform asks to wait; try again in a minute'] as const)
        : (['unreachable', 'The platform did not answer; check its address and try again'] as const)
  return new ServiceError('channel_not_usable', message, { reason })
}

import { type BotIdentity, type ChannelCheck, ChannelRefused, MessageRefused } from '@svc/channel'
import type { Call } from './client.ts'
import { missingScopes, scopes } from './scopes.ts'

/** The bot whose token this is. */
export async function identifyBot(call: Call, signal: AbortSignal): Promise<BotIdentity> {
  return (await test(call, signal)).identity
}

/** The address, the token and its scopes; throws nothing. */
export async function checkBot(call: Call, signal: AbortSignal): Promise<readonly ChannelCheck[]> {
  try {
    const { identity, granted } = await test(call, signal)
    return [
      reached,
      { name: 'credential', ok: true, message: `${identity.name} in ${identity.tenant_name}` },
      scopesCheck(granted),
    ]
  } catch (error) {
    const { message } = Object(error)
    const isToken = error instanceof ChannelRefused && error.reason === 'credential_refused'
    if (isToken) return [reached, { name: 'credential', ok: false, message }]
    const failed = error instanceof Error ? message : 'The API of Slack was not reached'
    return [{ name: 'address', ok: false, message: failed }]
  }
}

/** The app-level token, by which a socket is asked for; throws nothing. */
export async function checkSocket(call: Call, signal: AbortSignal): Promise<ChannelCheck> {
  try {
    await call(signal, (client) => client.apps.connections.open({}))
    return { name: 'socket', ok: true, message: 'Slack gives a socket to the app-level token' }
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: 'Slack gave no answer' }
    return {
      name: 'socket',
      ok: false,
      message: `${message}; the app needs Socket Mode and a token with connections:write`,
    }
  }
}

const reached: ChannelCheck = { name: 'address', ok: true, message: 'The API of Slack answers' }

async function test(call: Call, signal: AbortSignal) {
  const answer = await call(signal, (client) => client.auth.test())
  const { team_id, team, user_id, user, bot_id, response_metadata } = answer
  if (team_id === undefined || user_id === undefined)
    throw new MessageRefused('The API does not say whose token this is')
  if (bot_id === undefined)
    throw new ChannelRefused(
      'credential_refused',
      'The token is of a person; the channel needs that of a bot',
    )
  const identity = { tenant: team_id, tenant_name: team ?? team_id, user_id, name: user ?? user_id }
  return { identity, granted: response_metadata?.scopes }
}

function scopesCheck(granted: readonly string[] | undefined): ChannelCheck {
  if (granted === undefined) return { name: 'scopes', ok: true, message: 'The API does not list the scopes' }
  const missing = missingScopes(granted)
  const uses = Object.entries(scopes).filter(([scope]) => missing.includes(scope))
  return uses.length === 0
    ? { name: 'scopes', ok: true, message: 'The token has each scope that the channel uses' }
    : {
        name: 'scopes',
        ok: false,
        message: `The token lacks ${uses.map(([scope, use]) => `${scope} (${use})`).join(', ')}`,
      }
}

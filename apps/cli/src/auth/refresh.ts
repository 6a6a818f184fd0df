import * as oauth from 'oauth4webapi'
import { type Config, readConfig, writeConfig } from '../config/config-file.ts'
import { findHost, withHost } from '../config/hosts.ts'
import { OperationError } from '../failures.ts'
import { withFileLock } from './lock.ts'
import { isStale, loginTokens } from './login-tokens.ts'
import { findLoginServer } from './server.ts'

const maxMs = 20_000

export interface Login {
  readonly host: string
  /** The address that the host had when this command began. */
  readonly login_url: string
}

/**
 * The token of a host that a person logged in to by browser, exchanged for a new one when it ends. One process at a
 * time does that: a refresh token that is used twice ends the login.
 */
export async function freshToken(config_file: string, login: Login): Promise<string> {
  const { host, login_url } = login
  const known = current(await readConfig(config_file), login)
  if (!isStale(known.login, Date.now())) return known.token
  return withFileLock(`${config_file}.lock`, async () => {
    const stored = current(await readConfig(config_file), login)
    // Another process was first.
    if (!isStale(stored.login, Date.now())) return stored.token
    const renewed = loginTokens(await exchange(login_url, host, stored.login.refresh_token), Date.now())
    // Changes that another command wrote meanwhile stay.
    await writeConfig(config_file, withHost(await readConfig(config_file), host, renewed))
    return renewed.token
  })
}

/** A host that was given another address meanwhile has another login: this one's tokens never go there, nor its here. */
function current(config: Config, { host, login_url }: Login) {
  const { api_url, token, login } = findHost(config, host) ?? {}
  if (api_url !== login_url || !token || !login)
    throw new OperationError(`not logged in to ${host} any more`, `svc login --host ${host}`)
  return { token, login }
}

async function exchange(
  api_url: string,
  host: string,
  refresh_token: string,
): Promise<oauth.TokenEndpointResponse> {
  const { server, client, options } = await findLoginServer(api_url)
  try {
    const signal = AbortSignal.timeout(maxMs)
    const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refresh_token, {
      ...options,
      signal,
    })
    return await oauth.processRefreshTokenResponse(server, client, response)
  } catch (cause) {
    if (cause instanceof oauth.ResponseBodyError && cause.error === 'invalid_grant')
      throw new OperationError(`the login to ${host} has ended`, `svc login --host ${host}`, { cause })
    throw new OperationError(`the login to ${host} could not be renewed now`, 'try again in a moment', {
      cause,
    })
  }
}

/** Ends the login at the platform; false when it could not be reached. */
export async function revokeLogin(api_url: string, refresh_token: string): Promise<boolean> {
  try {
    const { server, client, options } = await findLoginServer(api_url)
    const signal = AbortSignal.timeout(maxMs)
    const more = { ...options, signal }
    const response = await oauth.revocationRequest(server, client, oauth.None(), refresh_token, more)
    await oauth.processRevocationResponse(response)
    return true
  } catch {
    return false
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import * as oauth from 'oauth4webapi'
import { OperationError } from '../failures.ts'
import { refused } from './refused.ts'
import { type LoginServer, scope } from './server.ts'

export interface DeviceLogin {
  readonly user_code: string
  readonly verification_uri: string
  /** Resolves once the person has allowed it elsewhere. */
  tokens(signal: AbortSignal): Promise<oauth.TokenEndpointResponse>
}

/** The login of a machine without a browser, RFC 8628: a person types a code on another. */
export async function openDevice({ server, client, options }: LoginServer): Promise<DeviceLogin> {
  const none = oauth.None()
  const started = await oauth
    .deviceAuthorizationRequest(server, client, none, { scope }, options)
    .then((response) => oauth.processDeviceAuthorizationResponse(server, client, response))
    .catch((error: unknown) => {
      throw refused(error)
    })
  const { device_code, user_code, verification_uri, expires_in } = started

  async function ask(): Promise<oauth.TokenEndpointResponse | 'pending' | 'slower'> {
    const response = await oauth.deviceCodeGrantRequest(server, client, none, device_code, options)
    try {
      return await oauth.processDeviceCodeResponse(server, client, response)
    } catch (error) {
      if (!(error instanceof oauth.ResponseBodyError)) throw error
      if (error.error === 'authorization_pending') return 'pending'
      if (error.error === 'slow_down') return 'slower'
      throw refused(error)
    }
  }

  return {
    user_code,
    verification_uri,
    async tokens(signal) {
      let seconds = started.interval ?? 5
      for (let waited = 0; waited < expires_in; waited += seconds) {
        await sleep(seconds * 1000, undefined, { signal }).catch(() => {
          throw new OperationError('the login was left', 'run `svc login` again')
        })
        // A lost connection is no answer: the next question may find it again.
        const answer = await ask().catch((error: unknown) => {
          if (error instanceof OperationError) throw error
          return 'pending' as const
        })
        if (answer === 'slower') seconds += 5
        else if (answer !== 'pending') return answer
      }
      throw new OperationError('the code expired before it was approved', 'run `svc login` again')
    },
  }
}

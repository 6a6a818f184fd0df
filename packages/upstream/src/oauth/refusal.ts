import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { UpstreamRefusal } from '../shapes.ts'

/** The result of a step; errors of the SDK and of documents that cannot be read become refusals that name `subject`. */
export async function orRefusal<T>(subject: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof UpstreamRefusal) throw error
    if (error instanceof OAuthError)
      throw new UpstreamRefusal('upstream_error', `${subject}: ${saidBy(error)}; try again later`)
    const why =
      error instanceof Error && error.name !== 'ZodError'
        ? error.message
        : 'its shape is not that of the standard'
    throw new UpstreamRefusal('connector_unusable', `${subject} cannot be used: ${why.slice(0, 500)}`)
  }
}

/** The issuer's own code and words. */
export function saidBy(error: OAuthError): string {
  const words = error.message.slice(0, 500)
  return words === '' ? error.errorCode : `${error.errorCode} (${words})`
}

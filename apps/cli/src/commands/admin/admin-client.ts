import { type AdminClient, createAdminClient } from '@svc/sdk/admin'
import type { Cli } from '../../cli.ts'

/** The operator's surface of the platform that this call is about. */
export async function adminClient(cli: Cli): Promise<AdminClient> {
  return createAdminClient((await cli.connect()).options)
}

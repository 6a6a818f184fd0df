import type { Person } from '../support/credentials.ts'
import { type Scim, upgrade } from '../support/scim.ts'

interface Rival extends Person {
  readonly account_id: string
  /** The token of the directory. */
  readonly directory: string
}

/** Another account, whose plan holds directory sync, and its directory. */
export async function connectRival({ platform, v1 }: Scim): Promise<Rival> {
  const person = await platform.stranger()
  const account_id = (await v1('/accounts/me', person.token)).pick('account_id')
  await upgrade(platform, account_id, 'enterprise')
  const minted = await v1(`/accounts/${account_id}/scim-tokens`, person.token, 'POST', { name: 'x' })
  return { ...person, account_id, directory: minted.pick('token') }
}

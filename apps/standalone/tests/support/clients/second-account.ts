import { randomUUID } from 'node:crypto'
import { accounts, type Db } from '@svc/db'
import { createToken } from '@svc/identity'

/** Another tenant of the same platform, with an owner who is signed in. */
export async function addAccount(db: Db): Promise<{ account_id: string; user_id: string; token: string }> {
  const account_id = randomUUID()
  const user_id = randomUUID()
  const created_at = new Date()
  await accounts.createWithOwner(
    db,
    { account_id, name: 'Another account', tier: 'self_host', gateway_new_projects: true, created_at },
    { user_id, email: `${user_id}@svc.invalid`, name: 'Stranger', created_at },
  )
  const { token } = await createToken(
    {
      db,
      principal: { type: 'user', user_id, token_id: randomUUID() },
      now: () => new Date(),
      newId: randomUUID,
    },
    { name: 'stranger' },
  )
  return { account_id, user_id, token }
}

import { mintToken } from '@svc/context'
import type { Person } from './people.ts'
import type { TestProject } from './projects.ts'
import type { World } from './world.ts'

/** A token of a person, as the client that they made it for holds it. */
export async function userToken({ base, db }: World, { user_id }: Pick<Person, 'user_id'>) {
  const { row, secret } = await mintToken(base, db, { kind: 'user', name: 'test', user_id, project_id: null })
  return { token: secret, token_id: row.token_id }
}

/** A token that is bound to the project. */
export async function projectToken(
  { base, db }: World,
  { owner: { user_id }, project_id }: Pick<TestProject, 'owner' | 'project_id'>,
): Promise<string> {
  return (await mintToken(base, db, { kind: 'project', name: 'test', user_id, project_id })).secret
}

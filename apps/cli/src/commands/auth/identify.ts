import { ApiError, type Client, type Me, type Project } from '@svc/sdk'
import { oneLine } from '../../output/plain.ts'

/** A person, or the project that a project's token reaches. */
export type Identity =
  | { readonly kind: 'user'; readonly me: Me; readonly words: string }
  | { readonly kind: 'project'; readonly projects: readonly Project[]; readonly words: string }

/**
 * The identity that the client's token acts as. The account routes refuse project tokens, which are told apart by
 * that.
 */
export async function identify(client: Client): Promise<Identity> {
  try {
    const me = await client.me()
    const name = me.name === '' || me.name === me.email ? '' : ` (${me.name})`
    return { kind: 'user', me, words: oneLine(`${me.email}${name}`) }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error
    const projects = await client.projects.list()
    const names = projects.map(({ name }) => name).join(', ')
    return { kind: 'project', projects, words: oneLine(`the token of project ${names}`) }
  }
}

import { formatToken } from '@svc/access'
import { authenticate } from '@svc/context'
import { getProject } from '@svc/services'
import { addOwner, makeProject, openWorld } from '@svc/services/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { acceptInvitation, createInvitation, listInvitations, revokeInvitation } from '../src/index.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id, account_id, ctx } = project
const whois = (token: string) => authenticate(world.base, token)
const refused = (code: string) => expect.objectContaining({ code })

describe('invitations', () => {
  test('are accepted once, by the person whom they name', async () => {
    const invited = await addOwner(world)
    const email = `${invited.user_id}@SVC.invalid`
    const created = await createInvitation(ctx, { account_id, email, role: 'admin' })
    expect(created.token).toMatch(/^svc_inv_/)
    const listed = await listInvitations(ctx, { account_id })
    expect(listed.invitations).toMatchObject([{ email, role: 'admin' }])
    expect(JSON.stringify(listed)).not.toContain(created.token)
    const { rows } = await sql<{ dump: string }>`select i::text as dump from account_invitations i`.execute(
      world.db,
    )
    expect(JSON.stringify(rows)).not.toContain(created.token)
    await expect(whois(created.token)).rejects.toEqual(refused('unauthorized'))

    const other = world.as((await addOwner(world)).principal)
    await expect(acceptInvitation(other, created)).rejects.toEqual(refused('not_found'))
    const accepted = await Promise.allSettled(
      [1, 2].map(() => acceptInvitation(world.as(invited.principal), created)),
    )
    expect(accepted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await getProject(world.as(invited.principal), { project_id })).toMatchObject({
      project_role: 'manager',
    })
    expect((await listInvitations(ctx, { account_id })).invitations).toEqual([])
  })

  test('end by their time and by being taken back', async () => {
    const invited = await addOwner(world)
    const email = `${invited.user_id}@svc.invalid`
    const late = await createInvitation(ctx, { account_id, email, role: 'member' })
    const taken = await createInvitation(ctx, { account_id, email, role: 'member' })
    await revokeInvitation(ctx, taken)
    await expect(revokeInvitation(ctx, taken)).rejects.toEqual(refused('not_found'))
    const asInvited = world.as(invited.principal)
    await expect(acceptInvitation(asInvited, taken)).rejects.toEqual(refused('conflict'))
    world.clock.advance(7 * 86_400_000)
    await expect(acceptInvitation(asInvited, late)).rejects.toEqual(refused('conflict'))
    const unknown = { token: formatToken('svc_inv_', new Uint8Array(32)) }
    await expect(acceptInvitation(asInvited, unknown)).rejects.toEqual(refused('not_found'))
  })
})

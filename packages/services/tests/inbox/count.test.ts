import fc from 'fast-check'
import { accountRoles, projectRoles } from '@svc/access'
import { inboxKinds } from '@svc/facts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countInbox, getInbox } from '../../src/index.ts'
import { addMember, addOwner, makeProject, newSession, openWorld } from '../../src/testing/index.ts'
import { putRows } from './rows.ts'

const world = await openWorld({ session_cap: 500 })
const { db, clock } = world

/** Two accounts with two projects each, a session of its owner in each, and people of any role in one of the accounts. */
async function platform() {
  const owners = [await addOwner(world), await addOwner(world)]
  const projects = []
  for (const owner of [...owners, ...owners]) projects.push(await makeProject(world, owner))
  const people = [...owners]
  for (const account_role of accountRoles)
    for (const role of [...projectRoles, null]) {
      const [first, second] = projects.filter(({ account_id }) => account_id === owners[0]?.account_id)
      if (first === undefined || second === undefined) throw new Error('There are too few projects')
      const person = await addMember(world, first, role, account_role)
      // Of a second project, they have another role.
      const other = projectRoles[people.length % projectRoles.length] ?? 'viewer'
      const { project_id } = second
      const { user_id } = person
      await db
        .insertInto('project_members')
        .values({ project_id, user_id, role: other, created_at: clock.now() })
        .execute()
      people.push(person)
    }
  const sessions = []
  for (const project of projects)
    for (let n = 0; n < 4; n += 1) {
      const { session_id, created_by } = await newSession(world, project)
      sessions.push({
        session_id,
        created_by,
        project_id: project.project_id,
        account_id: project.account_id,
      })
    }
  return { projects, people, sessions }
}

test('the number is the length of the list, whatever waits and whoever looks', async () => {
  const { projects, people, sessions } = await platform()
  const seen = { items: 0, kinds: new Set<string>(), aside: 0 }
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 1_000_000 })), async (stream) => {
      const take = (below: number): number => Number(stream.next().value) % below
      await putRows(db, { take, now: clock.now(), projects, people, sessions })
      for (const { principal, user_id } of people) {
        const ctx = world.as(principal)
        const before = await getInbox(ctx, { limit: 100 })
        for (const { item_id, version } of before.items) {
          if (take(5) > 0) continue
          // Some are of another version, and some snoozed until a time that is over.
          const until = [
            null,
            new Date(clock.now().getTime() + 1000),
            new Date(clock.now().getTime() - 1000),
          ][take(3)]
          await sql`insert into inbox_marks (user_id, item_id, version, state, until, marked_at)
            values (${user_id}, ${item_id}, ${take(4) > 0 ? version : 'another'}, ${until === null ? 'done' : 'snoozed'},
              ${until}, ${clock.now()}) on conflict do nothing`.execute(db)
        }
        const { counts } = await getInbox(ctx, { limit: 1 })
        const { total, by_kind } = await countInbox(ctx)
        expect({ total, ...by_kind }).toEqual(counts)
        seen.items += total
        seen.aside += Number(total < before.counts.total)
        for (const kind of inboxKinds) if (by_kind[kind] > 0) seen.kinds.add(kind)
      }
    }),
    { numRuns: 12, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false },
  )
  // A budget's rows have a test of their own.
  expect(inboxKinds.filter((kind) => !seen.kinds.has(kind))).toEqual(['budget_block'])
  expect(seen.items).toBeGreaterThan(100)
  expect(seen.aside).toBeGreaterThan(0)
}, 150_000)

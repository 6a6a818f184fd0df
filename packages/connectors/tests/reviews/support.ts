import { type ReviewItemRow, sessionEvents, sessionPrompts } from '@svc/db'
import {
  agentPrincipal,
  makeProject,
  openWorld,
  runningSession,
  type TestSession,
} from '@svc/services/testing'
import { submitReview } from '../../src/index.ts'

export const plain = {
  title: 'The start page',
  summary: 'Shorter.',
  kind: 'output',
  risk: 'medium',
  files: [],
  options: [],
} as const

/** A project in a world of its own, with what its sessions submit and are told. */
export async function openReviews() {
  const world = await openWorld({ session_cap: 500 })
  const project = await makeProject(world)
  const { project_id, ctx: owner } = project
  const grant = ['project.review.submit', 'project.review.read', 'project.review.act'] as const
  const agentOf = (session: TestSession) => world.as(agentPrincipal({ ...session, project_id }, grant))
  const output = { ...plain, project_id }
  const decision = {
    ...output,
    kind: 'decision',
    options: [
      { id: 'now', label: 'Release it now' },
      { id: 'later', label: 'Wait a week' },
    ],
  } as const
  return {
    ...{ world, project, project_id, owner, grant, agentOf, output, decision },
    submitted: async () => {
      const session = await runningSession(world, project)
      const ctx = agentOf(session)
      return { session, ctx, item: await submitReview(ctx, output) }
    },
    keyOf: ({ review_id }: ReviewItemRow) => ({ project_id, review_id }),
    promptsOf: ({ session_id }: TestSession) =>
      sessionPrompts.list(world.db, session_id, { after: 0, limit: 100 }),
    eventsOf: async ({ session_id }: TestSession) =>
      (await sessionEvents.listAfter(world.db, session_id, 0, 200))
        .filter(({ type }) => type === 'review')
        .map(({ payload }) => payload),
  }
}

import { merges } from '@svc/db'
import { expect } from 'vitest'
import type { TestProject } from '../../src/testing/projects.ts'
import type { World } from '../../src/testing/world.ts'

/** A merge that was asked for and that no worker has begun yet. */
export async function askForMerge(
  world: World,
  project: TestProject,
  cr_id: string,
  more: { readonly message?: string; readonly expected_base_sha?: string } = {},
): Promise<string> {
  const attempt_id = world.base.newId()
  await merges.insertAttempt(world.db, {
    attempt_id,
    cr_id,
    project_id: project.project_id,
    requested_by: project.owner.user_id,
    message: more.message ?? null,
    expected_head_sha: null,
    expected_base_sha: more.expected_base_sha ?? null,
    created_at: world.clock.now(),
    finished_at: null,
  })
  return attempt_id
}

/** Row and repository agree: merged means that the base holds the merge, anything else that it does not hold the head. */
export async function expectAgreement(world: World, project: TestProject, cr_id: string): Promise<void> {
  const row = await world.db
    .selectFrom('change_requests')
    .selectAll()
    .where('cr_id', '=', cr_id)
    .executeTakeFirstOrThrow()
  const commits = (await project.git('rev-list', '--parents', row.base_ref)).split('\n')
  const parentsOf = (sha: string | null) =>
    commits
      .find((line) => line.split(' ')[0] === sha)
      ?.split(' ')
      .slice(1)
  if (row.status !== 'merged') {
    expect(parentsOf(await project.tip(row.head_ref))).toBeUndefined()
    return
  }
  const { merge_commit_sha, head_commit_sha, base_commit_sha } = row
  const parents = parentsOf(merge_commit_sha)
  expect(parentsOf(base_commit_sha)).toBeDefined()
  if (merge_commit_sha === head_commit_sha) expect(parents).toBeDefined()
  else expect(parents).toEqual([base_commit_sha, head_commit_sha])
}

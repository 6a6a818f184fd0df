import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError, type Project, type Session } from '@svc/sdk'
import {
  awaitTurn,
  bash,
  commitAndPush,
  lastSeq,
  promptAgent,
  startSession,
  write,
} from './support/sessions/agent.ts'
import { git } from './support/clients/git.ts'
import { piProject } from './support/sessions/pi-project.ts'
import { type Platform, startPlatform } from './support/platform/platform.ts'

let platform: Platform

beforeAll(async () => {
  platform = await startPlatform()
})
afterAll(() => platform?.stop())

const open = (title: string) => bash(`svc cr open --title '${title}'`)

async function refusal(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error(`Not refused by the API: ${String(error)}`)
}

async function tipOf(project: Project, branch: string): Promise<string> {
  const listed = await git(['ls-remote', project.repo_url, `refs/heads/${branch}`], { token: platform.token })
  return listed.slice(0, 40)
}

describe('two sessions that change the same lines', () => {
  let project: Project
  let first: Session
  let second: Session

  beforeAll(async () => {
    project = await piProject(platform.client, platform.token, 'Conflict')
    const begin = (text: string) =>
      startSession(platform.client, project.project_id, [
        write('shared file.txt', `${text}\n`),
        commitAndPush(text),
        open(text),
      ])
    const started = await Promise.all([begin('one'), begin('two')])
    for (const { turn } of started)
      expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    ;[first, second] = [started[0].session, started[1].session]
  })

  const crOf = async (session: Session) => {
    const { items } = await platform.client.projects.changeRequests.list(project.project_id, {
      origin_session_id: session.session_id,
    })
    const [cr] = items
    if (!cr) throw new Error('No change request was opened')
    return cr
  }

  test('the first merges, the second is a conflict that names the path and changes nothing', async () => {
    const { changeRequests } = platform.client.projects
    const merged = await changeRequests.merge(project.project_id, (await crOf(first)).cr_id)
    expect(merged).toMatchObject({ change_request: { status: 'merged' }, merge: { fast_forward: true } })

    const cr = await crOf(second)
    const preview = await changeRequests.mergePreview(project.project_id, cr.cr_id)
    expect(preview).toMatchObject({
      can_merge: false,
      can_fast_forward: false,
      conflicts: ['shared file.txt'],
    })
    const error = await refusal(changeRequests.merge(project.project_id, cr.cr_id))
    expect(error).toMatchObject({ status: 409, code: 'MERGE_CONFLICT' })
    expect(error.details).toMatchObject({ conflicts: ['shared file.txt'] })
    expect(await tipOf(project, 'main')).toBe(merged.merge.base_sha_after)
    expect((await crOf(second)).status).toBe('open')
  })

  test('the agent merges the base into its branch, the preview is clean, and it merges', async () => {
    const turn = await promptAgent(
      platform.client,
      second,
      bash('git fetch -q origin main && (git merge -q origin/main || true)'),
      write('shared file.txt', 'one\ntwo\n'),
      commitAndPush('Resolve'),
    )
    expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    const { changeRequests } = platform.client.projects
    const cr = await crOf(second)
    const preview = await changeRequests.mergePreview(project.project_id, cr.cr_id)
    expect(preview, turn.outputs.join('\n')).toMatchObject({
      can_merge: true,
      can_fast_forward: true,
      conflicts: [],
    })
    const { merge } = await changeRequests.merge(project.project_id, cr.cr_id, {
      expected_head_sha: preview.head_sha,
      expected_base_sha: preview.base_sha,
    })
    expect(merge).toMatchObject({ fast_forward: true, base_sha_before: preview.base_sha })
    const file = await platform.client.projects.files.read(project.project_id, { path: 'shared file.txt' })
    expect(file.content).toBe('one\ntwo\n')
  })
})

describe('what a session may not do', () => {
  let project: Project
  let proposer: Session

  beforeAll(async () => {
    project = await piProject(platform.client, platform.token, 'Limits', '{}')
  })

  test('an invalid manifest on the head blocks the merge and leaves git untouched', async () => {
    const { changeRequests } = platform.client.projects
    const before = await tipOf(project, 'main')
    const { turn } = await startSession(platform.client, project.project_id, [
      bash("printf 'svc_version: 2\\ndefault_agent: nobody\\nagents:\\n  Not Valid: {}\\n' > svc.yaml"),
      commitAndPush('Break the manifest'),
      open('Break it'),
    ])
    expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    const [cr] = (await changeRequests.list(project.project_id, { status: 'open' })).items
    const preview = await changeRequests.mergePreview(project.project_id, cr?.cr_id ?? '')
    expect(preview).toMatchObject({ can_merge: true, manifest: { valid: false } })
    const error = await refusal(changeRequests.merge(project.project_id, cr?.cr_id ?? ''))
    expect(error).toMatchObject({ status: 422, code: 'MANIFEST_INVALID' })
    expect(error.issues.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['agents.Not Valid', 'default_agent']),
    )
    expect(await tipOf(project, 'main')).toBe(before)
    await changeRequests.close(project.project_id, cr?.cr_id ?? '')
  })

  test('it merges neither its own change nor pushes to the default branch, and is told what to do', async () => {
    const before = await tipOf(project, 'main')
    const { session, turn } = await startSession(platform.client, project.project_id, [
      write('proposal.md', 'A proposal\n'),
      commitAndPush('Propose'),
      open('A proposal'),
      bash(
        'svc cr merge "$(svc cr ls --json | grep -m1 -o "\\"number\\": *[0-9]*" | grep -o "[0-9]*")" 2>&1; echo "exit $?"',
      ),
    ])
    proposer = session
    expect(turn.status, turn.outputs.join('\n')).toBe('completed')
    const merge = turn.outputs.at(-1) ?? ''
    expect(merge).toContain('exit 1')
    expect(merge).toMatch(/its own change request/i)

    const push = await promptAgent(
      platform.client,
      session,
      bash('git push origin HEAD:main 2>&1; echo "exit $?"'),
    )
    const output = push.outputs.join('\n')
    expect(output).toContain('exit 1')
    expect(output).toMatch(/change request/i)
    expect(output).toMatch(/svc cr open/)
    const other = await promptAgent(
      platform.client,
      session,
      bash('git push origin HEAD:other-branch 2>&1; echo "exit $?"'),
    )
    expect(other.outputs.join('\n')).toContain('exit 1')
    expect(await tipOf(project, 'main')).toBe(before)
    expect(await tipOf(project, 'other-branch')).toBe('')
  })

  test('its own token gets CR_SELF_MERGE_REFUSED from the API too', async () => {
    const turn = await promptAgent(
      platform.client,
      proposer,
      bash(
        'curl -sS -X POST -H "Authorization: Bearer $SVC_CLI_TOKEN" "$SVC_API_URL/projects/$SVC_PROJECT_ID/change-requests/$(svc cr ls --json | grep -o "\\"number\\": *[0-9]*" | grep -o "[0-9]*" | sort -n | tail -1)/merge" || true',
      ),
    )
    expect(turn.outputs.at(-1)).toContain('CR_SELF_MERGE_REFUSED')
  })
})

test('feedback on a change request wakes the stopped session, and its next commit shows in the diff', async () => {
  const { sessions, changeRequests } = platform.client.projects
  const project = await piProject(platform.client, platform.token, 'Feedback')
  const session = await sessions.create(project.project_id, { initial_prompt: 'Write a file NOTES.md' })
  await awaitTurn(platform.client, session)
  const [cr] = (await changeRequests.list(project.project_id)).items
  if (!cr) throw new Error('No change request was opened')
  expect(await sessions.stop(project.project_id, session.session_id)).toMatchObject({ status: 'stopped' })

  const after = await lastSeq(platform.client, session)
  const answer = await changeRequests.requestChanges(project.project_id, cr.cr_id, {
    feedback: 'Please mention the "licence" in NOTES.md',
  })
  expect(answer.delivering).toBe(true)
  expect(answer.change_request.metadata).toMatchObject({
    requested_changes: [{ text: 'Please mention the "licence" in NOTES.md' }],
  })
  const turn = await awaitTurn(platform.client, session, { after })
  expect(turn).toMatchObject({ status: 'completed' })
  expect(turn.events.find(({ type }) => type === 'prompt')).toMatchObject({ source: 'request_changes' })
  const diff = await changeRequests.diff(project.project_id, cr.cr_id)
  expect(diff.head_sha).not.toBe(cr.head_commit_sha)
  expect(diff.patch).toContain('licence')
})

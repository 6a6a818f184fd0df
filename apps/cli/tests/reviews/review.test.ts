import { describe, expect, it } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { projectId } from '../support/records.ts'
import { ok } from '../support/stub-api.ts'

const { api, run } = await openWorld()
const items = `/v1/projects/${projectId}/review/items`
const review_id = '6f0c1f4e-1111-4222-8333-444455556666'
const at = '2026-11-22T09:30:00.000Z'
const item = (more: object = {}) => ({
  ...{
    review_id,
    project_id: projectId,
    session_id: null,
    kind: 'output',
    title: 'The words',
    summary: 'Shorter.',
  },
  ...{ risk: 'low', files: [{ path: 'a.md', commit_sha: 'b'.repeat(40) }], options: [], url: null },
  ...{ status: 'needs_you', version: 2, verdict_by: null, feedback: null, option: null, decided_at: null },
  ...{ created_by: projectId, created_at: at, updated_at: at },
  ...more,
})

describe('review', () => {
  it('ls lists what needs a person, of every page', async () => {
    api.routes[`GET ${items}`] = ({ query }) =>
      query.get('cursor') === null
        ? ok({ items: [item()], next_cursor: 'n' })
        : ok({ items: [item({ title: 'a\u001b[2J older' })] })
    const { stdout } = await run(['review', 'ls'])
    expect(api.calls[0]?.query.get('status')).toBe('needs_you')
    expect(stdout).toContain('The words')
    expect(stdout).toContain('older')
    expect(stdout).not.toContain('\u001b')
  })

  it('show tells its files, options and verdict', async () => {
    api.routes[`GET ${items}/${review_id}`] = () =>
      ok(
        item({ status: 'changes_requested', feedback: 'Longer', options: [{ id: 'now', label: 'Tonight' }] }),
      )
    const { stdout } = await run(['review', 'show', review_id])
    for (const words of [
      'changes requested',
      'a.md',
      'bbbbbbbbbbbb',
      'Tonight',
      'Feedback: Longer',
      'Shorter.',
    ])
      expect(stdout).toContain(words)
  })

  it('submit makes a decision of options, and the next version with --again', async () => {
    api.routes[`POST ${items}`] = ({ body }) => ok(item(Object(body)))
    await run([
      'review',
      'submit',
      '--title',
      'When',
      '--option',
      'now=Tonight',
      '--option',
      'later=On Monday',
    ])
    expect(api.calls.at(-1)?.body).toEqual({
      title: 'When',
      kind: 'decision',
      options: [
        { id: 'now', label: 'Tonight' },
        { id: 'later', label: 'On Monday' },
      ],
    })
    api.routes[`POST ${items}/${review_id}/resubmit`] = () => ok(item({ version: 3 }))
    await run(['review', 'submit', '--again', review_id, '--file', 'a.md', '--file', 'b.md'])
    expect(api.calls.at(-1)?.body).toEqual({ files: ['a.md', 'b.md'] })
  })

  it('act gives the verdict on the version that is there, or on the one that is named', async () => {
    api.routes[`GET ${items}/${review_id}`] = () => ok(item())
    api.routes[`POST ${items}/${review_id}/act`] = () => ok(item({ status: 'changes_requested' }))
    const { stdout } = await run(['review', 'act', review_id, 'request-changes', '--feedback', 'Longer'])
    expect(stdout).toContain('changes requested')
    expect(api.calls.at(-1)?.body).toEqual({ verdict: 'request_changes', version: 2, feedback: 'Longer' })
    await run(['review', 'act', review_id, 'approve', '--at', '1'])
    expect(api.calls.at(-1)?.body).toEqual({ verdict: 'approve', version: 1 })
  })

  it.each([
    [['submit']],
    [['submit', '--title', 'x', '--option', 'now']],
    [['act', review_id, 'request-changes']],
    [['act', review_id, 'applaud']],
    [['show', '3']],
  ])('%j is misused', async (args) => {
    expect((await run(['review', ...args])).code).toBe(2)
  })
})

import { describe, expect, it } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { hasTerminal, onTerminal } from '../support/on-terminal.ts'
import { changeRequest, projectId } from '../support/records.ts'
import { ok } from '../support/stub-api.ts'

const crs = `/v1/projects/${projectId}/change-requests`
const patch = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\n+new\u001b]0;title\u0007\n'
const { cli, env } = await openWorld({
  [`GET ${crs}`]: () => ok({ change_requests: [changeRequest({ title: 'long '.repeat(60) })] }),
  [`GET ${crs}/3/diff`]: () => ok({ patch, patch_truncated: false }),
})

/** The command on a terminal of 60 columns. */
const run = (args: string, more: Record<string, string> = {}) =>
  onTerminal(`${process.execPath} ${cli.launcher} ${args}`, {
    cwd: cli.work,
    columns: 60,
    env: { ...env, ...more },
  })

describe.skipIf(!hasTerminal)('on a terminal', () => {
  it('cr diff is coloured and cannot command the terminal', async () => {
    const output = await run('cr diff 3')
    expect(output).toContain('\u001b[32m+new')
    expect(output).toContain('\u001b[31m-old')
    expect(output).not.toContain('\u001b]')
  })

  it.each([
    ['PAGER', { PAGER: 'sed s/^/paged:/' }, /^paged:\u001b\[1mdiff --git/m],
    ['less, which leaves a short text where it is', {}, /^\u001b\[1mdiff --git/m],
    ['no pager', { PAGER: '' }, /^\u001b\[1mdiff --git/m],
    ['a pager that is not there', { PAGER: '/nowhere/pager' }, /^\u001b\[1mdiff --git/m],
  ])('cr diff goes through %s', async (_, env, shown) => {
    expect(await run('cr diff 3', env)).toMatch(shown)
  })

  it.each([
    ['cr diff 3 --no-color', { PAGER: 'cat' }],
    ['--no-color cr diff 3', { PAGER: 'cat' }],
    ['cr diff 3', { PAGER: 'cat', NO_COLOR: '1' }],
    ['cr diff 3', { TERM: 'dumb' }],
  ])('%s %j has no colour', async (args, env) => {
    const output = await run(args, env)
    expect(output).toContain('+new')
    expect(output).not.toContain('\u001b')
  })

  it('a table fits', async () => {
    const output = await run('cr ls', { NO_COLOR: '1' })
    expect(output).toContain('…')
    for (const line of output.split('\n')) expect([...line].length).toBeLessThanOrEqual(60)
  })
})

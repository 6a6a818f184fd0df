import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltCli, buildCli } from './built-cli.ts'
import { changeRequest, projectId } from './records.ts'
import { startApi, type StubApi } from './stub-api.ts'

const hasScript = spawnSync('script', ['--version']).status === 0
if (!hasScript && process.env['CI']) throw new Error('these tests need `script` of util-linux')
if (!hasScript)
  console.log('skipped: `script` of util-linux is not installed, so there is no terminal to test on')

let cli: BuiltCli
let api: StubApi
beforeAll(async () => {
  cli = await buildCli()
  const crs = `/v1/projects/${projectId}/change-requests`
  const patch = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\n+new\u001b]0;title\u0007\n'
  api = await startApi({
    [`GET ${crs}`]: () => ({
      status: 200,
      body: { change_requests: [changeRequest({ title: 'long '.repeat(60) })] },
    }),
    [`GET ${crs}/3/diff`]: () => ({ status: 200, body: { patch, patch_truncated: false } }),
  })
})
afterAll(() => Promise.all([cli.close(), api.close()]))

/** The same command with a terminal of 60 columns on all three ends. */
async function onTerminal(args: string, env: Record<string, string> = {}): Promise<string> {
  const child = spawn(
    'script',
    ['-qec', `stty cols 60; ${process.execPath} ${cli.launcher} ${args}`, '/dev/null'],
    {
      cwd: cli.work,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        HOME: cli.work,
        TERM: 'xterm',
        SVC_CLI_TOKEN: 'svc_pat_a',
        SVC_API_URL: api.api_url,
        SVC_PROJECT_ID: projectId,
        ...env,
      },
    },
  )
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  return output.replaceAll('\r\n', '\n')
}

describe.skipIf(!hasScript && !process.env['CI'])('on a terminal', () => {
  it('cr diff is coloured and cannot command the terminal', async () => {
    const output = await onTerminal('cr diff 3')
    expect(output).toContain('\u001b[32m+new')
    expect(output).toContain('\u001b[31m-old')
    expect(output).not.toContain('\u001b]')
  })

  it.each([
    ['cr diff 3 --no-color', {}],
    ['--no-color cr diff 3', {}],
    ['cr diff 3', { NO_COLOR: '1' }],
    ['cr diff 3', { TERM: 'dumb' }],
  ])('%s %j has no colour', async (args, env) => {
    const output = await onTerminal(args, env)
    expect(output).toContain('+new')
    expect(output).not.toContain('\u001b')
  })

  it('a table fits', async () => {
    const output = await onTerminal('cr ls', { NO_COLOR: '1' })
    expect(output).toContain('…')
    for (const line of output.split('\n')) expect([...line].length).toBeLessThanOrEqual(60)
  })
})

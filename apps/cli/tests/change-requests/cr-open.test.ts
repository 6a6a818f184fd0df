import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openWorld } from '../support/open-world.ts'
import { changeRequest, otherProjectId, projectId, sessionId } from '../support/records.ts'
import { refusal } from '../support/stub-api.ts'

const { cli, api, outside, run, bodyOf } = await openWorld()
const base = `/v1/projects/${projectId}`
const crs = `${base}/change-requests`

describe('cr open', () => {
  beforeEach(() => {
    api.routes[`POST ${crs}`] = () => ({ status: 201, body: changeRequest() })
  })

  it('in a sandbox needs the title only', async () => {
    const env = { SVC_BRANCH_NAME: sessionId, SVC_SESSION_ID: sessionId }
    const { code, stdout } = await run(['cr', 'open', '--title', 'x'], { env })
    expect(code).toBe(0)
    expect(stdout).toContain('Opened #3')
    expect(bodyOf('POST')).toEqual({ title: 'x', head_ref: sessionId, session_id: sessionId })
  })

  it('falls back to SVC_HEAD_REF, and flags win over the environment', async () => {
    const env = { SVC_HEAD_REF: 'from-env', SVC_SESSION_ID: sessionId }
    await run(['cr', 'open', '--title', 'x'], { env })
    expect(bodyOf('POST')).toMatchObject({ head_ref: 'from-env' })
    api.calls.length = 0
    await run(['cr', 'open', '--title', 'x', '--head', 'mine', '--session', 's', '--base', 'dev'], { env })
    expect(bodyOf('POST')).toEqual({ title: 'x', head_ref: 'mine', session_id: 's', base_ref: 'dev' })
  })

  it.each(['open', 'new', 'create'])('%s takes the other spellings of its flags', async (word) => {
    await run(['cr', word, '--title', 'x', '--from', 'h', '--into', 'b', '--body', 'd'])
    expect(bodyOf('POST')).toEqual({ title: 'x', head_ref: 'h', base_ref: 'b', description: 'd' })
  })

  it("does not name a sandbox's session in another project", async () => {
    api.routes[`POST /v1/projects/${otherProjectId}/change-requests`] = () => ({
      status: 201,
      body: changeRequest(),
    })
    const env = { SVC_BRANCH_NAME: 'h', SVC_SESSION_ID: sessionId }
    await run(['cr', 'open', '--title', 'x', '--project', otherProjectId], { env })
    expect(bodyOf('POST')).toEqual({ title: 'x', head_ref: 'h' })
  })

  it('outside of a linked folder requires --head', async () => {
    const { code, stderr } = await run(['cr', 'open', '--title', 'x'])
    expect(code).toBe(2)
    expect(stderr).toContain('--head is required')
    expect(api.calls).toEqual([])
  })

  it('in a linked folder takes the current branch', async () => {
    const cwd = join(cli.work, 'repo')
    await mkdir(join(cwd, '.svc'), { recursive: true })
    await writeFile(join(cwd, '.svc/link.json'), JSON.stringify({ project_id: projectId, host: 'local-dev' }))
    execFileSync('git', ['init', '-q', '-b', 'topic', cwd])
    const { code } = await cli.run(['cr', 'open', '--title', 'x', '--json'], { cwd, env: outside })
    expect(code).toBe(0)
    expect(bodyOf('POST')).toEqual({ title: 'x', head_ref: 'topic' })
  })

  it.each([
    ['CR_HEAD_NOT_AHEAD', 422, {}, 'push'],
    ['CR_ALREADY_OPEN', 409, { number: 8 }, 'svc cr show 8'],
  ])('refused with %s says what to do', async (code, status, details, next) => {
    api.routes[`POST ${crs}`] = () => refusal(status, code, 'No', details)
    const result = await run(['cr', 'open', '--title', 'x', '--head', 'h'])
    expect(result.code).toBe(1)
    expect(result.stderr).toContain(`(${code}, ${status})`)
    expect(result.stderr).toContain(next)
  })
})

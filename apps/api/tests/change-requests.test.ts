import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld } from './support/world.ts'

const { platform, api, token: owner, newProject } = await openWorld()
let folder: string
let base: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-cr-'))
  const project_id = await newProject()
  base = `/v1/projects/${project_id}/change-requests`
  const address = `${api.origin.replace('//', `//x:${owner}@`)}/v1/git/${project_id}.git`
  await git('clone', '--quiet', address, folder)
  await commitOn('work', 'first')
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const token = () => ({ token: owner })

async function git(...args: string[]): Promise<void> {
  const identity = { NAME: 'T', EMAIL: 't@svc.invalid' }
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) =>
      Object.entries(identity).map(([key, value]) => [`GIT_${who}_${key}`, value]),
    ),
  )
  await promisify(execFile)('git', args, { env: { PATH: process.env.PATH ?? '', HOME: folder, ...env } })
}

async function commitOn(branch: string, message: string): Promise<void> {
  await git('-C', folder, 'commit', '--quiet', '--allow-empty', '-m', message)
  await git('-C', folder, 'push', '--quiet', 'origin', `HEAD:${branch}`)
}

test('a change request has an ETag, and is 304 until a commit or an edit changes it', async () => {
  const json = { title: 'T', head_ref: 'work' }
  const opened = await platform.call(base, { method: 'POST', ...token(), json })
  expect(opened.status).toBe(201)
  const path = `${base}/${opened.pick('cr_id')}`
  const read = (tag?: string) =>
    platform.call(path, { ...token(), headers: tag === undefined ? {} : { 'if-none-match': tag } })

  const first = await read()
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\/".+"$/)
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  expect(await read(etag)).toMatchObject({ status: 304, text: '' })

  await commitOn('work', 'second')
  const second = await read(etag)
  expect(second.status).toBe(200)
  expect(second.headers.get('etag')).not.toBe(etag)

  await platform.call(path, { method: 'PATCH', ...token(), json: { title: 'Other' } })
  expect(await read(second.headers.get('etag') ?? '')).toMatchObject({ status: 200 })
})

test('an address that is neither a number nor a uuid is refused in plain words', async () => {
  const message = 'must be a number or a uuid'
  expect(await platform.call(`${base}/abc`, token())).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', issues: [{ path: 'cr_id', message }] },
  })
})

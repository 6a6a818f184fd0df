import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openWorld } from './support/open-world.ts'
import { projectId } from './support/records.ts'
import { ok } from './support/stub-api.ts'

const secret = (name: string) => ({
  name,
  created_by: null,
  created_at: '',
  updated_at: '',
  configured: true,
})
const path = `/v1/projects/${projectId}/secrets`
const listed = { items: [secret('TOKEN')], required: ['KEY', 'TOKEN'], optional: ['EXTRA'], missing: ['KEY'] }
const { cli, api, run } = await openWorld({
  [`GET ${path}`]: () => ok(listed),
  [`PUT ${path}/A`]: () => ok(secret('A')),
  [`PUT ${path}/B`]: () => ok(secret('A')),
})
afterEach(() => rm(join(cli.work, '.env'), { force: true }))

it('pull writes every name once, without a value, for its owner alone', async () => {
  expect(await run(['env', 'pull'])).toMatchObject({
    code: 0,
    stdout: 'Wrote 3 names to .env\n',
  })
  const file = join(cli.work, '.env')
  expect(await readFile(file, 'utf8')).toBe('EXTRA=\nKEY=\nTOKEN=\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

it('pull replaces a file only by --force', async () => {
  await writeFile(join(cli.work, '.env'), 'MINE=1')
  const refused = await run(['env', 'pull'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('--force replaces it')
  expect(await readFile(join(cli.work, '.env'), 'utf8')).toBe('MINE=1')
  expect((await run(['env', 'pull', '--force'])).code).toBe(0)
  expect(await readFile(join(cli.work, '.env'), 'utf8')).toContain('KEY=')
})

it('push sets each value of the file, and leaves out what has none', async () => {
  await writeFile(join(cli.work, '.env'), '# comment\nexport A="one # two"\nB=x=y\nEMPTY=\n\nSECRET\n')
  const { code, stdout, stderr } = await run(['env', 'push', '--from', '.env'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Set A\nSet B\n' })
  expect(stderr).toContain('Left out EMPTY')
  expect(stderr).toContain('Left out line 6: it is no NAME=VALUE')
  expect(stderr).not.toContain('line 1')
  expect(api.calls.map(({ body }) => body)).toEqual([{ value: 'one # two' }, { value: 'x=y' }])
})

it('push calls no line of a value with several lines a strange one', async () => {
  await writeFile(join(cli.work, '.env'), 'A="one\ntwo"\n')
  const { code, stderr } = await run(['env', 'push', '--from', '.env'])
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Left out') })
  expect(api.calls.map(({ body }) => body)).toEqual([{ value: 'one\ntwo' }])
})

it.each([
  ['A=1\nSVC_TOKEN=x\n', 1, "SVC_TOKEN is a name of the platform's own"],
  ['A=1\n2B=x\n', 2, '2B is not a name for a secret'],
])('push sends nothing of a file with a name that cannot be: %j', async (content, expected, problem) => {
  await writeFile(join(cli.work, '.env'), content)
  const { code, stderr } = await run(['env', 'push', '--from', '.env'])
  expect(code).toBe(expected)
  expect(stderr).toContain(problem)
  expect(api.calls).toEqual([])
})

it('push says which file it cannot read', async () => {
  const { code, stderr } = await run(['env', 'push', '--from', 'nope'])
  expect(code).toBe(1)
  expect(stderr).toContain('cannot read nope')
})

import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { buildCli } from '../support/built-cli.ts'

const cli = await buildCli()
beforeAll(async () => {
  // The folder of the built command becomes a checkout with the platform of this one, which judges the settings.
  await writeFile(join(cli.folder, 'package.json'), '{ "name": "svc-platform", "type": "module" }')
  await mkdir(join(cli.folder, 'apps/standalone'), { recursive: true })
  const built = fileURLToPath(new URL('../../../standalone/dist', import.meta.url))
  await symlink(built, join(cli.folder, 'apps/standalone/dist'))
})
const run = (...args: string[]) => cli.run(['self-host', 'env', ...args], { env: { CI: '' } })

it.each([
  [['SVC_BOGUS=1'], 'SVC_BOGUS: nothing reads this setting'],
  [['SVC_PROT=7800'], 'SVC_PROT: nothing reads this setting; did you mean SVC_PORT?'],
  [['SVC_PORT=abc'], 'SVC_PORT: must be a number (given: "abc")'],
  [['SVC_MODEL=m', 'SVC_MERGE_CONCURRENCY=0'], 'SVC_MERGE_CONCURRENCY: must be at least 1'],
  [['SVC_LOG_LEVEL=debug', 'SVC_TRIGGER_HISTORY_DAY=3'], 'did you mean SVC_TRIGGER_HISTORY_DAYS?'],
])('%j is refused by the schemas of the services, and nothing is written', async (words, problem) => {
  const { code, stdout, stderr } = await run('set', ...words)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(problem)
  expect(stderr).toContain('none was changed')
  expect((await run('ls')).stdout).toBe('')
})

it('settings of services, of containers and of the machine are kept', async () => {
  const names = ['SVC_MERGE_CONCURRENCY=2', 'SVC_TRUST_PROXY=true', 'SVC_IMAGE=svc:1', 'TZ=UTC']
  expect(await run('set', ...names)).toMatchObject({ code: 0, stderr: '' })
  expect((await run('ls')).stdout).toBe(
    'SVC_IMAGE=svc:1\nSVC_MERGE_CONCURRENCY=2\nSVC_TRUST_PROXY=true\nTZ=UTC\n',
  )
})

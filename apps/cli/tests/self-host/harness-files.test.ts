import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { buildCli } from '../support/built-cli.ts'

const cli = await buildCli()
await writeFile(join(cli.folder, 'package.json'), '{ "name": "svc-platform", "type": "module" }')
const dist = join(cli.folder, 'apps/standalone/dist')
await mkdir(dist, { recursive: true })

/** Stands in for the built platform, whose own tests hold its work. */
const platform = (program: string) => writeFile(join(dist, 'harness-files.js'), program)
const run = (...args: string[]) =>
  cli.run(['harnesses', ...args], { env: { SVC_DATA_DIR: join(cli.folder, 'data') } })

const install = {
  name: 'claude',
  version: '0.49.0',
  target: 'linux-x64-glibc-node20',
  digest: 'd',
  problem: null,
}
beforeEach(() => platform(`process.stderr.write('it is not so\\n'); process.exitCode = 1`))

it('verify shows each install, and fails for one that is damaged with the way out', async () => {
  await platform(`console.log(JSON.stringify({ installs: [${JSON.stringify(install)}] }))`)
  const well = await run('verify')
  expect(well.code).toBe(0)
  expect(well.stdout).toMatch(/claude\s+0\.49\.0\s+linux-x64-glibc-node20\s+as installed/)
  const damaged = { ...install, problem: 'a.js has changed.' }
  await platform(`console.log(JSON.stringify({ installs: [${JSON.stringify(damaged)}] }))`)
  const ill = await run('verify', 'claude')
  expect(ill.code).toBe(1)
  expect(ill.stdout).toContain('a.js has changed.')
  expect(ill.stderr).toContain('svc harnesses rm claude --version 0.49.0')
  await platform(`console.log(JSON.stringify({ installs: [] }))`)
  expect((await run('verify', 'codex')).stdout).toBe('codex is not installed on this machine\n')
})

it('export writes the archive and nothing else', async () => {
  await platform(`process.stdout.write(process.argv.slice(2).join('|') + process.env.SVC_DATA_DIR)`)
  const { code, stdout, stderr } = await run('export', 'codex', '--version', '2.6.0')
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `export|codex|2.6.0${join(cli.folder, 'data')}`,
    stderr: '',
  })
})

it('import gives the file to the platform, and says how it is taken into use', async () => {
  const file = join(cli.work, 'codex.tgz')
  await writeFile(file, 'x'.repeat(1_000_000))
  await platform(`
    let bytes = 0
    for await (const chunk of process.stdin) bytes += chunk.length
    console.log(JSON.stringify({ name: 'codex', version: '2.6.0', digest: process.argv[3], bytes }))`)
  const { code, stdout, stderr } = await run('import', 'codex.tgz', '--digest', 'abc')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Imported codex 2.6.0\nDigest abc\n' })
  expect(stderr).toContain('svc harnesses install codex')
  expect(JSON.parse((await run('import', 'codex.tgz', '--json')).stdout)).toMatchObject({ bytes: 1_000_000 })
})

it.each([
  [['export', 'codex'], 'it is not so', 'svc harnesses install codex'],
  [['verify'], 'it is not so', 'as the user of the platform'],
  [['import', 'none.tgz'], 'none.tgz cannot be read', 'svc harnesses export'],
])('%j fails with the words of the platform and the next step', async (args, words, next) => {
  const { code, stderr } = await run(...args)
  expect(code).toBe(1)
  expect(stderr).toContain(words)
  expect(stderr).toContain(next)
})

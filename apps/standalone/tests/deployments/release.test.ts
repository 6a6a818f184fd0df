import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { git } from '../support/clients/git.ts'
import { run } from '../support/platform/run.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
let folder: string
let checkout: string
let commit: string

/** A program that writes down how it was called, and answers as the script says. */
async function standIn(name: string, script: string): Promise<void> {
  const file = join(folder, 'bin', name)
  await writeFile(file, `#!/bin/sh\nprintf '%s\\n' "${name} $*" >> ${folder}/calls\n${script}\n`)
  await chmod(file, 0o755)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-release-'))
  checkout = join(folder, 'checkout')
  await Promise.all([mkdir(join(folder, 'bin')), mkdir(checkout)])
  await cp(join(root, 'infra/release'), join(checkout, 'infra/release'), { recursive: true })
  await writeFile(
    join(checkout, 'package.json'),
    '{ "version": "1.2.3", "license": "Apache-2.0", "type": "module" }',
  )
  await git(['init', '--quiet'], { cwd: checkout })
  await git(['add', '.'], { cwd: checkout })
  await git(['commit', '--quiet', '--message', 'Release'], { cwd: checkout })
  commit = (await git(['rev-parse', 'HEAD'], { cwd: checkout })).trim()
  await standIn(
    'docker',
    `[ "$1" = image ] && for last; do :; done && echo "sha256:0a \${last%:*}@sha256:0b,other@sha256:0c"; true`,
  )
  await standIn('npx', 'true')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const release = (...args: string[]) =>
  run(process.execPath, [join(checkout, 'infra/release/build-images.mjs'), ...args], {
    env: { PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}` },
  })

test('each image has the tags and labels of its version and commit; digests and packages are written down', async () => {
  const out = join(folder, 'out')
  const { code, stderr } = await release('registry.example/acme', '--out', out, '--push')
  expect(code, stderr).toBe(0)
  const calls = (await readFile(join(folder, 'calls'), 'utf8')).split('\n')
  const [platform = '', push] = calls
  const short = commit.slice(0, 12)
  for (const words of [
    'infra/docker/Dockerfile',
    `--build-arg COMMIT=${commit}`,
    '--label org.opencontainers.image.version=1.2.3',
    `--label org.opencontainers.image.revision=${commit}`,
    '--label org.opencontainers.image.licenses=Apache-2.0',
    '--tag registry.example/acme/svc-platform:1.2.3',
    `--tag registry.example/acme/svc-platform:${short}`,
  ])
    expect(platform).toContain(words)
  expect(push).toBe('docker push --quiet registry.example/acme/svc-platform:1.2.3')
  expect(calls.some((call) => /^npx .*cdxgen.*sbom\.cdx\.json/.test(call))).toBe(true)
  const written = JSON.parse(await readFile(join(out, 'images.json'), 'utf8'))
  expect(written).toMatchObject({ version: '1.2.3', commit })
  expect(written.images).toEqual(
    ['svc-platform', 'svc-sandbox-base'].map((name) => ({
      name,
      tags: [`registry.example/acme/${name}:1.2.3`, `registry.example/acme/${name}:${short}`],
      image_id: 'sha256:0a',
      digest: `registry.example/acme/${name}@sha256:0b`,
    })),
  )
})

test('a checkout with changes is refused, and a call without a registry', async () => {
  expect(await release()).toMatchObject({ code: 2, stderr: expect.stringContaining('usage: ') })
  await writeFile(join(checkout, 'package.json'), '{}')
  const { code, stderr } = await release('registry.example/acme')
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Commit them first.') })
})

test('each section of the changelog says what an operator has to do at the upgrade, or that it is nothing', async () => {
  const [, ...sections] = (await readFile(join(root, 'CHANGELOG.md'), 'utf8')).split(/^## /m)
  expect(sections.length).toBeGreaterThan(0)
  const without = sections.filter((section) => !/^### Upgrade notes\n\s*[^#\s]/m.test(section))
  expect(without.map((section) => section.split('\n', 1)[0])).toEqual([])
})

test('a tag is released when it fits the version, the chart and the changelog', async () => {
  const write = (path: string, text: string) => writeFile(join(checkout, path), text)
  const notes = (tag: string) =>
    run(process.execPath, [join(checkout, 'infra/release/release-notes.mjs'), tag])
  await mkdir(join(checkout, 'infra/helm/svc'), { recursive: true })
  await write('package.json', '{ "version": "1.2.3" }')
  await write('infra/helm/svc/Chart.yaml', 'version: 1.2.3\nappVersion: 1.2.2\n')
  await write(
    'CHANGELOG.md',
    '# Changelog\n\n## 1.2.3\n\n### Upgrade notes\n\n### Added\n\n- More\n\n## 1.2.2\n',
  )
  const refusals = [
    ['v1.2.4', 'is not v1.2.3', 'infra/helm/svc/Chart.yaml', 'version: 1.2.3\nappVersion: 1.2.2\n'],
    ['v1.2.3', 'The appVersion of', 'infra/helm/svc/Chart.yaml', 'version: 1.2.3\nappVersion: 1.2.3\n'],
    ['v1.2.3', 'has no "### Upgrade notes"', 'CHANGELOG.md', '# Changelog\n'],
    [
      'v1.2.3',
      'no heading "## 1.2.3"',
      'CHANGELOG.md',
      '## 1.2.3 (2026)\n\n### Upgrade notes\n\nNone.\n\n## 1\n',
    ],
  ] as const
  for (const [tag, said, path, mended] of refusals) {
    expect(await notes(tag)).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
    await write(path, mended)
  }
  expect(await notes('v1.2.3')).toMatchObject({ code: 0, stdout: '### Upgrade notes\n\nNone.\n\n' })
})

test('the workflow of a release runs programs that are there, after the whole check', async () => {
  const workflow: Workflow = parse(await readFile(join(root, '.github/workflows/release.yml'), 'utf8'))
  expect(workflow.on.push.tags).toEqual(['v*'])
  const { check, release } = workflow.jobs
  expect(check?.uses).toBe('./.github/workflows/ci.yml')
  expect(parse(await readFile(join(root, '.github/workflows/ci.yml'), 'utf8')).on).toHaveProperty(
    'workflow_call',
  )
  expect(release?.needs).toBe('check')
  expect(release?.permissions).toEqual({ contents: 'write', packages: 'write' })
  const commands = (release?.steps ?? []).map((step) => step.run ?? '')
  const programs = commands.flatMap((command) => command.match(/infra\/[\w./-]+/g) ?? [])
  expect(programs).toEqual(['infra/release/release-notes.mjs', 'infra/release/build-images.mjs'])
  for (const program of programs) expect(existsSync(join(root, program)), program).toBe(true)
})

interface Workflow {
  readonly on: { readonly push: { readonly tags: readonly string[] } }
  readonly jobs: Readonly<Record<string, Job>>
}

interface Job {
  readonly uses?: string
  readonly needs?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps?: readonly { readonly run?: string }[]
}

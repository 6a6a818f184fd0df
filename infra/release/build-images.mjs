#!/usr/bin/env node
/**
 * Builds the images of a release from a clean checkout:
 *
 *   node infra/release/build-images.mjs <registry/path> [--out <folder>] [--push]
 *
 * Each has the tags of its version and of its commit, and labels that name both. The folder (`.release`) gets
 * `images.json` with their digests, and `sbom.cdx.json`, the packages of the lock file as CycloneDX. A digest is known
 * once an image was pushed; before, only the id that it has on this machine.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sbomTool = '@cyclonedx/cdxgen@12.8.4'
const images = [
  { name: 'svc-platform', dockerfile: 'infra/docker/Dockerfile', context: '.' },
  { name: 'svc-sandbox-base', dockerfile: 'infra/sandbox-image/Dockerfile', context: 'infra/sandbox-image' },
]

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: join(root, '.release') },
    push: { type: 'boolean', default: false },
  },
})
const [registry, ...rest] = positionals
if (registry === undefined || rest.length > 0) {
  fail('usage: node infra/release/build-images.mjs <registry/path> [--out <folder>] [--push]', 2)
}
if (read('git', ['status', '--porcelain']) !== '') {
  fail(
    'The checkout has changes that no commit holds, so that no commit would name what is built. Commit them first.',
    1,
  )
}
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const commit = read('git', ['rev-parse', 'HEAD'])
// Of the commit and not of this moment: the same commit has the same labels.
const created = new Date(read('git', ['show', '--no-patch', '--format=%cI', 'HEAD'])).toISOString()

mkdirSync(values.out, { recursive: true })
const built = images.map(build)
// From the lock file alone: it installs nothing and runs no hook of a package.
const sbom = ['--type', 'pnpm', '--no-install-deps', '--no-babel', '--spec-version', '1.6']
run('npx', ['--yes', sbomTool, ...sbom, '--output', join(values.out, 'sbom.cdx.json'), root])
writeFileSync(
  join(values.out, 'images.json'),
  `${JSON.stringify({ version, commit, images: built }, null, 2)}\n`,
)

function build({ name, dockerfile, context }) {
  const repository = `${registry}/${name}`
  const tags = [version, commit.slice(0, 12)].map((tag) => `${repository}:${tag}`)
  const labels = { title: name, version, revision: commit, created, licenses: license }
  run('docker', [
    ...['build', '--file', join(root, dockerfile), '--build-arg', `COMMIT=${commit}`],
    ...Object.entries(labels).flatMap(([key, value]) => [
      '--label',
      `org.opencontainers.image.${key}=${value}`,
    ]),
    ...tags.flatMap((tag) => ['--tag', tag]),
    join(root, context),
  ])
  if (values.push) for (const tag of tags) run('docker', ['push', '--quiet', tag])
  const [id = '', digests = ''] = read('docker', [
    ...['image', 'inspect', '--format', '{{.Id}} {{join .RepoDigests ","}}', tags[0]],
  ]).split(' ')
  const digest = digests.split(',').find((one) => one.startsWith(`${repository}@`)) ?? null
  return { name, tags, image_id: id, digest }
}

function read(program, args) {
  return String(execFileSync(program, args, { cwd: root })).trim()
}

function run(program, args) {
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 2, 2] })
}

function fail(text, code) {
  process.stderr.write(`${text}\n`)
  process.exit(code)
}

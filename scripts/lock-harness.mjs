// Makes the lock of one version of a harness anew; the first package gives the version's name:
//   node scripts/lock-harness.mjs claude @agentclientprotocol/claude-agent-acp@0.49.0
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const locks = join(import.meta.dirname, '..', 'packages', 'harness', 'locks')
const [name, ...wanted] = process.argv.slice(2)
const packages = wanted.map((text) => /^(?<name>.+)@(?<version>\d+\.\d+\.\d+\S*)$/.exec(text)?.groups)
if (!/^[a-z0-9][a-z0-9-]*$/.test(name ?? '') || packages.length === 0 || packages.includes(undefined)) {
  process.stderr.write(
    'Usage: node scripts/lock-harness.mjs <name> <package>@<version> [<package>@<version> ...]\n',
  )
  process.exit(2)
}

const scratch = mkdtempSync(join(tmpdir(), 'svc-lock-harness-'))
try {
  const manifest = {
    name: `svc-harness-${name}`,
    private: true,
    dependencies: Object.fromEntries(packages.map((entry) => [entry.name, entry.version])),
  }
  writeFileSync(join(scratch, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  // Addresses are left out: an install asks the registry of its operator, and the integrity says what it may get.
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']
  const settings = ['--lockfile-version=3', '--omit-lockfile-registry-resolved']
  const { status, error } = spawnSync('npm', [...args, ...settings], { cwd: scratch, stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error('npm made no lock file.')
  refuseUnlocked(JSON.parse(readFileSync(join(scratch, 'package-lock.json'), 'utf8')))

  const folder = join(locks, name, packages[0].version)
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(scratch, file), join(folder, file))
  process.stdout.write(`${folder}\n`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function refuseUnlocked(lock) {
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') continue
    if (typeof entry.integrity !== 'string' || 'resolved' in entry || entry.link === true)
      throw new Error(`${path} has no integrity or an address of its own, so it cannot be locked.`)
  }
}

#!/usr/bin/env node
/**
 * The base image without a registry: the programs of this Debian or Ubuntu machine in an image of their own.
 *
 *   node infra/sandbox-image/make-base-image.mjs [tag]      (DOCKER_HOST names the engine)
 *
 * Holds the same programs as the Dockerfile beside it, their libraries, certificates and nothing of this machine's data.
 */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const packages = [
  'bash',
  'ca-certificates',
  'coreutils',
  'curl',
  'dash',
  'debianutils',
  'diffutils',
  'findutils',
]
const more = [
  'git',
  'grep',
  'gzip',
  'less',
  'libc-bin',
  'mawk',
  'openssl',
  'procps',
  'ripgrep',
  'sed',
  'tar',
  'util-linux',
]
const unneeded = /^\/usr\/share\/(doc|man|info|locale|lintian|bash-completion|bug)\/|^\/(etc|var|boot)\//
const certificates = ['/etc/ssl/certs', '/etc/ssl/openssl.cnf', '/etc/ca-certificates.conf']

export function makeBaseImage({ host, tag }) {
  if (!existsSync('/usr/bin/dpkg-query')) {
    throw new Error(
      'The programs of this machine are no Debian packages: build infra/sandbox-image/Dockerfile instead.',
    )
  }
  const installed = [...packages, ...more].filter((name) => output('dpkg-query', ['-L', name]) !== null)
  const missing = ['bash', 'coreutils', 'git'].filter((name) => !installed.includes(name))
  if (missing.length > 0) throw new Error(`Install first: ${missing.join(', ')}`)
  const owned = installed.flatMap((name) => (output('dpkg-query', ['-L', name]) ?? '').split('\n'))
  const files = new Set(owned.filter((path) => path !== '' && !unneeded.test(path)).flatMap(withTargets))
  for (const path of librariesOf([...files, process.execPath]))
    for (const part of withTargets(path)) files.add(part)
  for (const path of certificates) if (existsSync(path)) files.add(path)
  importFiles(host, tag, [...files])
}

/** A path as it is on a machine whose /bin and /lib are links into /usr, and what it points at. */
function withTargets(path) {
  if (!existsSync(path)) return []
  const stat = lstatSync(path)
  if (stat.isDirectory()) return []
  const place = join(realpathSync(dirname(path)), path.slice(path.lastIndexOf('/') + 1))
  if (!stat.isSymbolicLink()) return [place]
  return [place, ...(readlinkSync(path) === '' ? [] : withTargets(realpathSync(path)))]
}

function librariesOf(files) {
  const programs = files.filter((path) => {
    const stat = lstatSync(path)
    return stat.isFile() && (stat.mode & 0o111) !== 0
  })
  const found = new Set([
    '/usr/lib/x86_64-linux-gnu/libnss_files.so.2',
    '/usr/lib/x86_64-linux-gnu/libnss_dns.so.2',
  ])
  const { stdout } = spawnSync('ldd', programs, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  for (const [, path] of stdout.matchAll(/(?:=> |^\t)(\/\S+) \(0x/gm)) found.add(path)
  return [...found].filter((path) => existsSync(path))
}

const skeleton = {
  'etc/passwd':
    'root:x:0:0:root:/root:/bin/sh\nsvc:x:1000:1000:svc:/opt/svc/home:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n',
  'etc/group': 'root:x:0:\nsvc:x:1000:\nnogroup:x:65534:\n',
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
}

function importFiles(host, tag, files) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-base-image-'))
  try {
    for (const path of [
      'etc',
      'usr',
      'var',
      'root',
      'proc',
      'sys',
      'dev',
      'run',
      'workspace',
      'opt/svc/home',
    ])
      must('mkdir', ['-p', join(folder, path)])
    must('mkdir', ['-p', '-m', '1777', join(folder, 'tmp'), join(folder, 'var/tmp')])
    for (const [path, text] of Object.entries(skeleton)) writeFileSync(join(folder, path), text)
    for (const link of ['bin', 'sbin', 'lib', 'lib64']) must('ln', ['-s', `usr/${link}`, join(folder, link)])
    must('chown', ['-R', '1000:1000', join(folder, 'workspace'), join(folder, 'opt/svc/home')])
    const list = join(folder, '.files')
    writeFileSync(list, files.map((path) => `.${path}\n`).join(''))
    const archive =
      'tar -C / --no-recursion -cf - --verbatim-files-from -T "$1" | tar -C "$2" -xf - && rm "$1"'
    must('sh', ['-c', archive, 'sh', list, folder])
    const certs = certificates.filter((path) => existsSync(path)).map((path) => `.${path}`)
    if (certs.length > 0)
      must('sh', ['-c', 'f=$1; shift; tar -C / -chf - "$@" | tar -C "$f" -xf -', 'sh', folder, ...certs])
    const changes = [
      'USER 1000:1000',
      'WORKDIR /workspace',
      'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ]
    const flags = changes.flatMap((change) => ['-c', change])
    const script = 'f=$1; shift; tar -C "$f" -cf - . | docker import "$@"'
    must(
      'sh',
      ['-c', script, 'sh', folder, ...flags, '-', tag],
      host === undefined ? {} : { DOCKER_HOST: host },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function output(command, args) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  return status === 0 ? stdout : null
}

function must(command, args, env = {}) {
  const options = { encoding: 'utf8', env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] }
  const { status, stderr } = spawnSync(command, args, options)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const tag = process.argv[2] ?? 'svc-sandbox-base'
  makeBaseImage({ host: process.env.DOCKER_HOST, tag })
  process.stdout.write(`${tag}\n`)
}

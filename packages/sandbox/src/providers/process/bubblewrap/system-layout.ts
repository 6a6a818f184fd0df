import { chmod, lstat, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SystemLayout } from './bubblewrap-arguments.ts'

const programFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store']

const harmlessEtc = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/ca-certificates.conf',
  '/etc/crypto-policies',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/etc/protocols',
  '/etc/services',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/timezone',
]

/** Looks at how this machine's system folders are laid out. */
export async function readSystemLayout(): Promise<SystemLayout> {
  const seen = await Promise.all(programFolders.map(async (path) => ({ path, kind: await kindOf(path) })))
  const etc = await Promise.all(harmlessEtc.map(async (path) => ({ path, kind: await kindOf(path) })))
  return {
    links: seen.flatMap(({ path, kind }) => (kind?.link === undefined ? [] : [{ path, target: kind.link }])),
    folders: seen.flatMap(({ path, kind }) => (kind !== null && kind.link === undefined ? [path] : [])),
    etc: etc.flatMap(({ path, kind }) => (kind === null ? [] : [path])),
  }
}

async function kindOf(path: string): Promise<{ readonly link?: string } | null> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return null
  return found.isSymbolicLink() ? { link: await readlink(path) } : {}
}

const fixed: Readonly<Record<string, string>> = {
  passwd: [
    'root:x:0:0:root:/root:/usr/sbin/nologin',
    'svc:x:1000:1000:svc:/opt/svc/home:/bin/sh',
    'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
    '',
  ].join('\n'),
  group: ['root:x:0:', 'svc:x:1000:', 'nogroup:x:65534:', ''].join('\n'),
  'nsswitch.conf': [
    'passwd: files',
    'group: files',
    'hosts: files dns',
    'protocols: files',
    'services: files',
    '',
  ].join('\n'),
}

/**
 * Writes the sandbox's own /etc files. Names resolve as they do on the host where it shares the host's network; in a
 * network of its own they are the proxy's to resolve.
 */
export async function writeEtcFiles(folder: string, ownNetwork: boolean): Promise<readonly string[]> {
  const [hosts, resolver] = ownNetwork
    ? ['127.0.0.1 localhost\n::1 localhost\n', '# Names are resolved by the proxy.\n']
    : await Promise.all([
        readFile('/etc/hosts', 'utf8').catch(() => '127.0.0.1 localhost\n'),
        readFile('/etc/resolv.conf', 'utf8').catch(() => ''),
      ])
  const files = { ...fixed, hosts: `${hosts.trimEnd()}\n127.0.0.1 sandbox\n`, 'resolv.conf': resolver }
  await Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      await writeFile(join(folder, name), text)
      await chmod(join(folder, name), 0o644)
    }),
  )
  return Object.keys(files)
}

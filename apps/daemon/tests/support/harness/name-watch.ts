import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface NameWatch {
  /** The names that were looked up, in their order. */
  readonly names: readonly string[]
  /** Words before a command line, so that its processes look names up here and nowhere else. */
  readonly before: readonly string[]
  close(): Promise<void>
}

/** The reason that look-ups cannot be watched on this machine; null where they can. */
export function unwatched(): string | null {
  if (process.getuid?.() !== 0) return 'only root may answer on the port of DNS'
  const made = spawnSync('unshare', ['--mount', 'mount', '--bind', '/etc/resolv.conf', '/etc/resolv.conf'])
  return made.status === 0 ? null : 'no mount namespace can be made here'
}

/** Answers every look-up with no such name, and writes it down. */
export async function watchNames(address: string, folder: string): Promise<NameWatch> {
  const names: string[] = []
  const dns = createSocket('udp4')
  dns.on('message', (query, from) => {
    names.push(readName(query))
    const answer = Buffer.from(query)
    answer.writeUInt16BE(0x8183, 2)
    dns.send(answer, from.port, from.address)
  })
  dns.bind(53, address)
  await once(dns, 'listening')
  const resolver = join(folder, 'resolv.conf')
  writeFileSync(resolver, `nameserver ${address}\noptions timeout:1 attempts:1\n`)
  const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
  return {
    names,
    before: ['unshare', '--mount', 'sh', '-c', script, resolver],
    close: async () => {
      const closed = once(dns, 'close')
      dns.close()
      await closed
    },
  }
}

export function readName(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12; ;) {
    const length = query[at] ?? 0
    if (length === 0) return labels.join('.')
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
}

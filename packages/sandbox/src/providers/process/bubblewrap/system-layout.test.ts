import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSystemLayout, writeEtcFiles } from './system-layout.ts'

describe.runIf(process.platform === 'linux')('readSystemLayout', () => {
  it('finds the shell’s folder as a link or as a folder, not as both', async () => {
    const { links, folders } = await readSystemLayout()
    const found = [...links.map(({ path }) => path), ...folders]
    expect(found.filter((path) => path === '/bin')).toHaveLength(1)
    expect(new Set(found).size).toBe(found.length)
  })

  it('takes nothing of /etc that tells of people or keys', async () => {
    const { etc } = await readSystemLayout()
    for (const path of [
      '/etc',
      '/etc/passwd',
      '/etc/shadow',
      '/etc/ssl',
      '/etc/ssl/private',
      '/etc/environment',
    ]) {
      expect(etc).not.toContain(path)
    }
  })
})

describe('writeEtcFiles', () => {
  it.each([true, false])('makes a small set of its own (own network: %s)', async (own) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-etc-'))
    const names = await writeEtcFiles(folder, own)
    expect((await readdir(folder)).toSorted()).toEqual(names.toSorted())
    expect(await readFile(join(folder, 'passwd'), 'utf8')).toContain(
      'svc:x:1000:1000:svc:/opt/svc/home:/bin/sh',
    )
    expect(await readFile(join(folder, 'hosts'), 'utf8')).toMatch(/localhost[^]*\n127\.0\.0\.1 sandbox\n$/)
    const resolver = await readFile(join(folder, 'resolv.conf'), 'utf8')
    if (own) expect(resolver).not.toContain('nameserver')
    expect((await stat(join(folder, 'passwd'))).mode & 0o444).toBe(0o444)
    await rm(folder, { recursive: true })
  })
})

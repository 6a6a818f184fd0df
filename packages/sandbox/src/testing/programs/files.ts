import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import {
  type Entry,
  archiveOf,
  filesOf,
  forever,
  openSandbox,
  type ProgramsFixture,
  runScript,
  untilPhase,
  textOf,
  linesOf,
} from './fixture.ts'

/** The entries of an archive by path: the content of files, the target of links. */
async function unpacked(archive: AsyncIterable<Uint8Array>): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const entries = extract()
  entries.end(await buffer(archive))
  for await (const entry of entries) {
    const { name, type, linkname } = entry.header
    const content = await buffer(entry)
    found[name] = type === 'symlink' ? `-> ${linkname}` : content.toString()
  }
  return found
}

const link = (name: string, linkname: string): Entry => ({ name, type: 'symlink', linkname })

export function describeFiles(current: () => ProgramsFixture): void {
  describe('files', () => {
    const hostile: readonly (readonly [string, readonly Entry[]])[] = [
      ['an absolute path', [{ name: '/tmp/svc-absolute', content: 'x' }]],
      ['a path that leads up', [{ name: 'a/../../svc-up', content: 'x' }]],
      ['a link to an absolute path', [link('etc', '/etc')]],
      ['a link that leads up', [link('a/up', '../../svc')]],
      ['a chain of links that leads up', [link('deep/er/root', '../..'), link('m', 'deep/er/root/../..')]],
      ['a hard link to a file elsewhere', [{ name: 'hosts', type: 'link', linkname: '../../etc/hosts' }]],
      ['a hard link through a link', [link('d', '.'), { name: 'h', type: 'link', linkname: 'd/x' }]],
      ['a device', [{ name: 'null', type: 'character-device' }]],
      ['a pipe', [{ name: 'pipe', type: 'fifo' }]],
    ]
    it.each(hostile)('are refused with %s', async (_what, entries) => {
      const { programs } = current()
      const { external_id, control } = await openSandbox(programs)
      await expect(control.put(archiveOf(entries), forever)).rejects.toMatchObject({
        name: 'SandboxError',
        message: expect.stringContaining('refused'),
      })
      // The control goes on, and so may another archive.
      await control.put(filesOf({ 'main.mjs': '' }), forever)
      await programs.destroy(external_id)
    })

    it('are not written through a link of an earlier archive', async () => {
      const { programs } = current()
      const { external_id, control } = await openSandbox(programs)
      await control.put(archiveOf([{ name: 'real', type: 'directory' }, link('way', 'real')]), forever)
      await expect(control.put(filesOf({ 'way/x': '1' }), forever)).rejects.toThrow(
        /cannot be unpacked|refused/,
      )
      await programs.destroy(external_id)
    })

    it('are refused when they are no archive, and a large archive is refused before its end', async () => {
      const { programs } = current()
      const { external_id, control } = await openSandbox(programs)
      const noise = async function* () {
        for (let n = 0; n < 64; n += 1) yield Buffer.alloc(64 * 1024, 7)
      }
      await expect(control.put(noise(), forever)).rejects.toMatchObject({ name: 'SandboxError' })
      await programs.destroy(external_id)
    })

    it('go in, are worked on by a program that ends, and come out without what leads out', async () => {
      const { programs } = current()
      const script = `
        import { mkdirSync, writeFileSync, symlinkSync, readFileSync } from 'node:fs'
        mkdirSync('dist/sub', { recursive: true })
        writeFileSync('dist/index.html', readFileSync('page.txt', 'utf8').toUpperCase())
        writeFileSync('dist/sub/large', 'x'.repeat(3_000_000))
        writeFileSync('dist/empty', '')
        symlinkSync('index.html', 'dist/inner')
        symlinkSync('../page.txt', 'dist/outer')
        symlinkSync('/etc/hostname', 'dist/absolute')
        symlinkSync('nowhere', 'dist/dangling')
        symlinkSync('/etc', 'elsewhere')
        console.log(process.cwd() === process.env.PWD_WANTED || 'built')
      `
      const { external_id, control } = await openSandbox(programs)
      await control.put(filesOf({ 'main.mjs': script, 'page.txt': 'hello' }), forever)
      await control.start(
        {
          command: ['node', 'main.mjs'],
          environment: {},
          masked: {},
          folder: '',
          kind: 'once',
          port: null,
          readiness_path: null,
          timeout_ms: 60_000,
        },
        forever,
      )
      await untilPhase(control, 'ended')
      expect(await control.state(forever)).toMatchObject({
        exits: 0,
        last_exit: { code: 0, signal: null },
        port: null,
      })
      const found = await unpacked(await control.take('dist', forever))
      expect(Object.keys(found).toSorted()).toEqual(['empty', 'index.html', 'inner', 'sub/', 'sub/large'])
      expect(found).toMatchObject({ 'index.html': 'HELLO', inner: '-> index.html', empty: '' })
      expect(found['sub/large']).toHaveLength(3_000_000)
      await expect.poll(async () => textOf(await linesOf(control))).toContain('left out')
      await expect(control.take('absent/deeper', forever)).rejects.toThrow(
        /There is no folder absent\/deeper; in the root there is dist, elsewhere, main.mjs, page.txt/,
      )
      await expect(control.take('elsewhere', forever)).rejects.toThrow(/leads out/)
      await expect(control.take('../..', forever)).rejects.toThrow(/leads out/)
      await programs.destroy(external_id)
    })

    it('keep what may be executed, and nothing that raises rights', async () => {
      const { programs } = current()
      const { external_id, control } = await openSandbox(programs)
      await control.put(
        archiveOf([
          { name: 'bin/run', content: '#!/bin/sh\nstat -c %a bin/run bin/data\n', mode: 0o6755 },
          { name: 'bin/data', content: '', mode: 0o644 },
        ]),
        forever,
      )
      await control.start(
        {
          command: ['./bin/run'],
          environment: {},
          masked: {},
          folder: '',
          kind: 'once',
          port: null,
          readiness_path: null,
          timeout_ms: 60_000,
        },
        forever,
      )
      await untilPhase(control, 'ended')
      expect(textOf(await linesOf(control))).toBe('755\n644')
      await programs.destroy(external_id)
    })

    it('are the folder that a program starts in', async () => {
      const { programs } = current()
      const running = await runScript(programs, 'console.log(process.cwd())', {
        kind: 'once',
        folder: 'nowhere',
      })
      await untilPhase(running.control, 'failed')
      expect((await running.control.state(forever)).reason).toContain('There is no folder nowhere')
      await programs.destroy(running.external_id)
    })
  })
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

test('makes what is missing, and leaves what is there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-folder-'))
  makeFolder(join(folder, 'one/two'), 0o700)
  makeFolder(join(folder, 'one/two'), 0o755)
  expect(statSync(join(folder, 'one/two')).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder)).toEqual(['one'])
  rmSync(folder, { recursive: true })
})

test('in a folder that was removed from under its process it is an error, and no loop without an end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-folder-'))
  const program = `
    import { makeFolder } from ${JSON.stringify(fileURLToPath(new URL('make-folder.ts', import.meta.url)))}
    import { rmdirSync } from 'node:fs'
    process.chdir(${JSON.stringify(folder)})
    rmdirSync(process.cwd())
    try { makeFolder('/proc/self/cwd/one/two') } catch (error) { console.log(error.code) }`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  await once(child, 'close')
  expect(said).toBe('ENOENT\n')
})

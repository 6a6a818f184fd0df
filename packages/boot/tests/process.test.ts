import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

function run(...args: string[]) {
  const runner = join(import.meta.dirname, 'process-runner.ts')
  const child = spawn(process.execPath, ['--import', tsx, runner, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  return { child, output: () => output, ended: once(child, 'close') }
}

test('a real process ends in order on SIGTERM, and its last line is on stdout', async () => {
  const { child, output, ended } = run()
  await vi.waitFor(() => expect(output()).toContain('"msg":"up"'), { timeout: 180_000 })
  child.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  expect(output()).toContain('"msg":"Closed"')
})

test('a real process that loses a promise says so and ends with 1', async () => {
  const { output, ended } = run('reject')
  expect((await ended)[0]).toBe(1)
  expect(output()).toContain('nobody looked')
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { freePort } from '../../../../scripts/free-port.ts'

const require = createRequire(import.meta.url)

/** The reference server, in a process of its own, by its own entry. */
export async function startEverything(transport: 'streamableHttp' | 'sse', port?: number) {
  const entry = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')
  const at = port ?? (await freePort())
  const child = spawn(process.execPath, [entry, transport], {
    env: { PATH: process.env['PATH'] ?? '', PORT: String(at) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await said(child, /(listening|running) on port/i)
  return {
    url: `http://127.0.0.1:${at}/${transport === 'sse' ? 'sse' : 'mcp'}`,
    port: at,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

function said(child: ChildProcess, line: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('exit', () => reject(new Error(`the server ended: ${text}`)))
    child.stderr?.on('data', (chunk) => {
      text += String(chunk)
      if (line.test(text)) resolve()
    })
  })
}

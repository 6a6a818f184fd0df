import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../scripts/free-port.ts'

const packages = ['mcp-proxy@6.7.19', '@modelcontextprotocol/client@2', '@modelcontextprotocol/server@2']

/** A proxy of the field, which decides nothing and keeps nothing, from its own package, before the server at `url`. */
export async function startPeer(
  folder: string,
  url: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...packages]
  await promisify(execFile)('npm', install)
  const program = join(folder, 'peer-proxy.mjs')
  await copyFile(new URL('peer-proxy.mjs', import.meta.url), program)
  const port = await freePort()
  const child = fork(program, [url, String(port)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  process.once('exit', () => child.kill('SIGKILL'))
  const left = once(child, 'exit').then(() => {
    throw new Error('The other proxy did not start')
  })
  await Promise.race([once(child, 'message'), left])
  left.catch(() => {})
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

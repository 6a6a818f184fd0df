import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../scripts/free-port.ts'

const peer = '@portkey-ai/gateway@1.15.2'

/** Another gateway of the field, which keeps no budget, from its own package. */
export async function startPeer(folder: string): Promise<{ process: ChildProcess; port: number }> {
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', peer]
  await promisify(execFile)('npm', install)
  const port = await freePort()
  const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  const preload = new URL('peer-fetch.mjs', import.meta.url).href
  const args = ['--import', preload, program, '--headless', `--port=${port}`]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  for (let tries = 0; tries < 100; tries += 1) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (answered) return { process: child, port }
    await sleep(100)
  }
  throw new Error('The other gateway did not start')
}

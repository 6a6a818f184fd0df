import { spawn } from 'node:child_process'
import type { Env, Io } from '../io.ts'

/** Asks the machine to show a page. False where it has nothing that shows pages: then the printed address does. */
export async function openBrowser(url: string, env: Env): Promise<boolean> {
  const [file, ...args] = opener(env['BROWSER'])
  const child = spawn(file, [...args, url], { stdio: 'ignore', detached: true })
  child.unref()
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('spawn', () => resolve(true))
  })
}

function opener(browser: string | undefined): readonly [string, ...string[]] {
  if (browser !== undefined && browser !== '') return [browser]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '']
  return ['xdg-open']
}

/** Over SSH the browser that opens is not the one that the person sits at. */
export function mayOpenBrowser(
  { env }: Pick<Io, 'env'>,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (env['SSH_CONNECTION'] || env['SSH_TTY'] || env['CI']) return false
  if (env['BROWSER']) return true
  return platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

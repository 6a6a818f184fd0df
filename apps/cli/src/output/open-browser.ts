import { spawn } from 'node:child_process'
import type { Env } from '../io.ts'

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

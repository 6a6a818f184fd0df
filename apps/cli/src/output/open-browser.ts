import { spawn } from 'node:child_process'
import type { Env } from '../io.ts'

/** Asks the machine to show a page; where it cannot, the printed address does. */
export function openBrowser(url: string, env: Env): void {
  const [file, ...args] = opener(env['BROWSER'])
  const child = spawn(file, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

function opener(browser: string | undefined): readonly [string, ...string[]] {
  if (browser !== undefined && browser !== '') return [browser]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '']
  return ['xdg-open']
}

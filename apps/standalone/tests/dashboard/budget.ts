import { readdir, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { platform } from './world.ts'

const assets = fileURLToPath(new URL('../../dist/dashboard/assets/', import.meta.url))

/** Bytes as they are sent: the first page and each part that is loaded later stay small. */
export function testBudget(): void {
  test('the pages stay within what they may weigh', async () => {
    const html = await (await fetch(`${platform.origin}/dashboard/`)).text()
    const paths = [...html.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+\.(?:js|css))"/g)].map(
      ([, path = '']) => path,
    )
    const bytes = async (path: string) => {
      const answer = await fetch(platform.origin + path, { headers: { 'accept-encoding': 'br' } })
      await answer.body?.cancel()
      expect(answer.headers.get('content-encoding'), path).toBe('br')
      return Number(answer.headers.get('content-length'))
    }
    const sum = async (ending: string) =>
      (await Promise.all(paths.filter((path) => path.endsWith(ending)).map(bytes))).reduce((a, b) => a + b, 0)
    const [script, style] = [await sum('.js'), await sum('.css')]
    expect(script).toBeGreaterThan(50_000)
    expect(script).toBeLessThanOrEqual(200_000)
    expect(style).toBeGreaterThan(1_000)
    expect(style).toBeLessThanOrEqual(20_000)
    const later = (await readdir(assets)).filter(
      (name) => name.endsWith('.js.br') && !paths.some((path) => path.endsWith(name.slice(0, -3))),
    )
    const sizes = await Promise.all(
      later.map(async (name) => ({ name, size: (await stat(assets + name)).size })),
    )
    expect(sizes.length).toBeGreaterThan(10)
    expect(sizes.filter(({ size }) => size > 60_000)).toEqual([])
  })
}

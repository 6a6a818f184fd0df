import { round, summarise } from '../measure.ts'
import type { Verdict } from '../report.ts'
import type { Change } from './many-files.ts'
import { numberOf, type Page, type Tab } from './tab.ts'

const nextFrame = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))'
const promised = { first_ms: 1_000, nodes: 6_000, last_ms: 300 }

/** The files of a large change request, beside the same patch as plain text in the same browser. */
export async function review({ browser, platform, page }: Tab, change: Change, turns: number) {
  const times = { first: [] as number[], last: [] as number[], plain: [] as number[] }
  let nodes = 0
  const bare = await browser.newPage()
  const [first = '', last = ''] = [change.paths[0], change.paths.at(-1)]
  for (let turn = -1; turn < turns; turn += 1) {
    const plain = await plainPatch(bare, change.patch)
    await page.goto(`${platform.origin}/dashboard/`)
    const shown = await firstFile(page, platform.origin + change.page, first)
    nodes = Math.max(nodes, await numberOf(page, 'document.querySelectorAll("*").length'))
    const jumped = await lastFile(page, last)
    nodes = Math.max(nodes, await numberOf(page, 'document.querySelectorAll("*").length'))
    if (turn < 0) continue
    times.first.push(shown)
    times.last.push(jumped)
    times.plain.push(plain)
  }
  await bare.close()
  const [ours, limit, end] = [summarise(times.first), summarise(times.plain), summarise(times.last)]
  const ratio = round(ours.p50_ms / limit.p50_ms)
  const files = change.paths.length
  return {
    ...{ files, first_file: ours, plain_text: limit, ratio, last_file: end, nodes },
    verdicts: [
      {
        what: `first of ${files} files painted`,
        promise: `<= ${promised.first_ms} ms`,
        measured: `p50 ${ours.p50_ms} ms, p95 ${ours.p95_ms} ms; the patch as plain text ${limit.p50_ms} ms (${ratio}x)`,
        held: ours.p95_ms <= promised.first_ms,
      },
      {
        what: 'nodes of the page',
        ...{ promise: `<= ${promised.nodes}`, measured: String(nodes), held: nodes <= promised.nodes },
      },
      {
        what: 'End to the last file',
        promise: `<= ${promised.last_ms} ms`,
        measured: `p50 ${end.p50_ms} ms, p95 ${end.p95_ms} ms`,
        held: end.p95_ms <= promised.last_ms,
      },
    ] satisfies Verdict[],
  }
}

/** From the address to the frame that has the file's lines. */
async function firstFile(page: Page, address: string, path: string): Promise<number> {
  const began = performance.now()
  await page.goto(address, { waitUntil: 'commit' })
  await painted(page, path)
  return performance.now() - began
}

async function lastFile(page: Page, path: string): Promise<number> {
  await page.locator('body').click({ position: { x: 2, y: 2 } })
  const began = performance.now()
  await page.keyboard.press('End')
  await painted(page, path)
  return performance.now() - began
}

async function painted(page: Page, path: string): Promise<void> {
  await page.getByLabel(`Changes of ${path}`).waitFor()
  await page.evaluate(nextFrame)
}

async function plainPatch(page: Page, patch: string): Promise<number> {
  await page.goto('about:blank')
  const began = performance.now()
  await page.setContent(`<pre>${patch.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`)
  await page.evaluate(nextFrame)
  return performance.now() - began
}

import { seedSessions } from '../api/seed.ts'
import { round } from '../measure.ts'
import type { Verdict } from '../report.ts'
import { numberOf, type Page, type Tab } from './tab.ts'

const promised = { frame_ms: 100, nodes: 2_000 }

/** From the top to the bottom by a screen and a half a frame: the longest frame, and the most nodes that the page had. */
const scrolled = `new Promise((resolve) => {
  let [longest, nodes, frames, last] = [0, 0, 0, performance.now()]
  scrollTo(0, 0)
  const step = (now) => {
    if (frames > 1) longest = Math.max(longest, now - last)
    frames += 1
    last = now
    if (frames % 10 === 0) nodes = Math.max(nodes, document.querySelectorAll('*').length)
    if (scrollY + innerHeight >= document.documentElement.scrollHeight - 2) return resolve({ longest, nodes, frames })
    scrollBy(0, innerHeight * 1.5)
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`

/** The list of a project with so many sessions, all of them read, scrolled, and read again after a change. */
export async function sessions({ platform, page }: Tab, database_url: string, count: number) {
  const { project_id } = await platform.client.projects.provision({ name: 'Many sessions' })
  const session_id = await running(platform, project_id)
  await seedSessions(database_url, project_id, count)
  await page.goto(`${platform.origin}/dashboard/projects/${project_id}/sessions`)
  await readAll(page, count)
  const { longest, nodes, frames } = Object(await page.evaluate<unknown>(scrolled))
  const again = await requestsAfterChange(page, async () => {
    await platform.client.projects.sessions.update(project_id, session_id, { name: 'Renamed' })
  })
  const frame_ms = round(Number(longest))
  return {
    ...{ sessions: count, frames, frame_ms, nodes, requests_after_change: again },
    verdicts: [
      {
        what: `longest frame while ${count} sessions are scrolled`,
        promise: `<= ${promised.frame_ms} ms`,
        measured: `${frame_ms} ms in ${frames} frames`,
        held: frame_ms <= promised.frame_ms,
      },
      {
        what: `nodes of the page with ${count} sessions`,
        promise: `<= ${promised.nodes}`,
        measured: String(nodes),
        held: Number(nodes) <= promised.nodes,
      },
    ] satisfies Verdict[],
  }
}

/** One session that the platform itself has begun, so that it can be changed. */
async function running({ client }: Tab['platform'], project_id: string): Promise<string> {
  const { sessions: all } = client.projects
  const { session_id } = await all.create(project_id, {})
  while ((await all.get(project_id, session_id)).status !== 'running')
    await new Promise((resolve) => setTimeout(resolve, 500))
  return session_id
}

/** Presses the button under the list until there is none; the last title is at its end then. */
async function readAll(page: Page, count: number): Promise<void> {
  const more = page.getByRole('button', { name: /^(Older ones|Loading…)$/ })
  await page.getByRole('link', { name: 'Mend the cart 1', exact: true }).waitFor()
  while ((await more.count()) > 0) await more.click({ timeout: 5_000 }).catch(() => undefined)
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await page.getByRole('link', { name: `Mend the cart ${count}`, exact: true }).waitFor()
}

/** Requests for the list in the ten seconds after one session was renamed. */
async function requestsAfterChange(page: Page, change: () => Promise<void>): Promise<number> {
  let asked = 0
  const count = (request: { url(): string }) => {
    if (request.url().includes('/session-summaries')) asked += 1
  }
  page.on('request', count)
  await change()
  await numberOf(page, 'new Promise((resolve) => setTimeout(() => resolve(0), 10000))')
  page.off('request', count)
  return asked
}

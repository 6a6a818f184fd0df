import { expect, test } from 'vitest'
import { readyText } from './ready-text.ts'

const running = {
  origin: 'http://127.0.0.1:7700',
  host: 'local-7800',
  internal_port: 7701,
  bootstrap: { api_url: '', dashboard_url: '', account_id: '', user_id: '', token: 'svc_pat_secret' },
  why: 'bubblewrap',
  model: 'demo',
  docs: true,
}
const link = 'http://127.0.0.1:7700/dashboard/#type=magic_link&token=svc_lnk_1'

test('says where the dashboard is, signed in, and never the token', () => {
  const text = readyText({ ...running, dashboard: link }, 1000)
  // `svc self-host start` reads this line.
  expect(/^ +Dashboard +(\S+)$/m.exec(text)?.[1]).toBe(link)
  expect(text).toContain('once, within 10 minutes')
  expect(text).not.toContain('svc_pat_')
})

test('names the host that the svc client knows it by', () =>
  expect(readyText({ ...running, dashboard: null }, 1000)).toContain('npx svc hosts use local-7800 '))

test('says nothing of a dashboard that is not built', () => {
  expect(readyText({ ...running, dashboard: null }, 1000)).not.toContain('ashboard')
})

import { describe, expect, it } from 'vitest'
import { parseAuthority } from './authority.ts'
import { type Egress, judge, platformOnly } from './egress.ts'
import { reachOf } from './reach.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'registry.example': ['93.184.216.34', '2606:2800::1'],
  'inside.example': ['10.1.2.3'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
}
const egress: Egress = {
  mode: 'open',
  forbidden_urls: ['postgres://u:p@8.8.8.8:5432/svc'],
  private_repositories: true,
  lookup: async (host) => names[host] ?? [],
}
const reach = reachOf({
  SVC_API_URL: 'http://127.0.0.1:7700/v1',
  SVC_LLM_BASE_URL: 'http://10.9.9.9:9000/v1/llm',
  SVC_REPO_URL: 'http://10.1.2.3:3000/team/app.git',
})

async function ask(text: string, given: Egress = egress): Promise<readonly string[] | string> {
  const target = parseAuthority(text)
  if (target === null) throw new Error(text)
  const verdict = await judge(target, reach, given)
  return verdict.allowed ? verdict.addresses : verdict.why
}

describe('judge', () => {
  it('lets the platform pass, at whatever address it is', async () => {
    expect(await ask('127.0.0.1:7700')).toEqual(['127.0.0.1'])
    expect(await ask('10.9.9.9:9000')).toEqual(['10.9.9.9'])
    expect(await ask('127.0.0.1:7700', platformOnly)).toEqual(['127.0.0.1'])
  })

  it('lets public names pass, with the addresses that were checked', async () => {
    expect(await ask('registry.example:443')).toEqual(['93.184.216.34', '2606:2800::1'])
  })

  it.each([
    ['another port of the platform’s machine', '127.0.0.1:7701'],
    ['the same in other words', '127.1:7701'],
    ['the same as a number', '2130706433:7701'],
    ['the same within version 6', '[::ffff:127.0.0.1]:7701'],
    ['the metadata address', '169.254.169.254:80'],
    ['a private address', '10.0.0.1:22'],
    ['a name of a private address', 'inside.example:80'],
    ['a name of which one address is private', 'both.example:80'],
    ['the database, even at a public address', '8.8.8.8:5432'],
    ['another port of the repository’s host', '10.1.2.3:22'],
  ])('refuses %s', async (_, text) => {
    expect(await ask(text)).toMatch(/closed to sandboxes|no such host/)
  })

  it('lets the session’s repository pass only where the operator lets repositories be', async () => {
    expect(await ask('10.1.2.3:3000')).toEqual(['10.1.2.3'])
    expect(await ask('10.1.2.3:3000', { ...egress, mode: 'platform' })).toEqual(['10.1.2.3'])
    expect(await ask('10.1.2.3:3000', { ...egress, private_repositories: false })).toMatch(/closed/)
  })

  it('says why nothing else is reached when the operator wants none of the internet', async () => {
    expect(await ask('registry.example:443', { ...egress, mode: 'platform' })).toMatch(/only the platform/)
    expect(await ask('nowhere.example:443')).toMatch(/no such host/)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import type { Project } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { svc } from '../support/clients/svc.ts'
import { builtEntry } from '../support/platform/apps.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'
import { run } from '../support/platform/run.ts'
import { type ListingProvider, listingProvider } from '../support/sessions/listing-provider.ts'

/** The lines of a page, typed as they stand but for the addresses, which are of nothing here. */
const page = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8')
const linesBelow = (text: string, heading: string) =>
  (/```sh\n([^`]+)```/.exec(text.slice(text.indexOf(heading)))?.[1] ?? '').trim().split('\n')

let database: TestDatabase
let provider: ListingProvider
let platform: Platform
let project: Project

beforeAll(async () => {
  ;[database, provider] = await Promise.all([testDatabase(), listingProvider(['great', 'qwen'])])
  platform = await startPlatform({
    DATABASE_URL: database.connection_string,
    SVC_OUTBOUND_ADDRESSES: '127.0.0.0/8',
  })
  project = await platform.client.projects.provision({ name: 'Lines' })
})
afterAll(async () => {
  await platform?.stop()
  await provider?.close()
  await database?.close()
})

/** One line of a shell, in which `svc` is the built command of a person who is logged in. */
async function typed(line: string) {
  const command = `svc() { "${process.execPath}" "${builtEntry('cli')}" "$@"; }\n${line}`
  const { place } = platform
  return run('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: place.root,
    env: {
      HOME: join(place.root, 'home'),
      SVC_CONFIG_FILE: place.config_file,
      SVC_PROJECT_ID: project.project_id,
      NO_COLOR: '1',
      KEY: 'the-key-of-acme',
    },
  })
}

async function typeAll(lines: readonly string[], address: string) {
  expect(lines).toHaveLength(5)
  const outputs: string[] = []
  for (const line of lines) {
    const result = await typed(line.replace(/https?:\/\/[^\s/]+/, address))
    expect(result, line).toMatchObject({ code: 0 })
    outputs.push(result.stdout)
  }
  return outputs
}

const ask = async (model: string) => {
  const { token } = JSON.parse(
    (await svc(platform, ['gateway', 'keys', 'new', model, '--json'], project)).stdout,
  )
  return fetch(`${platform.origin}/v1/llm/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] }),
  })
}

test('five lines and a key of your own answer', async () => {
  const outputs = await typeAll(linesBelow(page('models.md'), '**A key of your own**'), provider.origin)
  expect(outputs[2]).toContain('acme/great')
  expect(await ask('auto')).toMatchObject({ status: 200 })
  expect(provider.asked.at(-1)).toEqual({ path: '/v1/messages', key: 'the-key-of-acme', model: 'great' })
})

test('five lines and a server of your own answers, and no other model', async () => {
  await typeAll(linesBelow(page('models.md'), '**A server of your own**'), provider.origin)
  expect(await ask('auto')).toMatchObject({ status: 200 })
  expect(provider.asked.at(-1)).toEqual({ path: '/v1/chat/completions', key: null, model: 'qwen' })
  expect(await ask('acme/great')).toMatchObject({ status: 403 })
})

test('five lines and a night has its budget', async () => {
  const outputs = await typeAll(linesBelow(page('budgets.md'), '## A budget a night'), provider.origin)
  expect(outputs[2]).toContain('Each session')
})

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Commit {
  readonly message: string
  readonly files: Readonly<Record<string, string>>
  /** A branch that begins with this commit; else the default branch goes on. */
  readonly branch?: string
}

/** Pushes commits, one after another, as a person of the team would. */
export async function push(repo_url: string, token: string, commits: readonly Commit[]): Promise<void> {
  const clone = await mkdtemp(join(tmpdir(), 'svc-pictures-clone-'))
  const address = repo_url.replace('://', `://x:${token}@`)
  const git = (...args: readonly string[]) =>
    run('git', ['-c', 'user.name=Ada Example', '-c', 'user.email=ada@example.com', ...args], { cwd: clone })
  try {
    await git('clone', '-q', address, '.')
    for (const { message, files, branch } of commits) {
      if (branch !== undefined) await git('checkout', '-q', '-b', branch)
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(clone, path)), { recursive: true })
        await writeFile(join(clone, path), text)
      }
      await git('add', '-A')
      await git('commit', '-q', '-m', message)
      await git('push', '-q', 'origin', 'HEAD')
      if (branch !== undefined) await git('checkout', '-q', 'main')
    }
  } finally {
    await rm(clone, { recursive: true, force: true })
  }
}

const agent = (description: string, permission: string) =>
  `---\ndescription: ${description}\nmode: primary\n${permission}---\n\nKeep each change small, and run the tests before you propose it.\n`

const total = `/** Money is in cents. */

/** The sum of a cart, without shipping. */
export function sumOf(cart) {
  return cart.lines.reduce((sum, { price, count }) => sum + price * count, 0)
}

/** Shipping is free from 50 on. */
export function shippingOf(cart) {
  return sumOf(cart) >= 5_000 ? 0 : 490
}

/** All that a person pays. */
export function totalOf(cart) {
  return sumOf(cart) + shippingOf(cart)
}
`

const totalTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { totalOf } from '../src/total.js'

test('shipping is free from 50 on', () => {
  assert.equal(totalOf({ lines: [{ price: 2_500, count: 2 }] }), 5_000)
  assert.equal(totalOf({ lines: [{ price: 1_000, count: 1 }] }), 1_490)
})
`

/** The repository of the pictures: a small shop, two agents, a schedule and a webhook. */
export const shop: readonly Commit[] = [
  {
    message: 'Compute the total of a cart',
    files: {
      'package.json': '{ "name": "checkout-service", "private": true, "type": "module" }\n',
      'README.md': '# Checkout service\n\nWhat a cart costs, and how it is paid.\n',
      'src/total.js': total,
      'test/total.test.js': totalTest,
    },
  },
  {
    message: 'Declare the agents and what starts them',
    files: {
      'svc.yaml': `svc_version: 2
default_agent: builder

agents:
  builder:
    secrets: all
    svc_cli: all
  careful:
    secrets: all
    svc_cli: all

env:
  required: [PAYMENTS_KEY]
  optional: [HOOK_SECRET]

triggers:
  - slug: nightly
    name: Nightly review
    type: cron
    cron: 0 0 9 * * 1-5
    timezone: Europe/Berlin
    prompt: Look through the changes of the last day, and say what touches payment.
  - slug: orders
    name: Failed orders
    type: webhook
    secret_env: HOOK_SECRET
    prompt: 'An order failed: {{ body.reason }}. Find out why.'
`,
      '.svc/agentrt/agents/builder.md': agent('Builds features and proposes them.', ''),
      '.svc/agentrt/agents/careful.md': agent(
        'Asks before anything leaves the sandbox.',
        "permission:\n  bash:\n    '*': allow\n    'git push*': ask\n",
      ),
    },
  },
]

/** A branch of a person that conflicts once discounts are merged, and brings an error into the manifest. */
export const shipping: Commit = {
  branch: 'free-shipping',
  message: 'Ship for free from 30 on',
  files: {
    'src/total.js': total.replace('from 50 on', 'from 30 on').replace('5_000', '3_000'),
  },
}

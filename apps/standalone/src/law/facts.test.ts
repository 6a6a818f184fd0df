import {
  capabilities,
  defaultAgentGrant,
  liveSessionStatuses,
  monitorModes,
  overlaps,
  runtimeNames,
  sessionModes,
  triggerTypes,
} from '@svc/facts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

/** A copy of a fact, as a source would spell it: a pattern's own text, or all words of a list side by side. */
interface Fact {
  readonly name: string
  readonly isCopied: (source: string) => boolean
  /** A sample that has to be found. */
  readonly planted: string
  /** A file that has to spell it all the same. */
  readonly except?: string
  /** A folder whose own it is. */
  readonly home?: string
}

const facts: readonly Fact[] = [
  pattern('slug', /\[a-z0-9\]\[a-z0-9_-\](\{0,127\}|\*)/, String.raw`/^[a-z0-9][a-z0-9_-]{0,127}$/`),
  pattern(
    'env name',
    /\[A-Za-z_\]\[A-Za-z0-9_\]|\[a-zA-Z_\]\[a-zA-Z0-9_\]|\[A-Z_\]\[A-Z0-9_\]/,
    '/^[A-Z_][A-Z0-9_]*$/',
  ),
  pattern(
    "the platform's own variables",
    /\^SVC_(?![A-Z(])|startsWith\(['"]SVC_['"]\)/,
    `name.startsWith('SVC_')`,
  ),
  pattern('model name', /\[\^\/\\s\]\+\\\//, String.raw`.regex(/^[^/\s]+\/\S+$/)`),
  pattern(
    'ids of rows',
    /\^\[0-9a-f\]\{8\}(\(-\[0-9a-f\]\{4\}\)\{3\}|(-\[0-9a-f\]\{4\}){3})-\[0-9a-f\]\{12\}\$/,
    '/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i',
  ),
  // Keys of 32 bytes are read in capitals as well.
  pattern('SHA-256', /\^\[0-9a-f\]\{64\}\$\/(?!i)/, '.regex(/^[0-9a-f]{64}$/)'),
  pattern('commit', /\^\[0-9a-f\]\{40\}\$\//, '/^[0-9a-f]{40}$/.test(sha)'),
  {
    ...pattern('bearer token', /\^Bearer \+\(/, String.raw`/^Bearer +(\S+) *$/i.exec(header)`),
    // The proof of a webhook, which its sender may have put blanks into.
    except: 'packages/trigger/src/webhook-auth.ts',
  },
  pattern('duration', /\(s\|m\|h\|d\)|\[smhd\]/, '/^([1-9][0-9]*)(s|m|h|d)$/'),
  pattern(
    'waiting no longer than',
    /setTimeout\(\(\) => \{?\s*reject\(/,
    'timer = setTimeout(() => reject(new Error()), ms)',
  ),
  pattern(
    'waiting for work or a pause',
    /Promise\.race\(\[[^\]]*\b(pause|sleep)\(/,
    'await Promise.race([work, pause(ms)])',
  ),
  pattern('doubling pauses', /\* 2 \*\* [a-z(]|Math\.min\(\w+ \* 2,/i, 'wait = Math.min(wait * 2, maxMs)'),
  pattern(
    'replacing a file at once',
    /writeFile(Sync)?\(\s*(draft|temporary|temp|tmp|aside|`[^`]*\.(tmp|temp|new|draft)`)/,
    'await writeFile(`${path}.tmp`, text); await rename(`${path}.tmp`, path)',
  ),
  {
    ...pattern(
      'making a file that is not there',
      /(?<!flags: )'wx'|\blink(Sync)?\((draft|temporary|temp|tmp|from)\b/,
      `await writeFile(path, text, { flag: 'wx' })`,
    ),
    // The lock of git's own protocol, which git itself waits for.
    except: 'packages/git/src/refs/ref-files.ts',
  },
  pattern(
    'telling a process from a later one with its id',
    /lastIndexOf\('\)'\)|\.kill\([^,()]+, 0\)|random\/boot_id/,
    `const alive = () => process.kill(pid, 0)`,
  ),
  {
    ...pattern(
      'this machine',
      /=== '(localhost|127\.0\.0\.1)' \|\||\['localhost', '127[^)]*\)?\.(includes|has)|new Set\(\['(localhost|127\.0\.0\.1)'(, '[^']+')*\]\)|\|localhost\||\(localhost\|/,
      `if (hostname === '127.0.0.1' || hostname === 'localhost') return true`,
    ),
    // Issuers of sign-in: the whole URL is looked at.
    except: 'packages/identity/src/sign-in/sso/providers.ts',
  },
  {
    ...pattern(
      'addresses that are not of the internet',
      /'(10\.0\.0\.0\/8|100\.64\.0\.0\/10|169\.254\.0\.0\/16)'/,
      `const closed = ['10.0.0.0/8', '192.168.0.0/16']`,
    ),
    except: 'packages/access/src/public-address.ts',
  },
  {
    ...pattern(
      'a lookup that answers with checked addresses',
      /(?<!: )\bLookupFunction \{\s*const \w+ = addresses\.map|=> \(\{ address, family: isIP/,
      `const known = addresses.map((address) => ({ address, family: isIP(address) }))`,
    ),
    except: 'packages/access/src/pinned-lookup.ts',
  },
  pattern(
    'connecting to a socket of a folder',
    /readdir(Sync)?\([^)]*\)\) \{?\s*(const \w+ = )?(await )?(dial|connect)\(/,
    'for (const name of await readdir(folder)) { const socket = await dial(join(folder, name)) }',
  ),
  {
    ...pattern(
      'reading a manifest',
      /from '(yaml|smol-toml)'|import\('(yaml|smol-toml)'\)/,
      `import { parse } from 'yaml'`,
    ),
    home: 'packages/manifest/src/',
    // An agent's own file, which is no manifest.
    except: 'apps/daemon/src/runtimes/agent-files/agent-file.ts',
  },
  pattern(
    'variables of a proxy',
    /(['"])https?_proxy\1,\s*\1https?_proxy\1/i,
    `['https_proxy', 'http_proxy'].some((name) => env[name])`,
  ),
  list('capabilities', capabilities),
  list('default grant', defaultAgentGrant),
  list('session modes', sessionModes),
  list('overlap', overlaps),
  list('trigger types', triggerTypes),
  list('monitor modes', monitorModes),
  list('runtime names', runtimeNames),
  list('live statuses of sessions', liveSessionStatuses),
]

describe.each(facts)('$name', ({ isCopied, planted, except, home }) => {
  test('is found where it is copied', () => expect(isCopied(planted)).toBe(true))

  test('stands in its one place alone', () => {
    const copies = sources.filter(({ file, text }) => isCopied(text) && !(home && file.startsWith(home)))
    expect(copies.map(({ file }) => file)).toEqual(except === undefined ? [] : [except])
  })
})

test('the lists are found in types and in SQL as well', () => {
  const [modes, live] = [list('', sessionModes), list('', liveSessionStatuses)]
  expect(modes.isCopied(`type Mode = 'keyed' | 'pinned' | "reuse" |\n  'fresh'`)).toBe(true)
  expect(live.isCopied(`where s.status in ('running', 'provisioning')`)).toBe(true)
  expect(live.isCopied(`where s.status in ('running', 'stopped')`)).toBe(false)
})

function pattern(name: string, copy: RegExp, planted: string): Fact {
  return { name, planted, isCopied: (source) => copy.test(source) }
}

function list(name: string, words: readonly string[]): Fact {
  const sorted = words.toSorted().join()
  const isCopied = (source: string) => rows(source).some((row) => row.toSorted().join() === sorted)
  return { name, planted: `[${words.map((word) => `'${word}'`).join(', ')}]`, isCopied }
}

/** Each row of quoted words that commas or bars part. */
function rows(source: string): string[][] {
  const found = source.matchAll(/(['"])[\w.-]+\1(?:\s*[,|]\s*(['"])[\w.-]+\2)+/g)
  return [...found].map(([row]) => [...row.matchAll(/['"]([\w.-]+)['"]/g)].map(([, word = '']) => word))
}

const rooms = ['apps', 'packages']
  .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/src`))
  .filter((room) => !['packages/facts/src', 'packages/files/src', 'packages/timing/src'].includes(room))

const sources = [...rooms, 'scripts']
  .flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
  )
  .filter((file) => /\.(tsx?|mjs)$/.test(file))
  .filter((file) => !/\.test\.|\/(tests|testing|migrations|node_modules|dist)\//.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

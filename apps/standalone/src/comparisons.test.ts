import crypto, { createHmac, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeWebhook } from '@svc/trigger'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sameSecret } from '../../daemon/src/access/same-secret.ts'
import { signUserContext, verifyUserContext } from '../../daemon/src/access/user-context.ts'

const root = join(fileURLToPath(import.meta.url), '../../../..')

type Compared = readonly [left: Buffer, right: Buffer]
const compared: Compared[] = []
const real = crypto.timingSafeEqual

/** Notes the comparisons of every module from here on, their own imports of it included. */
beforeEach(() => {
  compared.length = 0
  const noting = (left: NodeJS.ArrayBufferView, right: NodeJS.ArrayBufferView) => {
    compared.push([bytesOf(left), bytesOf(right)])
    return real(left, right)
  }
  crypto.timingSafeEqual = noting
  syncBuiltinESMExports()
})
afterEach(() => {
  crypto.timingSafeEqual = real
  syncBuiltinESMExports()
})

const bytesOf = (view: NodeJS.ArrayBufferView) =>
  Buffer.copyBytesFrom(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))

const secret = randomBytes(20).toString('hex')
const body = Buffer.from('{"a":1}')
const now = new Date()
const webhook = (headers: Record<string, string>, secrets: readonly string[] = [secret]) =>
  judgeWebhook({ headers: (name) => headers[name] ?? null, body }, secrets, now).kind === 'accepted'
const hex = (key: string) => createHmac('sha256', key).update(body).digest('hex')
const seconds = Math.floor(now.getTime() / 1000)
const standard = (key: string) => ({
  'webhook-id': 'msg',
  'webhook-timestamp': String(seconds),
  'webhook-signature': `v1,${createHmac('sha256', key).update(`msg.${seconds}.`).update(body).digest('base64')}`,
})
const context = {
  userId: 'u',
  sandboxId: 's',
  sandboxRole: 'owner' as const,
  scopes: ['read'],
  iat: seconds,
  exp: seconds + 60,
}
const expected = { key: secret, session_id: 's', now: seconds }

/** Every way in which a caller proves to know a secret that is kept in the clear, given a guess at it. */
const proofs: readonly (readonly [string, (guess: string) => boolean])[] = [
  ['the token of a webhook', (guess) => webhook({ 'x-svc-token': guess })],
  ['the same as a password', (guess) => webhook({ authorization: `Basic ${btoa(`x:${guess}`)}` })],
  ['the HMAC of a webhook', (guess) => webhook({ 'x-svc-signature': hex(guess) })],
  ['a standard webhook', (guess) => webhook(standard(guess))],
  ['one of two secrets', (guess) => webhook({ 'x-svc-token': guess }, ['the new one', secret])],
  ['the service key at the daemon', (guess) => sameSecret(guess, secret)],
  ['a user context', (guess) => verifyUserContext(signUserContext(context, guess), expected).ok],
]

describe.each(proofs)('%s', (_, prove) => {
  const other = secret.startsWith('0') ? '1' : '0'
  test.each([
    ['the right one', secret, true],
    ['wrong at its beginning', other + secret.slice(1), false],
    ['wrong at its end', `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`, false],
    ['cut off', secret.slice(0, -1), false],
    ['longer', `${secret}0`, false],
    ['of one letter', 'x', false],
  ])('%s is judged by digests of one length, as often as any other', (_what, guess, right) => {
    prove('another guess altogether')
    const usual = compared.length
    compared.length = 0
    expect(prove(guess)).toBe(right)
    expect(compared).toHaveLength(usual)
    expect(usual).toBeGreaterThan(0)
    for (const [left, other] of compared) {
      expect([left.length, other.length]).toEqual([32, 32])
      expect([left, other].some((bytes) => bytes.includes(secret))).toBe(false)
    }
  })
})

/** The names of variables that hold something to be proved. Tokens are looked up by their digest, not compared. */
const secretName =
  /(^|[_.])(token|tokens|secret|password|signature|hmac|mac|digest|pepper|verifier|(service|api|master|data|private)_key|(token|code|password|link|refresh|secret)_hash)$/

/** Comparisons that look like one of a secret and are not. */
const allowed = [
  // The host in a person’s own file that has the token that they log in with.
  'apps/cli/src/config/hosts.ts: host.token === token',
  // Tells if escaping changed a secret that is masked.
  'apps/daemon/src/log.ts: quoted !== secret',
  // Digests of files that every sandbox reads.
  'apps/sandbox-worker/src/harness-installer.ts: found?.digest === digest',
  // The published prefix that a token has.
  'packages/access/src/tokens.ts: token.startsWith(candidate)',
  // Tells if what a service says of its actions changed.
  'packages/connector/src/catalogue.ts: actionDigest({ ...listed, risk: before.risk }) === before.digest',
  'packages/connector/src/catalogue.ts: before.accepted_digest !== before.digest',
  'packages/connector/src/catalogue.ts: before.accepted_digest === digest',
  // The digest of an entry of the manifest, which is in the repository for all to read.
  'packages/connectors/src/calls/frozen-parts.ts: frozen.definition_digest !== now.definition_digest',
  // The digest of a catalogue, which each of its readers has.
  'packages/connectors/src/connectors/actions.ts: current?.catalogue_digest !== input.catalogue_digest',
  'packages/connectors/src/connectors/kept-tools.ts: catalogueDigest(own) === catalogue_digest',
  // Digests of installed files.
  'packages/sandbox/src/harness/store/installed.ts: digest.startsWith(short)',
  'packages/sandbox/src/harness/store/installed.ts: digestOf(lines) === seal.digest',
  'packages/sandbox/src/harness/store/seal.ts: digestOf(lines) !== head.digest',
  'packages/sandbox/src/harness/store/settle.ts: options.digest !== digest',
  'packages/sandbox/src/harness/transfer/import-installed.ts: seal.digest !== digest',
  // Of an image, which anybody may know.
  'packages/sandbox/src/providers/kubernetes/registry/registry.ts: wanted !== digest',
  // A fake of the tests.
  "packages/upstream/src/testing/fake-pipedream.ts: body['client_secret'] !== secret",
]

/** Only a file that has both on a line, or on two that follow each other, is worth reading whole. */
const worthReading = (text: string) =>
  text
    .split('\n')
    .some(
      (line, index, lines) =>
        /[!=]==?|\.(equals|compare|localeCompare|startsWith|endsWith)\(/.test(line) &&
        /token|secret|password|signature|hmac|mac|digest|pepper|verifier|key|hash/i.test(
          `${line}${lines[index + 1] ?? ''}`,
        ),
    )

function comparisonsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  if (!worthReading(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    for (const pair of comparedBy(node))
      if (pair.some(isSecret) && !pair.some(isKnown)) found.push(node.getText())
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const operators = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]
const methods = ['equals', 'compare', 'localeCompare', 'startsWith', 'endsWith']

function comparedBy(node: ts.Node): ts.Expression[][] {
  if (ts.isBinaryExpression(node))
    return operators.includes(node.operatorToken.kind) ? [[node.left, node.right]] : []
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
  const { name, expression } = node.expression
  return methods.includes(name.text) ? node.arguments.map((argument) => [expression, argument]) : []
}

function isSecret(node: ts.Expression): boolean {
  const text = node.getText().replaceAll(/[?!]/g, '')
  if (!/^[\w.]+$/.test(text)) return false
  return secretName.test(text.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())
}

/** A test for presence or emptiness tells nothing of the value. */
function isKnown(node: ts.Expression): boolean {
  return ts.isLiteralExpression(node) || ['undefined', 'null', 'true', 'false'].includes(node.getText())
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

test('nothing that has to be proved is compared by ===, equals or compare anywhere else', () => {
  const files = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((name) => sources(join(root, group, name, 'src'))),
  )
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    comparisonsIn(file).map((text) => `${file.slice(root.length + 1)}: ${text}`),
  )
  expect(found.sort()).toEqual(allowed)
})

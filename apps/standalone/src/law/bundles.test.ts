import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { describe, expect, test } from 'vitest'

const root = join(fileURLToPath(import.meta.url), '../../../../..')

/** Of what checks passwords. */
const passwords = '@node-rs/argon2'

/** Libraries of the sign-in and of directory sync. */
const identityLibraries = ['email-providers', 'openid-client', 'otpauth', 'scimmy']

/** Loaded once an operator names a collector of traces. */
const traces =
  '@opentelemetry/api @opentelemetry/core @opentelemetry/exporter-trace-otlp-http @opentelemetry/resources @opentelemetry/sdk-trace-base'

/** Of what asks models. */
const vendors = '@ai-sdk/anthropic @ai-sdk/openai @ai-sdk/openai-compatible eventsource-parser'

/** Of every process that reads rows. */
const rows = {
  ours: 'access app boot change-request channel connector context contract db errors event facts files harness machine models objects outbound platform session timing trigger vault',
  theirs: `@hono/zod-openapi @pydantic/genai-prices croner dataloader gpt-tokenizer kysely pg pino pino-pretty prom-client undici zod ${traces}`,
}

/** Of every process that runs verbs. */
const verbs = {
  ours: `${rows.ours} git manifest queue sandbox services`,
  theirs: `${rows.theirs} @aws-sdk/client-s3 bullmq ioredis lru-cache simple-git smol-toml yaml`,
}

/** Of what drives sandboxes. */
const providerLibraries = '@kubernetes/client-node dockerode tar-stream'

const servesHttp =
  '@hono/node-server @modelcontextprotocol/sdk hono httpxy minisearch negotiator oidc-provider'

/** Of what knows how connectors prove themselves, and what their arguments have to be. */
const connectorLibraries =
  '@aws-crypto/sha256-js @cfworker/json-schema @smithy/signature-v4 graphql oauth-1.0a'

/** Of what writes to people. */
const mailAndPush = 'nodemailer web-push'

/** Of what talks with chats and by mail; the last one knows which domains are of one organization. */
const chatLibraries = '@slack/web-api markdown-it imapflow mailparser smtp-server tldts'

/** Of what asks other services. */
const upstreamLibraries = '@modelcontextprotocol/sdk @readme/openapi-parser js-yaml postman-collection ws'

/** The packages that the bundle of each deployable may hold, and nothing else: its own packages, and those of others. */
const bundles: Readonly<Record<string, { readonly ours: string; readonly theirs: string }>> = {
  appd: { ours: 'facts files sandbox timing', theirs: 'tar-stream' },
  gateway: {
    ours: `${rows.ours} objects spend`,
    theirs: `${rows.theirs} @aws-sdk/client-s3 @hono/node-server hono lru-cache ${vendors}`,
  },
  executor: {
    ours: `${verbs.ours} channels connectors upstream`,
    theirs: `${verbs.theirs} minisearch ${connectorLibraries} ${upstreamLibraries}`,
  },
  // Of the identity, the places of its keys.
  'merge-worker': { ...verbs, ours: `${verbs.ours} identity operator` },
  'sandbox-worker': {
    ours: `${verbs.ours} operator spend`,
    theirs: `${verbs.theirs} ${providerLibraries}`,
  },
  'app-worker': {
    ours: `${verbs.ours} apps`,
    theirs: `${verbs.theirs} ${providerLibraries} @balena/dockerignore mrmime`,
  },
  'app-proxy': {
    // The way to a program is the sandbox's own.
    ours: `${rows.ours.replace(' contract', '').replace(' channel', '')} sandbox`,
    // An app may ask its visitors for a password.
    theirs: `${rows.theirs.replace('@hono/zod-openapi ', '')} @aws-sdk/client-s3 ${passwords}`,
  },
  'channel-worker': {
    ours: `${verbs.ours} channels connectors events mail mail-channel matrix notifications slack spend`,
    theirs: `${verbs.theirs} ${mailAndPush} ${chatLibraries}`,
  },
  scheduler: {
    ours: `${verbs.ours} backup connectors identity operator spend`,
    theirs: `${verbs.theirs} pg-copy-streams`,
  },
  api: {
    ours: `${verbs.ours} apps backup channels connectors events identity mail mail-channel matrix mcp notifications operator slack spend upstream`,
    theirs: `${mailAndPush} ${chatLibraries} ${verbs.theirs} pg-copy-streams ${servesHttp} rate-limiter-flexible stemmer ${connectorLibraries} ${identityLibraries.join(' ')} ${passwords}`,
  },
  standalone: {
    ours: `${verbs.ours} app-proxy app-worker apps backup channel-worker channels identity mcp operator api cli connectors events executor gateway mail mail-channel matrix merge-worker notifications sandbox-worker scheduler slack spend upstream`,
    theirs: `${mailAndPush} ${chatLibraries} ${verbs.theirs} ${providerLibraries} @balena/dockerignore mrmime pg-copy-streams ${servesHttp} rate-limiter-flexible stemmer ${connectorLibraries} ${upstreamLibraries} ${vendors} ${identityLibraries.join(' ')} ${passwords}`,
  },
}

interface Held {
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
}

/** The packages whose code a program carries, by value: what it imports for types alone is not in it. */
async function packagesOf(program: { readonly entry?: string; readonly source?: string }): Promise<Held> {
  const theirs = new Set<string>()
  const namesThem: Plugin = {
    name: 'names-them',
    setup: ({ onResolve }) => {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('@svc/')) return undefined
        if (!path.startsWith('node:')) theirs.add(path.split('/', path.startsWith('@') ? 2 : 1).join('/'))
        return { path, external: true }
      })
    },
  }
  const { metafile } = await build({
    ...(program.entry === undefined
      ? { stdin: { contents: program.source ?? '', resolveDir: join(root, 'apps/standalone'), loader: 'ts' } }
      : { entryPoints: [program.entry] }),
    absWorkingDir: root,
    outdir: 'nowhere',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    plugins: [namesThem],
  })
  const folders = Object.keys(metafile.inputs).map((file) => /^(?:apps|packages)\/([^/]+)\//.exec(file)?.[1])
  return { ours: sorted(folders.filter((name) => name !== undefined)), theirs: sorted(theirs) }
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

describe('bundles', () => {
  test.each(Object.entries(bundles))('%s holds what its work needs, and no more', async (name, allowed) => {
    const held = await packagesOf({ entry: `apps/${name}/src/main.ts` })
    expect(held.ours).toEqual(sorted([name, ...allowed.ours.split(' ')]))
    expect(held.theirs).toEqual(sorted(allowed.theirs.split(' ')))
  })

  test('only what signs people in carries the libraries of the sign-in', () => {
    const carriers = Object.entries(bundles).filter(([, { theirs }]) =>
      identityLibraries.some((library) => theirs.split(' ').includes(library)),
    )
    expect(carriers.map(([name]) => name)).toEqual(['api', 'standalone'])
  })

  test('a line that brings them along is found', async () => {
    const clock = await packagesOf({ source: "export { sweepOAuth } from '@svc/identity/sweeps'" })
    expect(clock.theirs.filter((library) => identityLibraries.includes(library))).toEqual([])
    const heavy = await packagesOf({ source: "export { newSignInLink } from '@svc/identity'" })
    expect(heavy.theirs).toEqual(expect.arrayContaining(identityLibraries))
    const typed = await packagesOf({ source: "export type { Mail } from '@svc/identity'" })
    expect(typed).toEqual({ ours: [], theirs: [] })
  })
})

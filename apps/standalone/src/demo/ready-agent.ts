import { createInterface } from 'node:readline/promises'
import type { BootstrapFile } from '@svc/identity'
import { createClient } from '@svc/sdk'
import { createAdminClient } from '@svc/sdk/admin'
import { knownHarness } from '@svc/harness'
import type { DemoArguments } from './arguments.ts'
import { narrate } from './narrate.ts'

/** Sees to it that sessions may have this harness: its licence is accepted, and nothing else stands in its way. */
export async function readyAgent(
  { api_url, token }: BootstrapFile,
  name: string,
  { accept_licence }: Pick<DemoArguments, 'accept_licence'>,
): Promise<void> {
  if (knownHarness(name) === undefined) return
  narrate.step(`Asking the platform for ${name}`)
  const client = createClient({ api_url, token })
  const harness = await client.harnesses.get(name)
  if (harness.reason === 'licence') await acceptLicence({ api_url, token }, name, accept_licence)
  else if (!harness.available) throw new Error(harness.message ?? `${harness.title} cannot run here`)
  const { title, version, package: npm } = harness
  narrate.detail(npm === null ? `${title}, which every sandbox has` : `${title}: ${npm} ${version ?? ''}`)
}

async function acceptLicence(
  options: Pick<BootstrapFile, 'api_url' | 'token'>,
  name: string,
  accept_licence: boolean,
): Promise<void> {
  const admin = createAdminClient(options)
  const { licences } = await admin.harnesses.licence(name)
  for (const { name: package_name, sha256, text, accepted_at } of licences) {
    if (accepted_at !== null) continue
    narrate.detail(`${package_name} has a licence of its own:\n\n${text}`)
    if (!accept_licence && !(await isAccepted()))
      throw new Error(
        `The licence of ${package_name} was not accepted; --accept-licence accepts it without a question`,
      )
    await admin.harnesses.accept(name, sha256)
    narrate.detail('Accepted for this platform')
  }
}

/** The answer of the person at the terminal; without a terminal there is none. */
async function isAccepted(): Promise<boolean> {
  if (process.stdin.isTTY !== true) return false
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  const left = new AbortController()
  reader.on('SIGINT', () => left.abort())
  reader.on('close', () => left.abort())
  try {
    const answer = await reader.question('Accept it for every project of this platform? [y/N] ', left)
    return /^y(es)?$/i.test(answer.trim())
  } catch (error) {
    if (left.signal.aborted) return false
    throw error
  } finally {
    reader.close()
  }
}
